// Adds the vertices that see a side past a head: each fragment is a vertex.
uniform sampler2D positions; // head space
uniform sampler2D normals;
uniform sampler2D depthMap;
uniform mat4 clipFromHead;
uniform vec3 towards;        // the side, unit
uniform float texel;         // of the map, decimetres
layout(location = 0) out vec4 outSum;

void main() {
    // Texture rows are uploaded bottom row first, and read back so.
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 normal = texelFetch(normals, at, 0).xyz;
    float weight = max(dot(normal, towards), 0.0);
    // Beyond the steps of the map on a slanted surface.
    vec3 point = texelFetch(positions, at, 0).xyz + 1.5 * texel * normal;
    vec3 uvz = 0.5 + 0.5 * (clipFromHead * vec4(point, 1.0)).xyz;
    float seen = texture(depthMap, uvz.xy).r >= uvz.z - 0.002 ? 1.0 : 0.0;
    outSum = weight * vec4(seen, 1.0, 0.0, 0.0);
}
