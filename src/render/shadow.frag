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
    // The square leaves few samples in which faded skin without hair behind it hides the hair.
    float shown = smoothstep(0.0, 1.0, dot(fade.xyz, pos) + fade.w);
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
