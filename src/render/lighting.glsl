// Lights, shadow and output shared by skin and hair. All vectors are world space.
uniform vec3 cameraPosition;
uniform vec3 keyDirection;   // towards the key light, unit
uniform vec3 keyColor;
uniform vec3 fillDirection;  // towards the fill light, unit
uniform vec3 fillColor;
uniform vec3 rimDirection;   // towards the rim light, unit
uniform vec3 rimColor;
uniform vec3 ambientUp;      // light from straight above
uniform vec3 ambientDown;    // light from straight below
uniform vec2 keyBox;         // halves of the sides of the softbox of the key light
// Maps of what hides the key light and the rim light.
uniform sampler2D shadowMap;  // depth of head and solids
uniform sampler2D hairMap;    // strands per texel, and their depths and squared depths
uniform mat4 shadowFromWorld; // to [0, 1]^3
uniform sampler2D rimShadowMap;
uniform sampler2D rimHairMap;
uniform mat4 rimFromWorld;
uniform float rimTexel;
// 1: the rim light has shadow maps, else 0. Shaders count up to it in a loop, since software
// renderers run both sides of a branch.
uniform int rimMaps;
uniform float shadowTexel;    // size of a texel, decimetres
uniform int shadowTaps;       // of DISK
uniform vec2 hairPlace;       // beside a point of skin, in shares of a map
uniform float shadowDepth;    // decimetres along a light that [0, 1] spans

// Strands on a ray beyond which more of them hardly hide more.
const float LOCKS = 25.0;

// The first four are spread over the disk as well.
const vec2 DISK[12] = vec2[12](
    vec2(-0.696, 0.457), vec2(0.519, 0.767), vec2(0.473, -0.480), vec2(-0.326, -0.406),
    vec2(-0.840, -0.074), vec2(-0.203, 0.621), vec2(0.962, -0.195), vec2(0.185, -0.893),
    vec2(0.507, 0.064), vec2(0.896, 0.412), vec2(-0.322, -0.933), vec2(-0.792, -0.598));

// Rotates the filter disk by `share` of a turn.
mat2 disk_turn(float share) {
    float angle = 6.2831853 * share;
    return mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
}

// Distance (decimetres) that the light travelled behind the first surface it met,
// at one tap of the filter disk.
float shadow_thickness(sampler2D surfaces, vec3 uvz, vec2 offset) {
    vec2 uv = uvz.xy + offset;
    float first = texture(surfaces, uv).r;
    // Nothing lies where the map is empty, also behind its depth.
    return first < 1.0 ? (uvz.z - first) * shadowDepth : 0.0;
}

// Strands on the ray of a light at `uv`: before depth z, after it. The map holds their
// number and two moments of their depth; they are taken to be evenly spread between the ends that
// have these moments (after Lauritzen and McCool 2008, "Layered Variance Shadow Maps").
vec2 strands_along(sampler2D hair, vec2 uv, float z) {
    vec3 moments = texture(hair, uv).rgb;
    float count = moments.r;
    if (count < 1e-4) return vec2(0.0);
    float mean = moments.g / count;
    float variance = max(moments.b / count - mean * mean, 4e-6);
    float before = clamp(0.5 + (z - 0.5 - mean) * inversesqrt(12.0 * variance), 0.0, 1.0);
    // Hair lies in locks, and light passes between them.
    return count / (1.0 + count / LOCKS) * vec2(before, 1.0 - before);
}

// The same, evened out a little. The map can be blurred, so that few taps are enough.
vec2 strands_around(sampler2D hair, vec3 uvz, float random) {
    vec2 around = strands_along(hair, uvz.xy, uvz.z);
    mat2 turn = disk_turn(random);
    for (int i = 4; i < shadowTaps; i += 2) {
        around += strands_along(hair, uvz.xy + turn * DISK[i] * 0.003, uvz.z);
    }
    return around / float(1 + max(shadowTaps - 3, 0) / 2);
}

vec3 shadow_coordinates(mat4 fromWorld, vec3 position) {
    return (fromWorld * vec4(position, 1.0)).xyz;
}

bool outside_shadow_map(vec3 uvz) {
    return any(lessThan(uvz.xy, vec2(0.0))) || any(greaterThan(uvz.xy, vec2(1.0)));
}

vec3 hemisphere(vec3 normal) {
    return mix(ambientDown, ambientUp, 0.5 + 0.5 * normal.y);
}
