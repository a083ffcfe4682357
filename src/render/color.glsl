// Light, the colours it is shown as, and their sRGB values.
vec3 srgb_from_linear(vec3 c) {
    // Roots are cheaper than the power of 1 / 2.4, and within a tenth of a step of 8 bits.
    vec3 root = sqrt(max(c, vec3(0.0)));
    vec3 power = 0.8337552 * root + 0.2981068 * sqrt(root) - 0.0553181 * c - 0.0769034;
    return mix(12.92 * c, power, step(0.0031308, c));
}

vec3 linear_from_srgb(vec3 c) {
    // The power of 2.4 as a polynomial, within a tenth of a step of 8 bits.
    vec3 power = (((-0.1167921 * c + 0.5265139) * c + 0.5603703) * c + 0.0284044) * c + 0.0010463;
    return mix((1.0 / 12.92) * c, power, step(0.04045, c));
}

// A step of 8 bits.
const float STEP = 1.0 / 255.0;

// Returns noise in [0, 1) that differs between neighbouring pixels (interleaved gradient noise,
// Jimenez 2014). Half a step of it hides the banding of 8 bits.
float grey_noise() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

// Returns the share of a surface that is seen where it fades.
float share_shown(vec4 fade, vec3 place) {
    return smoothstep(0.0, 1.0, dot(fade.xyz, place) + fade.w);
}

// The tone curve (Narkowicz 2015, "ACES Filmic Tone Mapping Curve"). It reaches 1 at 7.2.
float curve(float light) {
    return light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);
}

// Returns the light that the curve shows as `shown`, 0 to 1.
float inverse_curve(float shown) {
    float half_b = 0.5 * (0.03 - 0.59 * shown);
    float a = 2.51 - 2.43 * shown;
    return (sqrt(half_b * half_b + 0.14 * a * shown) - half_b) / a;
}

// Returns how much light of this peak fades to white, 0 to 1.
float whiteness(float peak) {
    return 1.0 - 1.0 / (1.0 + 0.12 * max(peak - 1.0, 0.0));
}

// Returns the colour that light is shown as. The curve acts on the largest component, so that the
// hue stays; light far brighter than white fades to white.
vec3 tone_map(vec3 light) {
    float peak = max(max(light.r, light.g), max(light.b, 1e-6));
    float shown = min(curve(peak), 1.0);
    return max(mix(light * (shown / peak), vec3(shown), whiteness(peak)), 0.0);
}

// Returns the light that is shown as a colour, 0 to 1.
vec3 inverse_tone_map(vec3 color) {
    float shown = max(max(color.r, color.g), max(color.b, 1e-6));
    float peak = inverse_curve(shown);
    float white = whiteness(peak);
    return (color - white * shown) / (1.0 - white) * (peak / shown);
}
