uniform float pixel;  // what a drawn pixel is on the page
uniform float shadow;
in float across;
in float halfWidth;
in vec4 color;
layout(location = 0) out vec4 outColor;

void main() {
    float inside = halfWidth - abs(across);
    float soft = shadow > 0.0 ? inside / halfWidth : inside / pixel + 0.5;
    outColor = vec4(color.rgb, color.a * clamp(soft, 0.0, 1.0));
}
