// The light that a surface sends to the eye: glTF metallic-roughness; dielectrics get a skin-like
// soft terminator.
uniform float subsurface; // 1: skin, 0: stone

// Without a map of what hides the rim light, skin mirrors this share of it. All of it would be a white
// patch in front of hair that the light comes through.
const float UNSHADOWED_GLOSS = 0.15;

// Share of a light that reaches the surface.
float visibility(sampler2D surfaces, sampler2D hair, mat4 fromWorld, float texel, vec3 direction, vec3 position, vec3 normal, float turn) {
    // Moving the sample along the normal hides the map's resolution on slanted skin.
    vec3 uvz = shadow_coordinates(fromWorld, position + (0.02 + 2.5 * texel) * normal);
    if (outside_shadow_map(uvz)) return 1.0;
    float lit = 0.0;
    mat2 disk = disk_turn(turn);
    // The depth that a slanted plane spans under the disk is no shadow.
    float cosine = max(dot(normal, direction), 0.2);
    float slope = sqrt(1.0 - cosine * cosine) / cosine;
    float own = 4.0 * texel + (0.04 + 2.0 * texel) * slope;
    // Light that is behind the surface needs no taps. `diffuse` wraps it round by less.
    int taps = dot(normal, direction) > -0.5 ? shadowTaps : 0;
    for (int i = 0; i < taps; i++) {
        float thickness = shadow_thickness(surfaces, uvz, disk * DISK[i] * 0.008) - own;
        lit += 1.0 - smoothstep(0.02, 0.10, thickness);
    }
    return lit / float(shadowTaps) * exp(-strands_around(hair, uvz + vec3(hairPlace, 0.0), 0.0).x);
}

float fifth_power(float x) {
    float square = x * x;
    return square * square * x;
}

// Trowbridge-Reitz distribution with Schlick's Fresnel and Smith's visibility term, as Karis 2013 has
// it. There is no factor 1 / pi, since lights have none.
vec3 specular(vec3 n, vec3 v, vec3 l, float rough, vec3 f0) {
    vec3 h = normalize(v + l);
    float a = max(rough, 0.08) * max(rough, 0.08);
    float a2 = a * a;
    float nh = max(dot(n, h), 0.0);
    float nl = max(dot(n, l), 0.0);
    float nv = max(dot(n, v), 0.0);
    // Rounding beyond 1 would make the power below not-a-number.
    float vh = clamp(dot(v, h), 0.0, 1.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    vec3 fresnel = f0 + (1.0 - f0) * fifth_power(1.0 - vh);
    float visible = 4.0 * mix(0.5 * a, 1.0, nl) * mix(0.5 * a, 1.0, nv);
    return fresnel * a2 / (d * d) / visible * nl;
}

// Share of the light from all sides that white sheen sends towards the eye: a fit to the microfibres
// of Estevez and Kulla 2017, "Production Friendly Microfacet Sheen BRDF", by three.js.
float sheen_share(float nv, float rough) {
    float r2 = rough * rough;
    bool sharp = rough < 0.25;
    float a = sharp ? -339.2 * r2 + 161.4 * rough - 25.9 : -8.48 * r2 + 14.3 * rough - 9.95;
    float b = sharp ? 44.0 * r2 - 23.7 * rough + 3.26 : 1.97 * r2 - 3.27 * rough + 0.72;
    float rest = sharp ? 0.0 : 0.1 * (rough - 0.25);
    return min(exp(a * nv + b) + rest, 1.0);
}

// Light leaves skin at a distance from where it entered, red light at the largest: a wrapped
// terminator per channel (after Green 2004, GPU Gems 16).
vec3 diffuse(float nl, float softness) {
    vec3 wrap = softness * vec3(0.42, 0.20, 0.14);
    vec3 d = clamp((nl + wrap) / ((1.0 + wrap) * (1.0 + wrap)), 0.0, 1.0);
    return d;
}

// The radiance of a softbox of a light of 1: a rectangle that is seen in a direction, with sides in
// lengths of the distance. The light is the radiance times the solid angle, and has no factor of pi.
float softbox(vec3 direction, vec3 middle, vec2 halfSides) {
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), middle));
    vec2 place = vec2(dot(direction, right), dot(direction, cross(middle, right)));
    float ahead = dot(direction, middle);
    vec2 inside = 1.0 - smoothstep(halfSides * 0.85, halfSides * 1.15, abs(place) / max(ahead, 1e-3));
    return ahead > 0.0 ? inside.x * inside.y * 0.7854 / (halfSides.x * halfSides.y) : 0.0;
}

// The studio in a mirror: the light from above and below, and the softboxes of key and fill, which
// are as bright as their size makes the lights. They reach below the middle of the lights.
vec3 mirrored(vec3 direction) {
    vec3 key = normalize(keyDirection - vec3(0.0, 0.45, 0.0));
    vec3 fill = normalize(fillDirection + vec3(0.0, 0.25, 0.0));
    return hemisphere(direction)
        + keyColor * softbox(direction, key, keyBox)
        + fillColor * softbox(direction, fill, vec2(0.35, 0.45));
}

// The light that falls on a surface, and what it mirrors.
struct Lit {
    vec3 direct; // from the lights
    vec3 around; // from all sides, and beside the camera
    vec3 gloss;
};

// Returns the light at a place. `seen` is the share of the sky that is seen from there, `turn` that
// of the shadow filter.
Lit lit_at(vec3 place, vec3 n, float seen, float rough, vec3 f0, float softness, float turn) {
    vec3 v = normalize(cameraPosition - place);
    float visible = visibility(shadowMap, hairMap, shadowFromWorld, shadowTexel, keyDirection, place, n, turn);
    vec3 rim = rimColor;
    for (int map = 0; map < rimMaps; map++) {
        rim *= visibility(rimShadowMap, rimHairMap, rimFromWorld, rimTexel, rimDirection, place, n, turn);
    }
    // Lights have a size, and little of it reaches a crease.
    float creased = smoothstep(0.0, 0.5, seen);
    Lit lit;
    lit.direct = keyColor * visible * mix(creased, 1.0, 0.5) * diffuse(dot(n, keyDirection), softness)
        + creased * rim * diffuse(dot(n, rimDirection), 0.0);
    lit.around = fillColor * diffuse(dot(n, fillDirection), softness) + hemisphere(n);
    // Skin has an oily film over rougher scales: two lobes. Smooth surfaces mirror the softboxes of
    // the lights instead.
    float film = mix(rough, 0.5 * rough, 0.35 * softness);
    float smoothness = 1.0 - smoothstep(0.1, 0.35, rough);
    lit.gloss = (1.0 - smoothness) * (keyColor * visible * specular(n, v, keyDirection, film, f0)
        + fillColor * specular(n, v, fillDirection, film, f0)
        + (rimMaps > 0 ? 1.0 : UNSHADOWED_GLOSS) * rim * specular(n, v, rimDirection, film, f0));
    float grazing = fifth_power(1.0 - clamp(dot(n, v), 0.0, 1.0));
    vec3 mirror = reflect(-v, n);
    vec3 surroundings = mix(hemisphere(mirror), mirrored(mirror), smoothness);
    lit.gloss += surroundings * (f0 + (1.0 - f0) * grazing * (1.0 - rough)) * (1.0 - 0.6 * rough);
    lit.gloss *= creased;
    return lit;
}
