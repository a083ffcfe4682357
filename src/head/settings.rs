//! The settings of reading a head file.

use super::limits::Limits;
use super::mesh::paint::{PaintColor, PaintRule};
use super::units::Up;
use crate::settings::{Field, Section, SettingError, Value};
use glam::DQuat;
use serde::{Deserialize, Serialize};

/// The largest number of letters of a mask.
const LONGEST_MASK: usize = 256;
/// The largest number of words to hide, and of letters of each.
const MOST_WORDS: usize = 32;
const MOST_LETTERS: usize = 64;
/// The longest name of an animation, letters.
pub(super) const MOST_NAME: usize = 256;

/// Settings of reading a head file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadSettings {
    /// The linear RGB colour of full scalp paint, each 0 to 1; white is always bald.
    pub paint_color: [f32; 3],
    /// The vertex colours that are scalp paint.
    pub paint: PaintRule,
    /// The scalp by a name, whatever colours are: a vertex attribute (`_NAME`), a node, mesh or
    /// material, a joint, or a picture in the folder of the model. Empty: by colours.
    pub mask: String,
    /// Words in the names of nodes, meshes and materials whose parts are left out, such as `hair`.
    pub hide: Vec<String>,
    /// The direction that is up in the file.
    pub up: Up,
    /// The angle in degrees by which the model is turned about the vertical, to its left.
    pub turn_deg: f32,
    /// The animation that plays: a name, a number or `none`; if absent, the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Decimetres per file unit; if absent, the head is scaled to a height of 2.74.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f32>,
    /// The limits of the file. A settings file cannot set them: an untrusted settings file must not
    /// raise the limits for an untrusted head.
    #[serde(skip)]
    pub limits: Limits,
}

#[allow(non_upper_case_globals)]
impl HeadSettings {
    /// Returns `true` if a model has the same place and size in head space with other settings.
    pub fn places_as(&self, other: &Self) -> bool {
        (self.up, self.turn_deg, self.scale) == (other.up, other.turn_deg, other.scale)
    }

    /// The declaration of [`paint_color`](Self::paint_color).
    pub const paint_color: Field = Field::new(
        "head.paint_color",
        &["Linear RGB of full scalp paint; white is always bald"],
    )
    .within(0.0, 1.0, "");
    /// The declaration of [`paint`](Self::paint).
    pub const paint: Field = Field {
        names: <PaintRule as Value>::names,
        ..Field::new("head.paint", &["The vertex colours that are scalp paint"])
    };
    /// The declaration of [`mask`](Self::mask).
    pub const mask: Field = Field::new(
        "head.mask",
        &[
            "Scalp by the name of a vertex attribute, node, material or joint, or a picture; empty: by paint",
        ],
    );
    /// The declaration of [`hide`](Self::hide).
    pub const hide: Field = Field::new(
        "head.hide",
        &[
            "Words in the names of nodes, meshes and materials whose parts are left out, such as [\"hair\"]",
        ],
    );
    /// The declaration of [`up`](Self::up).
    pub const up: Field = Field {
        names: <Up as Value>::names,
        ..Field::new("head.up", &["The direction that is up in the file"])
    };
    /// The declaration of [`turn_deg`](Self::turn_deg).
    pub const turn_deg: Field = Field {
        label: "Turn",
        ..Field::new(
            "head.turn_deg",
            &["Angle by which the model is turned about the vertical, to its left"],
        )
        .within(-360.0, 360.0, "degrees")
    };
    /// The declaration of [`animation`](Self::animation).
    pub const animation: Field = Field::new(
        "head.animation",
        &["Animation that plays: a name, a number or \"none\"; without it the first"],
    );
    /// The declaration of [`scale`](Self::scale).
    pub const scale: Field = Field::new(
        "head.scale",
        &["Decimetres per unit of the file; without it the head becomes 2.74 high"],
    )
    .within(1e-6, 1e6, "decimetres per unit");
    /// The section of the settings file.
    pub const SECTION: Section = Section {
        key: "head",
        docs: &["How to read the head file."],
        fields: &[
            &Self::paint,
            &Self::paint_color,
            &Self::mask,
            &Self::hide,
            &Self::up,
            &Self::turn_deg,
            &Self::animation,
            &Self::scale,
        ],
    };

    /// Returns the rotation from the file to file space.
    pub fn turn(&self) -> DQuat {
        DQuat::from_rotation_y(f64::from(self.turn_deg).to_radians()) * self.up.turn()
    }

    /// Checks the range of every setting.
    ///
    /// # Errors
    ///
    /// The first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        Self::paint_color.check(&self.paint_color)?;
        if PaintColor::new(self.paint_color).is_err() {
            let value = format!("{:?}", self.paint_color);
            let expected = "a colour that can be told from white, which means bald";
            return Err(SettingError::new("head.paint_color", value, expected));
        }
        if self.mask.chars().count() > LONGEST_MASK {
            let expected = format!("up to {LONGEST_MASK} letters");
            return Err(SettingError::new("head.mask", &self.mask, expected));
        }
        let hide = self.hide.iter().map(|text| ("head.hide", text));
        let animation = self.animation.iter().map(|text| ("head.animation", text));
        let mut texts = [("head.mask", &self.mask)]
            .into_iter()
            .chain(hide)
            .chain(animation);
        if let Some((key, text)) = texts.find(|(_, text)| text.contains(char::is_control)) {
            // Settings files have one line a setting.
            let value = format!("{text:?}");
            return Err(SettingError::new(
                key,
                value,
                "no line breaks or other control characters",
            ));
        }
        let is_word = |word: &String| (1..=MOST_LETTERS).contains(&word.chars().count());
        if self.hide.len() > MOST_WORDS || !self.hide.iter().all(is_word) {
            let value = format!("{:?}", self.hide);
            let expected = format!("up to {MOST_WORDS} words of 1 to {MOST_LETTERS} letters");
            return Err(SettingError::new("head.hide", value, expected));
        }
        Self::turn_deg.check(&self.turn_deg)?;
        if self
            .animation
            .as_ref()
            .is_some_and(|name| name.is_empty() || name.chars().count() > MOST_NAME)
        {
            let value = self.animation.clone().unwrap_or_default();
            let expected = format!("a name of 1 to {MOST_NAME} letters, a number or none");
            return Err(SettingError::new("head.animation", value, expected));
        }
        self.limits.validate()?;
        match self.scale {
            Some(scale) => Self::scale.check(&scale),
            None => Ok(()),
        }
    }
}
