// A blur along one axis by a narrow and a wide Gaussian: lenses have a bright middle and a long tail.
uniform sampler2D picture;
uniform ivec2 axis;
layout(location = 0) out vec4 outColor;

void main() {
    ivec2 size = textureSize(picture, 0);
    // The width is a share of the height of the picture.
    float wide = 0.03 * float(size.y);
    int reach = int(min(2.5 * wide, 200.0));
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = -reach; i <= reach; i++) {
        float x = float(i) / wide;
        float weight = exp(-0.5 * x * x) + 3.0 * exp(-8.0 * x * x);
        ivec2 place = clamp(ivec2(gl_FragCoord.xy) + i * axis, ivec2(0), size - 1);
        sum += weight * texelFetch(picture, place, 0);
        weights += weight;
    }
    outColor = sum / weights;
}
