//! What people do with pointer and keys, put to work.

use super::{App, Request};
use crate::viewer::input::action::Action;
use crate::viewer::input::pointer::{Drag, Gesture};
use crate::viewer::interface::overlay::MessageKind;
use mohawk::look::Look;
use mohawk::render::OrbitCamera;
use mohawk::sim::STEP_SECS;

impl App {
    /// Follows the pointer.
    pub(crate) fn gesture(&mut self, gesture: &Gesture) {
        let height = self.views.each().y;
        match *gesture {
            Gesture::Began(drag) => self.begin_drag(drag),
            Gesture::Ended(_) => self.end_drag(),
            Gesture::Moved(Drag::Interface, _) => {}
            Gesture::Moved(Drag::Brush, _) => self.carry_brush(),
            Gesture::Moved(Drag::Head(_), _)
                if self.paused || self.styling.frozen || self.is_headless() => {}
            Gesture::Moved(Drag::Head(kind), delta) => {
                self.motion
                    .drag(kind, delta, self.camera.yaw, self.camera.pixel_size(height));
            }
            Gesture::Moved(Drag::Collider(_), _) => self.carry_collider(),
            Gesture::Moved(Drag::Orbit, delta) => self.camera.orbit(delta),
            Gesture::Moved(Drag::Pan, delta) => self.camera.pan(delta, height),
            Gesture::Moved(Drag::Zoom, delta) => self.camera.zoom((delta.y * 0.008).exp()),
            Gesture::Zoomed(factor) => self.camera.zoom(factor),
            Gesture::Resized(index, factor) => self.resize_collider(index, factor),
        }
    }

    fn begin_drag(&mut self, drag: Drag) {
        self.dragging = Some(drag);
        self.held_in = self.pointer.map(|pointer| self.views.side(pointer));
        match drag {
            Drag::Head(_) if self.is_headless() => {}
            Drag::Head(_) if self.paused => {
                let text = "Time is paused: Space goes on, . makes one step";
                self.overlay.say(MessageKind::Notice, text);
            }
            Drag::Head(_) if self.styling.frozen => {
                let text = "Hair is frozen: T lets it move again";
                self.overlay.say(MessageKind::Notice, text);
            }
            Drag::Head(_) => self.leave_scene(),
            Drag::Collider(grip) => self.take_collider(grip),
            Drag::Brush => self.begin_stroke(),
            Drag::Interface | Drag::Orbit | Drag::Pan | Drag::Zoom => {}
        }
        if !matches!(drag, Drag::Interface | Drag::Collider(_)) {
            self.drag_state.selected = None;
        }
    }

    /// Whatever is held is let go.
    pub(crate) fn end_drag(&mut self) {
        if self.dragging == Some(Drag::Brush) {
            self.end_stroke();
        }
        (self.dragging, self.held_in) = (None, None);
        self.drag_state.release();
    }

    /// The scene has strands and no head that could be moved.
    pub(super) fn is_headless(&self) -> bool {
        self.subject.own_strands().is_some()
    }

    /// Does what people asked for; what only the window can do comes back.
    pub(crate) fn perform(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::Open => return Some(Request::OpenDialog),
            Action::Doll => return Some(Request::Doll),
            Action::Screenshot { transparent } => return Some(Request::Screenshot { transparent }),
            Action::Load(path) => self.load(&path),
            Action::Reset => {
                self.leave_scene();
                self.rest();
            }
            Action::ResetCamera => self.reset_camera(),
            Action::View(view) => {
                let named = OrbitCamera::named(view);
                (self.camera.yaw, self.camera.pitch) = (named.yaw, named.pitch);
            }
            Action::TogglePause => {
                self.paused = !self.paused;
                self.log_time();
            }
            Action::StepOnce => {
                self.paused = true;
                self.run_simulation(STEP_SECS);
                self.log_time();
            }
            Action::Restart => self.restart_scene(),
            Action::Slower => self.set_speed(self.speed.slower()),
            Action::Faster => self.set_speed(self.speed.faster()),
            Action::Speed(speed) => self.set_speed(speed),
            Action::Save => _ = self.save(),
            Action::SaveAndQuit => self.quit = self.save(),
            Action::ToggleSheet => self.overlay.sheet = !self.overlay.sheet,
            Action::TogglePanel => self.panel_shown = !self.panel_shown,
            Action::ToggleRoots => self.roots_view.switches.roots ^= true,
            Action::FaceGap => self.face_gap(),
            Action::Look(name) => {
                if let Some(look) = Look::named(name) {
                    self.config.look = look;
                    self.subject.apply(&self.config);
                }
            }
            Action::NextSolver => self.set_solver(self.config.sim.solver.next()),
            Action::Solver(solver) => self.set_solver(solver),
            Action::Beside(solver) => self.set_beside(solver),
            Action::ToggleSplit => self.toggle_split(),
            Action::ToggleGraphs => self.graphs.toggle(),
            Action::Play(scene) => self.play_named(scene),
            Action::PlayFile => self.play_opened(),
            Action::ByHand => self.leave_scene(),
            Action::AddCollider(which) => self.add_collider(which),
            Action::RemoveCollider(index) => self.remove_collider(index),
            Action::ToggleLab(overlay) => self.toggle_lab(overlay),
            Action::PickStrand => self.pick_strand(),
            Action::ToggleRecording => self.toggle_recording(),
            Action::Replace { path, save } => {
                if !save || self.save() {
                    self.load_other(&path);
                }
            }
            Action::Escape => self.escape(),
            Action::Quit => self.quit = true,
            styling => self.perform_styling(styling),
        }
        None
    }

    /// Closes what is open, lets go of what is chosen, or quits.
    fn escape(&mut self) {
        if !self.overlay.close_topmost() && self.drag_state.selected.take().is_none() {
            self.ask_to_quit();
        }
    }
}
