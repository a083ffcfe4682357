// The ring around a gap, and a reticle around the ring that is seen from afar.
uniform float opacity;
uniform float markPx;
uniform float pixelScale; // drawn pixels per pixel of the picture
in vec2 place;
flat in vec3 fill;
flat in float radius;
flat in float pixel;
flat in float presence;
layout(location = 0) out vec4 outColor;

// Coverage of a line of that half width, in pixels, around where `distance` is 0.
float line(float distance, float px, float halfWidth) {
    return clamp(halfWidth + 0.5 - abs(distance) / px, 0.0, 1.0);
}

float gradient(float value) {
    return max(length(vec2(dFdx(value), dFdy(value))), 0.5 * pixel);
}

// What is drawn, with lines so many pixels wider.
float mark(float d, float px, float wider) {
    float halfWidth = (0.8 + wider) * pixelScale;
    float reach = max(radius, markPx * pixel);
    float ring = line(d - radius, px, halfWidth);
    vec2 axes = abs(place);
    float tick = max(line(place.x, gradient(place.x), halfWidth),
        line(place.y, gradient(place.y), halfWidth));
    float from = max(1.25 * radius, 0.55 * reach) - wider * pixelScale * px;
    float to = reach + wider * pixelScale * px;
    tick *= clamp((d - from) / px + 0.5, 0.0, 1.0) * clamp((to - d) / px + 0.5, 0.0, 1.0);
    return max(ring, tick);
}

void main() {
    float d = length(place);
    float px = gradient(d);
    float inside = clamp((radius - d) / px + 0.5, 0.0, 1.0);
    float bright = mark(d, px, 0.0);
    float casing = mark(d, px, 1.4);
    float alpha = max(max(bright, 0.75 * casing), 0.30 * inside);
    if (alpha <= 0.0) discard;
    vec3 dark = vec3(0.05, 0.03, 0.08);
    vec3 color = casing > 0.0 ? mix(dark, fill, bright) : fill;
    outColor = vec4(color, opacity * alpha);
}
