// Hair: Kajiya and Kay 1989 with two shifted highlights (Scheuermann 2004), light
// through the strands, and a volume darkening from the shadow map's depth.
uniform vec3 rootColor; // linear when lit, else sRGB as drawn
uniform vec3 tipColor;
uniform float gloss;
in vec3 pos;
in vec3 nor;
in vec3 tang;
in vec3 bitang;
in vec2 uvs;
in vec4 col;
layout(location = 0) out vec4 outColor;

#ifdef LIT
// Share of the key light that passes the strands in front (Beer's law on the depth
// behind the first strand the light met).
float key_visibility(vec3 position) {
    vec3 uvz = shadow_coordinates(position);
    if (outside_shadow_map(uvz)) return 1.0;
    float through = 0.0;
    mat2 turn = disk_turn();
    for (int i = 0; i < shadowTaps; i++) {
        through += exp(-5.0 * max(shadow_thickness(uvz, turn * DISK[i] * 0.006) - 0.02, 0.0));
    }
    return through / float(shadowTaps);
}

float lobe(vec3 t, vec3 n, vec3 v, vec3 l, float shift, float exponent) {
    vec3 shifted = normalize(t + shift * n);
    float th = dot(shifted, normalize(v + l));
    return smoothstep(-1.0, 0.0, th) * pow(max(1.0 - th * th, 0.0), 0.5 * exponent);
}

vec3 lit_by(vec3 light, vec3 l, vec3 t, vec3 n, vec3 v, vec3 albedo, float shift) {
    float tl = dot(t, l);
    float sine = sqrt(max(1.0 - tl * tl, 0.0));
    float facing = clamp(0.55 + 0.45 * dot(n, l), 0.0, 1.0);
    float through = pow(max(dot(-v, l), 0.0), 6.0);
    return light * (albedo * (sine * facing + 0.8 * through)
        + gloss * sine * (0.10 * lobe(t, n, v, l, 0.06 + shift, 90.0)
            + 0.55 * albedo * lobe(t, n, v, l, -0.10 + shift, 22.0)));
}
#endif

#ifdef TINTED
// Tints show measurements. They are shaded just enough to tell strands apart.
void main() {
    float shade = 1.0;
#ifdef LIT
    float side = uvs.x;
    vec3 n = normalize(nor * sqrt(max(1.0 - side * side, 0.05)) + bitang * side);
    vec3 v = normalize(cameraPosition - pos);
    shade = mix(0.55, 1.0, key_visibility(pos)) * mix(0.72, 1.0, max(dot(n, v), 0.0));
    shade *= 0.90 + 0.10 * col.x;
#endif
    outColor = vec4(col.yzw * shade, 1.0);
}
#else
#ifdef DYED
// Returns the look's colour with the hue of the dye. The grey part of the dye keeps the look's
// colour; the rest replaces its hue. White changes nothing, and grey multiplies.
vec3 dyed(vec3 albedo, vec3 dye) {
    float grey = min(dye.r, min(dye.g, dye.b));
    float bright = max(albedo.r, max(albedo.g, albedo.b));
    return albedo * grey + bright * (dye - grey);
}
#endif

void main() {
    float along = uvs.y;
    vec3 albedo = mix(rootColor, tipColor, along);
#ifdef DYED
#ifdef LIT
    albedo = dyed(albedo, linear_from_srgb(col.yzw));
#else
    albedo = dyed(albedo, col.yzw);
#endif
#endif
#ifdef LIT
    float side = uvs.x;
    vec3 t = normalize(tang);
    vec3 n = normalize(nor * sqrt(max(1.0 - side * side, 0.05)) + bitang * side);
    vec3 v = normalize(cameraPosition - pos);
    float random = col.x;
    albedo *= 0.78 + 0.44 * random;
    float shift = 0.10 * (fract(random * 57.0) - 0.5);
    float visible = key_visibility(pos);
    // Little light reaches the roots.
    float open = mix(0.30, 1.0, smoothstep(0.0, 0.55, along));
    vec3 light = visible * lit_by(keyColor, keyDirection, t, n, v, albedo, shift)
        + open * lit_by(fillColor, fillDirection, t, n, v, albedo, shift)
        + open * mix(0.4, 1.0, visible) * lit_by(rimColor, rimDirection, t, n, v, albedo, shift)
        + open * mix(0.55, 1.0, visible) * hemisphere(normalize(n + t)) * albedo;
    outColor = vec4(srgb_from_linear(tone_map(light)), 1.0);
#else
    outColor = vec4(albedo, 1.0);
#endif
}
#endif
