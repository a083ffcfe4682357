//! The search over all settings, and over presets, modifiers, brushes, maps and keys.
//!
//! It goes through the declarations of all settings, whether the panel has a row for them or not.
//! What is found by its name or key comes before what is found by its meaning.

use super::parts::{PARTS, Part};
use super::{lab, roots, stack};
use crate::bindings::BINDINGS;
use crate::viewer::app::App;
use crate::viewer::input::action::{Action, HandTool, LabOverlay};
use crate::viewer::interface::edit::setting;
use crate::viewer::interface::rows::{note, set_section, wrapped};
use crate::viewer::interface::told::Told;
use crate::viewer::remembered::Place;
use mohawk::groom::{EffectKind, Modifier};
use mohawk::maps::MapKind;
use mohawk::roots::RootSettings;
use mohawk::settings::{Field, ListItem as _, joined};
use mohawk::style::Tool;
use three_d::egui::{Align, Label, Layout, RichText, Ui, vec2};

/// Words that people use, and those of the program.
const ALIASES: [(&str, &str); 23] = [
    ("parting", "part"),
    ("split", "part"),
    ("blond", "melanin"),
    ("blonde", "melanin"),
    ("brunette", "melanin"),
    ("ginger", "melanin"),
    ("ponytail", "tie"),
    ("bangs", "fringe"),
    ("fringe", "trim"),
    ("shorten", "trim"),
    ("highlight", "dye"),
    ("streak", "dye"),
    ("ombre", "dye"),
    ("balayage", "dye"),
    ("color", "colour"),
    ("colour", "tint"),
    ("thickness", "width"),
    ("wave", "curl"),
    ("ringlet", "curl"),
    ("plait", "braid"),
    ("short", "length"),
    ("long", "length"),
    ("screenshot", "picture"),
];

/// The words that are searched for.
pub(super) struct Query {
    /// The words in lower case.
    words: Vec<String>,
}

/// The reason why something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    ByName,
    ByMeaning,
}

impl Query {
    /// Returns `None` if nothing is searched for.
    pub(super) fn new(text: &str) -> Option<Self> {
        let words = text.split_whitespace().map(str::to_lowercase);
        let mut words: Vec<String> = words.collect();
        let says_more = |word: &String| !["a", "my", "the", "hair"].contains(&word.as_str());
        if words.iter().any(says_more) {
            words.retain(says_more);
        }
        (!words.is_empty()).then_some(Self { words })
    }

    /// Returns how something with this name, key and meaning is found: all words must be in them.
    fn finds(&self, name: &str, key: &str, meaning: &str) -> Option<Found> {
        let name = format!("{name} {key}").to_lowercase();
        let all = format!("{name} {meaning}").to_lowercase();
        let has = |text: &str| self.words.iter().all(|word| is_in(text, word));
        match (has(&name), has(&all)) {
            (true, _) => Some(Found::ByName),
            (false, true) => Some(Found::ByMeaning),
            (false, false) => None,
        }
    }

    fn finds_field(&self, field: &Field) -> Option<Found> {
        self.finds(&field.name(), field.key, &field.meaning())
    }
}

/// Returns `true` if a text has a word, its singular, or another word for it.
fn is_in(text: &str, word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|one| one.len() > 2);
    let one = one.unwrap_or(word);
    let mut others = ALIASES.iter().filter(|(of, _)| *of == one);
    let has_word = |word: &str| {
        let mut words = text.split(|sign: char| !sign.is_alphanumeric());
        words.any(|of| of == word)
    };
    text.contains(word) || text.contains(one) || others.any(|(_, other)| has_word(other))
}

/// Shows links to the presets, modifiers, brushes and maps that are found, and returns how many there
/// are.
fn things(app: &mut App, ui: &mut Ui, query: &Query, actions: &mut Vec<Action>) -> usize {
    let finds = |name: &str, about: &str| query.finds(name, "", about).is_some();
    let mut count = 0;
    let mut link = |ui: &mut Ui, group: &str, [name, about]: [&str; 2]| {
        if count == 0 {
            ui.add_space(4.0);
        }
        count += 1;
        ui.horizontal(|ui| {
            note(ui, group);
            ui.link(name).help(about).clicked()
        })
        .inner
    };
    if !app.subject.is_headless() {
        for (i, listed) in app.presets.listed.iter().enumerate() {
            let texts = [listed.preset.name(), &listed.card.about];
            if finds(texts[0], texts[1]) && link(ui, "Preset", texts) {
                actions.push(Action::Preset(i));
            }
        }
        let (config, _) = app.settings.edited();
        let has_room = config.groom.stack.len() < Modifier::MAX;
        let kinds = EffectKind::ALL.into_iter().filter(|_| has_room);
        for kind in kinds.filter(|kind| finds(kind.name(), kind.about())) {
            if link(ui, "Add to the stack", [kind.name(), kind.about()]) {
                let (config, _) = app.settings.edited();
                stack::add(ui, &mut config.groom.stack, kind);
                app.pointer.line = None;
                go_to(app, ui, Place::Look, "Stack", actions);
            }
        }
        let brushes = Tool::ALL.into_iter().filter(|tool| !tool.is_for_maps());
        let brushes = brushes.map(HandTool::Brush);
        for tool in brushes.chain([HandTool::PaintMap, HandTool::EraseMap, HandTool::SmoothMap]) {
            let (name, about) = (tool.label(), tool.about());
            if finds(&name, about) && link(ui, "Brush", [&name, about]) {
                app.panel.query.clear();
                actions.push(Action::Hold(tool));
            }
        }
        for map in MapKind::ALL {
            if finds(map.name(), map.about()) && link(ui, "Paint", [map.name(), map.about()]) {
                app.styling.hand.map = map;
                app.panel.query.clear();
                actions.push(Action::Hold(HandTool::PaintMap));
            }
        }
    }
    count
}

/// Shows the keys whose effects are found, and returns how many there are.
fn keys(ui: &mut Ui, query: &Query) -> usize {
    let lines = BINDINGS.lines().filter_map(|line| line.split_once(" | "));
    let found = lines.filter(|(_, does)| query.finds(does, "", "").is_some());
    let mut count = 0;
    for (key, does) in found {
        if count == 0 {
            heading(ui, "Keys and drags", "");
        }
        count += 1;
        wrapped(ui, format!("{key}: {does}"));
    }
    count
}

/// Shows all rows that are found.
pub(super) fn show(app: &mut App, ui: &mut Ui, query: &Query, actions: &mut Vec<Action>) {
    ui.add_space(4.0);
    let mut count = things(app, ui, query, actions);
    count += settings(app, ui, query, Found::ByName);
    count += root_settings(app, ui, query);
    count += settings(app, ui, query, Found::ByMeaning);
    let is_found = |overlay: &LabOverlay| {
        query
            .finds(overlay.name(), "overlay", overlay.about())
            .is_some()
    };
    for (i, overlay) in LabOverlay::ALL.into_iter().filter(is_found).enumerate() {
        if i == 0 {
            heading(ui, "Overlays", "");
        }
        lab::overlay(app, ui, overlay, actions);
        count += 1;
    }
    ui.add_space(6.0);
    count += links(app, ui, query, actions);
    count += keys(ui, query);
    if count == 0 {
        wrapped(ui, "Nothing has this in its name, its key or its meaning.");
        note(ui, "Esc clears the search");
    }
}

/// Ends the search and shows a section of a place.
fn go_to(app: &mut App, ui: &Ui, place: Place, title: &str, actions: &mut Vec<Action>) {
    app.remembered.place = place;
    set_section(ui.ctx(), title, true);
    app.panel.query.clear();
    if app.styling.on {
        actions.push(Action::ToggleBrush);
    }
}

/// Shows a link to each part whose title or content is searched for.
fn links(app: &mut App, ui: &mut Ui, query: &Query, actions: &mut Vec<Action>) -> usize {
    let headless = app.subject.is_headless();
    let is_found = |part: &&Part| {
        !(headless && part.of_head) && query.finds(part.title, "", part.about).is_some()
    };
    let mut count = 0;
    for part in PARTS.iter().filter(is_found) {
        count += 1;
        let place = part.place.name();
        let text = format!(
            "{} › {}",
            place[..1].to_uppercase() + &place[1..],
            part.title
        );
        if ui.link(text).help(part.about).clicked() {
            go_to(app, ui, part.place, part.title, actions);
        }
    }
    count
}

/// Shows the rows of roots that are found, and returns how many there are.
fn root_settings(app: &mut App, ui: &mut Ui, query: &Query) -> usize {
    let finds = |field: &Field| query.finds_field(field).is_some();
    let wanted = [
        finds(&RootSettings::strands) || finds(&RootSettings::spacing),
        finds(&RootSettings::seed),
        finds(&RootSettings::method),
    ];
    let found = wanted.iter().filter(|wanted| **wanted).count();
    if app.subject.is_headless() || found == 0 {
        return 0;
    }
    let section = &RootSettings::SECTION;
    heading(ui, &joined(section.docs), section.key);
    roots::settings(app, ui, wanted);
    found
}

/// Shows the rows of settings that are found in one way, and returns how many there are.
fn settings(app: &mut App, ui: &mut Ui, query: &Query, rank: Found) -> usize {
    let (config, was) = app.settings.edited();
    let (mut count, mut last) = (0, "");
    config.visit(was, &mut |section, field, editor| {
        if query.finds_field(field) != Some(rank) {
            return;
        }
        if last != section.key {
            heading(ui, &joined(section.docs), section.key);
            last = section.key;
        }
        setting(ui, field, editor);
        count += 1;
    });
    count
}

/// Shows what the rows below belong to: the first words of `text`, and the key.
fn heading(ui: &mut Ui, text: &str, key: &str) {
    let title = text.split([':', ',', ';', '.']).next().unwrap_or(text);
    let mut title = title.trim_start_matches("Settings of the ").to_owned();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    ui.add_space(6.0);
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(key).monospace().small().weak());
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = Label::new(RichText::new(title).strong()).truncate();
            ui.add(title).help(text);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::Config;

    #[test]
    fn words_that_people_use_are_understood() {
        let finds = |text: &str, name: &str, about: &str| {
            Query::new(text).unwrap().finds(name, "", about).is_some()
        };
        assert!(finds("parting", "part", "Parts hair along a line"));
        assert!(finds("two colours", "bob", "A bob in two colours"));
        assert!(finds("streaks", "dye", "Colours locks"));
        assert!(finds("plaits", "braid", ""));
        assert!(!finds("parting", "comb", "Draws hair to a side"));
        assert!(!finds("parting", "particles", "Their number"));
    }

    /// Returns the keys of the settings that are found, those found by name first.
    fn keys(text: &str) -> Vec<&'static str> {
        let query = Query::new(text).unwrap();
        let mut keys = Vec::new();
        for rank in [Found::ByName, Found::ByMeaning] {
            Config::default().visit(&Config::default(), &mut |_, field, _| {
                if query.finds_field(field) == Some(rank) {
                    keys.push(field.key);
                }
            });
        }
        keys
    }

    #[test]
    fn settings_are_found_by_key_label_and_meaning() {
        assert_eq!(keys("sim.ftl.damping"), ["sim.ftl.damping"]);
        assert_eq!(keys("TIP colour"), ["look.hair.tip_color"]);
        assert_eq!(keys("bald sausage"), [""; 0]);
        // One without a row, and one that only its meaning names.
        assert_eq!(keys("turbulence seed"), ["sim.forces.turbulence_seed"]);
        assert!(keys("pigment").contains(&"look.hair.grey"));
        let wind = keys("wind");
        assert_eq!(wind[0], "sim.forces.wind");
        assert!(wind.len() > 1, "{wind:?}");
        assert!(Query::new("  ").is_none());
    }

    #[test]
    fn every_setting_can_be_found() {
        let mut all = 0;
        Config::default().visit(&Config::default(), &mut |_, field, _| {
            assert!(keys(field.key).contains(&field.key));
            assert!(!field.meaning().is_empty() && !field.name().is_empty());
            assert!(!(field.default)().is_empty(), "{}", field.key);
            all += 1;
        });
        assert!(all > 70, "{all}");
    }
}
