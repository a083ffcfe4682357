uniform float presence; // below 1: fainter
in vec2 place;
flat in vec4 fill;
flat in float radius;
flat in float rim;
layout(location = 0) out vec4 outColor;

void main() {
    float d = length(place);
    float cover = clamp(radius - d + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    vec3 color = fill.rgb;
    if (rim > 0.0) {
        // The rims of many overlapping dots would hide everything else.
        cover *= presence;
        color *= mix(0.30, 1.0, clamp(radius - rim - d + 0.5, 0.0, 1.0));
    } else {
        cover *= 1.0 - 0.75 * smoothstep(0.2, 1.0, d / max(radius, 0.5));
    }
    outColor = vec4(color, fill.a * presence * cover);
}
