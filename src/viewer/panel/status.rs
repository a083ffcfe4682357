//! The values that the panel shows besides the settings.

use super::lab::LabStatus;
use crate::viewer::playback::speed::Speed;
use crate::viewer::subject::roots_view::Findings;
use mohawk::sim::{Scene, SolverKind};
use std::path::Path;

/// The values that the panel shows besides the settings.
pub(crate) struct PanelStatus<'a> {
    pub(crate) head_name: &'a str,
    pub(crate) triangles: usize,
    /// Whether a scene shows strands without a head.
    pub(crate) headless: bool,
    pub(crate) strands: usize,
    pub(crate) spacing: Option<f32>,
    /// Roots at full density, and their spacing.
    pub(crate) whole: Option<(usize, f32)>,
    pub(crate) findings: &'a Findings,
    pub(crate) frames_per_second: f32,
    pub(crate) sim_ms_per_frame: f32,
    pub(crate) renderer: &'a str,
    pub(crate) paused: bool,
    pub(crate) speed: Speed,
    /// Whether graphs are shown.
    pub(crate) graphs: bool,
    /// The solver of the second view.
    pub(crate) beside: Option<SolverKind>,
    /// The named scene that plays.
    pub(crate) scene: Option<Scene>,
    /// Whether no scene plays.
    pub(crate) by_hand: bool,
    /// The scene file that was opened last.
    pub(crate) file: Option<&'a Path>,
    /// Whether `file` plays.
    pub(crate) plays_file: bool,
    /// Number of strands that were not finite and were reset.
    pub(crate) reset_strands: u64,
    pub(crate) unsaved: bool,
    pub(crate) lab: LabStatus,
}
