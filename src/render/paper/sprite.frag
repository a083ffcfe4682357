uniform sampler2D picture; // premultiplied
in vec2 uv;
layout(location = 0) out vec4 outColor;

void main() {
    outColor = texture(picture, uv); // beside a picture, its border
}
