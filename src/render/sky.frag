// The gradient skysphere with its wire sphere, at infinity.
uniform mat4 worldFromClip;
uniform vec3 eye;
uniform vec3 topColor;
uniform vec3 bottomColor;
uniform float contrast;
uniform vec3 wireColor;
uniform float wireOpacity;
in vec2 uvs;
layout(location = 0) out vec4 outColor;

const float PI = 3.14159265;

// Coverage of the nearest line of a grid with `count` cells per turn.
float grid_line(float angle, float count, float fade) {
    float cell = angle * count / (2.0 * PI);
    float distance = abs(fract(cell + 0.5) - 0.5);
    float pixel = max(fwidth(cell), 1e-5);
    // fwidth is meaningless on the seam of atan and past the poles' crowding.
    return pixel > 0.5 ? 0.0 : fade * (1.0 - smoothstep(0.6, 1.6, distance / pixel));
}

void main() {
    vec4 far = worldFromClip * vec4(2.0 * uvs - 1.0, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye);
    float height = asin(clamp(direction.y, -1.0, 1.0));
    vec3 color = mix(bottomColor, topColor, clamp(0.5 + 0.5 * contrast * direction.y, 0.0, 1.0));
    float longitude = atan(direction.x, direction.z);
    float ring = length(direction.xz);
    float wire = max(grid_line(longitude, 24.0, smoothstep(0.02, 0.12, ring)), grid_line(height, 24.0, 1.0));
    color = mix(color, wireColor, wireOpacity * wire);
    // Half a step of noise hides the banding of 8-bit gradients.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    outColor = vec4(color + (noise - 0.5) / 255.0, 1.0);
}
