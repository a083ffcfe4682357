//! The studio: key, fill, rim and ambient light, and the shadow maps of key and rim.

use crate::look::{LightLook, Lights, Look, SkyLook};
use crate::render::frame::Drawn;
use crate::render::shadow_map::{SHADOW_RADIUS, ShadowMap};
use crate::render::{convert, gl};
use glam::Vec3;
use three_d::*;

/// The radius of the filter of hair in shadow maps, in shares of a map, and the largest number of taps
/// at which `lighting.glsl` leaves it out.
const HAIR_SPREAD: f32 = 0.001;
const FEW_TAPS: u8 = 4;

/// The factor between radii of shadow maps, and the largest, in those of a head.
const REACH_STEP: f32 = 1.25;
const MOST_REACH: f32 = 4.0;
/// The distance up to which hair changes no radius, decimetres: few tips are hardly outside.
pub const USUAL_REACH: f32 = REACH_STEP * SHADOW_RADIUS;

/// The uniforms of the shadow maps in `lighting.glsl`, as [`ShadowMap::use_uniforms`] takes them.
const KEY_UNIFORMS: [&str; 4] = ["shadowMap", "hairMap", "shadowFromWorld", "shadowTexel"];
const RIM_UNIFORMS: [&str; 4] = ["rimShadowMap", "rimHairMap", "rimFromWorld", "rimTexel"];

/// The cost and detail of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Side of the shadow maps, texels. At rest, that of the key light has the side of
    /// [`FULL`](Self::FULL).
    pub shadow_size: u32,
    /// Samples of the shadow map per point, 1 to 12.
    pub shadow_taps: u8,
    /// `true` if pictures in motion too have the shadows of the rim light, and are lit by pixel
    /// with the bumps of skin.
    pub fine_in_motion: bool,
    /// Samples per pixel of a picture in which nothing moves.
    pub samples: u32,
}

impl Quality {
    /// The quality for pictures and graphics cards.
    pub const FULL: Quality = Quality {
        shadow_size: 1024,
        shadow_taps: 12,
        fine_in_motion: true,
        samples: 16,
    };

    /// Returns the quality for a window: less where the CPU draws.
    pub fn of_window(context: &Context) -> Quality {
        match gl::renderer_name(context).1 {
            true => Quality {
                shadow_size: 512,
                shadow_taps: 4,
                fine_in_motion: false,
                ..Quality::FULL
            },
            false => Quality::FULL,
        }
    }
}

/// An arrangement of lights. Colours are linear.
struct Rig {
    /// Towards the key light.
    key: Vec3,
    key_color: Vec3,
    /// Halves of the sides of the softbox of the key light, in lengths of its distance.
    key_size: [f32; 2],
    /// Beside the camera, so that no side of the head is ever black.
    fill_color: Vec3,
    /// Behind the head, as the camera sees it.
    rim_color: Vec3,
    /// The light from above and from below; `None`: that of the sky.
    ambient: Option<[Vec3; 2]>,
    /// The light of the background, as a share of its colours.
    backdrop: f32,
}

impl Rig {
    fn of(light: &LightLook) -> Rig {
        let studio = Rig {
            key: Vec3::new(0.55, 0.90, 0.62),
            key_color: Vec3::new(1.0, 0.94, 0.86) * 1.4,
            key_size: [0.20, 0.26],
            fill_color: Vec3::new(1.0, 0.96, 0.92) * 0.23,
            rim_color: Vec3::new(0.85, 0.92, 1.0) * 1.1,
            ambient: None,
            backdrop: 1.0,
        };
        let mut rig = match light.lights {
            Lights::Studio => studio,
            Lights::Daylight => Rig {
                key: Vec3::new(0.62, 1.10, 0.50),
                key_color: Vec3::new(1.0, 0.93, 0.80) * 1.75,
                key_size: [0.06, 0.06],
                fill_color: Vec3::new(0.75, 0.88, 1.0) * 0.10,
                rim_color: Vec3::new(0.75, 0.88, 1.0) * 0.35,
                ambient: Some([Vec3::new(0.34, 0.47, 0.70), Vec3::new(0.26, 0.23, 0.18)]),
                backdrop: 1.35,
            },
            Lights::Stage => Rig {
                key: Vec3::new(0.95, 0.75, 0.38),
                key_color: Vec3::new(1.0, 0.62, 0.30) * 1.7,
                key_size: [0.10, 0.10],
                fill_color: Vec3::new(0.55, 0.35, 0.9) * 0.10,
                rim_color: Vec3::new(0.22, 0.45, 1.0) * 2.4,
                ambient: Some([
                    Vec3::new(0.020, 0.022, 0.040),
                    Vec3::new(0.012, 0.010, 0.020),
                ]),
                backdrop: 0.10,
            },
            Lights::Sky => Rig {
                key_color: Vec3::ZERO,
                fill_color: Vec3::ZERO,
                rim_color: Vec3::ZERO,
                ..studio
            },
        };
        let turn = glam::Quat::from_rotation_y(light.turn_deg.to_radians());
        rig.key = turn * rig.key.normalize();
        for color in [&mut rig.key_color, &mut rig.fill_color, &mut rig.rim_color] {
            *color *= light.strength;
        }
        rig
    }

    /// Returns the light from above and from below under a sky.
    fn ambient(&self, light: &LightLook, sky: &SkyLook) -> [Vec3; 2] {
        let linear = |c| convert::from_vec3(convert::linear_from_srgb(c));
        // A green sky must not make a green face.
        let grey = |c, amount: f32| Vec3::splat(linear(c).element_sum() / 3.0 * amount + 0.08);
        let [up, down] = self.ambient.unwrap_or(match light.lights {
            Lights::Sky => [sky.top_color, sky.bottom_color].map(|c| linear(c) * 4.0 + 0.02),
            _ => [grey(sky.top_color, 0.55), grey(sky.bottom_color, 0.22)],
        });
        [up, down].map(|color| color * light.strength)
    }
}

/// All lights and their shadow maps, in world space.
pub struct Studio {
    key: ShadowMap,
    rim: ShadowMap,
    rig: Rig,
    /// The ambient light from above and from below.
    ambient: [Vec3; 2],
    /// The ball that the shadow maps cover; without it they cover the head.
    ball: Option<(Vec3, f32)>,
    /// The way from the origin to where a head that walks is.
    carried: Vec3,
    /// The radius around it that the shadow maps cover, decimetres.
    reach: f32,
    quality: Quality,
    context: Context,
    /// The directions towards the fill light and the rim light in this picture.
    beside: [Vec3; 2],
    /// `true` if the rim light has shadows in this picture.
    rim_is_cast: bool,
    /// The place beside a point at which skin sees the hair in front of it, in shares of a map.
    hair_place: [f32; 2],
    key_is_stale: bool,
    /// The direction of the rim light in its map; `None` if the map is stale.
    rim_cast_from: Option<Vec3>,
}

impl Studio {
    /// Returns the lights of a look and empty shadow maps.
    pub fn new(context: &Context, look: &Look, quality: Quality) -> Self {
        let map = || ShadowMap::new(context, quality.shadow_size);
        let rig = Rig::of(&look.light);
        Self {
            key: map(),
            rim: map(),
            ambient: rig.ambient(&look.light, &look.sky),
            rig,
            ball: None,
            carried: Vec3::ZERO,
            reach: SHADOW_RADIUS,
            quality,
            context: context.clone(),
            beside: [Vec3::Z, Vec3::NEG_Z],
            rim_is_cast: false,
            hair_place: [0.0; 2],
            key_is_stale: true,
            rim_cast_from: None,
        }
    }

    /// Limits shadows to a ball, world space; `None` is where heads are. The shadow maps have to be
    /// [outdated](Self::outdate_shadows).
    pub fn set_extent(&mut self, ball: Option<(Vec3, f32)>) {
        self.ball = ball;
    }

    /// Lets the shadows of a head follow one that walks. The shadow maps have to be
    /// [outdated](Self::outdate_shadows).
    pub fn follow(&mut self, place: Vec3) {
        let beyond = (place.length() - NEAR) / NEAR;
        self.carried = place * beyond.clamp(0.0, 1.0);
    }

    /// Lets the shadows of a head reach hair that is so far away from where they are, decimetres. The
    /// radius grows in steps, so that texels keep their size while hair swings between two.
    pub fn reach_to(&mut self, farthest: f32) {
        let steps = match farthest > USUAL_REACH {
            true => (farthest / SHADOW_RADIUS)
                .min(MOST_REACH)
                .log(REACH_STEP)
                .ceil(),
            false => 0.0,
        };
        let reach = SHADOW_RADIUS * REACH_STEP.powf(steps);
        if std::mem::replace(&mut self.reach, reach) != reach {
            self.outdate_shadows();
        }
    }

    /// Returns the way from the origin to where the shadows of a head are.
    pub fn carried(&self) -> Vec3 {
        self.ball.map_or(self.carried, |_| Vec3::ZERO)
    }

    /// Returns the ball that the shadow maps cover.
    fn shadowed(&self) -> (Vec3, f32) {
        self.ball.unwrap_or((self.carried, self.reach))
    }

    /// Sets the lights to those of a look. The shadow maps have to be
    /// [outdated](Self::outdate_shadows).
    pub fn set_look(&mut self, look: &Look) {
        self.rig = Rig::of(&look.light);
        self.ambient = self.rig.ambient(&look.light, &look.sky);
    }

    /// Returns the light of the background, as a share of its colours.
    pub fn backdrop(&self) -> f32 {
        self.rig.backdrop
    }

    /// Marks the shadow maps as stale, so that they are drawn again when they are next needed.
    pub fn outdate_shadows(&mut self) {
        (self.key_is_stale, self.rim_cast_from) = (true, None);
    }

    /// Brings the lights that move with the camera, and the shadow maps, up to date for a view.
    /// `surfaces` and `hair` draw what casts shadows for a camera. `place` is that of the sample in
    /// the unit disk.
    pub fn cast_shadows(
        &mut self,
        view: &Camera,
        in_motion: bool,
        place: [f32; 2],
        surfaces: impl Fn(&Camera) -> Drawn,
        hair: impl Fn(&Camera) -> Drawn,
    ) -> Drawn {
        let size = match in_motion {
            true => self.quality.shadow_size,
            false => Quality::FULL.shadow_size,
        };
        // A map that is finer than it has to be costs nothing more.
        if std::mem::take(&mut self.key_is_stale) || self.key.size() < size {
            (self.key).cast(
                (&self.context, size),
                self.rig.key,
                self.shadowed(),
                &surfaces,
                &hair,
            )?;
        }
        self.rim_is_cast =
            self.rig.rim_color != Vec3::ZERO && (self.quality.fine_in_motion || !in_motion);
        // Few taps see the hair at one place. At rest that differs by sample, so that all of them
        // together see the hair around a point.
        let spread = match in_motion || self.quality.shadow_taps > FEW_TAPS {
            true => 0.0,
            false => HAIR_SPREAD,
        };
        self.hair_place = place.map(|along| along * spread);
        self.beside = beside(view);
        let [_, rim] = self.beside;
        if self.rim_is_cast && self.rim_cast_from.replace(rim) != Some(rim) {
            let (to_size, ball) = ((&self.context, self.quality.shadow_size), self.shadowed());
            self.rim.cast(to_size, rim, ball, &surfaces, &hair)?;
        }
        Ok(())
    }

    /// Sets every uniform of `lighting.glsl`.
    pub fn use_uniforms(&self, program: &Program, view: &Camera) {
        let (rig, [fill, rim]) = (&self.rig, self.beside);
        let [ambient_up, ambient_down] = self.ambient;
        program.use_uniform_if_required("cameraPosition", view.position());
        for (name, value) in [
            ("keyDirection", rig.key),
            ("keyColor", rig.key_color),
            ("fillDirection", fill),
            ("fillColor", rig.fill_color),
            ("rimDirection", rim),
            ("rimColor", rig.rim_color),
            ("ambientUp", ambient_up),
            ("ambientDown", ambient_down),
        ] {
            program.use_uniform_if_required(name, convert::vec3(value));
        }
        program.use_uniform_if_required("keyBox", Vec2::from(rig.key_size));
        self.key.use_uniforms(program, KEY_UNIFORMS);
        self.rim.use_uniforms(program, RIM_UNIFORMS);
        program.use_uniform_if_required("rimMaps", i32::from(self.rim_is_cast));
        let taps = self.quality.shadow_taps.clamp(1, 12);
        program.use_uniform_if_required("shadowTaps", i32::from(taps));
        program.use_uniform_if_required("hairPlace", Vec2::from(self.hair_place));
        program.use_uniform_if_required("shadowDepth", self.key.reach());
    }
}

/// The distance from the origin that a head may have before shadow maps follow it, decimetres. From
/// twice as far on they are where it is.
const NEAR: f32 = 2.0;

/// The least height of the rim light, as a share of its distance before that is made 1. From below,
/// the head would hide it from the hair in front, with a hard edge.
const LEAST_RIM_HEIGHT: f32 = 0.25;

/// Returns the unit directions towards the fill light and the rim light, which move with the camera.
/// The rim light is behind the head, and above it if the camera is.
fn beside(view: &Camera) -> [Vec3; 2] {
    let towards = -convert::from_vec3(view.view_direction());
    let right = convert::from_vec3(view.right_direction());
    let mut rim = right * 0.8 - towards * 0.75 + Vec3::Y * 0.55;
    rim.y = rim.y.max(LEAST_RIM_HEIGHT);
    [
        (towards - right * 0.7 + Vec3::Y * 0.15).normalize(),
        rim.normalize(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rim_light_is_above_the_horizon_from_any_height() {
        for pitch_deg in (-88..=88).step_by(4) {
            let (y, z) = (pitch_deg as f32).to_radians().sin_cos();
            let view = Camera::new_perspective(
                Viewport::new_at_origo(1, 1),
                vec3(0.0, y, z) * 10.0,
                vec3(0.0, 0.0, 0.0),
                vec3(0.0, 1.0, 0.0),
                degrees(30.0),
                0.1,
                100.0,
            );
            let [fill, rim] = beside(&view);
            assert!(rim.y > 0.2, "{pitch_deg}: {rim}");
            assert!(fill.dot(Vec3::new(0.0, y, z)) > 0.7, "{pitch_deg}: {fill}");
        }
    }
}
