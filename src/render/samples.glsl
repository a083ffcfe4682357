// The mean of the samples of a picture: linear, premultiplied.
uniform sampler2D sampleLight;
#ifdef MANY
uniform sampler2D sumLight; // of the samples before
uniform float share;        // 1 / number of samples
#endif

vec4 light_at(vec2 place) {
    vec4 light = texture(sampleLight, place);
#ifdef MANY
    light = share * (light + texture(sumLight, place));
#endif
    return light;
}
