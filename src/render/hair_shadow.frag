// Strands in a texel of a light's view, and their depths and squared depths, which add up.
in float strandCount;
layout(location = 0) out vec4 outMoments;

void main() {
    float depth = gl_FragCoord.z - 0.5;
    outMoments = strandCount * vec4(1.0, depth, depth * depth, 0.0);
}
