//! A line that is drawn on the head with the mouse, for a parting.

use super::App;
use glam::{Vec2, Vec3};
use mohawk::groom::Effect;
use mohawk::settings::MOST_ELEMENTS;
use three_d::egui;

/// The distance from the drawn line that the kept points may have, decimetres.
const EXACT: f32 = 0.03;
/// Steps of the mouse that are shorter are one, decimetres.
const SHORTEST: f32 = 0.02;

/// A line that is asked for, or being drawn.
pub(crate) struct LineDrawing {
    /// The number of the modifier that gets it.
    modifier: usize,
    /// Logical pixels, and places on the skin in head space.
    places: Vec<(Vec2, Vec3)>,
}

impl App {
    /// Lets the next drag on the head draw the line of a modifier.
    pub(super) fn ask_for_line(&mut self, modifier: usize) {
        self.pointer.draws = true;
        let places = Vec::new();
        self.drawing = Some(LineDrawing { modifier, places });
        let text = "Draw the line on the head with the mouse (Esc: do not)";
        self.overlay.notice(text);
    }

    /// Begins to draw, in place of what a drag that was broken off has drawn.
    pub(super) fn begin_line(&mut self) {
        if let Some(drawing) = &mut self.drawing {
            drawing.places.clear();
        }
        self.carry_line();
    }

    /// Follows the mouse.
    pub(super) fn carry_line(&mut self) {
        let at = self.pointer.at;
        let place = at.and_then(|at| Some((at, self.pick(at).place_on_skin()?)));
        if let (Some(drawing), Some(place)) = (&mut self.drawing, place) {
            let last = drawing.places.last();
            if last.is_none_or(|last| last.1.distance(place.1) > SHORTEST) {
                drawing.places.push(place);
            }
        }
    }

    /// Gives the line that was drawn to its modifier.
    pub(super) fn end_line(&mut self) {
        let is_drawn = |drawing: &mut LineDrawing| !drawing.places.is_empty();
        let Some(drawing) = self.drawing.take_if(is_drawn) else {
            return;
        };
        self.pointer.draws = false;
        let places: Vec<Vec3> = drawing.places.into_iter().map(|place| place.1).collect();
        let kept = kept(&places);
        let modifier = self.settings.config.groom.stack.get_mut(drawing.modifier);
        let ([from, via @ .., to], Some(Effect::Part(part))) =
            (&kept[..], modifier.map(|modifier| &mut modifier.effect))
        else {
            return self.overlay.notice("The line is too short");
        };
        // To the millimetre.
        let round = |place: &Vec3| place.to_array().map(|x| (100.0 * x).round() / 100.0);
        (part.from, part.to) = (round(from), round(to));
        part.via = via.iter().map(round).collect();
    }

    /// Draws no line after all. Returns `false` if none was asked for.
    pub(super) fn drop_line(&mut self) -> bool {
        self.pointer.draws = false;
        self.drawing.take().is_some()
    }

    /// Shows the line while it is drawn.
    pub(crate) fn show_line(&self, ctx: &egui::Context, area: egui::Rect) {
        let Some(drawing) = &self.drawing else { return };
        let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("line"));
        let painter = ctx.layer_painter(layer).with_clip_rect(area);
        let points: Vec<egui::Pos2> = (drawing.places.iter())
            .map(|(at, _)| egui::pos2(at.x, at.y))
            .collect();
        let dark = egui::Stroke::new(4.0, egui::Color32::from_black_alpha(120));
        for stroke in [dark, egui::Stroke::new(2.0, egui::Color32::WHITE)] {
            painter.add(egui::Shape::line(points.clone(), stroke));
        }
    }
}

/// Returns the ends of a polyline and the points between that it needs to stay the same but for a
/// small distance (Douglas and Peucker 1973), as many as a list has room for.
fn kept(points: &[Vec3]) -> Vec<Vec3> {
    let [first, .., last] = points else {
        return Vec::new();
    };
    let mut is_kept = vec![false; points.len()];
    let mut pieces = vec![[0, points.len() - 1]];
    while let Some([from, to]) = pieces.pop() {
        let (a, way) = (points[from], points[to] - points[from]);
        let away = |i: &usize| {
            let share = (points[*i] - a).dot(way) / way.length_squared().max(1e-12);
            points[*i].distance(a + way * share.clamp(0.0, 1.0))
        };
        let farthest = (from + 1..to).max_by(|i, j| away(i).total_cmp(&away(j)));
        if let Some(i) = farthest.filter(|i| away(i) > EXACT) {
            is_kept[i] = true;
            pieces.extend([[from, i], [i, to]]);
        }
    }
    let between = points.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    let between = between.map(|(&point, _)| point).take(MOST_ELEMENTS);
    std::iter::once(*first)
        .chain(between)
        .chain([*last])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_line_keeps_its_corners_alone() {
        let corners =
            [[0.0, 0.0], [1.0, 0.5], [2.0, 0.0], [3.0, 0.5]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let mut drawn = Vec::new();
        for pair in corners.windows(2) {
            for i in 0..20_u8 {
                let shake = Vec3::Z * 0.01 * f32::from(i % 2);
                drawn.push(pair[0].lerp(pair[1], f32::from(i) / 20.0) + shake);
            }
        }
        drawn.push(corners[3]);
        assert_eq!(kept(&drawn), corners);
        assert_eq!(kept(&drawn[..1]), []);
        assert_eq!(kept(&drawn[..2]), drawn[..2]);
        // A line that never ends has no more points than settings allow.
        let wild = |i: usize| Vec3::new(i as f32, (i % 2) as f32, 0.0);
        let wild: Vec<Vec3> = (0..500).map(wild).collect();
        assert_eq!(kept(&wild).len(), MOST_ELEMENTS + 2);
    }
}
