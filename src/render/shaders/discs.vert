// A square in the plane of each disc, with room for its soft edge and its mark.
uniform mat4 viewProjection;
uniform mat4 worldFromHead;
uniform vec3 eye;
uniform float pixelSize;  // world size of a pixel at clip w = 1
uniform float leastPx;    // discs are not drawn smaller than this radius, but fainter
uniform float markPx;     // least radius of what is drawn around a ring, pixels
uniform int bothSides;    // above 0: drawn although it faces away

in vec2 corner;           // of the square, -1 to 1
in vec4 centerRadius;     // head space
in vec3 facing;           // head space, unit
in vec3 color;            // as drawn

out vec2 place;           // in the plane of the disc, decimetres from its centre
flat out vec3 fill;
flat out float radius;    // as drawn, decimetres
flat out float pixel;     // world size of a pixel at the centre
flat out float presence;  // below 1: smaller than it is drawn

void main() {
    vec3 center = (worldFromHead * vec4(centerRadius.xyz, 1.0)).xyz;
    vec3 n = mat3(worldFromHead) * facing;
    vec3 toEye = normalize(eye - center);
    float slant = dot(n, toEye);
    if (slant <= 0.0 && bothSides == 0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    pixel = pixelSize * (viewProjection * vec4(center, 1.0)).w;
    radius = max(centerRadius.w, leastPx * pixel);
    presence = centerRadius.w / radius;
    fill = color * (0.70 + 0.30 * abs(slant));

    vec3 u = normalize(cross(abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), n));
    vec3 v = cross(n, u);
    // Seen at a slant a pixel spans more of the plane.
    float soft = 1.5 * pixel / max(abs(slant), 0.2);
    place = corner * (max(radius, markPx * pixel) + soft);
    vec3 world = center + u * place.x + v * place.y;
    gl_Position = viewProjection * vec4(world, 1.0);
    // The skin is not as flat as a disc: only the depth is lifted towards the eye, so that
    // the disc stays where it is in the picture.
    vec4 lifted = viewProjection * vec4(world + toEye * (0.004 + 0.35 * centerRadius.w), 1.0);
    gl_Position.z = lifted.z / lifted.w * gl_Position.w;
}
