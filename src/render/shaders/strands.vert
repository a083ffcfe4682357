// One camera-facing ribbon per strand. The vertex stream holds only where in the
// ribbon a vertex lies; what differs between strands is fetched by strand number.
uniform mat4 viewProjection;
uniform mat4 worldFromHead;
uniform vec4 viewpoint;      // w = 1: position, w = 0: direction towards an orthographic viewpoint
uniform float pixelSize;     // world size of a pixel at clip w = 1
uniform float radius;        // at the root, decimetres
uniform float taper;         // tip radius / root radius
uniform float widthPx;       // above 0: constant width in pixels instead
uniform float minWidthPx;
uniform int straight;        // above 0: no curve
uniform int strandCount;
uniform int batch;
uniform sampler2D rootLength;    // head space root, length
uniform sampler2D directionSeed; // head space rest direction, random in [0, 1)
uniform sampler2D tips;          // world space drawn tip

in vec3 corner; // strand within the batch, place along the strand (0 to 1), side (-1 or 1)

out vec3 pos;
out vec3 nor;
out vec3 tang;
out vec3 bitang;
out vec2 uvs;   // side, place along the strand
out vec4 col;   // random of the strand

void main() {
    int strand = gl_InstanceID * batch + int(corner.x);
    if (strand >= strandCount) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    // Texture rows are uploaded bottom row first.
    ivec2 size = textureSize(tips, 0);
    ivec2 texel = ivec2(strand % size.x, size.y - 1 - strand / size.x);
    vec4 rl = texelFetch(rootLength, texel, 0);
    vec4 ds = texelFetch(directionSeed, texel, 0);
    vec3 root = (worldFromHead * vec4(rl.xyz, 1.0)).xyz;
    vec3 tip = texelFetch(tips, texel, 0).xyz;
    vec3 middle = straight > 0
        ? 0.5 * (root + tip)
        : root + mat3(worldFromHead) * ds.xyz * (0.5 * rl.w);

    // The same quadratic Bezier as mohawk::groom::strand_curve_point.
    float t = corner.y;
    vec3 point = mix(mix(root, middle, t), mix(middle, tip, t), t);
    vec3 tangent = normalize(mix(middle - root, tip - middle, t) + vec3(1e-9));

    vec3 toEye = normalize(viewpoint.xyz - viewpoint.w * point);
    vec3 across = cross(tangent, toEye);
    float len = length(across);
    across = len > 1e-4 ? across / len : vec3(1.0, 0.0, 0.0);

    float pixel = pixelSize * (viewProjection * vec4(point, 1.0)).w;
    float halfWidth = widthPx > 0.0
        ? 0.5 * widthPx * pixel
        : max(radius * mix(1.0, taper, t * t), 0.5 * minWidthPx * pixel);

    pos = point + across * (corner.z * halfWidth);
    tang = tangent;
    bitang = across;
    nor = normalize(cross(across, tangent));
    uvs = vec2(corner.z, t);
    col = vec4(ds.w);
    gl_Position = viewProjection * vec4(pos, 1.0);
}
