// The final pass: the mean of the samples, toned and over the gradient skysphere.
uniform sampler2D sampleLight; // linear, premultiplied
uniform sampler2D sampleDepth;
#ifdef MANY
uniform sampler2D sumLight;    // of the samples before
uniform float share;           // 1 / number of samples
#endif
#ifdef SKY
uniform mat4 worldFromClip;
uniform vec3 eye;
uniform float pixelSize;       // angle, radians
uniform vec3 topColor;         // sRGB as drawn
uniform vec3 bottomColor;
uniform float contrast;
uniform vec3 wireColor;
uniform float wireOpacity;
#endif
in vec2 uvs;
layout(location = 0) out vec4 outColor;

#ifdef SKY
const float PI = 3.14159265;

// Coverage of the nearest line of a grid with `count` cells per turn, whose pixels span `angle`.
float grid_line(float at, float angle, float count, float fade) {
    float cell = at * count / (2.0 * PI);
    float distance = abs(fract(cell + 0.5) - 0.5);
    float pixel = max(angle * count / (2.0 * PI), 1e-5);
    // Lines crowd at the poles.
    return pixel > 0.5 ? 0.0 : fade * (1.0 - smoothstep(0.6, 1.6, distance / pixel));
}

// sRGB as drawn.
vec3 sky() {
    vec4 far = worldFromClip * vec4(2.0 * uvs - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye);
    vec3 color = mix(bottomColor, topColor, clamp(0.5 + 0.5 * contrast * direction.y, 0.0, 1.0));
    if (wireOpacity <= 0.0) return color;
    float height = asin(clamp(direction.y, -1.0, 1.0));
    float longitude = atan(direction.x, direction.z);
    float ring = length(direction.xz);
    float meridian = grid_line(longitude, pixelSize / max(ring, 1e-4), 24.0, smoothstep(0.02, 0.12, ring));
    float wire = max(meridian, grid_line(height, pixelSize, 24.0, 1.0));
    return mix(color, wireColor, wireOpacity * wire);
}
#endif

void main() {
    vec4 light = texture(sampleLight, uvs);
#ifdef MANY
    light = share * (light + texture(sumLight, uvs));
#endif
    float alpha = clamp(light.a, 0.0, 1.0);
    vec3 color = vec3(0.0);
    if (alpha > 0.0) color = tone_map(light.rgb / alpha);
#ifdef SKY
    // Colours are mixed as light; the sky alone is as it was given.
    vec3 behind = vec3(0.0);
    if (alpha < 1.0) behind = sky();
    if (alpha > 0.0) color = srgb_from_linear(mix(linear_from_srgb(behind), color, alpha));
    else color = behind;
    alpha = 1.0;
#else
    color = srgb_from_linear(color) * alpha;
#endif
    // Half a step of grey noise hides the banding of 8-bit gradients.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    outColor = vec4(color + alpha * (noise - 0.5) / 255.0, alpha);
    gl_FragDepth = texture(sampleDepth, uvs).r;
}
