// glTF metallic-roughness surfaces; dielectrics get a skin-like soft terminator.
uniform vec4 baseColor;
uniform float metallic;
uniform float roughness;
uniform vec3 emissive;
uniform float alphaCutoff;
uniform float subsurface; // 1: skin, 0: stone
uniform int blended; // 0: alpha only cuts out
uniform int opaque;  // 1: vertex alpha is the share of the sky that is seen past the head
uniform vec4 fade;   // xyz * position + w is the share of the surface that is seen
uniform vec2 filterTurn; // of the filter disk, 0 to 1: of all pixels, by pixel
#ifdef USE_BASE_COLOR_TEXTURE
uniform sampler2D baseColorTexture;
#endif
#ifdef USE_METALLIC_ROUGHNESS_TEXTURE
uniform sampler2D metallicRoughnessTexture;
#endif
#ifdef USE_NORMAL_TEXTURE
uniform sampler2D normalTexture;
uniform float normalScale;
#ifdef USE_TANGENTS
in vec3 tang;
in vec3 bitang;
#endif
#endif
#ifdef USE_EMISSIVE_TEXTURE
uniform sampler2D emissiveTexture;
#endif
#ifdef USE_UVS
in vec2 uvs;
#endif
in vec3 pos;
in vec3 nor;
in vec4 col;
layout(location = 0) out vec4 outColor;

// Share of a light that reaches the surface.
float visibility(sampler2D surfaces, sampler2D hair, mat4 fromWorld, vec3 direction, vec3 position, vec3 normal) {
    // Moving the sample along the normal hides the map's resolution on slanted skin.
    vec3 uvz = shadow_coordinates(fromWorld, position + (0.02 + 2.5 * shadowTexel) * normal);
    if (outside_shadow_map(uvz)) return 1.0;
    float lit = 0.0;
    mat2 turn = disk_turn(filterTurn.x + filterTurn.y * grey_noise());
    // The depth that a slanted plane spans under the disk is no shadow.
    float cosine = max(dot(normal, direction), 0.2);
    float slope = sqrt(1.0 - cosine * cosine) / cosine;
    float own = 4.0 * shadowTexel + (0.04 + 2.0 * shadowTexel) * slope;
    for (int i = 0; i < shadowTaps; i++) {
        float thickness = shadow_thickness(surfaces, uvz, turn * DISK[i] * 0.008) - own;
        lit += 1.0 - smoothstep(0.02, 0.10, thickness);
    }
    return lit / float(shadowTaps) * exp(-strands_around(hair, uvz, 0.0).x);
}

// Trowbridge-Reitz distribution with Schlick's Fresnel and the Kelemen visibility term.
vec3 specular(vec3 n, vec3 v, vec3 l, float rough, vec3 f0) {
    vec3 h = normalize(v + l);
    float a2 = pow(max(rough, 0.08), 4.0);
    float nh = max(dot(n, h), 0.0);
    // Rounding beyond 1 would make the power below not-a-number.
    float vh = clamp(dot(v, h), 0.05, 1.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
    return fresnel * a2 / (3.14159 * d * d) / (4.0 * vh * vh) * max(dot(n, l), 0.0);
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

#ifdef USE_NORMAL_TEXTURE
// The matrix to world space from the space of the normal map: +X right in the image, +Y up.
mat3 tangent_frame(vec3 n, float facing) {
#ifdef USE_TANGENTS
    return mat3(normalize(tang) * facing, normalize(bitang) * facing, n);
#else
    // Cotangent frame: the gradients of u and v across the surface (Schueler 2013, "Normal
    // Mapping Without Precomputed Tangents"), each of unit length as tangents in files are.
    // three-d has flipped v, which makes it run up the image as the map's +Y does.
    vec3 across = cross(dFdy(pos), n);
    vec3 along = cross(n, dFdx(pos));
    vec2 right = dFdx(uvs);
    vec2 up = dFdy(uvs);
    vec3 t = across * right.x + along * up.x;
    vec3 b = across * right.y + along * up.y;
    // Where the UVs are constant, the frame is degenerate and the normal does not change.
    t *= inversesqrt(max(dot(t, t), 1e-30));
    b *= inversesqrt(max(dot(b, b), 1e-30));
    return mat3(t * facing, b * facing, n);
#endif
}
#endif

void main() {
    // Some light comes through the flesh around the deepest crease.
    float seen = opaque > 0 ? mix(0.15, 1.0, col.a) : 1.0;
    vec4 surface = baseColor * vec4(col.rgb, opaque > 0 ? 1.0 : col.a);
#ifdef USE_BASE_COLOR_TEXTURE
    vec4 texel = texture(baseColorTexture, uvs);
    surface *= vec4(linear_from_srgb(texel.rgb), texel.a);
#endif
    float metal = metallic;
    float rough = roughness;
#ifdef USE_METALLIC_ROUGHNESS_TEXTURE
    vec2 mr = texture(metallicRoughnessTexture, uvs).bg;
    metal *= mr.x;
    rough *= mr.y;
#endif
    float facing = gl_FrontFacing ? 1.0 : -1.0;
    vec3 n = normalize(nor) * facing;
#ifdef USE_NORMAL_TEXTURE
    vec3 bump = 2.0 * texture(normalTexture, uvs).xyz - 1.0;
    bump.xy *= normalScale;
    n = normalize(tangent_frame(n, facing) * bump);
#endif
    vec3 v = normalize(cameraPosition - pos);
    vec3 albedo = surface.rgb * (1.0 - metal);
    vec3 f0 = mix(vec3(0.03), surface.rgb, metal);
    float softness = subsurface * (1.0 - metal);
    float visible = visibility(shadowMap, hairMap, shadowFromWorld, keyDirection, pos, n);
    vec3 rim = rimColor;
#ifdef RIM_SHADOW
    rim *= visibility(rimShadowMap, rimHairMap, rimFromWorld, rimDirection, pos, n);
#endif
    // Light that bounces between close surfaces has their colour (Jimenez et al. 2016, "Practical
    // Realtime Strategies for Accurate Indirect Occlusion").
    vec3 a = 2.0404 * albedo - 0.3324;
    vec3 b = -4.7951 * albedo + 0.6417;
    vec3 c = 2.7552 * albedo + 0.6903;
    vec3 bounced = max(vec3(seen), ((seen * a + b) * seen + c) * seen);
    // Lights have a size, and little of it reaches a crease.
    float creased = smoothstep(0.0, 0.5, seen);
    vec3 light = albedo * (keyColor * visible * mix(creased, 1.0, 0.5) * diffuse(dot(n, keyDirection), softness)
        + bounced * fillColor * diffuse(dot(n, fillDirection), softness)
        + creased * rim * diffuse(dot(n, rimDirection), 0.0));
    light += bounced * hemisphere(n) * albedo;
    // Skin has an oily film over rougher scales: two lobes. Smooth surfaces mirror the softboxes of
    // the lights instead.
    float film = mix(rough, 0.5 * rough, 0.35 * softness);
    float smoothness = 1.0 - smoothstep(0.1, 0.35, rough);
    vec3 gloss = (1.0 - smoothness) * (keyColor * visible * specular(n, v, keyDirection, film, f0)
        + fillColor * specular(n, v, fillDirection, film, f0)
        + rim * specular(n, v, rimDirection, film, f0));
    float grazing = pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);
    vec3 mirror = reflect(-v, n);
    vec3 around = mix(hemisphere(mirror), mirrored(mirror), smoothness);
    gloss += around * (f0 + (1.0 - f0) * grazing * (1.0 - rough)) * (1.0 - 0.6 * rough);
    gloss *= creased;
    // What glass reflects does not depend on how much is seen through it.
    if (blended > 0) gloss *= mix(1.0, 1.0 / max(surface.a, 0.01), smoothness);
    vec3 glow = emissive;
#ifdef USE_EMISSIVE_TEXTURE
    glow *= linear_from_srgb(texture(emissiveTexture, uvs).rgb);
#endif
    float shown = smoothstep(0.0, 1.0, dot(fade.xyz, pos) + fade.w);
    // Discarding comes last: mipmaps and tangents need the differences between neighbouring pixels.
    if (surface.a < alphaCutoff || shown < 0.01) discard;
    // Opaque surfaces are not blended, and premultiplied.
    outColor = blended > 0
        ? vec4(light + gloss + glow, surface.a * shown)
        : vec4((light + gloss + glow) * shown, shown);
}
