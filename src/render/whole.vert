// The whole picture.
in vec2 corner; // 0 to 1
out vec2 uvs;

void main() {
    uvs = corner;
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
