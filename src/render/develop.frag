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
#endif
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    vec4 light = light_at(uvs);
#ifdef BLOOM
    light = mix(light, texture(blurred, uvs), bloom);
#endif
    float alpha = clamp(light.a, 0.0, 1.0);
    vec3 color = tone_map(light.rgb * (1.0 / max(alpha, 1e-4)));
#ifdef SKY
    vec3 behind = texture(skyColor, uvs).rgb;
    // Colours are mixed as light; the sky alone is as it was given.
    color = srgb_from_linear(mix(linear_from_srgb(behind), color, alpha));
    color = alpha > 0.0 ? color + STEP * (grey_noise() - 0.5) : behind;
    alpha = 1.0;
#else
    color = alpha * (srgb_from_linear(color) + STEP * (grey_noise() - 0.5));
#endif
    outColor = vec4(color, alpha);
#ifdef DEPTH
    gl_FragDepth = texture(sampleDepth, uvs).r;
#endif
}
