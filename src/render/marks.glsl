// Shared by dots and lines, which are placed in pixels and drawn without perspective.
uniform mat4 viewProjection;
uniform vec3 eye;
uniform vec2 size;        // of the picture, drawn pixels
uniform float pixelScale; // drawn pixels per pixel of the picture

const float NEAREST = 1e-3; // smallest distance from the eye, decimetres

// Returns x, y in drawn pixels from the middle of the picture, and the depth of a point a little
// nearer to the eye. Marks lie on strands and must not be hidden by them.
vec3 placed(vec3 point) {
    vec4 clip = viewProjection * vec4(point, 1.0);
    vec3 away = eye - point;
    vec4 lifted = viewProjection * vec4(point + away * min(0.02 / max(length(away), 1e-6), 0.5), 1.0);
    return vec3(0.5 * size * clip.xy / clip.w, lifted.z / lifted.w);
}

vec4 at_pixel(vec2 pixel, float depth) {
    return vec4(pixel / (0.5 * size), depth, 1.0);
}
