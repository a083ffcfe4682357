uniform float presence; // below 1: fainter
in vec2 place;
in vec4 fill;
flat in float span;
flat in float width;
flat in float head;
layout(location = 0) out vec4 outColor;

void main() {
    float side = abs(place.y);
    float shaft = clamp(0.5 * width - side + 0.5, 0.0, 1.0);
    // Lines thinner than a pixel are fainter instead.
    shaft *= min(width, 1.0);
    float end = span - 0.7 * head;
    shaft *= clamp(place.x + 0.5, 0.0, 1.0) * clamp(end - place.x + 0.5, 0.0, 1.0);
    float tip = 0.0;
    if (head > 0.0) {
        float reach = 0.4 * (span - place.x);
        tip = clamp(reach - side + 0.5, 0.0, 1.0) * clamp(place.x - (span - head) + 0.5, 0.0, 1.0)
            * clamp(span - place.x + 0.5, 0.0, 1.0);
    }
    float cover = max(shaft, tip);
    if (cover <= 0.0) discard;
    outColor = vec4(fill.rgb, fill.a * presence * cover);
}
