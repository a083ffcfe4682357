uniform sampler2D picture; // premultiplied
in vec2 uv;
layout(location = 0) out vec4 outColor;

// Width of the margins that are mirrored beside a picture, as a share of it, and the share of that
// over which they give way to soft bands.
const float MARGIN = 0.2;
const float SOFT = 0.75;
// Half the height over which bands are soft, as a share of the picture, and the points taken of it.
const float BLUR = 0.14;
const int POINTS = 12;

void main() {
    float beside = max(-uv.x, uv.x - 1.0);
    if (beside <= 0.0) {
        outColor = texture(picture, uv);
        return;
    }
    float inside = min(beside, MARGIN);
    float edge = uv.x < 0.0 ? 0.0 : 1.0;
    vec4 mirrored = texture(picture, vec2(abs(edge - inside), uv.y));
    float share = smoothstep(0.0, SOFT * MARGIN, beside);
    vec4 bands = vec4(0.0);
    for (int i = 0; i < POINTS; i++) {
        float away = BLUR * share * (2.0 * (float(i) + 0.5) / float(POINTS) - 1.0);
        bands += texture(picture, vec2(abs(edge - 0.02), clamp(uv.y + away, 0.0, 1.0)));
    }
    outColor = mix(mirrored, bands / float(POINTS), share);
}
