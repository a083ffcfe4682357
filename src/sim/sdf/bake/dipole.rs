//! The dipoles that stand for distant boxes of triangles: Barill et al. 2018 (see `winding`).

use crate::bvh::{Bvh, Node};
use glam::{DVec3, Vec3};

/// A box is distant at this many times its radius: β of the 2018 paper, which recommends 2. The
/// error stays below 0.05 (`winding_numbers_are_sums_of_solid_angles`).
const FAR: f32 = 2.0;

/// The dipole of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dipole {
    /// The area-weighted mean of the centroids.
    pub(crate) center: Vec3,
    /// The sum of areas times normals.
    pub(crate) moment: Vec3,
    /// The square of the distance from which the dipole is used.
    pub(crate) far2: f32,
}

/// Returns the dipole of every box.
pub(crate) fn dipoles(tree: &Bvh, middle: DVec3) -> Vec<Dipole> {
    // Area, area times centroid, area times normal. Children follow their parents.
    let nothing = (0.0, DVec3::ZERO, DVec3::ZERO);
    let add = |a: (f64, DVec3, DVec3), b: (f64, DVec3, DVec3)| (a.0 + b.0, a.1 + b.1, a.2 + b.2);
    let mut sums = vec![nothing; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        sums[i] = if node.second == 0 {
            tree.corners[node.range()].iter().fold(nothing, |sum, t| {
                let [a, b, c] = t.map(|p| p.as_dvec3() - middle);
                let normal = (b - a).cross(c - a) * 0.5;
                let area = normal.length();
                add(sum, (area, (a + b + c) * (area / 3.0), normal))
            })
        } else {
            add(sums[i + 1], sums[node.second as usize])
        };
    }
    let dipole = |(node, &(area, first, moment)): (&Node, &(f64, DVec3, DVec3))| {
        let (low, high) = (node.low.as_dvec3() - middle, node.high.as_dvec3() - middle);
        let center = if area > 0.0 {
            (first / area).max(low).min(high)
        } else {
            (low + high) * 0.5
        };
        let radius2 = (high - center).max(center - low).length_squared() as f32;
        Dipole {
            center: center.as_vec3(),
            moment: moment.as_vec3(),
            far2: FAR * FAR * radius2,
        }
    };
    tree.nodes.iter().zip(&sums).map(dipole).collect()
}
