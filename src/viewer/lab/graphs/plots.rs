//! Draws the strip of plots.

use super::{CHARTS, Chart, Graphs, Quantity, Sample};
use crate::numbers::round_up;
use crate::viewer::interface::rows::short;
use crate::viewer::interface::told::Told;
use crate::viewer::subject::simulations::Side;
use egui_plot::{AxisHints, Line, LineStyle, Plot, uniform_grid_spacer};
use three_d::egui::{self, Color32, FontId, RichText, Sense, Stroke, Ui};

/// The height of the strip, logical pixels.
pub(crate) const HEIGHT: f32 = 208.0;
/// The smallest readable width of a plot.
const MIN_WIDTH: f32 = 190.0;
/// The gap between plots.
const GAP: f32 = 14.0;
/// The height of the title and the two rows of keys above a plot.
const KEYS_HEIGHT: f32 = 56.0;
const SMALL: f32 = 11.0;

/// Shows the last `span` seconds, of two solvers if `split`.
pub(crate) fn show(ui: &mut Ui, graphs: &Graphs, span: f64, split: bool) {
    let sides: &[Side] = match split {
        true => &[Side::Left, Side::Right],
        false => &[Side::Left],
    };
    let count = CHARTS.len() as f32;
    // A narrow window shows some, and scrolls to the others.
    egui::ScrollArea::horizontal().show(ui, |ui| {
        ui.set_width((ui.available_width()).max(count * (MIN_WIDTH + GAP) - GAP));
        ui.spacing_mut().item_spacing = egui::vec2(GAP, 0.0);
        ui.columns(CHARTS.len(), |columns| {
            for (chart, ui) in CHARTS.iter().zip(columns) {
                ui.spacing_mut().item_spacing = egui::vec2(5.0, 0.0);
                let room = egui::vec2(ui.available_width(), KEYS_HEIGHT);
                ui.allocate_ui(room, |ui| {
                    ui.set_min_size(room);
                    keys(ui, graphs, chart, sides);
                });
                plot(ui, graphs, chart, sides, span);
            }
        });
    });
}

/// Shows the title, and the name and latest value of each curve.
fn keys(ui: &mut Ui, graphs: &Graphs, chart: &Chart, sides: &[Side]) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(chart.title).strong());
        ui.label(RichText::new(chart.unit).size(SMALL).weak());
    });
    let first_row = chart.quantities.len() / 2;
    let (first, second) = chart.quantities.split_at(first_row.max(1));
    for row in [first, second] {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for (i, &quantity) in row.iter().enumerate() {
                if i > 0 {
                    ui.add_space(3.0);
                }
                key(ui, graphs, chart, quantity, sides);
            }
        });
    }
}

fn key(ui: &mut Ui, graphs: &Graphs, chart: &Chart, quantity: Quantity, sides: &[Side]) {
    let (place, _) = ui.allocate_exact_size(egui::vec2(10.0, 14.0), Sense::hover());
    let line = [place.left_center(), place.right_center()];
    let of_two = quantity.own_color().is_none() && sides.len() > 1;
    let color = match of_two {
        true => ui.visuals().weak_text_color(),
        false => quantity.color(Side::Left),
    };
    let stroke = Stroke::new(1.5, color);
    let painter = ui.painter();
    match quantity.is_dashed() {
        true => painter.extend(egui::Shape::dashed_line(&line, stroke, 3.0, 2.0)),
        false => _ = painter.line_segment(line, stroke),
    }
    ui.label(RichText::new(quantity.name()).size(SMALL))
        .help(quantity.about());
    for &side in sides_of(quantity, sides) {
        if let Some(value) = graphs.latest(quantity, side) {
            let text = RichText::new(chart.written(value)).size(SMALL);
            ui.label(text.color(quantity.color(side)));
        }
    }
}

/// Returns the views of which a quantity has a curve.
fn sides_of(quantity: Quantity, sides: &[Side]) -> &[Side] {
    match quantity.own_color() {
        None => sides,
        Some(_) => &sides[..1],
    }
}

fn plot(ui: &mut Ui, graphs: &Graphs, chart: &Chart, sides: &[Side], span: f64) {
    let max = (ui.available_width() as usize).max(50);
    let mut curves = Vec::new();
    for &quantity in chart.quantities {
        for &side in sides_of(quantity, sides) {
            let points = graphs.curve(quantity, side, span, max);
            curves.push((quantity, side, points));
        }
    }
    let points = || curves.iter().flat_map(|(.., points)| points);
    let values = || points().map(|[_, y]| *y);
    let top = nice_above(values().fold(chart.min_top, f64::max));
    let lowest = values().fold(0.0, f64::min);
    let bottom = match lowest < -0.02 * top {
        true => -nice_above(-lowest),
        false => 0.0,
    };
    let last = graphs.samples.back().map_or(0.0, Sample::secs);
    let since = (last - span).max(0.0);

    let axis = |hints: AxisHints<'static>| {
        hints
            .tick_label_font(FontId::proportional(10.0))
            .label_spacing(egui::Rangef::new(8.0, 20.0))
    };
    let (second, step) = (grid_step(span, 5.0), grid_step(top - bottom, 5.0));
    let (unit, decimals) = (chart.unit, if span < 2.0 { 3 } else { 2 });
    // Steps are 1, 2 or 5 times a power of ten.
    let places = (-second.log10().floor()).max(0.0) as usize;
    let grid = if ui.visuals().dark_mode { 95 } else { 190 };
    Plot::new(chart.title)
        .sense(Sense::hover())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_background(false)
        .link_cursor("graphs", [true, false])
        .set_margin_fraction(egui::Vec2::ZERO)
        // Leaves room for the last number under the axis.
        .width(ui.available_width() - 10.0)
        .height(ui.available_height())
        .grid_color(Color32::from_gray(grid))
        .custom_x_axes(vec![
            axis(AxisHints::new_x()).formatter(move |mark, _| format!("{:.places$} s", mark.value)),
        ])
        .custom_y_axes(vec![
            axis(AxisHints::new_y())
                .min_thickness(30.0)
                .formatter(|mark, _| short(mark.value)),
        ])
        .grid_spacing(egui::Rangef::new(2.0, 70.0))
        .x_grid_spacer(uniform_grid_spacer(move |_| [second; 3]))
        .y_grid_spacer(uniform_grid_spacer(move |_| [step; 3]))
        .label_formatter(move |name, at| {
            let time = format!("{:.decimals$} s", at.x);
            match name {
                "" => time,
                name => format!("{name}\n{} {unit}\n{time}", short(at.y)),
            }
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_x(since..=since + span);
            // Curves at an end of the axis are not cut in half.
            let room = 0.02 * (top - bottom);
            plot.set_plot_bounds_y(bottom - room..=top + room);
            for (quantity, side, points) in curves {
                let style = match quantity.is_dashed() {
                    true => LineStyle::Dashed { length: 4.0 },
                    false => LineStyle::Solid,
                };
                let name = match (sides.len() > 1, side) {
                    (false, _) => quantity.name().to_owned(),
                    (true, Side::Left) => format!("{} on the left", quantity.name()),
                    (true, Side::Right) => format!("{} on the right", quantity.name()),
                };
                let line = Line::new(name, points)
                    .color(quantity.color(side))
                    .width(1.4)
                    .style(style);
                plot.line(line);
            }
        });
}

/// Returns a round number above a value, for an axis that does not change with every frame.
fn nice_above(value: f64) -> f64 {
    round_up(value, &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0])
}

/// Returns the spacing of a grid of about `lines` lines.
fn grid_step(length: f64, lines: f64) -> f64 {
    round_up(0.99 * length / lines, &[1.0, 2.0, 5.0])
}
