// Depth for the shadow map, without what a MASK material cuts out.
#ifdef CUTOUT
uniform float alpha;
uniform float alphaCutoff;
#ifdef USE_BASE_COLOR_TEXTURE
uniform sampler2D baseColorTexture;
in vec2 uvs;
#endif
in vec4 col;
#endif

void main() {
#ifdef CUTOUT
    float a = alpha * col.a;
#ifdef USE_BASE_COLOR_TEXTURE
    a *= texture(baseColorTexture, uvs).a;
#endif
    if (a < alphaCutoff) discard;
#endif
}
