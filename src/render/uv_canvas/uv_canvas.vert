// A corner of a triangle of skin, at its UV; of the background; or of the ribbon along a border.
const float BORDER_WIDTH = 1.8; // pixels

uniform vec2 corner; // UV at the upper left of the picture
uniform float zoom;
uniform float pixel; // width of a pixel in clip space
in vec4 place; // u, v, light, and what it is: 0 skin, 1 background, 2 ribbon
in vec3 color; // of a ribbon: u and v of its other end, and its side, -1 or 1
in vec3 value;
out vec2 uv;
out float light;
out vec3 weights;
flat out int kind;
out vec3 vertexColor;
out vec3 vertexValue;

void main() {
    uv = place.xy;
    light = place.z;
    kind = int(round(place.w));
    int nth = gl_VertexID % 3;
    weights = vec3(nth == 0, nth == 1, nth == 2);
    vertexColor = color;
    vertexValue = value;
    vec2 at = (uv - corner) * zoom * 2.0 - 1.0;
    if (kind == 2) {
        vec2 along = color.xy - uv;
        along *= inversesqrt(max(dot(along, along), 1e-30));
        // Half a width beyond its ends, so that ribbons join.
        at += 0.5 * BORDER_WIDTH * pixel * (color.z * vec2(-along.y, along.x) - along);
    }
    // v goes down. Ribbons are in front, the background is behind.
    gl_Position = vec4(at.x, -at.y, kind == 2 ? -0.5 : 0.5 * float(kind), 1.0);
}
