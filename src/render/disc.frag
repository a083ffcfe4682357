// A flat disc. Large discs have a darker rim and a dot at the root.
uniform float pixelScale; // drawn pixels per pixel of the picture
in vec2 place;
flat in vec3 fill;
flat in float radius;
flat in float pixel;
flat in float presence;
layout(location = 0) out vec4 outColor;

void main() {
    float d = length(place);
    float px = max(length(vec2(dFdx(d), dFdy(d))), 0.5 * pixel);
    float cover = clamp((radius - d) / px + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float size = radius / (pixel * pixelScale);
    float rim = smoothstep(4.0, 9.0, size) * smoothstep(2.0, 0.8, (radius - d) / (px * pixelScale));
    float dotRadius = max(0.14 * radius, 1.1 * px * pixelScale);
    float root = smoothstep(4.0, 8.0, size) * clamp((dotRadius - d) / px + 0.5, 0.0, 1.0);
    float luminance = dot(fill, vec3(0.30, 0.59, 0.11));
    vec3 dotColor = luminance < 0.45 ? vec3(1.0) : vec3(0.06, 0.04, 0.10);
    vec3 color = mix(fill, 0.45 * fill, rim);
    outColor = vec4(mix(color, dotColor, root), 0.94 * presence * cover);
}
