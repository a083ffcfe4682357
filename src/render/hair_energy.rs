//! The white furnace: white hair in light from all sides sends back no more than falls in.

use super::frame::{Frame, Squares, over};
use super::{CameraView, Offscreen, OrbitCamera};
use three_d::*;

const SIDE: u32 = 16;

/// Sums the light of a strand over all directions that it comes from. To the right the roughness
/// grows from 0.1 to 0.8; upwards the camera looks from one end of the strand to the other.
const SUM: &str = "
in vec2 uvs;
layout(location = 0) out vec4 outColor;
void main() {
    float rough = mix(0.1, 0.8, uvs.x);
    float tilt = radians(mix(-80.0, 80.0, uvs.y));
    vec3 v = vec3(sin(tilt), 0.0, cos(tilt));
    vec3 t = vec3(1.0, 0.0, 0.0);
    shine = gloss;
    float all = 0.0;
    float front = 0.0;
    for (int i = 0; i < 512; i++) {
        float sine = (float(i) + 0.5) / 256.0 - 1.0;
        for (int j = 0; j < 64; j++) {
            float turn = 6.2831853 * (float(j) + 0.5) / 64.0;
            vec3 l = vec3(sine, sqrt(1.0 - sine * sine) * vec2(sin(turn), cos(turn)));
            all += one_strand(vec3(0.98), rough, 0.035, t, v, l).g;
            // Much hair gets light from one side.
            if (l.z > 0.0) front += scattered(vec3(0.98), rough, 0.035, t, v, l, 1.0, vec3(1.0)).g;
        }
    }
    // The solid angle of a direction, over pi as lights have no such factor.
    float share = 4.0 / (512.0 * 64.0);
    outColor = vec4(0.5 * share * vec2(all, front), 0.0, 1.0);
}";

#[test]
fn white_hair_is_no_brighter_than_the_light_that_falls_in() {
    let gl = Offscreen::new().unwrap();
    let square = Squares::one(gl.context());
    let shaders = || {
        let light = [
            include_str!("color.glsl"),
            include_str!("lighting.glsl"),
            include_str!("strand.glsl"),
            include_str!("hair.glsl"),
            SUM,
        ];
        [include_str!("whole.vert").to_owned(), light.concat()]
    };
    let pixels = gl.screen([SIDE, SIDE]).unwrap().draw(|target| {
        let camera = OrbitCamera::named(CameraView::Front).to_three_d(target.viewport());
        let frame = Frame::new(gl.context(), &camera, Mat4::identity());
        target.write::<RendererError>(|| {
            frame.with_program("furnace", &["LIT"], shaders, |program| {
                program.use_uniform("gloss", 1.0);
                let states = over(DepthTest::Always);
                square.draw(program, states, frame.camera.viewport());
            })
        })?;
        Ok(target.read_color::<[u8; 4]>())
    });
    for (i, [all, front, ..]) in pixels.unwrap().into_iter().enumerate() {
        let [all, front] = [all, front].map(|byte| f32::from(byte) / 127.5);
        assert!(all > 0.1 && all <= 1.0, "one strand, pixel {i}: {all}");
        assert!(front > 0.1 && front <= 1.0, "much hair, pixel {i}: {front}");
    }
}
