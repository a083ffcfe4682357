// A picture as large as the viewport.
uniform sampler2D picture;
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    outColor = texture(picture, uvs);
}
