// A triangle that holds the whole picture.
in vec2 corner;
out vec2 uvs;

void main() {
    uvs = 0.5 * corner + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
