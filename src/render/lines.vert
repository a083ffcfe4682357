in vec2 corner;    // along and across, 0 to 1
in vec4 fromWidth; // world space; pixels
in vec4 toHead;    // world space; length of the arrow's head, pixels, or zero
in vec4 colorFrom; // as drawn
in vec4 colorTo;

out vec2 place;        // along and across, drawn pixels
out vec4 fill;
flat out float span;   // drawn pixels
flat out float width;  // drawn pixels
flat out float head;   // drawn pixels

void main() {
    vec3 from = fromWidth.xyz;
    vec3 to = toHead.xyz;
    // The part behind the eye is cut off.
    float nearFrom = (viewProjection * vec4(from, 1.0)).w - NEAREST;
    float nearTo = (viewProjection * vec4(to, 1.0)).w - NEAREST;
    if (nearFrom <= 0.0 && nearTo <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    vec3 cut = mix(from, to, nearFrom / max(nearFrom - nearTo, 1e-9));
    vec3 otherCut = mix(to, from, nearTo / max(nearTo - nearFrom, 1e-9));
    if (nearFrom <= 0.0) from = otherCut;
    if (nearTo <= 0.0) to = cut;

    vec3 a = placed(from);
    vec3 b = placed(to);
    vec2 along = b.xy - a.xy;
    span = length(along);
    along = span > 1e-4 ? along / span : vec2(1.0, 0.0);
    width = fromWidth.w * pixelScale;
    head = min(toHead.w * pixelScale, span);
    float reach = 0.5 * max(width, 0.8 * head) + 1.0;
    float share = corner.x;
    place = vec2(mix(-1.0, span + 1.0, share), (2.0 * corner.y - 1.0) * reach);
    fill = mix(colorFrom, colorTo, share);
    vec2 pixel = a.xy + along * place.x + vec2(-along.y, along.x) * place.y;
    gl_Position = at_pixel(pixel, mix(a.z, b.z, share));
}
