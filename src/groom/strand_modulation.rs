//! What differs from strand to strand by will and not by chance: what maps say at its root.

use glam::Vec3;

/// Shares of settings, one for each root; an empty list stands for 1 (or no direction) everywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Of the length.
    pub length: Vec<f32>,
    /// Of the clumping.
    pub clump: Vec<f32>,
    /// Of the angle of curls.
    pub curl: Vec<f32>,
    /// Of the width that strands are drawn with.
    pub width: Vec<f32>,
    /// Of how well strands hold their shape.
    pub stiffness: Vec<f32>,
    /// Colours that strands are dyed with, sRGB: see [`Groom::tints`](super::Groom::tints).
    pub tint: Vec<[f32; 3]>,
    /// Where hair leans, head space: the longer, up to 1, the more of it and the less of the
    /// direction it would grow in.
    pub direction: Vec<Vec3>,
}

/// The least sine of a leaning strand over its root's plane.
const LEAST_RISE: f32 = 0.05;
/// More than this is all of it: the values of maps are 1.5e-5 apart.
const NEARLY_ALL: f32 = 1.0 - 1e-6;

impl Shares {
    /// Where a strand leans that would grow along `normal`.
    pub(crate) fn lean(&self, root: usize, normal: Vec3) -> Vec3 {
        let Some(&to) = self.direction.get(root) else {
            return normal;
        };
        let to = to.clamp_length_max(1.0);
        above(normal * (1.0 - to.length()) + to, normal)
    }
}

/// A unit direction like this one, above the plane.
pub(crate) fn above(direction: Vec3, normal: Vec3) -> Vec3 {
    let direction = direction.normalize_or(normal);
    let rise = direction.dot(normal);
    if rise >= LEAST_RISE {
        return direction;
    }
    let along = (direction - normal * rise).normalize_or_zero();
    (along + normal * LEAST_RISE).normalize_or(normal)
}

/// What is kept of one share for each of `count` roots, 0 to 1: nothing where all are 1, so that
/// a map without paint costs as much as none.
pub(crate) fn of_strands(shares: &[f32], count: usize) -> Vec<f32> {
    let whole = |root: usize| share(shares, root);
    match (0..count).all(|root| whole(root) == 1.0) {
        true => Vec::new(),
        false => (0..count).map(whole).collect(),
    }
}

/// The same of colours.
pub(crate) fn tints_of_strands(tints: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    const WHITE: [f32; 3] = [1.0; 3];
    let tint = |root: usize| tints.get(root).map_or(WHITE, |tint| tint.map(in_range));
    match (0..count).all(|root| tint(root) == WHITE) {
        true => Vec::new(),
        false => (0..count).map(tint).collect(),
    }
}

/// A share from 0 to 1; what is no number is 1, and what is 1 but for rounding between the corners
/// of a triangle.
pub(crate) fn in_range(share: f32) -> f32 {
    if share.is_nan() || share > NEARLY_ALL {
        return 1.0;
    }
    share.clamp(0.0, 1.0)
}

/// A root's share.
pub(crate) fn share(shares: &[f32], root: usize) -> f32 {
    shares.get(root).map_or(1.0, |&share| in_range(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_leans_as_far_as_it_is_told_and_never_into_the_skin() {
        let towards = |to: Vec3| Shares {
            direction: vec![to],
            ..Shares::default()
        };
        assert_eq!(towards(Vec3::ZERO).lean(0, Vec3::Y), Vec3::Y);
        let half = towards(Vec3::X * 0.5).lean(0, Vec3::Y);
        assert!(half.distance(Vec3::new(0.5, 0.5, 0.0).normalize()) < 1e-6);
        for to in [Vec3::X, Vec3::NEG_Y, Vec3::new(0.3, -0.9, 0.0)] {
            let lean = towards(to).lean(0, Vec3::Y);
            assert!(
                (lean.length() - 1.0).abs() < 1e-6 && lean.y > 0.049,
                "{to}: {lean}"
            );
        }
        assert_eq!(Shares::default().lean(3, Vec3::Z), Vec3::Z);
    }

    #[test]
    fn what_is_all_of_it_is_not_kept_and_odd_values_are_brought_into_range() {
        assert!(of_strands(&[], 3).is_empty());
        assert!(of_strands(&[1.0, 0.999_999_94, 1.000_000_1, f32::NAN], 4).is_empty());
        assert_eq!(of_strands(&[0.5, -1.0, 7.0], 4), [0.5, 0.0, 1.0, 1.0]);
        let (white, red) = ([1.0; 3], [1.0, 0.0, 0.0]);
        assert!(tints_of_strands(&[white, white], 2).is_empty());
        let odd = [[1.0, -0.5, f32::NEG_INFINITY], white];
        assert_eq!(tints_of_strands(&odd, 3), [red, white, white]);
    }
}
