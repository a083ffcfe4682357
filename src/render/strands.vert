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
uniform sampler2D points;        // world space: drawn tips, or particles strand after strand, root first
uniform int pointsPerStrand;     // 1: tips
#ifdef TINTED
uniform sampler2D tints;         // as drawn: strand after strand, root first
uniform int tintsPerStrand;
#endif
#ifdef DYED
uniform sampler2D dyes;          // sRGB, share of the width
#endif

in vec3 corner; // strand within the batch, place along the strand (0 to 1), side (-1 or 1)

out vec3 pos;
out vec3 nor;
out vec3 tang;
out vec3 bitang;
out vec2 uvs;   // side, place along the strand
out vec4 col;   // random of the strand, and its tint or dye where it has one

// Texture rows are uploaded bottom row first.
vec4 texel(sampler2D from, int index) {
    ivec2 size = textureSize(from, 0);
    return texelFetch(from, ivec2(index % size.x, size.y - 1 - index / size.x), 0);
}

// The quadratic Bezier of mohawk::groom::strand_curve_point, and its tangent.
void tipCurve(int strand, vec4 rootLength, vec3 direction, float t, out vec3 point, out vec3 tangent) {
    vec3 root = (worldFromHead * vec4(rootLength.xyz, 1.0)).xyz;
    vec3 tip = texel(points, strand).xyz;
    vec3 middle = straight > 0
        ? 0.5 * (root + tip)
        : root + mat3(worldFromHead) * direction * (0.5 * rootLength.w);
    point = mix(mix(root, middle, t), mix(middle, tip, t), t);
    tangent = mix(middle - root, tip - middle, t);
}

// Catmull and Rom's curve through the particles.
void particleCurve(int strand, float t, out vec3 point, out vec3 tangent) {
    int first = strand * pointsPerStrand;
    int last = pointsPerStrand - 1;
    float place = t * float(last);
    int i = min(int(place), last - 1);
    float f = place - float(i);
    vec3 b = texel(points, first + i).xyz;
    vec3 c = texel(points, first + i + 1).xyz;
    if (straight > 0) {
        point = mix(b, c, f);
        tangent = c - b;
        return;
    }
    vec3 a = i > 0 ? texel(points, first + i - 1).xyz : 2.0 * b - c;
    vec3 d = i + 1 < last ? texel(points, first + i + 2).xyz : 2.0 * c - b;
    vec3 u = 0.5 * (c - a);
    vec3 v = 0.5 * (d - b);
    vec3 cubic = 2.0 * (b - c) + u + v;
    vec3 square = 3.0 * (c - b) - 2.0 * u - v;
    point = b + f * (u + f * (square + f * cubic));
    tangent = u + f * (2.0 * square + f * 3.0 * cubic);
}

void main() {
    int strand = gl_InstanceID * batch + int(corner.x);
    if (strand >= strandCount) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    vec4 rl = texel(rootLength, strand);
    vec4 ds = texel(directionSeed, strand);
    float t = corner.y;
    vec3 point;
    vec3 tangent;
    if (pointsPerStrand > 1) {
        particleCurve(strand, t, point, tangent);
    } else {
        tipCurve(strand, rl, ds.xyz, t, point, tangent);
    }
    tangent = normalize(tangent + vec3(1e-9));

    vec3 toEye = normalize(viewpoint.xyz - viewpoint.w * point);
    vec3 across = cross(tangent, toEye);
    float len = length(across);
    across = len > 1e-4 ? across / len : vec3(1.0, 0.0, 0.0);

    float pixel = pixelSize * (viewProjection * vec4(point, 1.0)).w;
#ifdef DYED
    vec4 dye = texel(dyes, strand);
    float ownRadius = radius * dye.a;
    float ownWidthPx = max(widthPx * dye.a, min(widthPx, minWidthPx));
#else
    float ownRadius = radius;
    float ownWidthPx = widthPx;
#endif
    float halfWidth = widthPx > 0.0
        ? 0.5 * ownWidthPx * pixel
        : max(ownRadius * mix(1.0, taper, t * t), 0.5 * minWidthPx * pixel);

    pos = point + across * (corner.z * halfWidth);
    tang = tangent;
    bitang = across;
    nor = normalize(cross(across, tangent));
    uvs = vec2(corner.z, t);
#ifdef TINTED
    float place = t * float(tintsPerStrand - 1);
    int lower = min(int(place), max(tintsPerStrand - 2, 0));
    int upper = min(lower + 1, tintsPerStrand - 1);
    vec3 here = texel(tints, strand * tintsPerStrand + lower).rgb;
    vec3 next = texel(tints, strand * tintsPerStrand + upper).rgb;
    col = vec4(ds.w, mix(here, next, clamp(place - float(lower), 0.0, 1.0)));
#elif defined(DYED)
    col = vec4(ds.w, dye.rgb);
#else
    col = vec4(ds.w);
#endif
    gl_Position = viewProjection * vec4(pos, 1.0);
}
