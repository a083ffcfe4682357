// The gradient skysphere with its wire sphere, at infinity.
uniform mat4 worldFromClip;
uniform vec3 eye;
uniform float pixelSize; // angle, radians
uniform vec3 topColor;   // sRGB as drawn
uniform vec3 bottomColor;
uniform float contrast;
uniform vec3 wireColor;
uniform float wireOpacity;
uniform float backdrop; // share of the light
in vec2 uvs;
layout(location = 0) out vec4 outColor;

const float PI = 3.14159265;

// Coverage of the nearest line of a grid with `count` cells per turn, whose pixels span `angle`.
float grid_line(float at, float angle, float count, float fade) {
    float cell = at * count / (2.0 * PI);
    float distance = abs(fract(cell + 0.5) - 0.5);
    float pixel = max(angle * count / (2.0 * PI), 1e-5);
    // Lines crowd at the poles.
    return pixel > 0.5 ? 0.0 : fade * (1.0 - smoothstep(0.6, 1.6, distance / pixel));
}

void main() {
    vec4 far = worldFromClip * vec4(2.0 * uvs - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye);
    vec3 color = mix(bottomColor, topColor, clamp(0.5 + 0.5 * contrast * direction.y, 0.0, 1.0));
    float height = asin(clamp(direction.y, -1.0, 1.0));
    float longitude = atan(direction.x, direction.z);
    float ring = length(direction.xz);
    float meridian = grid_line(longitude, pixelSize / max(ring, 1e-4), 24.0, smoothstep(0.02, 0.12, ring));
    float wire = max(meridian, grid_line(height, pixelSize, 24.0, 1.0));
    color = mix(color, wireColor, wireOpacity * wire);
    color = srgb_from_linear(backdrop * linear_from_srgb(color));
    outColor = vec4(color + STEP * (grey_noise() - 0.5), 1.0);
}
