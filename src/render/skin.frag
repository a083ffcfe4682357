// A surface: its colour, and the light of `skin.glsl`, from each pixel or between vertices.
uniform vec4 baseColor;
uniform float metallic;
uniform float roughness;
uniform float reflectance; // towards the normal, of what is no metal
uniform vec3 emissive;
uniform int unlit;
uniform vec3 sheen;
uniform float sheenRoughness;
uniform float alphaCutoff;
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
#ifdef USE_SHEEN_TEXTURE
uniform sampler2D sheenTexture;
#endif
#ifdef USE_UVS
in vec2 uvs;
#endif
in vec3 pos;
in vec3 nor;
in vec4 col;
#ifdef LIT_VERTICES
in vec3 direct;
in vec3 around;
in vec3 gloss;
#endif
layout(location = 0) out vec4 outColor;

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
    float rough = roughness;
#ifdef LIT_VERTICES
    vec3 albedo = surface.rgb;
    vec3 shine = gloss;
#else
    float metal = metallic;
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
    vec3 albedo = surface.rgb * (1.0 - metal);
    vec3 f0 = mix(vec3(reflectance), surface.rgb, metal);
    float turn = filterTurn.x + filterTurn.y * grey_noise();
    Lit lit = lit_at(pos, n, seen, rough, f0, subsurface * (1.0 - metal), turn);
    vec3 direct = lit.direct;
    vec3 around = lit.around;
    vec3 shine = lit.gloss;
    if (sheen != vec3(0.0)) {
        vec3 fuzz = sheen;
#ifdef USE_SHEEN_TEXTURE
        fuzz *= linear_from_srgb(texture(sheenTexture, uvs).rgb);
#endif
        fuzz *= sheen_share(abs(dot(n, normalize(cameraPosition - pos))), sheenRoughness);
        // The surface below gets what is left.
        float below = 1.0 - max(fuzz.r, max(fuzz.g, fuzz.b));
        albedo *= below;
        shine = below * shine + fuzz * (direct + seen * around);
    }
#endif
    // What glass reflects does not depend on how much is seen through it.
    float smoothness = 1.0 - smoothstep(0.1, 0.35, rough);
    if (blended > 0) shine *= mix(1.0, 1.0 / max(surface.a, 0.01), smoothness);
    // Light that bounces between close surfaces has their colour (Jimenez et al. 2016, "Practical
    // Realtime Strategies for Accurate Indirect Occlusion").
    vec3 a = 2.0404 * albedo - 0.3324;
    vec3 b = -4.7951 * albedo + 0.6417;
    vec3 c = 2.7552 * albedo + 0.6903;
    vec3 bounced = max(vec3(seen), ((seen * a + b) * seen + c) * seen);
    vec3 light = albedo * (direct + bounced * around) + shine;
    vec3 glow = emissive;
    // Unlit surfaces glow in their colour, which vertex colours tint.
    if (unlit > 0) glow *= col.rgb;
#ifdef USE_EMISSIVE_TEXTURE
    glow *= linear_from_srgb(texture(emissiveTexture, uvs).rgb);
#endif
    float shown = share_shown(fade, pos);
    // Discarding comes last: mipmaps and tangents need the differences between neighbouring pixels.
    if (surface.a < alphaCutoff || shown < 0.01) discard;
    // Opaque surfaces are not blended, and premultiplied.
    outColor = blended > 0
        ? vec4(light + glow, surface.a * shown)
        : vec4((light + glow) * shown, shown);
}
