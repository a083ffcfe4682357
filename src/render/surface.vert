// The vertices of a surface. Fine ones can be lit here, which is cheaper than by pixel.
uniform mat4 modelMatrix;
uniform mat4 viewProjection;
in vec3 position;
out vec3 pos; // world space
#ifndef DEPTH_ONLY
uniform mat4 normalMatrix;
in vec3 normal;
out vec3 nor;
#ifdef USE_TANGENTS
in vec4 tangent;
out vec3 tang;
out vec3 bitang;
#endif
#endif
#ifdef USE_UVS
in vec2 uv_coordinates;
out vec2 uvs;
#endif
#ifdef USE_VERTEX_COLORS
in vec4 color;
#endif
out vec4 col;
#ifdef LIT_VERTICES
uniform float roughness;
uniform float reflectance;
uniform vec2 filterTurn;
#ifdef USE_METALLIC_ROUGHNESS_TEXTURE
uniform sampler2D metallicRoughnessTexture;
#endif
out vec3 direct;
out vec3 around;
out vec3 gloss;
#endif

void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    pos = place.xyz;
    gl_Position = viewProjection * place;
#ifndef DEPTH_ONLY
    nor = normalize(mat3(normalMatrix) * normal);
#ifdef USE_TANGENTS
    tang = normalize(mat3(normalMatrix) * tangent.xyz);
    bitang = normalize(cross(nor, tang) * tangent.w);
#endif
#endif
#ifdef USE_UVS
    uvs = uv_coordinates;
#endif
    col = vec4(1.0);
#ifdef USE_VERTEX_COLORS
    col = color;
#endif
#ifdef LIT_VERTICES
    float rough = roughness;
#ifdef USE_METALLIC_ROUGHNESS_TEXTURE
    rough *= textureLod(metallicRoughnessTexture, uvs, 1.0).g;
#endif
    float seen = mix(0.15, 1.0, col.a);
    Lit lit = lit_at(pos, nor, seen, rough, vec3(reflectance), subsurface, filterTurn.x);
    direct = lit.direct;
    around = lit.around;
    gloss = lit.gloss;
#endif
}
