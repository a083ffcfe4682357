// Depth, without what a MASK material cuts out and what has faded.
#ifdef CUTOUT
uniform float alpha;
uniform float alphaCutoff;
#ifdef USE_BASE_COLOR_TEXTURE
uniform sampler2D baseColorTexture;
in vec2 uvs;
#endif
in vec4 col;
#endif

#ifdef FADES
uniform vec4 fade;        // as that of surfaces
uniform float filterTurn; // of all pixels
in vec3 pos;
#endif

void main() {
#ifdef FADES
    // Faded skin lets the sky through where it hides hair. The square makes such samples fewer.
    float shown = share_shown(fade, pos);
    if (shown * shown < fract(filterTurn + grey_noise())) discard;
#endif
#ifdef CUTOUT
    float a = alpha * col.a;
#ifdef USE_BASE_COLOR_TEXTURE
    a *= texture(baseColorTexture, uvs).a;
#endif
    if (a < alphaCutoff) discard;
#endif
}
