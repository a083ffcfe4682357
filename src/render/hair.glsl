// Light on hair. Lights have no factor of pi: a white surface that faces a light of 1 is 1.
uniform vec3 rootColor; // of much hair: linear when lit, else sRGB as drawn
uniform vec3 tipColor;
uniform float gloss;
float shine;             // the gloss of the strand at hand
uniform float roughness;
uniform float variation; // of strands, 0 to 1
uniform float grey;      // share of strands without pigment

// Share of the light that much hair sends back.
const float BACK = 0.7;
// What each strand in front takes of the light: that none has touched, the colour of what they
// pass on, its spreading, and the light from all sides.
const float DENSE = 0.2;
const float FORWARD = 0.025;
const float SPREADING = 0.05;
const float CLOSED = 0.1;

// The share of pigment that full bleach leaves.
const float UNBLEACHED = 0.015;

// Returns the look's colour without the share of pigment that is bleached, which the last component
// of the dye tells, with the hue of the dye. The colour of much hair goes with the root of the
// absorption (Chiang et al. 2016), which goes with the pigment. The grey part of the dye keeps the
// colour; the rest replaces its hue. White changes nothing, and grey multiplies.
vec3 dyed(vec3 albedo, vec4 dyeBleach) {
    vec3 dye = dyeBleach.rgb;
#ifdef LIT
    dye = linear_from_srgb(dye);
#endif
    if (dyeBleach.a > 0.0) albedo = pow(max(albedo, 0.002), vec3(sqrt(mix(1.0, UNBLEACHED, dyeBleach.a))));
    float least = min(dye.r, min(dye.g, dye.b));
    float bright = max(albedo.r, max(albedo.g, albedo.b));
    return albedo * least + bright * (dye - least);
}

#ifdef LIT
// Share of a light that the head and solids let through to hair.
float unhidden(sampler2D surfaces, vec3 uvz, float random) {
    float lit = 0.0;
    mat2 turn = disk_turn(random);
    for (int i = 0; i < shadowTaps; i++) {
        lit += 1.0 - smoothstep(0.04, 0.10, shadow_thickness(surfaces, uvz, turn * DISK[i] * 0.006));
    }
    return lit / float(shadowTaps);
}

#ifdef KAJIYA_KAY
float lobe(vec3 t, vec3 n, vec3 v, vec3 l, float shift, float exponent) {
    vec3 shifted = normalize(t + shift * n);
    float th = dot(shifted, normalize(v + l));
    return smoothstep(-1.0, 0.0, th) * pow(max(1.0 - th * th, 0.0), 0.5 * exponent);
}

// Kajiya and Kay 1989, with two shifted highlights (Scheuermann 2004) and light through the strand.
vec3 scattered(vec3 color, float rough, float shift, vec3 t, vec3 v, vec3 l, float visible, vec3 spread) {
    vec3 n = normalize(v - t * dot(t, v));
    float tl = dot(t, l);
    float sine = sqrt(max(1.0 - tl * tl, 0.0));
    float facing = clamp(0.55 + 0.45 * dot(n, l), 0.0, 1.0);
    float through = pow(max(dot(-v, l), 0.0), 6.0);
    return visible * (color * (sine * facing + 0.8 * through)
        + shine * sine * (0.10 * lobe(t, n, v, l, 0.06 + shift, 90.0)
            + 0.55 * color * lobe(t, n, v, l, -0.10 + shift, 22.0)));
}
#else
float bell(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (2.5066 * width);
}

// Schlick's Fresnel of hair, whose index of refraction is 1.55.
float fresnel(float cosine) {
    float rest = 1.0 - cosine;
    float square = rest * rest;
    return 0.0465 + 0.9535 * square * square * rest;
}

// The light of one strand (Marschner et al. 2003, by the fit of Karis 2016): reflected (R),
// through it (TT) and reflected inside (TRT). `color` to a power is what is left on each way.
vec3 one_strand(vec3 color, float rough, float shift, vec3 t, vec3 v, vec3 l) {
    float sine_l = dot(t, l);
    float sine_v = dot(t, v);
    float cosine_d = cos(0.5 * abs(asin(clamp(sine_v, -1.0, 1.0)) - asin(clamp(sine_l, -1.0, 1.0))));
    vec3 around_l = l - sine_l * t;
    vec3 around_v = v - sine_v * t;
    float azimuth = dot(around_l, around_v)
        * inversesqrt(dot(around_l, around_l) * dot(around_v, around_v) + 1e-4);
    float half_azimuth = sqrt(clamp(0.5 + 0.5 * azimuth, 0.0, 1.0));
    float tilt = sine_l + sine_v;
    float width = rough * rough;

    float surface = fresnel(sqrt(clamp(0.5 + 0.5 * dot(v, l), 0.0, 1.0)));
    vec3 light = vec3(shine * bell(width, tilt + 2.0 * shift) * 0.25 * half_azimuth * surface);

    float bent = 1.0 / (1.19 / cosine_d + 0.36 * cosine_d);
    float h = half_azimuth * (1.0 + bent * (0.6 - 0.8 * azimuth));
    float enters = 1.0 - fresnel(cosine_d * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
    vec3 left = pow(color, vec3(0.5 * sqrt(max(1.0 - h * h * bent * bent, 0.0)) / cosine_d));
    light += bell(0.5 * width + 0.03, tilt - shift) * exp(-3.65 * azimuth - 3.98)
        * enters * enters * left;

    float inside = fresnel(0.5 * cosine_d);
    light += shine * bell(2.0 * width, tilt - 4.0 * shift) * exp(17.0 * azimuth - 16.78)
        * (1.0 - inside) * (1.0 - inside) * inside * pow(color, vec3(0.8 / cosine_d));
    return 3.14159 * light * sqrt(max(1.0 - sine_l * sine_l, 0.0));
}

// The light of a strand among others. `visible` is the share of light that no strand is in front
// of, `spread` what comes through those in front (dual scattering, Zinke et al. 2008); much hair
// sends back as much as its colour.
vec3 scattered(vec3 color, float rough, float shift, vec3 t, vec3 v, vec3 l, float visible, vec3 spread) {
    vec3 n = normalize(v - t * dot(t, v));
    float sine = dot(t, l);
    float facing = clamp(0.5 + 0.5 * dot(n, l), 0.0, 1.0) * sqrt(max(1.0 - sine * sine, 0.0));
    return visible * one_strand(color, rough, shift, t, v, l) + BACK * spread * color * facing;
}
#endif
#endif

// Returns the light that is shown as a tint. Tints show measurements, and are shaded just enough to
// tell strands apart.
vec3 tinted_color(Point p, vec3 tint) {
#ifdef LIT
    vec3 uvz = shadow_coordinates(shadowFromWorld, p.place);
    float visible = 1.0;
    if (!outside_shadow_map(uvz)) {
        visible = unhidden(shadowMap, uvz, p.random)
            * exp(-0.5 * strands_around(hairMap, uvz, p.random).x);
    }
    tint *= mix(0.55, 1.0, visible) * (0.90 + 0.10 * p.random);
#endif
    return inverse_tone_map(linear_from_srgb(tint));
}

#ifdef LIT
// Returns the light that strands in front pass on.
vec3 passed_on(vec3 color, float strands) {
    return pow(color, vec3(FORWARD * strands)) / (1.0 + SPREADING * strands);
}
#endif

// Returns the light from a point of a strand. Wet hair is darker and smoother, as in
// mohawk::look::HairLook::wetted.
vec3 hair_color(Point p, vec4 dye, float wet) {
#ifdef LIT
    vec3 v = normalize(cameraPosition - p.place);
    float mixing = clamp(p.along + 0.3 * variation * (random_of(p.random, 1.0) - 0.5), 0.0, 1.0);
    vec3 own = mix(rootColor, tipColor, mixing);
    // Grey hair has no pigment to bleach, but takes a dye.
    if (random_of(p.random, 2.0) < grey) {
        own = vec3(0.80, 0.79, 0.77);
        dye.a = 0.0;
    }
    vec3 color = dyed(own, dye);
    if (wet > 0.0) color = pow(max(color, 0.002), vec3(1.0 + 0.8 * wet));
    shine = gloss * (1.0 + 0.6 * wet);
    color = pow(clamp(color, 0.002, 0.98), vec3(exp(variation * (random_of(p.random, 3.0) - 0.5))));
    float rough = roughness * (1.0 - 0.45 * wet) * exp(0.4 * variation * (random_of(p.random, 4.0) - 0.5));
    float shift = 0.035 + 0.06 * variation * (random_of(p.random, 5.0) - 0.5);
    // Strands are not quite straight.
    vec3 across = normalize(cross(v, p.tangent) + vec3(1e-6));
    float place = 9.0 * p.depth;
    vec3 t = normalize(p.tangent
        + variation * (0.12 * noise_along(place, p.random) * cross(p.tangent, across)
            + 0.06 * noise_along(1.7 * place + 5.0, p.random) * across));

    vec3 uvz = shadow_coordinates(shadowFromWorld, p.place);
    vec2 around = vec2(0.0);
    float keyVisible = 1.0;
    if (!outside_shadow_map(uvz)) {
        around = strands_around(hairMap, uvz, p.random);
        keyVisible = unhidden(shadowMap, uvz, p.random);
    }
    float visible = exp(-DENSE * around.x);
    vec3 forward = passed_on(color, around.x);
    // The skin is on one side.
    float out_of_skin = smoothstep(0.0, 0.5, p.depth);
    float open = 0.5 * (1.0 / (1.0 + CLOSED * around.x) + out_of_skin / (1.0 + CLOSED * around.y));
    open = clamp(open, 0.0, 1.0) * mix(0.45, 1.0, out_of_skin);
    // The rim light is dimmed as the light from all sides is, or by its own shadow map.
    vec3 rim = rimColor * open;
    float rimVisible = open * open;
    vec3 rimForward = vec3(open);
    for (int map = 0; map < rimMaps; map++) {
        vec3 behind = shadow_coordinates(rimFromWorld, p.place);
        float strands = 0.0;
        rim = rimColor;
        if (!outside_shadow_map(behind)) {
            strands = strands_around(rimHairMap, behind, p.random).x;
            rim *= unhidden(rimShadowMap, behind, p.random);
        }
        rimVisible = exp(-DENSE * strands);
        rimForward = passed_on(color, strands);
    }
    vec3 n = normalize(v - t * dot(t, v));
    return keyVisible * keyColor * scattered(color, rough, shift, t, v, keyDirection, visible, forward)
        + open * fillColor * scattered(color, rough, shift, t, v, fillDirection, open, vec3(1.0))
        + rim * scattered(color, rough, shift, t, v, rimDirection, rimVisible, rimForward)
        + open * (hemisphere(n) * color + 0.04 * shine * hemisphere(reflect(-v, n)));
#else
    return inverse_tone_map(linear_from_srgb(dyed(mix(rootColor, tipColor, p.along), dye)));
#endif
}
