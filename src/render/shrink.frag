// A quarter of a picture along each side.
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(sampleLight, 0));
    outColor = 0.25 * (light_at(uvs + pixel * vec2(-1.0, -1.0)) + light_at(uvs + pixel * vec2(1.0, -1.0))
        + light_at(uvs + pixel * vec2(-1.0, 1.0)) + light_at(uvs + pixel * vec2(1.0, 1.0)));
}
