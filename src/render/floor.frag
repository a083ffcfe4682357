// The light that the key light would have given the floor, taken from the background.
uniform float reach;
uniform vec2 middle;
uniform vec2 filterTurn; // as that of surfaces
in vec3 pos;
layout(location = 0) out vec4 outColor;

// Share of the light on the floor that comes from the key light, and from all sides.
const float KEY = 0.55;
const float AROUND = 0.35;

// Share of the light along the rays of a filter disk that something takes away.
float shadow(float radius) {
    vec3 uvz = shadow_coordinates(shadowFromWorld, pos);
    if (outside_shadow_map(uvz)) return 0.0;
    mat2 turn = disk_turn(filterTurn.x + filterTurn.y * grey_noise());
    float taken = 0.0;
    for (int i = 0; i < shadowTaps; i++) {
        vec2 offset = turn * DISK[i] * radius;
        float solid = smoothstep(0.02, 0.10, shadow_thickness(shadowMap, uvz, offset) - 0.06);
        float strands = strands_along(hairMap, uvz.xy + offset, uvz.z).x;
        taken += 1.0 - (1.0 - solid) * exp(-0.3 * strands);
    }
    return taken / float(shadowTaps);
}

void main() {
    // A wide filter stands for the light from all sides.
    float key = KEY * clamp(max(keyColor.r, max(keyColor.g, keyColor.b)), 0.0, 1.0);
    float dark = 1.0 - (1.0 - key * shadow(0.02)) * (1.0 - AROUND * shadow(0.10));
    float distance = length(pos.xz - middle) / reach;
    outColor = vec4(vec3(0.0), dark * (1.0 - smoothstep(0.3, 0.6, distance)));
}
