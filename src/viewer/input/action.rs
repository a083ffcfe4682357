//! The actions that people can ask for, by key, button or file drop.

use crate::viewer::input::hand::Held;
use crate::viewer::lab::overlay::LabOverlay;
use crate::viewer::playback::Speed;
use mohawk::doll::DollTool;
use mohawk::render::CameraView;
use mohawk::sim::{Scene, SolverKind};
use std::path::PathBuf;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    Open,
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
    /// Save the settings as a groom file.
    Save,
    /// Save the settings and, if that worked, quit.
    SaveAndQuit,
    /// Show or hide the cheat sheet.
    ToggleSheet,
    TogglePanel,
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
    Play(Scene),
    /// Play the scene file that was opened last.
    PlayFile,
    /// Stop the scene: the head is moved by hand.
    ByHand,
    AddCollider(NewCollider),
    /// Take one away; `None`: the chosen one, or the one under the pointer.
    RemoveCollider(Option<usize>),
    /// Show something of the simulation over the picture, or no longer.
    ToggleLab(LabOverlay),
    /// Mark the strand under the pointer.
    PickStrand,
    /// Record the tip of the strand that is marked, or end that.
    ToggleRecording,
    /// A brush in hand, or none.
    ToggleBrush,
    Hold(Held),
    DollTool(DollTool),
    /// Make the brush larger (above 1) or smaller.
    ResizeBrush(f32),
    /// Make it larger, or with `true` stronger, by moving the mouse; and no longer.
    SizeBrush(bool),
    SizedBrush,
    /// The same on both sides of the head, or on one.
    ToggleMirror,
    /// Hair stands still, or moves again.
    ToggleFreeze,
    ToggleCanvas,
    /// Make all of the chosen map the chosen value.
    FillMap,
    /// Take back what was done last, or do it again.
    Undo,
    Redo,
    /// Record strokes to a file, or end that.
    ToggleStrokes,
    /// Save the style under the name that was typed.
    SaveStyle,
    /// Load a file in place of an unsaved style, which is saved first if so asked.
    Replace {
        path: PathBuf,
        save: bool,
    },
    /// Open, delete or leave alone what a session that broke off has left.
    Recover(Recovery),
    /// Close what is open, else quit.
    Escape,
    /// Quit now, unsaved or not.
    Quit,
}

/// The answer to the offer of an unsaved document of a crashed session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recovery {
    Open,
    Delete,
    Later,
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
