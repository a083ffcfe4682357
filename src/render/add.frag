uniform sampler2D sampleLight;
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    outColor = texture(sampleLight, uvs);
}
