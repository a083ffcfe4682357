//! The interface for screen readers: the tree that egui makes of its widgets, by AT-SPI.

use crate::viewer::news::WindowNews;
use crate::viewer::platform::Wake;
use accesskit_unix::Adapter;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use three_d::egui;
use three_d::egui::accesskit::{self, ActionRequest, Node, NodeId, Role, TreeUpdate};
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::window::Window;

/// The connection of a window to screen readers. Without one, egui makes no tree.
pub(super) struct ScreenReader {
    adapter: Adapter,
    passing: Arc<Mutex<Passing>>,
}

/// The values that pass between egui and the adapter.
#[derive(Default)]
struct Passing {
    /// Actions that a screen reader asks for, from a thread of its own.
    actions: Vec<ActionRequest>,
    /// The tree of the last frame.
    tree: Option<TreeUpdate>,
}

impl ScreenReader {
    /// Offers the interface of a context to screen readers. Each action that one asks for wakes the
    /// window.
    pub(super) fn new(ctx: &egui::Context, wake: Wake) -> Self {
        let passing = Arc::default();
        ctx.add_plugin(Hooks(Arc::clone(&passing)));
        let handler = Handler {
            ctx: ctx.clone(),
            wake,
            passing: Arc::clone(&passing),
        };
        Self {
            adapter: Adapter::new(handler.clone(), handler.clone(), handler),
            passing,
        }
    }

    /// Tells screen readers where the window is on the screen.
    pub(super) fn place(&mut self, window: &Window) {
        let rect = |at: PhysicalPosition<i32>, size: PhysicalSize<u32>| {
            let (x, y) = (f64::from(at.x), f64::from(at.y));
            let (width, height) = (f64::from(size.width), f64::from(size.height));
            accesskit::Rect::new(x, y, x + width, y + height)
        };
        // Wayland does not tell where windows are.
        if let (Ok(outer), Ok(inner)) = (window.outer_position(), window.inner_position()) {
            let outer = rect(outer, window.outer_size());
            (self.adapter).set_root_window_bounds(outer, rect(inner, window.inner_size()));
        }
    }

    /// Tells screen readers whether the window has the keyboard.
    pub(super) fn focus(&mut self, is_focused: bool) {
        self.adapter.update_window_focus_state(is_focused);
    }

    /// Gives the tree of the last frame to screen readers, for a window of this title.
    pub(super) fn show(&mut self, title: &str) {
        if let Some(mut tree) = lock(&self.passing).tree.take() {
            name(&mut tree, title);
            self.adapter.update_if_active(|| tree);
        }
    }
}

fn lock(passing: &Mutex<Passing>) -> impl std::ops::DerefMut<Target = Passing> + '_ {
    passing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Names what has no name: the window by its title, and a control by the label at its left, whose
/// description it takes too, or else by its hint.
fn name(tree: &mut TreeUpdate, title: &str) {
    let places = tree.nodes.iter().enumerate();
    let places: HashMap<NodeId, usize> = places.map(|(i, (id, _))| (*id, i)).collect();
    let root = tree.tree.as_ref().map(|tree| tree.root);
    let mut left: Vec<NodeId> = root.into_iter().collect();
    let mut last_label = None;
    // From the first widget to the last.
    while let Some(id) = left.pop() {
        let Some(&place) = places.get(&id) else {
            continue;
        };
        let node = &tree.nodes[place].1;
        left.extend(node.children().iter().rev());
        let label = last_label.map(|i: usize| &tree.nodes[i].1);
        let label = label.filter(|label| is_beside(label, node));
        let text = label.and_then(Node::value);
        let now = match (node.role(), node.label(), text) {
            (Role::Label, ..) => {
                last_label = Some(place);
                continue;
            }
            (Role::Window, None, _) if Some(id) == root => Some(title.to_owned()),
            (Role::ColorWell, Some(color), Some(text)) => Some(format!("{text} {color}")),
            (role, None | Some(""), Some(text)) if is_control(role) => Some(text.to_owned()),
            (role, None, None) if is_control(role) => node.placeholder().map(str::to_owned),
            _ => None,
        };
        let meaning = label.and_then(Node::description).map(str::to_owned);
        let node = &mut tree.nodes[place].1;
        if let Some(name) = now {
            node.set_label(name);
            if let (None, Some(meaning)) = (node.description(), meaning) {
                node.set_description(meaning);
            }
        }
    }
}

/// Returns `true` for values that people change.
fn is_control(role: Role) -> bool {
    use Role::{CheckBox, ComboBox, Slider, SpinButton, TextInput};
    matches!(role, CheckBox | ComboBox | Slider | SpinButton | TextInput)
}

/// Returns `true` if a label is at the left of a control, on the same row.
fn is_beside(label: &Node, control: &Node) -> bool {
    let (Some(label), Some(control)) = (label.bounds(), control.bounds()) else {
        return false;
    };
    label.x0 < control.x0 && label.y0 < control.y1 && control.y0 < label.y1
}

/// The part that egui calls.
struct Hooks(Arc<Mutex<Passing>>);

impl egui::Plugin for Hooks {
    fn debug_name(&self) -> &'static str {
        "screen reader"
    }

    fn input_hook(&mut self, input: &mut egui::RawInput) {
        let actions = std::mem::take(&mut lock(&self.0).actions);
        let events = actions.into_iter().map(egui::Event::AccessKitActionRequest);
        input.events.extend(events);
    }

    fn output_hook(&mut self, output: &mut egui::FullOutput) {
        if let Some(tree) = output.platform_output.accesskit_update.take() {
            lock(&self.0).tree = Some(tree);
        }
    }
}

/// The part that the adapter calls, on its own thread.
#[derive(Clone)]
struct Handler {
    ctx: egui::Context,
    wake: Wake,
    passing: Arc<Mutex<Passing>>,
}

impl Handler {
    /// Asks for a frame with the interface made again.
    fn refresh(&self) {
        self.ctx.request_repaint();
        self.wake.send(WindowNews::ScreenReader);
    }
}

impl accesskit::ActivationHandler for Handler {
    fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
        self.ctx.enable_accesskit();
        self.refresh();
        // The next frame brings it.
        None
    }
}

impl accesskit::ActionHandler for Handler {
    fn do_action(&mut self, request: ActionRequest) {
        lock(&self.passing).actions.push(request);
        self.refresh();
    }
}

impl accesskit::DeactivationHandler for Handler {
    fn deactivate_accessibility(&mut self) {
        self.ctx.disable_accesskit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::interface::edit::{row, slider};
    use crate::viewer::interface::rows::{button, text_field};

    /// Returns the roles, names and descriptions of an interface.
    fn told(add: impl FnMut(&mut egui::Ui)) -> Vec<(Role, String, String)> {
        let ctx = egui::Context::default();
        ctx.enable_accesskit();
        let output = ctx.run_ui(egui::RawInput::default(), add);
        let mut tree = output.platform_output.accesskit_update.expect("a tree");
        name(&mut tree, "mohawk");
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let nodes = tree.nodes.iter().map(|(_, node)| node);
        nodes
            .map(|node| {
                let [name, about] = [node.label(), node.description()].map(text);
                (node.role(), name, about)
            })
            .collect()
    }

    #[test]
    fn screen_readers_get_names_for_all_that_people_change() {
        let (mut rate, mut path) = (2.0, String::new());
        let told = told(|ui| {
            row(
                ui,
                ["Rate", "Turns a second"],
                &mut rate,
                &1.0,
                |ui, rate| {
                    slider(ui, rate, [[0.0, 5.0]; 2], false, " /s");
                },
            );
            button(ui, "⚙", "Light or dark");
            button(ui, "Save", "Saves the style");
            text_field(ui, &mut path, "Type a path", 100.0);
        });
        for (role, name, about) in [
            (Role::Window, "mohawk", ""),
            (Role::Slider, "Rate", "Turns a second"),
            (Role::SpinButton, "Rate", "Turns a second"),
            (Role::Button, "Reset to the value at the start", ""),
            (Role::Button, "Light or dark", ""),
            (Role::Button, "Save", "Saves the style"),
            (Role::TextInput, "Type a path", ""),
        ] {
            let is_it =
                |node: &(Role, String, String)| (node.0, &*node.1, &*node.2) == (role, name, about);
            assert!(told.iter().any(is_it), "{role:?} {name}: {told:?}");
        }
        let unnamed = told
            .iter()
            .find(|(role, name, _)| is_control(*role) && name.is_empty());
        assert_eq!(unnamed, None);
    }
}
