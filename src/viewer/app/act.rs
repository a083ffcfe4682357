//! Gestures and actions: what each does to the state.

use super::App;
use crate::viewer::background::StyleJob;
use crate::viewer::input::action::Action;
use crate::viewer::input::pointer::{Drag, Gesture};
use crate::viewer::playback::Speed;
use mohawk::look::Look;
use mohawk::render::OrbitCamera;
use mohawk::sim::STEP_SECS;

impl App {
    /// Performs a gesture of the pointer.
    pub(crate) fn gesture(&mut self, gesture: &Gesture) {
        let height = self.view.panes.each().y;
        match *gesture {
            Gesture::Began(drag) => self.begin_drag(drag),
            Gesture::Ended(_) => self.end_drag(),
            Gesture::Moved(Drag::Interface, _) => {}
            Gesture::Moved(Drag::Brush, _) => self.carry_brush(),
            Gesture::Moved(Drag::Head(_), _)
                if self.playback.paused || self.styling.frozen || self.subject.is_headless() => {}
            Gesture::Moved(Drag::Head(kind), delta) => {
                self.playback.motion.drag(
                    kind,
                    delta,
                    self.view.camera.yaw,
                    self.view.camera.pixel_size(height),
                );
            }
            Gesture::Moved(Drag::Collider(_), _) => self.carry_collider(),
            Gesture::Moved(Drag::Orbit, delta) => self.view.camera.orbit(delta),
            Gesture::Moved(Drag::Pan, delta) => self.view.camera.pan(delta, height),
            Gesture::Moved(Drag::Zoom, delta) => self.view.camera.zoom((delta.y * 0.008).exp()),
            Gesture::Zoomed(factor) => self.view.camera.zoom(factor),
            Gesture::Resized(index, factor) => self.resize_collider(index, factor),
        }
    }

    fn begin_drag(&mut self, drag: Drag) {
        self.pointer.drag = Some(drag);
        self.pointer.held_in = self.pointer.at.map(|pointer| self.view.panes.side(pointer));
        match drag {
            Drag::Head(_) if self.subject.is_headless() => {}
            Drag::Head(_) if self.playback.paused => {
                self.overlay
                    .notice("Time is paused: Space goes on, . makes one step");
            }
            Drag::Head(_) if self.styling.frozen => {
                self.overlay.notice("Hair is frozen: T lets it move again");
            }
            Drag::Head(_) => self.leave_scene(),
            Drag::Collider(grip) => self.take_collider(grip),
            Drag::Brush => self.begin_stroke(),
            Drag::Interface | Drag::Orbit | Drag::Pan | Drag::Zoom => {}
        }
        if !matches!(drag, Drag::Interface | Drag::Collider(_)) {
            self.pointer.colliders.selected = None;
        }
    }

    /// Releases what is held.
    pub(crate) fn end_drag(&mut self) {
        if self.pointer.drag == Some(Drag::Brush) {
            self.end_stroke();
        }
        (self.pointer.drag, self.pointer.held_in) = (None, None);
        self.pointer.colliders.release();
    }

    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action) {
        match action {
            Action::Load(path) => self.load(&path),
            Action::Reset => {
                self.leave_scene();
                self.rest();
            }
            Action::ResetCamera => self.reset_camera(),
            Action::View(view) => {
                let named = OrbitCamera::named(view);
                (self.view.camera.yaw, self.view.camera.pitch) = (named.yaw, named.pitch);
            }
            Action::TogglePause => self.playback.toggle_pause(self.subject.sim()),
            Action::StepOnce => {
                self.playback.paused = true;
                self.run_simulation(STEP_SECS);
                self.playback.log_time(self.subject.sim());
            }
            Action::Restart => self.restart_scene(),
            Action::Slower => self.set_speed(self.playback.speed.slower()),
            Action::Faster => self.set_speed(self.playback.speed.faster()),
            Action::Speed(speed) => self.set_speed(speed),
            Action::Save => _ = self.save(None),
            Action::SaveAndQuit => self.quit = self.save(None),
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::ToggleRoots => self.roots_view.switches.roots ^= true,
            Action::FaceGap => self.face_gap(),
            Action::Look(name) => {
                if let Some(look) = Look::named(name) {
                    self.settings.config.look = look;
                    self.subject.apply(&self.settings.config);
                }
            }
            Action::NextSolver => self.set_solver(self.settings.config.sim.solver.next()),
            Action::Solver(solver) => self.set_solver(solver),
            Action::Beside(solver) => self.set_beside(solver),
            Action::ToggleSplit => self.toggle_split(),
            Action::ToggleGraphs => self.statistics.graphs.toggle(),
            Action::Play(scene) => self.play_named(scene),
            Action::PlayFile => self.play_opened(),
            Action::ByHand => self.leave_scene(),
            Action::AddCollider(which) => self.add_collider(which),
            Action::RemoveCollider(index) => self.remove_collider(index),
            Action::ToggleLab(overlay) => self.toggle_lab(overlay),
            Action::PickStrand => self.pick_strand(),
            Action::ToggleRecording => self.toggle_recording(),
            // An unsaved style whose saving fails is not replaced.
            Action::Replace { save: true, .. } if !self.save(None) => {}
            Action::Replace { path, .. } => self.load_other(&path),
            Action::Escape => self.escape(),
            Action::Quit => self.quit = true,
            Action::ToggleBrush => self.toggle_brush(),
            Action::Hold(held) => self.hold(held),
            Action::ResizeBrush(factor) => self.styling.hand.resize(factor),
            Action::SizeBrush(strength) => self.begin_sizing(strength),
            Action::SizedBrush => self.end_sizing(),
            Action::ToggleMirror => self.styling.hand.brush.mirror ^= true,
            Action::ToggleFreeze => self.toggle_freeze(),
            Action::ToggleCanvas => self.toggle_canvas(),
            Action::FillMap => self.fill_map(),
            Action::Undo => self.undo(StyleJob::Undo),
            Action::Redo => self.undo(StyleJob::Redo),
            Action::ToggleStrokes => self.toggle_strokes(),
            Action::SaveStyle => _ = self.save(self.document.typed_path()),
            Action::Recover(what) => self.recover(what),
            // The window performs these.
            Action::Open | Action::Doll | Action::DollTool(_) | Action::Screenshot { .. } => {}
        }
    }

    fn set_speed(&mut self, speed: Speed) {
        self.playback.set_speed(speed, self.subject.sim());
    }

    /// Closes what is open, else deselects the collider, else quits.
    fn escape(&mut self) {
        if !self.overlay.close_topmost() && self.pointer.colliders.selected.take().is_none() {
            self.ask_to_quit();
        }
    }
}
