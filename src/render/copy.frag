// A picture as large as the viewport.
uniform sampler2D picture;
#ifdef DEPTH
uniform sampler2D pictureDepth;
#endif
in vec2 uvs;
layout(location = 0) out vec4 outColor;

void main() {
    outColor = texture(picture, uvs);
#ifdef DEPTH
    gl_FragDepth = texture(pictureDepth, uvs).r;
#endif
}
