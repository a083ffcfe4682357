// A horizontal square around the axis of the world.
uniform mat4 viewProjection;
uniform float height;
uniform float reach; // half of its side
in vec2 corner;      // 0 to 1
out vec3 pos;

void main() {
    pos = vec3((2.0 * corner.x - 1.0) * reach, height, (2.0 * corner.y - 1.0) * reach);
    gl_Position = viewProjection * vec4(pos, 1.0);
}
