uniform sampler2D picture; // premultiplied
in vec2 uv;
layout(location = 0) out vec4 outColor;

// Width of the margins that are mirrored beside a picture again and again, as a share of it.
const float MARGIN = 0.2;

void main() {
    vec2 at = uv;
    float beside = max(-at.x, at.x - 1.0);
    if (beside > 0.0) {
        float inside = MARGIN - abs(mod(beside, 2.0 * MARGIN) - MARGIN);
        at.x = at.x < 0.0 ? inside : 1.0 - inside;
    }
    outColor = texture(picture, at);
}
