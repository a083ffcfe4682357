// One ribbon per quadratic Bezier on the page, with room for its soft edges.
uniform vec4 clipFromPage; // factors, then what is added
uniform float pixel;       // what a drawn pixel is on the page
uniform float width;       // pixels of the page
uniform float shadow;      // above 0: opacity of the shadow, which is what is drawn; 0: the hair
uniform int stride;        // only each of so many is drawn
uniform int curveCount;    // as drawn
uniform int batch;
uniform sampler2D texels;  // from, mid; to, the part of the hair that it is; colour, random

in vec3 corner;            // curve within the batch, place along it (0 to 1), side (-1 or 1)
out float across;          // pixels of the page from the middle
out float halfWidth;
out vec4 color;

// Texture rows are uploaded bottom row first.
vec4 texel(int index) {
    ivec2 size = textureSize(texels, 0);
    return texelFetch(texels, ivec2(index % size.x, size.y - 1 - index / size.x), 0);
}

// Darker where other hair lies over it, at the root; a band of gloss, not quite in a row.
vec3 lit(vec3 own, float place, float random) {
    float shade = mix(0.80, 1.0, smoothstep(0.0, 0.30, place));
    float band = (place - 0.34 - 0.10 * (random - 0.5)) / 0.11;
    float gloss = 0.16 * exp(-band * band);
    return own * shade * (1.0 + gloss) + gloss * vec3(0.35, 0.32, 0.28);
}

void main() {
    int curve = (gl_InstanceID * batch + int(corner.x));
    if (curve >= curveCount) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    curve *= stride;
    vec4 fromMid = texel(3 * curve);
    vec4 toPart = texel(3 * curve + 1);
    vec2 from = fromMid.xy, mid = fromMid.zw, to = toPart.xy;
    float t = corner.y;
    vec2 at = mix(mix(from, mid, t), mix(mid, to, t), t);
    vec2 along = mix(mid - from, to - mid, t);
    if (dot(along, along) < 1e-8) along = to - from + vec2(0.0, 1e-4);
    along = normalize(along);
    float place = mix(toPart.z, toPart.w, t);
    if (shadow > 0.0) {
        halfWidth = 0.5 * width + 1.5;
        color = vec4(0.16, 0.07, 0.10, shadow);
        across = corner.z * halfWidth;
        at += vec2(1.0, 3.0);
    } else {
        vec4 own = texel(3 * curve + 2);
        color = vec4(lit(own.rgb, place, own.a), 1.0);
        // A tip is half as wide, and a root comes out of the skin.
        halfWidth = 0.5 * width * mix(1.0, 0.5, smoothstep(0.7, 1.0, place))
            * mix(0.45, 1.0, smoothstep(0.0, 0.10, place));
        across = corner.z * (halfWidth + 0.5 * pixel);
    }
    at += across * vec2(-along.y, along.x);
    gl_Position = vec4(clipFromPage.xy * at + clipFromPage.zw, 0.0, 1.0);
}
