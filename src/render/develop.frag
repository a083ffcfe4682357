// The final pass: the mean of the samples, toned, over the sky or on nothing.
#ifdef DEPTH
uniform sampler2D sampleDepth;
#endif
#ifdef BLOOM
uniform sampler2D blurred;
uniform float bloom; // share of the light
#endif
#ifdef SKY
uniform sampler2D skyColor;    // sRGB as drawn
uniform ivec2 origin;          // of the picture in the target, pixels
#endif
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    vec4 light = light_at(uvs);
#ifdef BLOOM
    light = mix(light, texture(blurred, uvs), bloom);
#endif
    float alpha = clamp(light.a, 0.0, 1.0);
    vec3 color = tone_map(light.rgb / max(alpha, 1e-4));
#ifdef SKY
    vec3 behind = texelFetch(skyColor, ivec2(gl_FragCoord.xy) - origin, 0).rgb;
    // Colours are mixed as light; the sky alone is as it was given.
    color = srgb_from_linear(mix(linear_from_srgb(behind), color, alpha));
    color = alpha > 0.0 ? color + (grey_noise() - 0.5) / 255.0 : behind;
    alpha = 1.0;
#else
    color = alpha * (srgb_from_linear(color) + (grey_noise() - 0.5) / 255.0);
#endif
    outColor = vec4(color, alpha);
#ifdef DEPTH
    gl_FragDepth = texture(sampleDepth, uvs).r;
#endif
}
