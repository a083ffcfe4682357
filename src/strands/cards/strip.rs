//! The strip of a card: along the mean of its strands, and across where they spread.

use super::bounds::{Bounds, OnCard, Row};
use super::frame::{Lie, SAMPLES, Sample, face, mean};
use super::{Corner, Source};
use crate::strands::{along, even_places};
use glam::{FloatExt, Vec2, Vec3};

/// The distance at which a row is left out, as a share of the length of the card.
const TOLERANCE: f32 = 0.004;
/// The largest distance of a strand from the place that its length tells, as a share of the length of
/// the card.
const DRIFT: f32 = 0.2;
/// Steps of the search for the place on the mean strand.
const STEPS: usize = 4;
/// The sine of the angle by which normals lean outward at the sides of a card.
const ROUND: f32 = 0.5;

/// A card in space.
pub struct Strip {
    /// The strands of its cluster.
    pub strands: Vec<u32>,
    /// The mean strand and its frame.
    samples: Vec<Sample>,
    /// The rows from root to tip.
    pub rows: Vec<Row>,
    /// The usual distance of strands from the card.
    pub depth: f32,
    /// Places of the points of each strand of the cluster.
    pub lines: Vec<Vec<OnCard>>,
}

/// The rectangle of a card in the texture, texels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub at: [u32; 2],
    pub size: [u32; 2],
    /// The side of the texture.
    pub side: u32,
}

impl Place {
    /// Returns the texture coordinates of a place in the rectangle, 0 to 1.
    pub fn uv(&self, inside: Vec2) -> Vec2 {
        let [at, size] = [self.at, self.size].map(|[x, y]| Vec2::new(x as f32, y as f32));
        (at + inside * size) / self.side as f32
    }
}

impl Strip {
    /// Makes the card of a cluster of strands. A round bundle gets two cards that cross: one alone
    /// would show it from one side only.
    pub fn of_cluster(source: &Source, strands: &[u32]) -> Vec<Self> {
        let even: Vec<Vec<Vec3>> = strands
            .iter()
            .map(|&strand| {
                let range = source.ranges[strand as usize].clone();
                let points = &source.strands.points;
                let places = even_places(&points[range.clone()], range.start, SAMPLES);
                let points = along(&places.collect::<Vec<_>>(), points);
                points.into_iter().map(Vec3::from).collect()
            })
            .collect();
        let mut samples = mean(&even);
        let Lie { is_round, lying } = face(&mut samples, &even, source.middle);
        let mut strips = vec![Self::along(source, strands, samples.clone(), lying)];
        if is_round {
            for sample in &mut samples {
                sample.side = sample.side.cross(sample.forward);
            }
            strips.push(Self::along(source, strands, samples, lying));
        }
        strips
    }

    /// Makes the card of strands along their mean.
    fn along(source: &Source, strands: &[u32], samples: Vec<Sample>, lying: f32) -> Self {
        let mut strip = Strip {
            strands: strands.to_vec(),
            samples,
            rows: Vec::new(),
            depth: 0.0,
            lines: Vec::new(),
        };
        let line = |&strand: &u32| strip.line(source, strand as usize);
        strip.lines = strands.iter().map(line).collect();
        let rows = Bounds::of(&strip.lines).rows(lying);
        strip.rows = strip.needed(rows);
        let mut lines = std::mem::take(&mut strip.lines);
        let (mut squares, mut count) = (0.0, 0);
        for point in lines.iter_mut().flatten() {
            point.depth -= strip.row(point.along).lift;
            (squares, count) = (squares + point.depth.powi(2), count + 1);
        }
        strip.depth = (squares / count.max(1) as f32).sqrt();
        strip.lines = lines;
        strip
    }

    /// Returns the length of the mean strand.
    fn length(&self) -> f32 {
        self.samples[SAMPLES - 1].along
    }

    /// Returns the frame at a place along the mean strand, which goes on straight beyond its ends.
    fn at(&self, along: f32) -> Sample {
        let after = self.samples.partition_point(|sample| sample.along < along);
        let after = after.clamp(1, SAMPLES - 1);
        let [from, to] = [self.samples[after - 1], self.samples[after]];
        let long = to.along - from.along;
        let share = if long > 0.0 {
            ((along - from.along) / long).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let forward = from.forward.lerp(to.forward, share);
        let forward = forward.normalize_or(from.forward);
        let beyond = along - (from.along + share * long);
        let side = from.side.lerp(to.side, share);
        let side = side.reject_from_normalized(forward);
        Sample {
            place: from.place.lerp(to.place, share) + forward * beyond,
            along,
            forward,
            side: side.normalize_or(forward.any_orthonormal_vector()),
        }
    }

    /// Returns the places of the points of a strand.
    fn line(&self, source: &Source, strand: usize) -> Vec<OnCard> {
        let range = source.ranges[strand].clone();
        let points = source.strands.points[range.clone()].iter().copied();
        let points = points.map(Vec3::from);
        let mut ends = vec![0.0];
        for (from, to) in points.clone().zip(points.clone().skip(1)) {
            ends.push(ends[ends.len() - 1] + from.distance(to));
        }
        let (length, whole) = (self.length(), ends[ends.len() - 1].max(f32::MIN_POSITIVE));
        let on_card = |((nth, point), end): ((usize, Vec3), f32)| {
            let told = length * end / whole;
            let (mut place, mut at) = (told, self.at(told));
            for _ in 0..STEPS {
                let step = (point - at.place).dot(at.forward);
                place = (place + step).clamp(told - DRIFT * length, told + DRIFT * length);
                at = self.at(place);
            }
            let offset = point - at.place;
            OnCard {
                along: place,
                across: offset.dot(at.side),
                depth: offset.dot(at.side.cross(at.forward)),
                radius: source.radius(strand, range.start + nth),
            }
        };
        points.enumerate().zip(ends).map(on_card).collect()
    }

    /// Returns the rows without those that are near the line between others.
    fn needed(&self, rows: Vec<Row>) -> Vec<Row> {
        let ends: Vec<[Vec3; 2]> = rows.iter().map(|row| self.ends(row)).collect();
        let tolerance = TOLERANCE * (rows[rows.len() - 1].along - rows[0].along);
        let mut kept = vec![0];
        let mut open = vec![rows.len() - 1];
        while let Some(&last) = open.last() {
            let first = kept[kept.len() - 1];
            let away = |nth: usize| {
                let share = (nth - first) as f32 / (last - first) as f32;
                let away =
                    |i: usize| ends[nth][i].distance(ends[first][i].lerp(ends[last][i], share));
                away(0).max(away(1))
            };
            let farthest = (first + 1..last).map(|nth| (away(nth), nth));
            match farthest.max_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((away, nth)) if away > tolerance => open.push(nth),
                _ => kept.extend(open.pop()),
            }
        }
        kept.into_iter().map(|nth| rows[nth]).collect()
    }

    /// Returns the ends of a row in space.
    fn ends(&self, row: &Row) -> [Vec3; 2] {
        let at = self.at(row.along);
        let middle = at.place + at.side.cross(at.forward) * row.lift;
        row.sides.map(|across| middle + at.side * across)
    }

    /// Returns the row at a place along the mean strand, between those that are there.
    fn row(&self, along: f32) -> Row {
        let after = self.rows.partition_point(|row| row.along < along);
        let after = after.clamp(1, self.rows.len() - 1);
        let [from, to] = [self.rows[after - 1], self.rows[after]];
        let share = ((along - from.along) / (to.along - from.along)).clamp(0.0, 1.0);
        Row {
            along,
            sides: std::array::from_fn(|i| from.sides[i].lerp(to.sides[i], share)),
            lift: from.lift.lerp(to.lift, share),
        }
    }

    /// Returns the place of a point in a picture of the card, 0 to 1, and the width of the card there.
    pub fn in_picture(&self, point: &OnCard) -> (Vec2, f32) {
        let [left, right] = self.row(point.along).sides;
        let width = (right - left).max(f32::MIN_POSITIVE);
        // Strays go along the edge.
        let inside = (point.radius / width).min(0.5);
        let u = ((point.across - left) / width).clamp(inside, 1.0 - inside);
        let v = (point.along - self.rows[0].along) / self.long();
        (Vec2::new(u, v.clamp(0.0, 1.0)), width)
    }

    /// Returns the place of a point on the card in space, and the direction in which the card faces there.
    #[cfg(test)]
    pub fn in_space(&self, point: &OnCard) -> (Vec3, Vec3) {
        let (uv, _) = self.in_picture(point);
        let [left, right] = self.ends(&self.row(point.along));
        let at = self.at(point.along);
        (left.lerp(right, uv.x), at.side.cross(at.forward))
    }

    /// Returns the length of the card, with what reaches beyond the mean strand.
    pub fn long(&self) -> f32 {
        self.rows[self.rows.len() - 1].along - self.rows[0].along
    }

    /// Returns how far strands go across the card for a step along it: little, if they are straight.
    pub fn slope(&self) -> f32 {
        let place = |point: &OnCard| Vec2::new(point.along, point.across);
        let pairs = self.lines.iter().flat_map(|line| line.windows(2));
        let sum: Vec2 = pairs
            .map(|pair| (place(&pair[1]) - place(&pair[0])).abs())
            .sum();
        sum.y / sum.x.max(f32::MIN_POSITIVE)
    }

    /// Returns the largest width of the card.
    pub fn wide(&self) -> f32 {
        self.rows.iter().map(Row::width).fold(0.0, f32::max)
    }

    /// Returns the corners of the rows, with their places in the texture.
    pub fn corners<'a>(&'a self, place: &'a Place) -> impl Iterator<Item = Corner> + 'a {
        let middle = |nth: usize| {
            let [left, right] = self.ends(&self.rows[nth]);
            (left + right) / 2.0
        };
        self.rows.iter().enumerate().flat_map(move |(nth, row)| {
            let side = self.at(row.along).side;
            let last = self.rows.len() - 1;
            let forward = middle((nth + 1).min(last)) - middle(nth.saturating_sub(1));
            let normal = side.cross(forward);
            let normal = normal.normalize_or(side.any_orthonormal_vector());
            let v = (row.along - self.rows[0].along) / self.long();
            let corner = move |(i, position): (usize, Vec3)| {
                let lean = ROUND * (2 * i) as f32 - ROUND;
                Corner {
                    position,
                    normal: (normal + side * lean).normalize_or(normal),
                    tangent: (side - normal * lean).normalize_or(side),
                    uv: place.uv(Vec2::new(i as f32, v)),
                }
            };
            self.ends(row).into_iter().enumerate().map(corner)
        })
    }
}
