// One camera-facing ribbon per strand. The vertex stream holds only where in the ribbon a vertex
// lies.
uniform mat4 viewProjection;
uniform vec4 viewpoint;      // w = 1: position, w = 0: direction towards an orthographic viewpoint
uniform float pixelSize;     // world size of a pixel at clip w = 1
uniform float radius;        // at the root, decimetres
uniform float taper;         // tip radius / root radius
uniform float widthPx;       // above 0: constant width in pixels instead
uniform float minWidthPx;
uniform float lift;          // towards the eye, decimetres
uniform float finest;        // smallest width of a ribbon and of its soft sides, pixels
uniform int partCount;       // that are drawn
uniform int parts;           // of each strand, drawn one by one
uniform int batch;           // parts of an instance
uniform int firstBatch;      // of this call

in vec3 corner; // part within the batch, ring within the part, side (-1 or 1)

const float NEAREST = 0.02; // clip w of what is nearest to the eye, decimetres

#ifdef SHADOW
uniform int stride;    // strands of which one is drawn
out float strandCount; // that a texel of the ribbon stands for
#else
uniform sampler2D strands; // that are drawn
uniform sampler2D order;   // part drawn in each place: place in strands * parts + part
uniform sampler2D light;   // of each ring of each strand that is drawn
uniform float share;     // of the strands that are drawn
uniform float widening;  // of those
out vec3 color;   // light
out float side;
out vec2 coverage; // half of the ribbon in widths of a soft side, opacity of its middle
#ifdef DEEP
out vec2 behind; // depth of SOFT_DEPTH behind the point, clip space: z and w

// Distance by which soft sides lie behind the middle of a strand, decimetres: hair that is pressed
// together and drawn out of order shows through them, and not the skin.
const float SOFT_DEPTH = 0.01;
#endif
#endif

void main() {
    int place = (firstBatch + gl_InstanceID) * batch + int(corner.x);
    if (place >= partCount) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
#ifdef SHADOW
    int strand = place / parts * stride;
#else
    place = int(texel(order, place).x);
    int strand = int(texel(strands, place / parts).x);
#endif
    int ring = place % parts * ((rings - 1) / parts) + int(corner.y);
    Point p = strand_point(strand, ring);

    vec3 toEye = normalize(viewpoint.xyz - viewpoint.w * p.place);
    vec3 across = cross(p.tangent, toEye);
    float len = length(across);
    across = len > 1e-4 ? across / len : vec3(1.0, 0.0, 0.0);

    float width = 1.0;
#ifdef THINNED
    width = value_along(widths, widthsPerStrand, strand, p.along).x;
#endif
    // Strands that pass the eye have points beside and behind it.
    float pixel = pixelSize * max((viewProjection * vec4(p.place, 1.0)).w, NEAREST);
    float tapered = radius * width * p.thin * mix(1.0, taper, p.along * p.along) / pixel;
    float ownWidthPx = max(widthPx * width, min(widthPx, minWidthPx));
    // Half of the width that the strand has, in pixels.
    float own = widthPx > 0.0 ? 0.5 * ownWidthPx : max(tapered, 0.5 * minWidthPx);
#ifndef SHADOW
    // Fewer strands are wider, and the last of them fade.
    own *= widening;
    if (share < 1.0) own *= clamp((share - p.random) / (0.1 * share), 0.0, 1.0);
#endif
#ifdef SHADOW
    float halfWidth = max(own, 0.5);
    strandCount = float(stride) * own / halfWidth;
#else
    // Thinner strands are drawn wider and less opaque.
    float drawn = max(own, 0.5 * finest);
    float halfWidth = drawn + 0.5 * finest;
    coverage = vec2(halfWidth / finest, own / drawn * smoothstep(0.0, 0.5, p.rooted));
    side = corner.z;
    p.place += lift * toEye;
#ifdef DEEP
    behind = (viewProjection * vec4(p.place - SOFT_DEPTH * toEye, 1.0)).zw;
#endif
    color = texel(light, place / parts * rings + ring).rgb;
#endif
    vec3 point = p.place + across * (corner.z * halfWidth * pixel);
    gl_Position = viewProjection * vec4(point, 1.0);
}
