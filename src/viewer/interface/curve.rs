//! Values from root to tip as a curve whose points are dragged.

use super::help::own_help;
use super::rows::accent;
use three_d::egui::{self, Sense, Stroke, Ui, pos2};

/// Height of the curve, logical pixels.
const HEIGHT: f32 = 40.0;
/// Radius of a point, logical pixels.
const RADIUS: f32 = 3.0;
/// Width of the box of a value, logical pixels.
const BOX_WIDTH: f32 = 30.0;

/// Shows values of 0 to 1 at evenly spaced places from root to tip: a curve, a box for each, and
/// buttons that make the curve finer, up to `most` values, and coarser.
pub(crate) fn curve(ui: &mut Ui, values: &mut Vec<f32>, most: usize) {
    ui.vertical(|ui| {
        points(ui, values);
        let last = values.len().saturating_sub(1);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 2.0;
            ui.spacing_mut().interact_size.x = BOX_WIDTH;
            for (i, value) in values.iter_mut().enumerate() {
                let place = match i {
                    0 => "at the root".to_owned(),
                    i if i == last => "at the tip".to_owned(),
                    i => format!("{:.0} % of the way from the root", 100.0 * place(i, last)),
                };
                let value = egui::DragValue::new(value).range(0.0..=1.0);
                let value = value.speed(0.01).max_decimals(2);
                own_help(ui.add(value), format!("Factor on the amount {place}"));
            }
            let fits = 2 * last < most;
            let add = ui.add_enabled(fits, egui::Button::new("+").small());
            if own_help(add, "More points: one between each two").clicked() {
                *values = finer(values);
            }
            let remove = ui.add_enabled(last > 1, egui::Button::new("−").small());
            if own_help(remove, "Fewer points: every second one").clicked() {
                *values = coarser(values);
            }
        });
    });
}

/// Shows the curve, whose point next to the place of a press follows the pointer.
fn points(ui: &mut Ui, values: &mut [f32]) {
    let size = egui::vec2(ui.available_width(), HEIGHT);
    let (response, painter) = ui.allocate_painter(size, Sense::drag());
    let area = response.rect.shrink(RADIUS + 1.0);
    let last = values.len().saturating_sub(1);
    let pressed = ui.input(|input| input.pointer.press_origin());
    if let (true, Some(origin), Some(now)) =
        (response.dragged(), pressed, response.interact_pointer_pos())
    {
        let along = ((origin.x - area.left()) / area.width()).clamp(0.0, 1.0);
        let nearest = (along * last as f32).round() as usize;
        if let Some(value) = values.get_mut(nearest) {
            let height = ((area.bottom() - now.y) / area.height()).clamp(0.0, 1.0);
            *value = (100.0 * height).round() / 100.0;
        }
    }
    let at = |(i, value): (usize, &f32)| {
        pos2(
            egui::lerp(area.x_range(), place(i, last)),
            egui::lerp(area.bottom()..=area.top(), *value),
        )
    };
    let line: Vec<_> = values.iter().enumerate().map(at).collect();
    let visuals = ui.style().interact(&response);
    painter.rect_filled(
        response.rect,
        visuals.corner_radius,
        ui.visuals().extreme_bg_color,
    );
    for &point in &line {
        let foot = pos2(point.x, area.bottom());
        let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
        painter.line_segment([point, foot], stroke);
    }
    painter.line(line.clone(), Stroke::new(1.5, accent(ui)));
    for point in line {
        painter.circle_filled(point, RADIUS, visuals.text_color());
    }
    own_help(
        response,
        "Drag a point: the root is at the left, the tip at the right",
    );
}

/// Returns the place of a value, 0 at the root, 1 at the tip.
fn place(i: usize, last: usize) -> f32 {
    i as f32 / last.max(1) as f32
}

/// Returns the same curve with one more value between each two.
fn finer(values: &[f32]) -> Vec<f32> {
    let between = |pair: &[f32]| [pair[0], 0.5 * (pair[0] + pair[1])];
    let most = values.windows(2).flat_map(between);
    most.chain(values.last().copied()).collect()
}

/// Returns every second value, the first and the last among them.
fn coarser(values: &[f32]) -> Vec<f32> {
    let odd = values.len() % 2;
    let mut some: Vec<f32> = values.iter().step_by(2).copied().collect();
    if odd == 0 {
        some.extend(values.last());
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::egui::Rect;

    #[test]
    fn a_finer_curve_is_the_same_and_a_coarser_one_keeps_its_ends() {
        let values = [1.0, 0.5, 0.0];
        let more = finer(&values);
        assert_eq!(more, [1.0, 0.75, 0.5, 0.25, 0.0]);
        assert_eq!(coarser(&more), values);
        assert_eq!(coarser(&[1.0, 0.2, 0.3, 0.4]), [1.0, 0.3, 0.4]);
        assert_eq!(coarser(&[0.1, 0.2, 0.3]), [0.1, 0.3]);
    }

    #[test]
    fn a_point_is_dragged_from_where_it_was_pressed() {
        let ctx = egui::Context::default();
        let mut values = vec![1.0; 3];
        let mut area = Rect::NOTHING;
        let pointer = |events| egui::RawInput {
            screen_rect: Some(Rect::from_min_size(
                pos2(0.0, 0.0),
                egui::vec2(180.0, 120.0),
            )),
            events,
            ..egui::RawInput::default()
        };
        let button = |pos, pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        let mut show = |events| {
            _ = ctx.run_ui(pointer(events), |ui| {
                area =
                    Rect::from_min_size(ui.cursor().min, egui::vec2(ui.available_width(), HEIGHT));
                curve(ui, &mut values, 17);
            });
            area
        };
        let area = show(Vec::new());
        let [from, to] = [area.top(), area.bottom() + 30.0].map(|y| pos2(area.center().x, y));
        show(vec![egui::Event::PointerMoved(from)]);
        show(vec![button(from, true)]);
        show(vec![egui::Event::PointerMoved(to)]);
        show(vec![button(to, false)]);
        assert_eq!(values, [1.0, 0.0, 1.0]);
    }
}
