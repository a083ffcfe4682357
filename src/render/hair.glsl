// Light on hair: Kajiya and Kay 1989 with two shifted highlights (Scheuermann 2004), light
// through the strands, and a volume darkening from the shadow map's depth.
uniform vec3 rootColor; // linear when lit, else sRGB as drawn
uniform vec3 tipColor;
uniform float gloss;

#ifdef LIT
// Share of the key light that passes the strands in front (Beer's law on the depth
// behind the first strand the light met). Each strand rotates the filter disk in its own way.
float key_visibility(vec3 position, float random) {
    vec3 uvz = shadow_coordinates(position);
    if (outside_shadow_map(uvz)) return 1.0;
    float through = 0.0;
    mat2 turn = disk_turn(random);
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

// Tints show measurements. They are shaded just enough to tell strands apart.
vec3 tinted_color(vec3 tint, vec3 point, float random) {
#ifdef LIT
    tint *= mix(0.55, 1.0, key_visibility(point, random)) * (0.90 + 0.10 * random);
#endif
    return tint;
}

// Returns the look's colour with the hue of the dye. The grey part of the dye keeps the look's
// colour; the rest replaces its hue. White changes nothing, and grey multiplies.
vec3 dyed(vec3 albedo, vec3 dye) {
#ifdef LIT
    dye = linear_from_srgb(dye);
#endif
    float grey = min(dye.r, min(dye.g, dye.b));
    float bright = max(albedo.r, max(albedo.g, albedo.b));
    return albedo * grey + bright * (dye - grey);
}

// The colour as drawn of a point of a strand at `along` of its length, with its unit tangent `t`,
// the unit normal `n` of its ribbon and the unit direction `v` to the camera.
vec3 hair_color(vec3 point, vec3 t, vec3 n, vec3 v, vec3 dye, float along, float random) {
    vec3 albedo = dyed(mix(rootColor, tipColor, along), dye);
#ifdef LIT
    albedo *= 0.78 + 0.44 * random;
    float shift = 0.10 * (fract(random * 57.0) - 0.5);
    float visible = key_visibility(point, random);
    // Little light reaches the roots.
    float open = mix(0.30, 1.0, smoothstep(0.0, 0.55, along));
    vec3 light = visible * lit_by(keyColor, keyDirection, t, n, v, albedo, shift)
        + open * lit_by(fillColor, fillDirection, t, n, v, albedo, shift)
        + open * mix(0.4, 1.0, visible) * lit_by(rimColor, rimDirection, t, n, v, albedo, shift)
        + open * mix(0.55, 1.0, visible) * hemisphere(normalize(n + t)) * albedo;
    return srgb_from_linear(tone_map(light));
#else
    return albedo;
#endif
}
