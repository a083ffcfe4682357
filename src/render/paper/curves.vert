// One ribbon per curve on the page, with room for its soft edges.
uniform vec4 clipFromPage; // factors, then what is added
uniform float pixel;       // what a drawn pixel is on the page
uniform float width;       // pixels of the page
uniform float shadow;      // above 0: opacity of the shadow, which is what is drawn; 0: the hair

in vec4 place;             // on the page; direction across
in vec2 corner;            // place along the hair (0 to 1), side (-1 or 1)
in vec4 hair;              // colour, random
out float along;           // 0 at the root, 1 at the tip
out float across;          // pixels of the page from the middle
flat out vec4 color;

void main() {
    along = corner.x;
    color = hair;
    vec2 at = place.xy;
    if (shadow > 0.0) {
        across = corner.y * (0.5 * width + 1.5);
        at += vec2(1.0, 3.0);
    } else {
        across = corner.y * 0.5 * (width + pixel);
    }
    at += across * place.zw;
    gl_Position = vec4(clipFromPage.xy * at + clipFromPage.zw, 0.0, 1.0);
}
