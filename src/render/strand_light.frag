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
    vec3 tint = value_along(tints, tintsPerStrand, strand, p.along).rgb;
    outLight = vec4(tinted_color(p, tint), 1.0);
#else
    vec3 dye = vec3(1.0);
#ifdef DYED
    dye = value_along(dyes, dyesPerStrand, strand, p.along).rgb;
#endif
    outLight = vec4(hair_color(p, dye), 1.0);
#endif
}
