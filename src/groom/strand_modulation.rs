//! Values of single strands: those of maps at their roots, and random ones.

use crate::roots::Roots;
use glam::Vec3;

/// Factors on settings, one per root. An empty list stands for 1, or for no direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Factors on the length.
    pub length: Vec<f32>,
    /// Factors on the clumping.
    pub clump: Vec<f32>,
    /// Factors on the angle of curls.
    pub curl: Vec<f32>,
    /// Factors on the drawn width.
    pub width: Vec<f32>,
    /// Factors on the stiffness.
    pub stiffness: Vec<f32>,
    /// The dye colours, sRGB, as [`Groom::tints`](super::Groom::tints).
    pub tint: Vec<[f32; 3]>,
    /// The direction in which hair leans, head space. Its length, up to 1, is the weight against
    /// the direction of growth.
    pub direction: Vec<Vec3>,
    /// Values of the four mask maps, for modifiers of the stack.
    pub masks: [Vec<f32>; 4],
}

/// The smallest sine of a leaning strand above the plane of its root.
const LEAST_RISE: f32 = 0.05;
/// Larger values count as 1; the values of maps are 1.5e-5 apart.
const NEARLY_ALL: f32 = 1.0 - 1e-6;

impl Shares {
    /// Returns the direction of a strand that would grow along `normal`.
    pub(crate) fn lean(&self, root: usize, normal: Vec3) -> Vec3 {
        let Some(&to) = self.direction.get(root) else {
            return normal;
        };
        let to = to.clamp_length_max(1.0);
        above(normal * (1.0 - to.length()) + to, normal)
    }
}

/// Returns a unit direction near this one and above the plane.
pub(crate) fn above(direction: Vec3, normal: Vec3) -> Vec3 {
    let direction = direction.normalize_or(normal);
    let rise = direction.dot(normal);
    if rise >= LEAST_RISE {
        return direction;
    }
    let along = (direction - normal * rise).normalize_or_zero();
    (along + normal * LEAST_RISE).normalize_or(normal)
}

/// Returns the values of `count` roots, or an empty list if all are `usual`, so that an unpainted
/// map costs nothing.
fn unless_all<T: PartialEq>(usual: T, count: usize, of: impl Fn(usize) -> T) -> Vec<T> {
    match (0..count).all(|root| of(root) == usual) {
        true => Vec::new(),
        false => (0..count).map(of).collect(),
    }
}

/// Returns the factors of `count` roots, 0 to 1, or an empty list if all are 1.
pub(crate) fn of_strands(shares: &[f32], count: usize) -> Vec<f32> {
    unless_all(1.0, count, |root| share(shares, root))
}

/// Returns the colours of `count` roots, or an empty list if all are white.
pub(crate) fn tints_of_strands(tints: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let tint = |root: usize| tints.get(root).map_or([1.0; 3], |tint| tint.map(in_range));
    unless_all([1.0; 3], count, tint)
}

/// Returns a factor from 0 to 1. Not-a-number becomes 1, and so do values that differ from 1 only
/// by interpolation.
pub(crate) fn in_range(share: f32) -> f32 {
    if share.is_nan() || share > NEARLY_ALL {
        return 1.0;
    }
    share.clamp(0.0, 1.0)
}

/// Returns the factor of a root.
pub(crate) fn share(shares: &[f32], root: usize) -> f32 {
    shares.get(root).map_or(1.0, |&share| in_range(share))
}

/// Draws a value for every rank of the full set and returns those of the roots that are there, so
/// that a strand keeps its values when others come or go.
pub(super) fn draw_per_rank<T>(roots: &Roots, mut draw: impl FnMut() -> T) -> Vec<T> {
    let mut ranks = roots.ranks.iter().peekable();
    let mut drawn = Vec::with_capacity(roots.ranks.len());
    for rank in 0..roots.full_count as u32 {
        let value = draw();
        if ranks.next_if_eq(&&rank).is_some() {
            drawn.push(value);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_leans_by_the_length_of_the_direction_and_never_into_the_skin() {
        let towards = |to: Vec3| Shares {
            direction: vec![to],
            ..Shares::default()
        };
        assert_eq!(towards(Vec3::ZERO).lean(0, Vec3::Y), Vec3::Y);
        let half = towards(Vec3::X * 0.5).lean(0, Vec3::Y);
        assert!(half.distance(Vec3::new(0.5, 0.5, 0.0).normalize()) < 1e-6);
        for to in [Vec3::X, Vec3::NEG_Y, Vec3::new(0.3, -0.9, 0.0)] {
            let lean = towards(to).lean(0, Vec3::Y);
            assert!((lean.length() - 1.0).abs() < 1e-6, "{to}: {lean}");
            assert!(lean.y > 0.049, "{to}: {lean}");
        }
        assert_eq!(Shares::default().lean(3, Vec3::Z), Vec3::Z);
    }

    #[test]
    fn lists_of_ones_become_empty_and_odd_values_are_moved_into_range() {
        assert!(of_strands(&[], 3).is_empty());
        assert!(of_strands(&[1.0, 0.999_999_94, 1.000_000_1, f32::NAN], 4).is_empty());
        assert_eq!(of_strands(&[0.5, -1.0, 7.0], 4), [0.5, 0.0, 1.0, 1.0]);
        let (white, red) = ([1.0; 3], [1.0, 0.0, 0.0]);
        assert!(tints_of_strands(&[white, white], 2).is_empty());
        let odd = [[1.0, -0.5, f32::NEG_INFINITY], white];
        assert_eq!(tints_of_strands(&odd, 3), [red, white, white]);
    }
}
