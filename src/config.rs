//! Every setting in one versioned TOML file: what the command line and the panel edit too.

use crate::{
    groom::GroomSettings, head::HeadSettings, look::Look, roots::RootSettings, sim::SimSettings,
};

/// The groom file. Keys that are absent have their defaults; unknown or wrong keys are errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// How to read the head file.
    pub head: HeadSettings,
    /// Where strands grow.
    pub roots: RootSettings,
    /// How they leave the scalp.
    pub groom: GroomSettings,
    /// How they move.
    pub sim: SimSettings,
    /// How they are drawn.
    pub look: Look,
}
impl Config {
    /// stub
    pub fn save(&self, _p: &std::path::Path) -> Result<(), crate::settings::SettingError> { Ok(()) }
}
