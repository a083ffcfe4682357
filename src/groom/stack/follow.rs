//! Hair that follows guides: hairs that were drawn or brushed by hand.

use super::strands::{APART, Away, LEAST_LENGTH, Step, Strand, Strands, carried, length};
use super::{Follow, Leaders, Modifier};
use crate::det_math::smooth_step;
use crate::groom::write_along;
use glam::Vec3;

/// Height above the skin up to which hair follows the skin's turns, decimetres.
const NEAR_SKIN: f32 = 0.6;
/// Guides that a strand can follow at a time.
const MOST_LEADERS: usize = 3;

/// A guide, with as many points as strands have.
struct Guide {
    root: Vec3,
    length: f32,
    /// Its points, root to tip, head space.
    points: Vec<Vec3>,
    /// The directions of its segments, root to tip.
    along: Vec<Vec3>,
    /// The skin at the start of each segment.
    skin: Vec<Away>,
    /// The normal of the skin at its root.
    normal: Vec3,
    /// The side of the parting that it is on.
    side: f32,
}

impl Follow {
    /// Returns the largest number of points of a guide.
    pub(super) fn points(&self) -> usize {
        self.guides.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the length of the longest hair that it makes.
    pub(super) fn longest(&self) -> f32 {
        let length = |guide: &Vec<[f32; 3]>| {
            let segments = guide.windows(2);
            let lengths = segments.map(|ends| Vec3::from(ends[0]).distance(ends[1].into()));
            lengths.sum()
        };
        let longest = self.guides.iter().map(length).fold(0.0, f32::max);
        longest * self.length.min(1.0)
    }
}

impl Strands<'_> {
    /// A strand takes the mean of the directions of its guides, segment by segment, each turned as
    /// the skin turns from the guide to the strand. The weight of guide i at the distance dᵢ is
    /// (1 / dᵢ − 1 / d)², d being the distance of the first that is not followed, so that it fades in
    /// (Franke and Nielson 1980).
    pub(super) fn follow(&mut self, modifier: &Modifier, follow: &Follow) {
        let parting = self.parting.filter(|_| follow.by == Leaders::Side);
        let side = |place: Vec3, normal: Vec3| match parting {
            Some(line) => line.side(place, normal).0,
            None => 0.0,
        };
        let guides = self.guides(follow, side);
        let count = match follow.by {
            Leaders::Nearest => 1,
            Leaders::Three | Leaders::Side => MOST_LEADERS,
        };
        self.each(modifier, |mut strand, points| {
            let own_side = side(strand.root, strand.normal);
            let leaders = leaders(&guides, strand.root, own_side, count);
            let Some(nearest) = leaders.first() else {
                return;
            };
            let away = guides[nearest.0].root.distance(strand.root);
            strand.weight *= 1.0 - smooth_step(2.0 * away / follow.reach - 1.0);
            if strand.weight <= 0.0 {
                return;
            }
            strand.take(points, &guides, &leaders, follow.length);
            if follow.gather > 0.0 {
                strand.gather(points, &guides, &leaders, follow.gather);
            }
        });
    }

    /// Returns the guides, without those that have no length.
    fn guides(&self, follow: &Follow, side: impl Fn(Vec3, Vec3) -> f32) -> Vec<Guide> {
        let skin = self.ground.skin;
        let guide = |points: &Vec<[f32; 3]>| {
            let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
            let length = length(&points);
            if length < LEAST_LENGTH {
                return None;
            }
            let root = points[0];
            let mut even = vec![Vec3::ZERO; self.per];
            write_along(&points, length.into(), &mut even);
            let away = |&at: &Vec3| {
                let (away, out) = skin?.sample(at);
                Some((away, out.try_normalize()?))
            };
            let of_nearest_strand = || {
                let apart = |other: &Vec3| other.distance_squared(root);
                let strands = self.groom.roots.iter().zip(&self.groom.normals);
                let nearest = strands.min_by(|a, b| apart(a.0).total_cmp(&apart(b.0)));
                nearest.map_or(Vec3::Y, |(_, &normal)| normal)
            };
            let normal = away(&root).map_or_else(of_nearest_strand, |(_, out)| out);
            let steps = even.windows(2).map(|pair| pair[1] - pair[0]);
            Some(Guide {
                root,
                length,
                along: steps.map(|step| step.normalize_or(normal)).collect(),
                skin: even.iter().map(away).collect(),
                points: even,
                normal,
                side: side(root, normal),
            })
        };
        follow.guides.iter().filter_map(guide).collect()
    }
}

impl Strand<'_> {
    /// Takes the shape of guides, and their length as far as `lengthens` says.
    fn take(
        &self,
        points: &mut [Vec3],
        guides: &[Guide],
        leaders: &[(usize, f32)],
        lengthens: f32,
    ) {
        let (count, own_length) = (points.len(), length(points));
        let mean: f32 = leaders.iter().map(|&(i, w)| guides[i].length * w).sum();
        let share = lengthens * self.weight;
        let ratio = (1.0 + share * (mean / own_length.max(1e-6) - 1.0)).max(0.0);
        points.iter_mut().for_each(|point| *point *= ratio);
        let segment = own_length * ratio / (count - 1) as f32;
        self.walk(
            points,
            |_| APART * self.weight,
            |Step { j, own, away, .. }| {
                let along = (j - 1) as f32 * segment;
                // Without skin, hair is as high above it as it has come.
                let (height, out) = away.unwrap_or((along, self.normal));
                let led = leaders.iter().map(|&(i, weight)| {
                    let guide = &guides[i];
                    let (high, up) = guide.skin[j - 1].unwrap_or((along, guide.normal));
                    let near = 1.0 - smooth_step(height.max(high) / NEAR_SKIN);
                    let turned = up.lerp(out, near).normalize_or(up);
                    carried(guide.along[j - 1], up, turned) * weight
                });
                let led = led.sum::<Vec3>().normalize_or(own);
                self.above_plane(j, own.lerp(led, self.at(j, count)))
            },
        );
    }

    /// Moves points towards those of guides, in proportion to their share of the way to the tip.
    fn gather(&self, points: &mut [Vec3], guides: &[Guide], leaders: &[(usize, f32)], most: f32) {
        let count = points.len();
        self.lead(points, |j, own| {
            let led = leaders
                .iter()
                .map(|&(i, weight)| guides[i].points[j] * weight);
            let share = most * j as f32 / (count - 1) as f32;
            own.lerp(led.sum::<Vec3>() - self.root, share * self.at(j, count))
        });
    }
}

/// Returns the numbers and weights, 1 in sum, of the guides that a root follows, the nearest first.
fn leaders(guides: &[Guide], root: Vec3, side: f32, count: usize) -> Vec<(usize, f32)> {
    let mut nearest: Vec<(usize, f32)> = Vec::with_capacity(MOST_LEADERS + 2);
    let on_side = (guides.iter().enumerate()).filter(|(_, guide)| guide.side == side);
    for (i, guide) in on_side {
        let away = guide.root.distance(root).max(1e-4);
        let place = nearest.partition_point(|&(_, other)| other <= away);
        if place <= count {
            nearest.insert(place, (i, away));
            nearest.truncate(count + 1);
        }
    }
    let beyond = nearest.get(count).map_or(0.0, |&(_, away)| 1.0 / away);
    nearest.truncate(count);
    for (_, away) in &mut nearest {
        // All count where all are equally far.
        *away = (1.0 / *away - beyond).powi(2).max(1e-12);
    }
    let sum: f32 = nearest.iter().map(|&(_, weight)| weight).sum();
    nearest.iter_mut().for_each(|(_, weight)| *weight /= sum);
    nearest
}
