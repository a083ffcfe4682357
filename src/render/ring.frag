// A ring around a gap, or the reticle around the ring.
uniform float pixelScale; // drawn pixels per pixel of the picture
uniform float reach;      // of the reticle: radii of the ring
uniform float reachPx;    // and at least in pixels
in vec2 place;
flat in vec3 fill;
flat in float radius;
flat in float pixel;
flat in float presence;
layout(location = 0) out vec4 outColor;

const float HALF_WIDTH = 0.8; // of lines, pixels
const float CASING = 1.4;     // dark edge of lines, pixels

// Returns the distance from where a value is 0, drawn pixels.
float pixels(float value) {
    return value / max(length(vec2(dFdx(value), dFdy(value))), 0.5 * pixel);
}

// Returns the coverage of lines that are `wider` pixels wider.
float lines(float wider) {
    float halfWidth = (HALF_WIDTH + wider) * pixelScale + 0.5;
    float d = length(place);
#ifdef RETICLE
    float to = max(reach * radius, reachPx * pixelScale * pixel);
    float from = max(1.25 * radius, 0.45 * to);
    float across = min(abs(pixels(place.x)), abs(pixels(place.y)));
    float beyond = max(pixels(from - d), pixels(d - to)) - wider * pixelScale + 0.5;
    return clamp(halfWidth - across, 0.0, 1.0) * clamp(1.0 - beyond, 0.0, 1.0);
#else
    return clamp(halfWidth - abs(pixels(d - radius)), 0.0, 1.0);
#endif
}

void main() {
    float bright = lines(0.0);
    float casing = lines(CASING);
    float alpha = max(bright, 0.75 * casing);
#ifndef RETICLE
    alpha = max(alpha, 0.30 * clamp(0.5 - pixels(length(place) - radius), 0.0, 1.0));
#endif
    if (alpha <= 0.0) discard;
    vec3 dark = vec3(0.05, 0.03, 0.08);
    outColor = vec4(casing > 0.0 ? mix(dark, fill, bright) : fill, presence * alpha);
}
