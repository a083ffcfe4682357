// The points of strands as they are drawn. What differs between strands is fetched by number.
uniform mat4 worldFromHead;
uniform int straight;            // above 0: no curve
uniform sampler2D rootLength;    // head space root, length
uniform sampler2D directionSeed; // head space rest direction, random in [0, 1)
uniform sampler2D points;        // world space: drawn tips, or particles strand after strand, root first
uniform int pointsPerStrand;     // 1: tips
uniform int rings;               // of a ribbon, from root to tip
uniform float frizz;             // sideways per length
uniform float stray;             // share of strands
#ifdef DYED
uniform sampler2D dyes;          // sRGB, share of pigment that is bleached
uniform int dyesPerStrand;
#endif
#ifdef WET
uniform sampler2D wets;          // 0 to 1
uniform int wetsPerStrand;
#endif
#ifdef THINNED
uniform sampler2D widths;        // shares of that of the look
uniform int widthsPerStrand;
#endif

// Length over which a strand comes out of the skin, decimetres, and its largest share of a strand.
const float ROOT = 0.12;
const float ROOT_SHARE = 0.4;

// Stray hairs lean out in proportion to their length up to STRAY_LENGTH. The lean of longer ones
// approaches that of STRAY_LENGTH + STRAY_MORE, decimetres.
const float STRAY_LENGTH = 1.0;
const float STRAY_MORE = 0.4;

// Texture rows are uploaded bottom row first.
vec4 texel(sampler2D from, int index) {
    ivec2 size = textureSize(from, 0);
    return texelFetch(from, ivec2(index % size.x, size.y - 1 - index / size.x), 0);
}

// Returns the value at a share of a strand from a list of the values of all strands, strand after
// strand, root first.
vec4 value_along(sampler2D from, int perStrand, int strand, float along) {
    float place = along * float(perStrand - 1);
    int lower = min(int(place), max(perStrand - 2, 0));
    int first = strand * perStrand;
    vec4 here = texel(from, first + lower);
    if (perStrand == 1) return here;
    return mix(here, texel(from, first + lower + 1), clamp(place - float(lower), 0.0, 1.0));
}

// Returns a random number in [0, 1) for another one, with a stream for each use.
float random_of(float random, float stream) {
    return fract(sin(127.1 * random + 311.7 * stream) * 43758.5453);
}

// Returns noise in [-1, 1] that changes smoothly with x.
float noise_along(float x, float random) {
    float cell = floor(x);
    float f = x - cell;
    f = f * f * (3.0 - 2.0 * f);
    return 2.0 * mix(random_of(random, cell), random_of(random, cell + 1.0), f) - 1.0;
}

// The quadratic Bezier of mohawk::groom::strand_curve_point, and its tangent.
void tip_curve(int strand, vec4 rootLength, vec3 direction, float t, out vec3 point, out vec3 tangent) {
    vec3 root = (worldFromHead * vec4(rootLength.xyz, 1.0)).xyz;
    vec3 chord = texel(points, strand).xyz - root;
    // The chord of a curve is shorter than its strand, a straight line is not.
    if (straight > 0) chord *= rootLength.w / max(length(chord), 1e-9);
    vec3 tip = root + chord;
    vec3 middle = straight > 0
        ? 0.5 * (root + tip)
        : root + mat3(worldFromHead) * direction * (0.5 * length(chord));
    point = mix(mix(root, middle, t), mix(middle, tip, t), t);
    tangent = mix(middle - root, tip - middle, t);
}

// Catmull and Rom's curve through the particles.
void particle_curve(int strand, float t, out vec3 point, out vec3 tangent) {
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

// A point of a strand.
struct Point {
    vec3 place;   // world space
    vec3 tangent; // unit
    float along;  // share of the strand
    float depth;  // from the root, decimetres
    float random; // of the strand
    float thin;   // share of the width
    float rooted; // depth in lengths over which the strand comes out of the skin
};

Point strand_point(int strand, int ring) {
    vec4 rl = texel(rootLength, strand);
    vec4 ds = texel(directionSeed, strand);
    Point p;
    p.along = float(ring) / float(rings - 1);
    float root = min(ROOT, ROOT_SHARE * rl.w);
    // The end of the first segment comes out of the skin, whatever the length.
    if (ring == 1) p.along = min(p.along, root / max(rl.w, 1e-6));
    if (pointsPerStrand > 1) {
        particle_curve(strand, p.along, p.place, p.tangent);
    } else {
        tip_curve(strand, rl, ds.xyz, p.along, p.place, p.tangent);
    }
    p.tangent = normalize(p.tangent + vec3(1e-9));
    p.depth = p.along * rl.w;
    p.random = ds.w;
    p.rooted = p.depth / max(root, 1e-6);
    p.thin = 1.0;
#ifndef SHADOW
    // Strands start in the skin, thin.
    float out_of_skin = smoothstep(0.0, 1.0, p.rooted);
    p.thin = mix(0.6, 1.0, out_of_skin);
    p.place -= p.tangent * ((1.0 - out_of_skin) * root * mix(0.08, 0.25, random_of(ds.w, 6.0)));
    vec3 across = vec3(random_of(ds.w, 7.0), random_of(ds.w, 8.0), random_of(ds.w, 9.0)) - 0.5;
    across = normalize(across + vec3(1e-3));
    p.place += cross(p.tangent, across) * (frizz * noise_along(6.0 * p.depth, ds.w) * p.depth);
    if (random_of(ds.w, 10.0) < stray) {
        p.thin *= 0.6;
        // It leans to one side of its chord, by less the more it is bent.
        vec3 start = (worldFromHead * vec4(rl.xyz, 1.0)).xyz;
        vec3 chord = texel(points, (strand + 1) * pointsPerStrand - 1).xyz - start;
        float way = p.along * p.along * min(dot(chord, chord) / max(rl.w, 1e-6), rl.w);
        float more = max(way - STRAY_LENGTH, 0.0);
        way = min(way, STRAY_LENGTH) + STRAY_MORE * (1.0 - exp(-more / STRAY_MORE));
        chord = normalize(chord + vec3(1e-9));
        p.place += cross(chord, across) * (0.6 * way * random_of(ds.w, 11.0));
    }
#endif
    return p;
}
