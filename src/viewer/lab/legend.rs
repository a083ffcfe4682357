//! Colour scales, and the legend of the overlays: what marks and colours mean.

use super::Lab;
use crate::numbers::{grouped, round_up};
use crate::viewer::input::action::LabOverlay;
use crate::viewer::interface::rows::{color_scale, color32, note, short};
use crate::viewer::interface::window;
use mohawk::ramp::diverging;
use mohawk::render::SLICE_COLORS;
use three_d::egui::{self, Align2, Color32, Pos2, Rect, Sense, Stroke, Ui, Vec2};

/// The upper end of a scale: a round number that does not flicker while the values swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Top {
    end: f32,
    /// The largest end that was needed since [`begin`](Self::begin).
    used: f32,
}

/// A scale shrinks when no more than this fraction of it is used.
const UNUSED: f32 = 0.1;

impl Top {
    /// Begins the next picture. A scale that was hardly used in the last one shrinks.
    pub(super) fn begin(&mut self) {
        if self.used > 0.0 && self.used <= UNUSED * self.end {
            self.end = self.used;
        }
        self.used = 0.0;
    }

    /// Returns the end of a scale that contains `value`, at least `least`.
    pub(super) fn above(&mut self, value: f32, least: f32) -> f32 {
        self.used = self
            .used
            .max(round_up(value.max(least).into(), &[1.0, 2.0, 5.0]) as f32);
        self.end = self.end.max(self.used);
        self.end
    }
}

// The colours of amounts. They differ from those of the sky and of skin.
const FAINTEST: [f32; 3] = [0.86, 0.97, 1.0];
const MIDDLE: [f32; 3] = [1.0, 0.88, 0.22];
const STRONGEST: [f32; 3] = [1.0, 0.33, 0.05];

/// A colour ramp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ramp {
    /// A scale from zero to the largest amount.
    Amount,
    /// A scale from zero to the largest pull.
    Pull,
    /// A scale from negative over zero to positive.
    Diverging,
    /// A scale from inside over the skin to outside.
    Distance,
}

impl Ramp {
    /// Returns the sRGB colour at a position on the scale: 0 to 1, or -1 to 1 for two-sided ramps.
    pub(super) fn color(self, share: f32) -> [f32; 3] {
        let mixed = |a: [f32; 3], b: [f32; 3], share: f32| {
            let share = share.clamp(0.0, 1.0);
            [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share)
        };
        match self {
            Ramp::Amount if share < 0.5 => mixed(FAINTEST, MIDDLE, 2.0 * share),
            Ramp::Amount => mixed(MIDDLE, STRONGEST, 2.0 * share - 1.0),
            Ramp::Pull => mixed([0.30, 0.95, 0.75], [1.0, 0.42, 0.05], share.sqrt()),
            Ramp::Diverging => diverging(share),
            Ramp::Distance => {
                let [inside, skin, outside] = SLICE_COLORS;
                let end = if share < 0.0 { inside } else { outside };
                mixed(skin, end, share.abs().powf(0.7))
            }
        }
    }
}

/// Returns the largest finite value, at least 0.
pub(super) fn largest(values: impl Iterator<Item = f32>) -> f32 {
    values.filter(|value| value.is_finite()).fold(0.0, f32::max)
}

/// The width of the legend, logical pixels.
const WIDTH: f32 = 218.0;
/// The height of a colour scale, and of the numbers under it.
const STRIP: [f32; 2] = [7.0, 13.0];
/// The room for the numbers under the ends of a scale.
const INSET: f32 = 10.0;

/// The mark that stands for an overlay in the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Swatch {
    Dot([f32; 3]),
    Line([f32; 3]),
    Arrow([f32; 3]),
    /// A line that starts at a dot.
    Spring([f32; 3]),
    Colors([[f32; 3]; 4]),
    /// The overlay has nothing to show.
    Nothing,
}

/// The legend of one overlay.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    swatch: Swatch,
    pub(super) text: String,
    /// The number of strands that are left out.
    note: Option<String>,
    /// The colour scale with the texts under its start, middle and end.
    scale: Option<(Ramp, [String; 3])>,
}

impl Entry {
    pub(super) fn new(swatch: Swatch, text: impl Into<String>) -> Self {
        Self {
            swatch,
            text: text.into(),
            note: None,
            scale: None,
        }
    }

    /// Adds a note that one strand in `stride` is drawn.
    pub(super) fn thinned(self, stride: usize) -> Self {
        let text = || format!("one strand in {} is shown", grouped(stride));
        let note = (stride > 1).then(text);
        Self { note, ..self }
    }

    pub(super) fn scaled(self, ramp: Ramp, labels: [String; 3]) -> Self {
        let scale = Some((ramp, labels));
        Self { scale, ..self }
    }

    /// Adds a scale from 0 to `end`.
    pub(super) fn scaled_to(self, ramp: Ramp, end: f32, unit: &str) -> Self {
        let end = format!("{} {unit}", short(end.into()));
        self.scaled(ramp, ["0".to_owned(), String::new(), end])
    }
}

/// Shows the legend in the top left corner of the scene, `below` logical pixels from the top.
pub(crate) fn show(ctx: &egui::Context, area: egui::Rect, below: f32, lab: &Lab) {
    let (entries, picked) = (&lab.legend, lab.switches.picked);
    if entries.is_empty() && picked.is_none() {
        return;
    }
    let corner = egui::vec2(16.0, 16.0 + below);
    window(ctx, "lab-legend", area, Align2::LEFT_TOP, corner, |ui| {
        ui.set_min_width(WIDTH);
        ui.set_max_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 2.0;
        if let Some(strand) = picked {
            let (mut color, mut text) = ([0.40, 0.95, 1.0], "Shift+C records its tip".to_owned());
            if let Some(recording) = &lab.recording {
                let seconds = recording.rows as f64 / 240.0;
                text = format!("recording its tip: {seconds:.1} s (Shift+C stops)");
                color = [1.0, 0.28, 0.22];
            }
            ui.horizontal(|ui| {
                draw_swatch(ui, Swatch::Dot(color));
                ui.strong(format!("Strand {strand}"));
            });
            ui.small(text);
        }
        let highest = (area.height() - corner.y - 64.0).max(60.0);
        let scroll = egui::ScrollArea::vertical().max_height(highest);
        scroll.show(ui, |ui| {
            for (i, (overlay, entry)) in entries.iter().enumerate() {
                if i > 0 || picked.is_some() {
                    ui.add_space(5.0);
                }
                show_entry(ui, *overlay, entry);
            }
        });
    });
}

/// Shows what an overlay means.
fn show_entry(ui: &mut Ui, overlay: LabOverlay, entry: &Entry) {
    ui.horizontal(|ui| {
        draw_swatch(ui, entry.swatch);
        ui.strong(overlay.name());
    });
    ui.small(&entry.text);
    if let Some((ramp, labels)) = &entry.scale {
        let [colors, numbers] = STRIP;
        let size = egui::vec2(WIDTH, colors + numbers);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let strip = Rect::from_min_size(area.min, egui::vec2(WIDTH, colors));
        let painter = ui.painter_at(area.expand2(Vec2::new(8.0, 0.0)));
        let begin = match ramp {
            Ramp::Amount | Ramp::Pull => 0.0,
            Ramp::Diverging | Ramp::Distance => -1.0,
        };
        let color = |share| ramp.color(begin + share * (1.0 - begin));
        let aligns = [Align2::LEFT_TOP, Align2::CENTER_TOP, Align2::RIGHT_TOP];
        let labels = [0, 1, 2].map(|i| (&*labels[i], aligns[i]));
        let strip = strip.shrink2(egui::vec2(INSET, 0.0));
        color_scale(&painter, strip, color, labels, ui.visuals().text_color());
    }
    if let Some(text) = &entry.note {
        note(ui, text);
    }
}

fn draw_swatch(ui: &mut Ui, swatch: Swatch) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(18.0, 14.0), Sense::hover());
    let painter = ui.painter();
    let center = area.center();
    let ends = [
        area.left_bottom() + egui::vec2(1.0, -3.0),
        area.right_top() + egui::vec2(-1.0, 3.0),
    ];
    match swatch {
        Swatch::Dot(color) => _ = painter.circle_filled(center, 4.0, color32(color)),
        Swatch::Line(color) => _ = painter.line_segment(ends, Stroke::new(2.0, color32(color))),
        Swatch::Arrow(color) => {
            painter.arrow(ends[0], ends[1] - ends[0], Stroke::new(1.6, color32(color)));
        }
        Swatch::Spring(color) => {
            painter.line_segment(ends, Stroke::new(1.6, color32(color)));
            painter.circle_filled(ends[0], 3.0, color32(color));
        }
        Swatch::Colors(colors) => {
            for (i, color) in colors.into_iter().enumerate() {
                let x = area.left() + 2.0 + 4.6 * i as f32;
                let ends = [area.top() + 1.0, area.bottom() - 1.0].map(|y| Pos2::new(x, y));
                painter.line_segment(ends, Stroke::new(3.0, color32(color)));
            }
        }
        Swatch::Nothing => {
            painter.circle_stroke(center, 4.0, Stroke::new(1.4, Color32::GRAY));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_grows_at_once_and_shrinks_only_when_hardly_used() {
        let mut top = Top::default();
        let mut picture = |values: &[f32]| {
            top.begin();
            values.iter().map(|&value| top.above(value, 0.01)).last()
        };
        let seen = [3.0, 7.0, 2.0, 0.9, 0.9].map(|value| picture(&[value]));
        assert_eq!(seen, [5.0, 10.0, 10.0, 10.0, 1.0].map(Some));
        // With two views, the larger value counts, whichever comes first.
        let seen = [[6.0, 0.1], [0.1, 6.0], [0.1, 6.0]].map(|values| picture(&values));
        assert_eq!(seen, [10.0; 3].map(Some));
    }
}
