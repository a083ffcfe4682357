//! The rows of a card, which is as long, as wide and as high as its strands.

use glam::FloatExt;

/// Rows of corners of a strip before those are left out that do not matter.
const ROWS: usize = 25;
/// The number of strands of which one is left out on each side of a card, and moved to its edge.
const STRAY: usize = 20;
/// The share of the strands between the middle one and a card that lies on a head.
const UPPER: f32 = 0.3;
/// The least width of a row, as a share of the widest.
const LEAST_WIDTH: f32 = 0.35;

/// The place of a point of a strand on its card.
#[derive(Clone, Copy, Debug)]
pub struct OnCard {
    pub along: f32,
    pub across: f32,
    /// The height over the mean strand, then over the card.
    pub depth: f32,
    pub radius: f32,
}

impl OnCard {
    /// Returns the place between two.
    pub fn lerp(&self, to: &Self, share: f32) -> Self {
        Self {
            along: self.along.lerp(to.along, share),
            across: self.across.lerp(to.across, share),
            depth: self.depth.lerp(to.depth, share),
            radius: self.radius.lerp(to.radius, share),
        }
    }
}

/// A row of two corners.
#[derive(Clone, Copy)]
pub struct Row {
    /// The place along the mean strand; below 0 before its root.
    pub along: f32,
    /// The places across it.
    pub sides: [f32; 2],
    /// The height of the card over the mean strand.
    pub lift: f32,
}

impl Row {
    /// Returns the width of the card.
    pub fn width(&self) -> f32 {
        self.sides[1] - self.sides[0]
    }
}

/// The crossings of strands with rows at equal distances.
pub struct Bounds {
    /// The place of the first row along the mean strand, and the distance between rows.
    low: f32,
    step: f32,
    /// The largest radius of a strand.
    radius: f32,
    /// The left and right sides of strands at each row, the right ones negative, and their heights.
    crossings: Vec<[Vec<f32>; 3]>,
}

impl Bounds {
    /// Finds where the strands of a card cross its rows.
    pub fn of(lines: &[Vec<OnCard>]) -> Self {
        let points = || lines.iter().flatten();
        let along = || points().map(|point| point.along);
        let low = along().fold(f32::INFINITY, f32::min);
        let high = along().fold(f32::NEG_INFINITY, f32::max);
        let radius = points().map(|point| point.radius).fold(0.0, f32::max);
        // Strands without a length or a width have a card too.
        let long = (high - low).max(radius).max(1e-4 * (1.0 + low.abs()));
        let mut bounds = Bounds {
            low,
            step: long / (ROWS - 1) as f32,
            radius,
            crossings: vec![Default::default(); ROWS],
        };
        lines.iter().for_each(|line| bounds.follow(line));
        bounds
    }

    /// Adds a strand to the rows that it crosses or is next to.
    fn follow(&mut self, line: &[OnCard]) {
        let mut own = [None::<OnCard>; ROWS];
        let mut reach = [[f32::INFINITY, f32::NEG_INFINITY]; ROWS];
        let mut add = |row: usize, point: OnCard| {
            let row = row.min(ROWS - 1);
            own[row].get_or_insert(point);
            reach[row][0] = reach[row][0].min(point.across - point.radius);
            reach[row][1] = reach[row][1].max(point.across + point.radius);
        };
        for pair in line.windows(2) {
            let [from, to] = [0, 1].map(|i| (pair[i].along - self.low) / self.step);
            for row in from.min(to).ceil().max(0.0) as usize..=from.max(to).floor() as usize {
                let share = (row as f32 - from) / (to - from);
                let share = if share.is_finite() {
                    share.clamp(0.0, 1.0)
                } else {
                    0.0
                };
                add(row, pair[0].lerp(&pair[1], share));
            }
            for (point, place) in [(pair[0], from), (pair[1], to)] {
                add(place.floor().max(0.0) as usize, point);
                add(place.ceil().max(0.0) as usize, point);
            }
        }
        for (row, point) in own.into_iter().enumerate() {
            if let Some(point) = point {
                let [left, right] = reach[row];
                for (all, value) in self.crossings[row]
                    .iter_mut()
                    .zip([left, -right, point.depth])
                {
                    all.push(value);
                }
            }
        }
    }

    /// Returns rows that are as wide as the strands. Where strands lie on a head (`lying` is 1), rows
    /// are as high as the upper ones, which are seen.
    pub fn rows(self, lying: f32) -> Vec<Row> {
        let upper = 0.5 + UPPER * lying.clamp(0.0, 1.0);
        let mut rows: Vec<Row> = Vec::with_capacity(ROWS);
        for (nth, [mut left, mut right, mut depths]) in self.crossings.into_iter().enumerate() {
            let along = self.low + nth as f32 * self.step;
            let (sides, lift) = match depths.len() {
                0 => rows
                    .last()
                    .map_or(([0.0; 2], 0.0), |row| (row.sides, row.lift)),
                count => {
                    let edge = |sides: &mut Vec<f32>| {
                        sides.sort_unstable_by(f32::total_cmp);
                        sides[count / STRAY]
                    };
                    let sides = [edge(&mut left), -edge(&mut right)];
                    depths.sort_unstable_by(f32::total_cmp);
                    let height = depths[(upper * (count - 1) as f32).round() as usize];
                    (sides, height + lying * self.radius)
                }
            };
            rows.push(Row { along, sides, lift });
        }
        let widest = rows
            .iter()
            .map(Row::width)
            .fold(2.0 * self.radius, f32::max);
        let least = (LEAST_WIDTH * widest).max(1e-2 * self.step);
        for row in &mut rows {
            let more = (least - row.width()).max(0.0) / 2.0;
            row.sides = [row.sides[0] - more, row.sides[1] + more];
        }
        rows
    }
}
