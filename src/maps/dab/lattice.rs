//! Means over a neighbourhood: values are spread to the nodes of a lattice, and gathered from them.

use crate::maps::canvas::Canvas;
use crate::maps::map::Map;
use glam::{Vec3, Vec4};

/// Nodes per radius of a dab. A mean reaches about one and a half node distances to each side.
const NODES_PER_RADIUS: f32 = 4.0;

/// A cube of nodes around a dab. The cost depends on the number of places alone, not on the size of
/// the neighbourhood, and the mean is a smooth function of the position: seams do not show.
pub(super) struct Lattice {
    centre: Vec3,
    /// −1 along x on the mirrored side, so that the nodes of both sides are mirrored.
    turn: Vec3,
    /// Nodes per decimetre.
    scale: f32,
    /// Distance from the first node to the middle, nodes.
    half: f32,
    /// Nodes along each axis.
    side: u32,
    /// The weighted sum of values per node, and in w the sum of weights.
    sums: Vec<Vec4>,
}

impl Lattice {
    /// A lattice of the values in reach of a dab, and a little beyond.
    pub(super) fn of(
        map: &Map,
        canvas: &Canvas,
        centre: Vec3,
        radius: f32,
        flipped: bool,
    ) -> Lattice {
        // With nodes closer than values, every value would be its own mean.
        let apart = (radius / NODES_PER_RADIUS).max(2.0 * canvas.texel_size());
        let beyond = (radius / apart).ceil() + 2.0;
        let side = 2 * beyond as u32 + 1;
        let mut lattice = Lattice {
            centre,
            turn: Vec3::new(if flipped { -1.0 } else { 1.0 }, 1.0, 1.0),
            scale: apart.recip(),
            half: beyond,
            side,
            sums: vec![Vec4::ZERO; side.pow(3) as usize],
        };
        canvas.grid.visit(centre, radius + apart, |_, place, _| {
            if let Some(value) = map.stored(place.texel as usize) {
                let value = Vec3::from(value.map(f32::from)).extend(1.0);
                let (rows, across) = lattice.nodes(place.position);
                for (row, weight) in rows {
                    let nodes = lattice.sums.get_mut(row..).and_then(<[_]>::first_chunk_mut);
                    if let Some([first, second, third]) = nodes {
                        let value = value * weight;
                        *first += value * across[0];
                        *second += value * across[1];
                        *third += value * across[2];
                    }
                }
            }
        });
        lattice
    }

    /// Returns the mean around a position in reach of the dab.
    pub(super) fn mean(&self, position: Vec3) -> Option<Vec3> {
        let mut sum = Vec4::ZERO;
        let (rows, across) = self.nodes(position);
        for (row, weight) in rows {
            let [first, second, third] = *self.sums.get(row..)?.first_chunk()?;
            sum += (first * across[0] + second * across[1] + third * across[2]) * weight;
        }
        (sum.w > 0.0).then(|| sum.truncate() / sum.w)
    }

    /// The 27 nodes around a position: the first node and the weight of nine rows of three, and the
    /// weights along rows. Weights are quadratic B-splines along each axis, which have no kinks
    /// that would show across a seam.
    fn nodes(&self, position: Vec3) -> ([(usize, f32); 9], [f32; 3]) {
        let at = (position - self.centre) * self.turn * self.scale + self.half;
        let last = self.side as i32 - 2;
        // In reach of the dab these are positive, and casts are faster than rounding.
        let middle = (at + 0.5).to_array().map(|at| (at as i32).clamp(1, last));
        let t = at - Vec3::from(middle.map(|at| at as f32));
        let t = t.clamp(Vec3::splat(-0.5), Vec3::splat(0.5));
        let (before, after) = (0.5 - t, 0.5 + t);
        let shares = [0.5 * before * before, 0.75 - t * t, 0.5 * after * after];
        let [x, y, z] = middle.map(|at| at as usize - 1);
        let side = self.side as usize;
        let rows = std::array::from_fn(|n| {
            let (up, deep) = (n % 3, n / 3);
            let row = ((z + deep) * side + y + up) * side + x;
            (row, shares[up].y * shares[deep].z)
        });
        (rows, shares.map(|share| share.x))
    }
}
