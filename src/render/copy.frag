uniform sampler2D picture;
uniform ivec2 origin; // of the picture in the target, pixels
layout(location = 0) out vec4 outColor;

void main() {
    outColor = texelFetch(picture, ivec2(gl_FragCoord.xy) - origin, 0);
}
