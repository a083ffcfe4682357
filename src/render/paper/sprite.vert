// Part of a drawing, put on a box of the page.
uniform vec4 clipFromPage; // factors, then what is added
uniform vec4 part;         // of the drawing: left, top, right, bottom, 0 to 1 for all of it;
                           // below 0 or above 1: its border
uniform vec4 onto;         // corner, width, height

in vec2 corner;            // 0 to 1, y down
out vec2 uv;

void main() {
    vec2 page = onto.xy + corner * onto.zw;
    uv = mix(part.xy, part.zw, corner);
    uv.y = 1.0 - uv.y; // rows are uploaded bottom row first
    gl_Position = vec4(clipFromPage.xy * page + clipFromPage.zw, 0.0, 1.0);
}
