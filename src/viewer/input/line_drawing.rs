//! A line that is drawn on the head with the mouse, for a parting.

use glam::{Vec2, Vec3};
use mohawk::settings::MOST_ELEMENTS;
use three_d::egui;

/// The distance from the drawn line that the kept points may have, decimetres.
const EXACT: f32 = 0.03;
/// Steps of the mouse that are shorter are one, decimetres.
const SHORTEST: f32 = 0.02;

/// A shorter line is none, decimetres.
const LEAST: f32 = 0.1;

/// A line that is asked for, or being drawn.
#[derive(Debug)]
pub(crate) struct LineDrawing {
    /// The number of the modifier that gets it.
    pub(crate) modifier: usize,
    /// `true` while a drag draws it.
    is_begun: bool,
    /// Logical pixels, and places on the skin in head space.
    places: Vec<(Vec2, Vec3)>,
}

impl LineDrawing {
    /// Returns a line that nothing has been drawn of, for a modifier.
    pub(crate) fn of(modifier: usize) -> Self {
        Self {
            modifier,
            is_begun: false,
            places: Vec::new(),
        }
    }

    /// Begins to draw, in place of what a drag that was broken off has drawn.
    pub(crate) fn begin(&mut self) {
        self.places.clear();
        self.is_begun = true;
    }

    /// Follows the mouse to a point of the window, logical pixels, over a place on the skin.
    pub(crate) fn carry(&mut self, at: Vec2, place: Vec3) {
        let last = self.places.last();
        if last.is_none_or(|last| last.1.distance(place) > SHORTEST) {
            self.places.push((at, place));
        }
    }

    /// Ends the drag. Returns the points of the line, or why it is none; `None`: no drag has begun.
    pub(crate) fn end(&mut self) -> Option<Result<Vec<Vec3>, &'static str>> {
        let places = std::mem::take(&mut self.places).into_iter();
        let places: Vec<Vec3> = places.map(|place| place.1).collect();
        std::mem::take(&mut self.is_begun).then(|| line(&places))
    }

    /// Shows the line while it is drawn.
    pub(crate) fn show(&self, ctx: &egui::Context, area: egui::Rect) {
        let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("line"));
        let painter = ctx.layer_painter(layer).with_clip_rect(area);
        let points: Vec<egui::Pos2> = (self.places.iter())
            .map(|(at, _)| egui::pos2(at.x, at.y))
            .collect();
        let dark = egui::Stroke::new(4.0, egui::Color32::from_black_alpha(120));
        for stroke in [dark, egui::Stroke::new(2.0, egui::Color32::WHITE)] {
            painter.add(egui::Shape::line(points.clone(), stroke));
        }
    }
}

/// Returns the points of a line that was drawn through places on the skin, or why it is none.
fn line(places: &[Vec3]) -> Result<Vec<Vec3>, &'static str> {
    if places.is_empty() {
        return Err("The line has met no skin: draw it over the scalp");
    }
    let length: f32 = places
        .windows(2)
        .map(|ends| ends[0].distance(ends[1]))
        .sum();
    match length < LEAST {
        true => Err("The line is too short: draw it once more"),
        false => Ok(kept(places)),
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
    fn a_stroke_that_is_no_line_says_so() {
        let place = |x: f32| Vec3::new(x, 0.0, 0.0);
        assert!(line(&[]).unwrap_err().contains("no skin"));
        for short in [&[place(0.0)][..], &[place(0.0), place(0.05)]] {
            assert!(line(short).unwrap_err().contains("too short"));
        }
        let ends = [place(0.0), place(0.2)];
        assert_eq!(line(&ends), Ok(ends.to_vec()));
    }

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
