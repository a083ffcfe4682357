uniform mat4 clipFromHead;
uniform vec3 origin; // head space
uniform vec3 sideU;
uniform vec3 sideV;

in vec2 corner; // 0 to 1 along the sides
out vec2 place;

void main() {
    place = corner;
    gl_Position = clipFromHead * vec4(origin + corner.x * sideU + corner.y * sideV, 1.0);
}
