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
    /// Where hair leans, head space: the longer, up to 1, the more of it and the less of the
    /// direction it would grow in.
    pub direction: Vec<Vec3>,
}

/// The least sine of a leaning strand over its root's plane.
const LEAST_RISE: f32 = 0.05;

impl Shares {
    /// Where a strand leans that would grow along `normal`.
    pub(super) fn lean(&self, root: usize, normal: Vec3) -> Vec3 {
        let Some(&to) = self.direction.get(root) else {
            return normal;
        };
        let to = to.clamp_length_max(1.0);
        above(normal * (1.0 - to.length()) + to, normal)
    }
}

/// A unit direction like this one, above the plane.
pub(super) fn above(direction: Vec3, normal: Vec3) -> Vec3 {
    let direction = direction.normalize_or(normal);
    let rise = direction.dot(normal);
    if rise >= LEAST_RISE {
        return direction;
    }
    let along = (direction - normal * rise).normalize_or_zero();
    (along + normal * LEAST_RISE).normalize_or(normal)
}

/// A root's share.
pub(super) fn share(shares: &[f32], root: usize) -> f32 {
    shares.get(root).copied().unwrap_or(1.0)
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
}
