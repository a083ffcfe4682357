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
uniform float finest;        // smallest width of a ribbon and of its soft sides, pixels
uniform int straight;        // above 0: no curve
uniform int strandCount;
uniform int parts;           // of each strand, drawn one by one
uniform int batch;           // parts of an instance
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

in vec3 corner; // part within the batch, place along the part (0 to 1), side (-1 or 1)

#ifdef SHADOW
uniform int stride;   // strands of which one is drawn
out float strands;    // that a texel of the ribbon stands for
#else
uniform float firstEnd; // of the first segment, share of the strand
uniform float frizz;  // sideways per length
uniform float stray;  // share of strands
uniform sampler2D order;         // part drawn in each place: strand * parts + part
out vec3 color;   // light
out float side;
out vec2 coverage; // half of the ribbon in widths of a soft side, opacity of its middle
out float depthBehind; // window depth of SOFT_DEPTH behind the point

// Distance by which soft sides lie behind the middle of a strand, decimetres: hair that is pressed
// together and drawn out of order shows through them, and not the skin.
const float SOFT_DEPTH = 0.01;
// Length over which a strand comes out of the skin, decimetres.
const float ROOT = 0.12;
#endif

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
    int place = gl_InstanceID * batch + int(corner.x);
#ifdef SHADOW
    place = place / parts * stride * parts + place % parts;
#endif
    if (place >= strandCount * parts) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
#ifndef SHADOW
    place = int(texel(order, place).x);
#endif
    int strand = place / parts;
    vec4 rl = texel(rootLength, strand);
    vec4 ds = texel(directionSeed, strand);
    float t = (float(place % parts) + corner.y) / float(parts);
#ifndef SHADOW
    // The end of the first segment comes out of the skin, whatever the length.
    if (t < 1.01 * firstEnd) t = min(t, ROOT / max(rl.w, ROOT));
#endif
    vec3 point;
    vec3 tangent;
    if (pointsPerStrand > 1) {
        particleCurve(strand, t, point, tangent);
    } else {
        tipCurve(strand, rl, ds.xyz, t, point, tangent);
    }
    tangent = normalize(tangent + vec3(1e-9));
    float depth = t * rl.w; // from the root, decimetres
    float thin = 1.0;
#ifndef SHADOW
    // Strands start in the skin, thin.
    thin = mix(0.6, 1.0, smoothstep(0.0, ROOT, depth));
    point -= tangent * (1.0 - smoothstep(0.0, ROOT, depth)) * mix(0.01, 0.03, random_of(ds.w, 6.0));
    vec3 sideways = vec3(random_of(ds.w, 7.0), random_of(ds.w, 8.0), random_of(ds.w, 9.0)) - 0.5;
    sideways = cross(tangent, normalize(sideways + vec3(1e-3)));
    float lean = frizz * noise_along(6.0 * depth, ds.w);
    if (random_of(ds.w, 10.0) < stray) {
        thin *= 0.6;
        lean += 0.6 * t * random_of(ds.w, 11.0);
    }
    point += sideways * (lean * depth);
#endif

    vec3 toEye = normalize(viewpoint.xyz - viewpoint.w * point);
    vec3 across = cross(tangent, toEye);
    float len = length(across);
    across = len > 1e-4 ? across / len : vec3(1.0, 0.0, 0.0);

    vec4 dye = vec4(1.0);
#ifdef DYED
    dye = texel(dyes, strand);
#endif
    float pixel = pixelSize * (viewProjection * vec4(point, 1.0)).w;
    float tapered = radius * dye.a * thin * mix(1.0, taper, t * t) / pixel;
    float ownWidthPx = max(widthPx * dye.a, min(widthPx, minWidthPx));
    // Half of the width that the strand has, in pixels.
    float own = widthPx > 0.0 ? 0.5 * ownWidthPx : max(tapered, 0.5 * minWidthPx);
#ifdef SHADOW
    float halfWidth = max(own, 0.5);
    strands = float(stride) * own / halfWidth;
#else
    // Thinner strands are drawn wider and less opaque.
    float drawn = max(own, 0.5 * finest);
    float halfWidth = drawn + 0.5 * finest;
    coverage = vec2(halfWidth / finest, own / drawn * smoothstep(0.0, 0.5 * ROOT, depth));
    side = corner.z;
    vec4 behind = viewProjection * vec4(point - SOFT_DEPTH * toEye, 1.0);
    depthBehind = 0.5 + 0.5 * behind.z / behind.w;
#ifdef TINTED
    float along = t * float(tintsPerStrand - 1);
    int lower = min(int(along), max(tintsPerStrand - 2, 0));
    int upper = min(lower + 1, tintsPerStrand - 1);
    vec3 here = texel(tints, strand * tintsPerStrand + lower).rgb;
    vec3 next = texel(tints, strand * tintsPerStrand + upper).rgb;
    color = tinted_color(mix(here, next, clamp(along - float(lower), 0.0, 1.0)), point, ds.w);
#else
    color = hair_color(point, tangent, toEye, dye.rgb, t, depth, ds.w);
#endif
#endif
    point += across * (corner.z * halfWidth * pixel);
    gl_Position = viewProjection * vec4(point, 1.0);
}
