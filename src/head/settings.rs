//! The settings of reading a head file.

use super::limits::Limits;
use super::mesh::paint::PaintColor;
use crate::settings::{Field, Section, SettingError};
use serde::{Deserialize, Serialize};

/// Settings of reading a head file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadSettings {
    /// The linear RGB colour of full scalp paint, each 0 to 1; white is always bald.
    pub paint_color: [f32; 3],
    /// Decimetres per file unit; if absent, the painted part is scaled to a height of 2.74.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f32>,
    /// The limits of the file. A groom file cannot set them: an untrusted groom file must not raise
    /// the limits for an untrusted head.
    #[serde(skip)]
    pub limits: Limits,
}

#[allow(non_upper_case_globals)]
impl HeadSettings {
    /// The declaration of [`paint_color`](Self::paint_color).
    pub const paint_color: Field = Field::new(
        "head.paint_color",
        &["Linear RGB of full scalp paint; white is always bald"],
    )
    .within(0.0, 1.0, "");
    /// The declaration of [`scale`](Self::scale).
    pub const scale: Field = Field::new(
        "head.scale",
        &["Decimetres per unit of the file; without it the painted part becomes 2.74 high"],
    )
    .within(1e-6, 1e6, "decimetres per unit");
    /// The section of the groom file.
    pub const SECTION: Section = Section {
        key: "head",
        docs: &["How to read the head file."],
        fields: &[&Self::paint_color, &Self::scale],
    };

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
        self.limits.validate()?;
        match self.scale {
            Some(scale) => Self::scale.check(&scale),
            None => Ok(()),
        }
    }
}
