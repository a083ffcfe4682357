// A square in the plane of each disc, with room for its soft edge and its reticle.
uniform mat4 viewProjection;
uniform mat4 worldFromHead;
uniform vec3 eye;
uniform float pixelSize;  // world size of a drawn pixel at clip w = 1
uniform float pixelScale; // drawn pixels per pixel of the picture
uniform float minRadiusPx; // smaller discs are drawn with this radius, but fainter
uniform float reach;      // radius of what is drawn, in radii of the disc
uniform float reachPx;    // and at least in pixels
uniform int billboard;    // whether the square faces the eye

in vec2 corner;           // of the square, 0 to 1
in vec4 centerRadius;     // head space
in vec4 facing;           // head space, unit
in vec4 color;            // as drawn

out vec2 place;           // in the plane of the disc, decimetres from its centre
flat out vec3 fill;
flat out float radius;    // as drawn, decimetres
flat out float pixel;     // world size of a drawn pixel at the centre
flat out float presence;  // below 1: drawn fainter

void main() {
    vec3 center = (worldFromHead * vec4(centerRadius.xyz, 1.0)).xyz;
    vec3 toEye = normalize(eye - center);
    vec3 n = mat3(worldFromHead) * facing.xyz;
    float slant = dot(n, toEye);
    // A reticle behind the head stays faintly visible.
    float onThisSide = mix(0.3, 1.0, smoothstep(-0.05, 0.1, slant));
    if (billboard > 0) slant = 1.0;
    if (slant <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    pixel = pixelSize * (viewProjection * vec4(center, 1.0)).w;
    radius = max(centerRadius.w, minRadiusPx * pixel);
    presence = billboard > 0 ? onThisSide : centerRadius.w / radius;
    fill = color.rgb * (0.70 + 0.30 * slant);

    vec3 u = normalize(cross(abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), n));
    vec3 v = cross(n, u);
    if (billboard > 0) {
        // Upright in the picture: the camera's right and up.
        mat4 rows = transpose(viewProjection);
        u = normalize(rows[0].xyz);
        v = normalize(rows[1].xyz);
    }
    // Seen at a slant a pixel spans more of the plane.
    float soft = 2.5 * pixelScale * pixel / max(slant, 0.2);
    place = (2.0 * corner - 1.0) * (max(reach * radius, reachPx * pixelScale * pixel) + soft);
    vec3 world = center + u * place.x + v * place.y;
    gl_Position = viewProjection * vec4(world, 1.0);
    // The skin is curved. Only the depth is lifted towards the eye, so that the disc stays at
    // its place in the picture.
    vec3 lift = toEye * (0.004 + 0.35 * centerRadius.w);
    vec4 lifted = viewProjection * vec4(world + lift, 1.0);
    gl_Position.z = lifted.z / lifted.w * gl_Position.w;
}
