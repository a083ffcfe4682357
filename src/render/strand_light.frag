// The light from each ring of each strand that is drawn: each fragment is a ring.
uniform sampler2D strands; // that are drawn
uniform int drawn;         // their number
#ifdef TINTED
uniform sampler2D tints; // as drawn: strand after strand, root first
uniform int tintsPerStrand;
#endif
uniform ivec2 target;    // size of the picture of rings
layout(location = 0) out vec4 outLight;

void main() {
    // Rows as those of uploaded textures.
    int index = (target.y - 1 - int(gl_FragCoord.y)) * target.x + int(gl_FragCoord.x);
    if (index / rings >= drawn) discard;
    int strand = int(texel(strands, index / rings).x);
    Point p = strand_point(strand, index % rings);
#ifdef TINTED
    vec4 tint = value_along(tints, tintsPerStrand, strand, p.along);
    outLight = vec4(tinted_color(p, tint.rgb), 1.0);
    if (tint.a == 1.0) return;
#endif
    vec4 dye = vec4(1.0, 1.0, 1.0, 0.0);
#ifdef DYED
    dye = value_along(dyes, dyesPerStrand, strand, p.along);
#endif
    float wet = 0.0;
#ifdef WET
    wet = clamp(value_along(wets, wetsPerStrand, strand, p.along).r, 0.0, 1.0);
#endif
    vec3 own = hair_color(p, dye, wet);
#ifdef TINTED
    outLight.rgb = mix(own, outLight.rgb, tint.a);
#else
    outLight = vec4(own, 1.0);
#endif
}
