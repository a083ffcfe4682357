// Skin laid out by its UVs: as bright as a map's value, with some hue, detail and relief, and lines.
uniform sampler2D skin;
uniform vec3 factor;
uniform sampler2D overview; // light, luma and coverage in red, green and alpha
uniform sampler2D map;
uniform int isOverview;
uniform int isTextured;
uniform int isMapped;
uniform int isGrey;
in vec2 uv;
in float light;
in vec3 weights;
flat in int kind; // 0 skin, 1 background, 2 border
in vec3 vertexColor;
in vec3 vertexValue;
layout(location = 0) out vec4 outColor;

// All colours are sRGB, 0 to 1.
// Brightness of the value 0, and how much brighter 1 is.
const vec2 GREYS = vec2(0.13, 0.76);
// Share of the skin's hue that remains where a map is dark, and where it is bright.
const vec2 HUE = vec2(0.45, 0.85);
// Share of the skin's detail that remains, and the strength of its relief.
const float DETAIL = 0.45;
const float RELIEF = 0.5;
// Mipmap of the overview whose pixels are 1/32 of the square: relief is relative to its mean over
// about so much, or the whole crown would be bright.
const float RELIEF_LEVEL = 4.0;
// Edges: their strength, and the brightness and steepness at which they turn from light to dark.
const float EDGE = 0.25;
const vec2 EDGE_TURN = vec2(0.62, 8.0);
// Triangles as small as the first (pixels) have no edges; from the second on edges are at full
// strength.
const vec2 EDGE_FADE = vec2(1.5, 20.0);
const vec3 BORDER = vec3(0.36, 0.72, 0.86);
// Background: the share of the texture that remains, and the colour that it is added to.
const float DIM = 0.1;
const vec3 DARK = vec3(0.045, 0.05, 0.06);

float luma(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

float min3(vec3 v) {
    return min(v.x, min(v.y, v.z));
}

void main() {
    // Rows of textures go up.
    vec2 st = vec2(uv.x, 1.0 - uv.y);
    vec3 albedo = texture(skin, st).rgb * sqrt(max(vertexColor, 0.0)) * factor;
    albedo = clamp(albedo, 0.0, 1.0);
    float brightness = luma(albedo);
    float lit = 0.5 + 0.5 * light;
    vec3 value = isMapped == 1 ? texture(map, st).rgb : vertexValue;
    vec3 right = dFdx(weights);
    vec3 up = dFdy(weights);
    if (isOverview == 1) {
        outColor = vec4(lit, brightness, 0.0, 1.0);
        return;
    }
    if (kind == 2) {
        outColor = vec4(BORDER, 1.0);
        return;
    }
    if (kind == 1) {
        vec3 rest = mix(vec3(brightness), albedo, 0.5) * float(isTextured);
        outColor = vec4(DARK + DIM * rest, 1.0);
        return;
    }
    vec4 around = textureLod(overview, st, RELIEF_LEVEL);
    vec4 whole = textureLod(overview, st, 16.0);
    float relief = 2.0 * (lit - around.r / max(around.a, 0.01));
    float mean = whole.g / max(whole.a, 0.01);
    float detail = DETAIL * (brightness - mean + RELIEF * relief);
    vec3 color = 0.05 + 0.9 * value + 0.5 * detail;
    if (isGrey == 1) {
        float grey = GREYS.x + GREYS.y * value.r;
        // Less detail where it is dark: it must not hide how dark it is.
        color = (albedo - brightness) * mix(HUE.x, HUE.y, value.r) + grey
            + detail * (0.6 + 0.4 * value.r);
    }
    color = clamp(color, 0.0, 1.0);
    // Distance to the nearest edge, and the side of a square twice as large as the triangle, pixels.
    float away = min3(weights * inversesqrt(max(right * right + up * up, 1e-12)));
    float size = inversesqrt(max(abs(right.x * up.y - right.y * up.x), 1e-12));
    float edge = EDGE * clamp(1.0 - away, 0.0, 1.0);
    edge *= clamp((size - EDGE_FADE.x) / (EDGE_FADE.y - EDGE_FADE.x), 0.0, 1.0);
    color += edge * clamp((EDGE_TURN.x - luma(color)) * EDGE_TURN.y, -1.0, 1.0);
    outColor = vec4(clamp(color, 0.0, 1.0), 1.0);
}
