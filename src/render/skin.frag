// glTF metallic-roughness surfaces; dielectrics get a skin-like soft terminator.
uniform vec4 baseColor;
uniform float metallic;
uniform float roughness;
uniform vec3 emissive;
uniform float alphaCutoff;
uniform float subsurface; // 1: skin, 0: stone
uniform int blended; // 0: alpha only cuts out
uniform int opaque;  // 1: vertex alpha is the share of the sky that is seen past the head
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

float key_visibility(vec3 position, vec3 normal) {
    // Moving the sample along the normal hides the map's resolution on slanted skin.
    vec3 uvz = shadow_coordinates(position + (0.02 + 2.5 * shadowTexel) * normal);
    if (outside_shadow_map(uvz)) return 1.0;
    float lit = 0.0;
    mat2 turn = disk_turn(filterTurn.x + filterTurn.y * grey_noise());
    // The depth that a slanted plane spans under the disk is no shadow.
    float cosine = max(dot(normal, keyDirection), 0.2);
    float slope = sqrt(1.0 - cosine * cosine) / cosine;
    float own = 4.0 * shadowTexel + (0.04 + 2.0 * shadowTexel) * slope;
    for (int i = 0; i < shadowTaps; i++) {
        float thickness = shadow_thickness(uvz, turn * DISK[i] * 0.008) - own;
        lit += 1.0 - smoothstep(0.02, 0.10, thickness);
    }
    return lit / float(shadowTaps) * exp(-strands_around(uvz, 0.0).x);
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

// The studio in a mirror: the light from above and below, and the softboxes of key and fill. Rough
// surfaces blur the boxes away; the lobes of the lights stand for them.
vec3 mirrored(vec3 direction, float rough) {
    vec3 window = normalize(fillDirection - vec3(0.0, 0.3, 0.0));
    float key = smoothstep(0.955, 0.965, dot(direction, keyDirection));
    float fill = smoothstep(0.93, 0.945, dot(direction, window));
    float smoothness = 1.0 - smoothstep(0.1, 0.4, rough);
    return hemisphere(direction) + smoothness * (14.0 * key * keyColor + 40.0 * fill * fillColor);
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
    float seen = opaque > 0 ? col.a : 1.0;
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
    float visible = key_visibility(pos, n);
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
        + creased * rimColor * diffuse(dot(n, rimDirection), 0.0));
    // Skin has an oily film over rougher scales: two lobes.
    float film = mix(rough, 0.5 * rough, 0.35 * softness);
    light += keyColor * visible * creased * specular(n, v, keyDirection, film, f0)
        + creased * fillColor * specular(n, v, fillDirection, film, f0)
        + creased * rimColor * specular(n, v, rimDirection, film, f0);
    float grazing = pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);
    light += bounced * hemisphere(n) * albedo
        + creased * mirrored(reflect(-v, n), rough) * (f0 + (1.0 - f0) * grazing * (1.0 - rough)) * (1.0 - 0.6 * rough);
    vec3 glow = emissive;
#ifdef USE_EMISSIVE_TEXTURE
    glow *= linear_from_srgb(texture(emissiveTexture, uvs).rgb);
#endif
    // Discarding comes last: mipmaps and tangents need the differences between neighbouring pixels.
    if (surface.a < alphaCutoff) discard;
    outColor = vec4(light + glow, blended > 0 ? surface.a : 1.0);
}
