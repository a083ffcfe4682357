// Light, the colours it is shown as, and their sRGB values.
vec3 srgb_from_linear(vec3 c) {
    return mix(12.92 * c, 1.055 * pow(max(c, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 linear_from_srgb(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
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
