//! The look of a picture, as plain data. Colours are sRGB, 0 to 1.

use crate::settings::SettingError;
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use crate::{choices, settings};
use serde::{Deserialize, Serialize};

/// Colours, widths, lights and sky.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Look {
    /// How strands are drawn.
    pub hair: HairLook,
    /// The lights, and what is around the head.
    pub light: LightLook,
    /// The background.
    pub sky: SkyLook,
    /// The effects of a lens.
    pub lens: LensLook,
}

settings! {
    /// How strands are drawn.
    pub struct HairLook in "look.hair" {
        /// The source of the colour of hair.
        pigment: Pigment = Pigment::Dye;
        /// sRGB colour at the root.
        root_color: [f32; 3] = [0.22, 0.02, 0.20], 0.0..=1.0 => "Root colour";
        /// sRGB colour at the tip.
        tip_color: [f32; 3] = [0.96, 0.22, 0.42], 0.0..=1.0 => "Tip colour";
        /// Brown and black melanin: 0.05 is fair, 0.5 brown, 3 black.
        eumelanin: f32 = 0.5, 0.0..=20.0 => "Eumelanin" 0.0..=3.0;
        /// Red and yellow melanin: 0.4 with little eumelanin is red.
        pheomelanin: f32 = 0.0, 0.0..=20.0 => "Pheomelanin" 0.0..=3.0;
        /// Radius at the root.
        radius: f32 = 0.006, 0.0005..=0.1 "decimetres" => "Radius" 0.0005..=0.05 log;
        /// Radius at the tip, as a share of the radius at the root.
        taper: f32 = 0.2, 0.0..=1.0 => "Taper";
        /// Constant width instead of the radius; 0 is off.
        width_px: f32 = 0.0, 0.0..=20.0 "pixels" => "Width" 0.5..=20.0;
        /// Whether strands are straight lines from the root to the drawn tip, instead of curves
        /// that leave along the rest direction.
        straight: bool = false => "Straight";
        /// Whether strands are lit and cast shadows; otherwise colours are flat.
        lit: bool = true => "Lit";
        /// The model of light on hair.
        shading: Shading = Shading::Marschner => "Shading";
        /// Strength of the highlights along the strands.
        gloss: f32 = 1.0, 0.0..=2.0 => "Gloss";
        /// Width of the highlights.
        roughness: f32 = 0.38, 0.1..=0.8 => "Roughness";
        /// How much colour, roughness and direction differ between strands.
        variation: f32 = 0.5, 0.0..=1.0 => "Variation";
        /// Share of the strands without pigment.
        grey: f32 = 0.0, 0.0..=1.0 => "Grey";
        /// The source of the colour of hair that comes with a head, such as brows and lashes.
        brows: Brows = Brows::Own => "Brows";
        /// sRGB colour of that hair if it is dyed.
        brow_color: [f32; 3] = [0.25, 0.14, 0.08], 0.0..=1.0 => "Brow colour";
    }
}

choices! {
    /// A source of the colour of hair that comes with a head.
    pub enum Brows: "brows" = Own {
        /// The colour of its material.
        Own = "own",
        /// The colours and the grey of the other hair.
        Hair = "hair",
        /// The brow colour.
        Dye = "dye",
    }
}

choices! {
    /// A source of the colour of hair.
    pub enum Pigment: "pigment" = Dye {
        /// The root colour and the tip colour.
        Dye = "dye",
        /// The natural pigments; tips are bleached a little.
        Melanin = "melanin",
    }
}

choices! {
    /// A model of light on hair.
    pub enum Shading: "shading" = Marschner {
        /// Light that strands reflect and let through, and light between strands.
        Marschner = "marschner",
        /// A cylinder with two highlights: simple, for teaching.
        KajiyaKay = "kajiya-kay",
    }
}

settings! {
    /// The lights, and what is around the head.
    pub struct LightLook in "look.light" {
        /// The arrangement of the lights.
        lights: Lights = Lights::Studio => "Lights";
        /// Strength of all lights.
        strength: f32 = 1.0, 0.0..=10.0 => "Strength" 0.0..=3.0;
        /// Angle by which the key light is turned around the head.
        turn_deg: f32 = 0.0, -180.0..=180.0 "degrees" => "Turn";
        /// Height over which a head without a body fades out at its neck; 0 is off.
        fade: f32 = 0.45, 0.0..=2.0 "decimetres" => "Neck fade";
        /// A floor at the lowest point of the head shows its shadow. The neck then does not fade.
        floor: bool = false => "Floor";
    }
}

choices! {
    /// An arrangement of lights.
    pub enum Lights: "lights" = Studio {
        /// A warm softbox in front, a fill beside the camera, a rim light behind.
        Studio = "studio",
        /// The sun and a blue sky above a bright ground.
        Daylight = "daylight",
        /// An amber and a blue spotlight in the dark.
        Stage = "stage",
        /// The colours of the background alone.
        Sky = "sky",
    }
}

settings! {
    /// The camera that a picture or the window begins with
    pub struct ViewSettings in "view" {
        /// Angle around the model; 0 sees the face, 90 its left side.
        yaw_deg: f32 = 38.0, -360.0..=360.0 "degrees";
        /// Angle above the horizon.
        pitch_deg: f32 = 10.0, -88.0..=88.0 "degrees";
        /// Distance from the target; 0 stands for one at which a head and its hair fill the picture.
        distance: f32 = 0.0, 0.0..=60.0 "decimetres";
        /// The point looked at.
        target: [f32; 3] = [0.0, 0.26, 0.0], -1000.0..=1000.0 "decimetres";
    }
}

settings! {
    /// The gradient skysphere behind the head.
    pub struct SkyLook in "look.sky" {
        /// sRGB colour straight up.
        top_color: [f32; 3] = [0.035, 0.045, 0.07], 0.0..=1.0 => "Top";
        /// sRGB colour straight down.
        bottom_color: [f32; 3] = [0.30, 0.36, 0.42], 0.0..=1.0 => "Bottom";
        /// Steepness of the gradient at the horizon; 1 spreads it evenly from pole to pole.
        contrast: f32 = 2.6, 1.0..=20.0 => "Contrast" log;
        /// sRGB colour of the wire sphere.
        wire_color: [f32; 3] = [1.0, 1.0, 1.0], 0.0..=1.0 => "Wire";
        /// Opacity of the wire sphere.
        wire_opacity: f32 = 0.0, 0.0..=1.0 => "Wire opacity";
    }
}

settings! {
    /// The effects of a lens on a picture.
    pub struct LensLook in "look.lens" {
        /// Share of the light of head and hair that is blurred; 0 is off.
        bloom: f32 = 0.0, 0.0..=1.0 => "Bloom" 0.0..=0.3;
        /// Radius of the lens; 0 is off. What is out of focus is blurred, but in a window in motion.
        aperture: f32 = 0.0, 0.0..=1.0 "decimetres" => "Aperture" 0.0..=0.3;
        /// Distance of what is sharp from the point that the camera turns around, towards the
        /// camera.
        focus: f32 = 0.9, -10.0..=10.0 "decimetres" => "Focus" -1.0..=2.0;
    }
}

choices! {
    /// A named direction to look from.
    pub enum CameraView: "camera" = ThreeQuarter {
        /// The face.
        Front = "front",
        /// The left side of the head.
        Side = "side",
        /// From above, the face pointing down the picture.
        Top = "top",
        /// The back of the head.
        Back = "back",
        /// Between front and side, a little from above.
        ThreeQuarter = "three-quarter",
    }
}

/// The share of pigment that full bleach leaves.
const UNBLEACHED: f32 = 0.015;

/// Returns a colour of hair, sRGB, without a share of its pigment, and with the hue of a dye. White dye
/// changes nothing, and grey multiplies. `hair.glsl` has the same formula.
pub(crate) fn dyed(color: [f32; 3], dye: [f32; 3], bleach: f32) -> [f32; 3] {
    let left = (1.0 + bleach.clamp(0.0, 1.0) * (UNBLEACHED - 1.0)).sqrt();
    let own = color.map(|channel| linear_from_srgb(channel).max(0.002).powf(left));
    let dye = dye.map(linear_from_srgb);
    let least = dye.into_iter().fold(f32::INFINITY, f32::min);
    let bright = own.into_iter().fold(0.0, f32::max);
    let channel = |i: usize| own[i] * least + bright * (dye[i] - least);
    std::array::from_fn(|i| srgb_from_linear(channel(i).clamp(0.0, 1.0)))
}

impl HairLook {
    /// Returns the sRGB colours at the root and at the tip.
    pub fn colors(&self) -> [[f32; 3]; 2] {
        match self.pigment {
            Pigment::Dye => [self.root_color, self.tip_color],
            Pigment::Melanin => [1.0, 0.7]
                .map(|share| melanin_color(share * self.eumelanin, share * self.pheomelanin)),
        }
    }

    /// Returns the look of wet hair: 0 is dry, 1 soaked.
    ///
    /// Between hairs in water, light is scattered less and goes a longer way through hair before it
    /// leaves: a colour c becomes c^(1 + 0.8 w), darker and more saturated. The film of water is
    /// smooth, so highlights are stronger and narrower, and hairs differ less.
    pub fn wetted(&self, wetness: f32) -> Self {
        if wetness.is_nan() || wetness <= 0.0 {
            return self.clone();
        }
        let wetness = wetness.min(1.0);
        let way = 1.0 + 0.8 * wetness;
        let darker = |color: [f32; 3]| {
            color.map(|c| srgb_from_linear(linear_from_srgb(c.max(0.0)).powf(way)))
        };
        // The colour of much hair goes with the root of the absorption.
        let absorbing = way * way;
        let wet = Self {
            root_color: darker(self.root_color),
            tip_color: darker(self.tip_color),
            eumelanin: self.eumelanin * absorbing,
            pheomelanin: self.pheomelanin * absorbing,
            gloss: self.gloss * (1.0 + 0.6 * wetness),
            roughness: self.roughness * (1.0 - 0.45 * wetness),
            variation: self.variation * (1.0 - 0.5 * wetness),
            ..self.clone()
        };
        wet.clamped()
    }
}

/// Returns the sRGB colour of much hair with these concentrations of melanin.
fn melanin_color(eumelanin: f32, pheomelanin: f32) -> [f32; 3] {
    /// Absorption of red, green and blue light per concentration (d'Eon et al. 2011, "An
    /// Energy-Conserving Hair Reflectance Model").
    const EUMELANIN: [f32; 3] = [0.419, 0.697, 1.37];
    const PHEOMELANIN: [f32; 3] = [0.187, 0.4, 1.05];
    /// The logarithm of the colour of much hair per square root of absorption, for an azimuthal
    /// roughness of 0.3 (Chiang et al. 2016, "A Practical and Controllable Hair and Fur Model").
    const MUCH: f32 = 5.889;
    std::array::from_fn(|i| {
        let absorption = eumelanin * EUMELANIN[i] + pheomelanin * PHEOMELANIN[i];
        srgb_from_linear((-MUCH * absorption.sqrt()).exp())
    })
}

impl Look {
    /// The names that [`Look::named`] knows, the default first.
    pub const NAMES: &[&str] = &["studio", "classic", "kajiya-kay"];

    /// Returns a look by name: `studio` is the default; `classic` is straight unlit lines of
    /// constant width, from magenta to yellow, under a green and blue sky with a wire sphere;
    /// `kajiya-kay` is the default with the simpler light on hair. [`Config::set_look`] takes the
    /// spring that belongs to it too.
    ///
    /// [`Config::set_look`]: crate::Config::set_look
    pub fn named(name: &str) -> Option<Look> {
        match name {
            "studio" => Some(Look::default()),
            "classic" => Some(Look {
                hair: HairLook {
                    root_color: [1.0, 0.0, 1.0],
                    tip_color: [1.0, 1.0, 0.0],
                    width_px: 3.0,
                    straight: true,
                    taper: 1.0,
                    lit: false,
                    ..HairLook::default()
                },
                light: LightLook {
                    fade: 0.0,
                    ..LightLook::default()
                },
                sky: SkyLook {
                    top_color: [0.0, 1.0, 0.0],
                    bottom_color: [0.0, 0.0, 1.0],
                    contrast: 1.0,
                    wire_color: [0.5; 3],
                    wire_opacity: 1.0,
                },
                ..Look::default()
            }),
            "kajiya-kay" => Some(Look {
                hair: HairLook {
                    shading: Shading::KajiyaKay,
                    ..HairLook::default()
                },
                ..Look::default()
            }),
            _ => None,
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`SettingError`] of the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.hair.validate()?;
        self.light.validate()?;
        self.sky.validate()?;
        self.lens.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wet_hair_is_darker_and_glossier() {
        let linear = |c: f32| ((c + 0.055) / 1.055).powf(2.4);
        for pigment in [Pigment::Dye, Pigment::Melanin] {
            let dry = HairLook {
                pigment,
                ..HairLook::default()
            };
            assert_eq!(dry.wetted(0.0), dry);
            let wet = dry.wetted(1.0);
            wet.validate().unwrap();
            assert!(wet.gloss > dry.gloss && wet.roughness < dry.roughness);
            for (dry, wet) in dry.colors().into_iter().zip(wet.colors()) {
                for (dry, wet) in dry.into_iter().zip(wet) {
                    let (dry, wet) = (linear(dry), linear(wet));
                    assert!(wet < dry, "{wet} of {dry}");
                }
            }
        }
    }
}
