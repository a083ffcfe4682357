in vec2 corner;       // of the square, 0 to 1
in vec4 centerRadius; // world space; radius in decimetres; negative: in pixels
in vec4 colorFrom;    // as drawn

out vec2 place;       // drawn pixels from the middle
flat out vec4 fill;
flat out float radius; // drawn pixels
flat out float rim;    // width of the dark rim, drawn pixels; negative: a soft rim

void main() {
    vec4 clip = viewProjection * vec4(centerRadius.xyz, 1.0);
    if (clip.w < NEAREST) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside the clip volume
        return;
    }
    vec3 center = placed(centerRadius.xyz);
    float inPixels = -centerRadius.w * pixelScale;
    // Clip space per decimetre upwards.
    vec3 upward = vec3(viewProjection[0][1], viewProjection[1][1], viewProjection[2][1]);
    float inWorld = centerRadius.w * length(upward) * 0.5 * size.y / clip.w;
    radius = centerRadius.w < 0.0 ? inPixels : inWorld;
    rim = centerRadius.w < 0.0 ? min(1.0 * pixelScale, 0.4 * radius) : -1.0;
    fill = colorFrom;
    place = (2.0 * corner - 1.0) * (radius + 1.0);
    gl_Position = at_pixel(center.xy + place, center.z);
}
