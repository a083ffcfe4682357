uniform float pixel;
uniform float width;
uniform float shadow;
in float along;
in float across;
flat in vec4 color;
layout(location = 0) out vec4 outColor;

// Darker where other hair lies over it, at the root; a band of gloss, not quite in a row.
vec3 lit(vec3 own, float random) {
    float shade = mix(0.80, 1.0, smoothstep(0.0, 0.30, along));
    float band = (along - 0.34 - 0.10 * (random - 0.5)) / 0.22;
    float bell = max(1.0 - band * band, 0.0);
    float gloss = 0.16 * bell * bell * bell * bell;
    return own * shade * (1.0 + gloss) + gloss * vec3(0.35, 0.32, 0.28);
}

void main() {
    if (shadow > 0.0) {
        float soft = 1.0 - abs(across) / (0.5 * width + 1.5);
        outColor = vec4(0.16, 0.07, 0.10, shadow * max(soft, 0.0));
        return;
    }
    // A tip is half as wide, and a root comes out of the skin.
    float halfWidth = 0.5 * width * mix(1.0, 0.5, smoothstep(0.7, 1.0, along))
        * mix(0.45, 1.0, smoothstep(0.0, 0.10, along));
    float inside = halfWidth - abs(across);
    outColor = vec4(lit(color.rgb, color.a), clamp(inside / pixel + 0.5, 0.0, 1.0));
}
