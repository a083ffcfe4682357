// A disc on the skin around a root.
uniform mat4 viewProjection;
uniform mat4 worldFromHead;
uniform float widening;
in vec2 corner; // 0 to 1
in vec4 root;   // head space
in vec4 normal; // head space
out vec2 place;

const float RADIUS = 0.025; // decimetres
const float LIFT = 0.004;   // above the skin

void main() {
    place = 2.0 * corner - 1.0;
    vec3 n = normal.xyz;
    vec3 u = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 point = root.xyz + LIFT * n + widening * RADIUS * (u * place.x + cross(n, u) * place.y);
    gl_Position = viewProjection * worldFromHead * vec4(point, 1.0);
}
