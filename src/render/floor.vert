// A horizontal square below the head.
uniform mat4 viewProjection;
uniform float height;
uniform float reach; // half of its side
uniform vec2 middle; // x and z
in vec2 corner;      // 0 to 1
out vec3 pos;

void main() {
    pos = vec3(0.0, height, 0.0);
    pos.xz = middle + (2.0 * corner - 1.0) * reach;
    gl_Position = viewProjection * vec4(pos, 1.0);
}
