// A ribbon that is opaque in its middle and ends softly at its sides.
in vec3 color;    // light
in float side;    // -1 to 1
in vec2 coverage; // half of the ribbon in widths of a soft side, opacity of its middle
#ifdef DEEP
in vec2 behind; // depth of where the soft sides lie, clip space: z and w
#endif
layout(location = 0) out vec4 outColor;

void main() {
    float core = clamp(coverage.x * (1.0 - abs(side)), 0.0, 1.0);
    float alpha = core * coverage.y;
#ifdef CORE
    // Thin strands are hardly opaque, but many of them are.
    if (core < 0.5) discard;
#endif
#ifdef DEEP
    gl_FragDepth = mix(0.5 + 0.5 * behind.x / behind.y, gl_FragCoord.z, alpha);
#endif
    outColor = vec4(color, alpha);
}
