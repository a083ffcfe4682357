//! The settings of reading a head file.

use super::limits::Limits;
use super::mesh::paint::PaintColor;
use crate::look::check_color;
use crate::settings::{SettingError, check_range};
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
    /// What the file may ask for. A groom file cannot set it: an untrusted groom file must not
    /// lift the limits on an untrusted head.
    #[serde(skip)]
    pub limits: Limits,
}

impl HeadSettings {
    /// Checks the range of every setting.
    ///
    /// # Errors
    ///
    /// The first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        check_color("head.paint_color", self.paint_color)?;
        if PaintColor::new(self.paint_color).is_err() {
            let value = format!("{:?}", self.paint_color);
            let expected = "a colour that can be told from white, which means bald";
            return Err(SettingError::new("head.paint_color", value, expected));
        }
        self.limits.validate()?;
        match self.scale {
            Some(scale) => check_range("head.scale", scale, 1e-6..=1e6, "decimetres per unit"),
            None => Ok(()),
        }
    }
}
