//! What the picture looks like: plain data that `render` reads. Colours are sRGB, 0 to 1.

use crate::settings::{SettingError, check_range};
use serde::{Deserialize, Serialize};

/// Colours, widths and sky.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Look {
    /// The strands.
    pub hair: HairLook,
    /// What is behind the head.
    pub sky: SkyLook,
}

/// How strands are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HairLook {
    /// sRGB at the root.
    pub root_color: [f32; 3],
    /// sRGB at the tip.
    pub tip_color: [f32; 3],
    /// Radius at the root, decimetres, 0.0005 to 0.1.
    pub radius: f32,
    /// Radius at the tip as a share of the root's, 0 to 1.
    pub taper: f32,
    /// Constant width in pixels instead of the radius; 0: off. 0 to 20.
    pub width_px: f32,
    /// Straight lines from root to drawn tip instead of curves that leave along the rest direction.
    pub straight: bool,
    /// Lit as hair and shadowed; false: flat colour, and no shadow on the head.
    pub lit: bool,
    /// Strength of the highlight along the strands, 0 to 2.
    pub gloss: f32,
}

/// The gradient skysphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SkyLook {
    /// sRGB straight up.
    pub top_color: [f32; 3],
    /// sRGB straight down.
    pub bottom_color: [f32; 3],
    /// How steeply one colour goes over into the other at the horizon: 1 spreads the
    /// gradient evenly from pole to pole; 1 to 20.
    pub contrast: f32,
    /// sRGB of the wire sphere.
    pub wire_color: [f32; 3],
    /// Opacity of the wire sphere, 0 (none) to 1.
    pub wire_opacity: f32,
}

impl Default for HairLook {
    fn default() -> Self {
        Self {
            root_color: [0.22, 0.02, 0.20],
            tip_color: [0.96, 0.22, 0.42],
            radius: 0.006,
            taper: 0.2,
            width_px: 0.0,
            straight: false,
            lit: true,
            gloss: 1.0,
        }
    }
}

impl Default for SkyLook {
    fn default() -> Self {
        Self {
            top_color: [0.05, 0.07, 0.15],
            bottom_color: [0.40, 0.58, 0.68],
            contrast: 2.6,
            wire_color: [1.0, 1.0, 1.0],
            wire_opacity: 0.06,
        }
    }
}

impl Look {
    /// Names that [`Look::named`] knows, default first.
    pub const NAMES: &[&str] = &["studio", "classic"];

    /// A look by name: `studio` is the default; `classic` is straight unlit lines of constant
    /// width, from magenta to yellow, under a green and blue sky with a wire sphere.
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
                sky: SkyLook {
                    top_color: [0.0, 1.0, 0.0],
                    bottom_color: [0.0, 0.0, 1.0],
                    contrast: 1.0,
                    wire_color: [0.5; 3],
                    wire_opacity: 1.0,
                },
            }),
            _ => None,
        }
    }

    /// Checks every range.
    pub fn validate(&self) -> Result<(), SettingError> {
        let Self { hair, sky } = self;
        check_color("look.hair.root_color", hair.root_color)?;
        check_color("look.hair.tip_color", hair.tip_color)?;
        check_range("look.hair.radius", hair.radius, 0.0005..=0.1, "decimetres")?;
        check_range("look.hair.taper", hair.taper, 0.0..=1.0, "")?;
        check_range("look.hair.width_px", hair.width_px, 0.0..=20.0, "pixels")?;
        check_range("look.hair.gloss", hair.gloss, 0.0..=2.0, "")?;
        check_color("look.sky.top_color", sky.top_color)?;
        check_color("look.sky.bottom_color", sky.bottom_color)?;
        check_range("look.sky.contrast", sky.contrast, 1.0..=20.0, "")?;
        check_color("look.sky.wire_color", sky.wire_color)?;
        check_range("look.sky.wire_opacity", sky.wire_opacity, 0.0..=1.0, "")
    }
}

/// `Ok` when each of red, green and blue lies in [0, 1].
pub(crate) fn check_color(key: &str, color: [f32; 3]) -> Result<(), SettingError> {
    if color.iter().all(|channel| (0.0..=1.0).contains(channel)) {
        return Ok(());
    }
    let value = format!("{color:?}");
    Err(SettingError::new(
        key,
        value,
        "red, green and blue, each 0 to 1",
    ))
}
