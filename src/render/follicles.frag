// The share of light that the skin still sends back: hair in the skin tints it.
uniform vec3 tint;
uniform float opacity;
in vec2 place;
layout(location = 0) out vec4 outColor;

void main() {
    float cover = max(1.0 - dot(place, place), 0.0);
    outColor = vec4(mix(vec3(1.0), tint, opacity * cover), 1.0);
}
