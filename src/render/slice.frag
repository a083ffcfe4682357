uniform sampler2D distances; // decimetres, at the centres of texels
uniform vec2 counts;         // texels along each side
uniform vec3 inside;         // sRGB as drawn
uniform vec3 skin;
uniform vec3 outside;
uniform float end;           // distance of the last colour
uniform float step_;         // between lines of equal distance
uniform float presence;      // below 1: fainter
uniform float pixelScale;    // drawn pixels per pixel of the picture
in vec2 place;
layout(location = 0) out vec4 outColor;

// Returns the coverage of a line, `width` pixels wide, where the value `off` is 0.
float line(float off, float perPixel, float width) {
    return clamp(0.5 * width * pixelScale + 0.5 - abs(off) / max(perPixel, 1e-7), 0.0, 1.0);
}

void main() {
    // Rows are uploaded bottom row first.
    vec2 at = (0.5 + vec2(place.x, 1.0 - place.y) * (counts - 1.0)) / counts;
    float d = texture(distances, at).r;
    float perPixel = length(vec2(dFdx(d), dFdy(d)));
    vec2 edge = min(place, 1.0 - place) / max(fwidth(place), vec2(1e-7));

    float share = clamp(abs(d) / end, 0.0, 1.0);
    vec3 color = mix(skin, d < 0.0 ? inside : outside, pow(share, 0.7));
    float alpha = mix(0.80, 0.42, share);

    // Lines fade where they are too close together.
    float apart = step_ / max(perPixel, 1e-7);
    float off = d - step_ * round(d / step_);
    float strong = abs(round(d / step_) - 5.0 * round(0.2 * round(d / step_))) < 0.5 ? 1.7 : 1.0;
    float iso = line(off, perPixel, strong) * smoothstep(3.0, 8.0, apart / pixelScale);
    vec3 ink = 0.35 * color;
    color = mix(color, ink, 0.75 * iso);
    alpha = max(alpha, 0.8 * iso);

    float casing = line(d, perPixel, 5.0);
    float zero = line(d, perPixel, 2.4);
    color = mix(mix(color, vec3(0.10, 0.05, 0.05), casing), vec3(1.0), zero);
    alpha = max(alpha, casing);

    float frame = clamp(1.5 * pixelScale - min(edge.x, edge.y) + 0.5, 0.0, 1.0);
    color = mix(color, vec3(0.92), frame);
    alpha = max(alpha, 0.8 * frame);
    outColor = vec4(color, alpha * presence);
}
