//! The actions that people can ask for, by key, button or file drop; and what they choose: the
//! overlays of the laboratory, and the tool in [`hand`].

mod hand;

pub(crate) use hand::{Hand, HandTool, LONGEST_STRING, RADII};

use crate::viewer::playback::Speed;
use mohawk::doll::DollTool;
use mohawk::maps::LayerEdit;
use mohawk::presets::Preset;
use mohawk::render::CameraView;
use mohawk::sim::{Scene, SolverKind};
use mohawk::style::{FillSide, SelectBy, Tool};
use std::path::PathBuf;
use three_d::Key;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    Open,
    /// Read the file of the head again, as the settings say now.
    ReadModel,
    /// Load a head from a file, or play a scene from one.
    Load(PathBuf),
    /// Head and strands back to rest.
    Reset,
    /// Camera back to where it started.
    ResetCamera,
    View(CameraView),
    /// Save what the window shows, or the head alone on nothing.
    Screenshot {
        transparent: bool,
    },
    /// Stop or restart simulated time.
    TogglePause,
    /// One simulation step, after which time stands still.
    StepOnce,
    /// The scene from its beginning; without one, all at rest.
    Restart,
    Slower,
    Faster,
    Speed(Speed),
    /// Save the style, or the settings if there is nothing else.
    Save,
    /// Copy an address at which a page shows the same.
    #[cfg(target_arch = "wasm32")]
    CopyLink,
    /// Close the window, as its own button does.
    Close,
    /// Save and, if that worked, quit.
    SaveAndQuit,
    /// Show or hide the cheat sheet.
    ToggleSheet,
    TogglePanel,
    /// Search the settings.
    Search,
    /// The 2D doll in the head's place.
    Doll,
    /// Show roots instead of hair, or the other way round.
    ToggleRoots,
    /// Look at the largest gap between roots from straight above it.
    FaceGap,
    Look(&'static str),
    NextSolver,
    Solver(SolverKind),
    /// Compare with another solver in a view beside; `None`: no longer.
    Beside(Option<SolverKind>),
    /// Compare with the solver that was there last, or no longer.
    ToggleSplit,
    ToggleGraphs,
    /// Draw pictures in motion in full detail, or as fast as they should be.
    ToggleFullDetail,
    Play(Scene),
    /// Play an animation of the head, by its place in the list of its rig.
    PlayAnimation(usize),
    /// Play the scene file that was opened last.
    PlayFile,
    /// Stop the scene, and leave the head to the user.
    StopScene,
    AddCollider(NewCollider),
    /// Wet the hair as the settings say.
    WetAgain,
    /// Take one away; `None`: the chosen one, or the one under the pointer.
    RemoveCollider(Option<usize>),
    /// Show something of the simulation over the picture, or no longer.
    ToggleLab(LabOverlay),
    /// Mark the strand under the pointer.
    PickStrand,
    /// Record the tip of the strand that is marked, or end that.
    ToggleRecording,
    /// Draw the line of the modifier with this number on the head.
    DrawLine(usize),
    /// Take guides from hair for the modifier with this number, or for a new last one.
    TakeGuides(Option<usize>, usize),
    /// Take a brush in hand that changes guides.
    HoldForGuides(Tool),
    /// A brush in hand, or none.
    ToggleBrush,
    Hold(HandTool),
    DollTool(DollTool),
    /// Make the brush larger (above 1) or smaller.
    ResizeBrush(f32),
    /// Make it larger, or with `true` stronger, by moving the mouse; and no longer.
    BeginSizing(bool),
    EndSizing,
    /// Strokes are on both sides of the head, or on one.
    ToggleMirror,
    /// Brushes act on guides, or on hair.
    ToggleGuides,
    /// Hair stands still, or moves again.
    ToggleFreeze,
    ToggleCanvas,
    /// Make all of the chosen map or layer, or one side, the chosen value.
    FillMap(Option<FillSide>),
    /// Change the layers of the chosen map, about the one of this name.
    EditLayer(String, LayerEdit),
    /// Take the colour to paint from the picture.
    PickColor,
    /// Change what is selected; by clump, that of the strand under the pointer.
    Select(SelectBy),
    /// Take back what was done last, or do it again.
    Undo,
    Redo,
    /// Record strokes to a file, or end that.
    ToggleStrokes,
    /// Save the style, or with the extension `toml` the settings, in a file; `None`: in its own.
    SaveAs(Option<PathBuf>),
    /// Ask for a name to save something under.
    AskToSave(SaveAs),
    /// Save the hair as strands for other programs.
    ExportHair(PathBuf, ExportedHair),
    /// Load something in place of an unsaved style, which is saved first if so asked.
    Replace {
        what: Replacement,
        save: bool,
    },
    /// Take the preset with this number in the strip.
    Preset(usize),
    /// Asks whether a preset of the user's may be deleted.
    AskToDelete(usize),
    DeletePreset(Preset),
    /// Save the style as a preset under this name, with a line about it.
    SavePreset {
        name: String,
        about: String,
    },
    /// Open what a session that broke off has left, or delete it.
    Recover {
        open: bool,
    },
    /// Close what is open, else quit.
    Escape,
    /// Quit now, unsaved or not.
    Quit,
}

/// A thing that is saved under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveAs {
    /// The style, or the settings.
    Style,
    /// A preset of the user's.
    Preset,
    /// Strands for other programs.
    Hair,
}

/// The hair that a file of strands gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExportedHair {
    /// `true` for hair at rest, `false` for hair as it is drawn.
    pub(crate) at_rest: bool,
    /// `true` for guides alone.
    pub(crate) guides: bool,
}

/// A thing that would replace unsaved work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Replacement {
    File(PathBuf),
    Preset(Preset),
}

impl Replacement {
    /// Returns the name in a question.
    pub(crate) fn name(&self) -> String {
        match self {
            Replacement::File(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Replacement::Preset(preset) => format!("The preset {}", preset.name()),
        }
    }
}

/// A collider to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewCollider {
    /// A sphere beside the hair.
    Sphere,
    /// A capsule beside the hair.
    Capsule,
    /// A sphere under the pointer.
    AtPointer,
}

mohawk::choices! {
    /// A property of the simulation that can be shown over the picture.
    pub enum LabOverlay: "overlay" = Particles {
        /// A dot at every particle of some strands: about 600, or 2,000 if only tips move.
        Particles = "Particles",
        /// Lines from the rest position of tips (with hold, of particles) to where they are.
        Anchors = "Anchors and springs",
        /// The strands at rest, under the pose of the head.
        RestCurves = "Rest curves",
        /// Every guide hair in its own colour; its followers in a darker one.
        Basis = "Basis hairs",
        /// Strands coloured by how far they are stretched or compressed.
        Tension = "Tension",
        /// Arrows along the velocity of some particles of each strand.
        Velocity = "Velocity",
        /// The current velocity of the air around the head.
        Wind = "Wind",
        /// A plane through the distances from the skin, with a line every 0.1 dm.
        Field = "Distance field",
        /// The density of hair on the grid of hair-hair interaction.
        Density = "Grid density",
    }
}

impl LabOverlay {
    /// Returns the key that switches it together with Shift.
    pub(crate) fn key(self) -> Key {
        match self {
            Self::Particles => Key::P,
            Self::Anchors => Key::A,
            Self::RestCurves => Key::R,
            Self::Basis => Key::B,
            Self::Tension => Key::T,
            Self::Velocity => Key::V,
            Self::Wind => Key::W,
            Self::Field => Key::F,
            Self::Density => Key::G,
        }
    }

    /// Returns `true` if the overlay colours the strands themselves.
    pub(crate) fn colors_strands(self) -> bool {
        matches!(self, Self::Basis | Self::Tension)
    }
}
