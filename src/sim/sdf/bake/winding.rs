//! The winding number of a surface: 1 inside, 0 outside, and in between near holes.
//!
//! Jacobson, Kavan, Sorkine-Hornung: Robust Inside-Outside Segmentation using Generalized Winding
//! Numbers (SIGGRAPH 2013): the solid angles of all triangles, divided by 4π. Barill, Dickson,
//! Schmidt, Levin, Jacobson: Fast Winding Numbers for Soups and Clouds (SIGGRAPH 2018): the
//! triangles of a distant box act as one dipole.

use super::lanes::{LANES, Lanes, Points, any_below, dot_lanes, dot_with};
use super::packet::{Face, MAX_DEPTH, Packets};
use crate::det_math::angle;
use std::f32::consts::PI;

impl Packets {
    /// Returns the winding numbers at eight points. Visits are added to `work`.
    #[inline(always)]
    pub(crate) fn around(&self, p: &Points, work: &mut u64) -> Lanes {
        let mut far = [0.0; LANES];
        let mut near = AngleSum::new();
        let mut open = [0_u32; MAX_DEPTH];
        let mut waiting = usize::from(!self.boxes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let here = open[waiting];
            let (node, dipole) = (&self.boxes[here as usize], &self.dipoles[here as usize]);
            *work += 1;
            let mut to = [[0.0; LANES]; 3];
            for axis in 0..3 {
                for lane in 0..LANES {
                    to[axis][lane] = dipole.center[axis] - p[axis][lane];
                }
            }
            let away2 = dot_lanes(&to, &to);
            if !any_below(&away2, &[dipole.far2; LANES]) {
                let along = dot_with(&to, dipole.moment);
                for lane in 0..LANES {
                    far[lane] += along[lane] / (away2[lane] * away2[lane].sqrt());
                }
            } else if node.second == 0 {
                for t in node.from..node.from + node.count {
                    near.add(&self.faces[t as usize], p);
                }
                *work += u64::from(node.count);
            } else {
                open[waiting] = node.second;
                open[waiting + 1] = here + 1;
                waiting += 2;
            }
        }
        let mut winding = [0.0; LANES];
        for lane in 0..LANES {
            winding[lane] = far[lane] / (4.0 * PI) + near.turns(lane);
        }
        winding
    }
}

/// A sum of angles, each from −π to π, without an arc tangent per angle: multiplying complex
/// numbers adds their angles, and full turns are counted.
struct AngleSum {
    real: Lanes,
    imaginary: Lanes,
    turns: Lanes,
}

impl AngleSum {
    #[inline(always)]
    fn new() -> Self {
        Self {
            real: [1.0; LANES],
            imaginary: [0.0; LANES],
            turns: [0.0; LANES],
        }
    }

    /// Adds half the solid angle of a triangle, positive seen from behind: van Oosterom, Strackee:
    /// The Solid Angle of a Plane Triangle (1983), equation 8.
    #[inline(always)]
    fn add(&mut self, face: &Face, p: &Points) {
        let [mut a, mut b, mut c] = [[[0.0; LANES]; 3]; 3];
        for axis in 0..3 {
            for lane in 0..LANES {
                a[axis][lane] = face.a[axis] - p[axis][lane];
                b[axis][lane] = a[axis][lane] + face.ab[axis];
                c[axis][lane] = a[axis][lane] + face.ac[axis];
            }
        }
        let squares = [dot_lanes(&a, &a), dot_lanes(&b, &b), dot_lanes(&c, &c)];
        let (ab, bc, ca) = (dot_lanes(&a, &b), dot_lanes(&b, &c), dot_lanes(&c, &a));
        // a · (b × c), relative to a corner to avoid cancellation.
        let [u, v] = [face.ab, face.ac];
        let normal = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let volume = dot_with(&a, normal);
        for lane in 0..LANES {
            let [la, lb, lc] = squares.map(|square| square[lane].sqrt());
            let real = la * lb * lc + ab[lane] * lc + bc[lane] * la + ca[lane] * lb;
            let imaginary = volume[lane];
            let size = real.abs() + imaginary.abs();
            // Corners, and numbers too small for single precision, add no angle.
            let sound = size > 1e-37;
            let scale = 1.0 / if sound { size } else { 1.0 };
            let (real, imaginary) = if sound {
                (real * scale, imaginary * scale)
            } else {
                (1.0, 0.0)
            };
            let product = (
                self.real[lane] * real - self.imaginary[lane] * imaginary,
                self.real[lane] * imaginary + self.imaginary[lane] * real,
            );
            // The sum of two angles of one half plane lies in the other only beyond ±π.
            let upper = |y: f32| if y >= 0.0 { 1.0 } else { -1.0 };
            let (before, by, after) = (
                upper(self.imaginary[lane]),
                upper(imaginary),
                upper(product.1),
            );
            let full = before == by && before != after;
            self.turns[lane] += if full { before } else { 0.0 };
            // Rescaled to about unit length; it is never 0, since neither factor is.
            let size = 1.0 / (product.0.abs() + product.1.abs()).max(1e-30);
            (self.real[lane], self.imaginary[lane]) = (product.0 * size, product.1 * size);
        }
    }

    /// Returns the sum in full turns; half of a solid angle of 4π is one turn.
    #[inline(always)]
    fn turns(&self, lane: usize) -> f32 {
        let rest = angle(f64::from(self.real[lane]), f64::from(self.imaginary[lane]));
        self.turns[lane] + rest as f32 / (2.0 * PI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Bvh;
    use crate::sim::sdf::shapes;
    use glam::DVec3;

    #[test]
    fn it_is_the_sum_of_solid_angles() {
        for triangles in [
            shapes::icosphere(3),
            shapes::torus(40, 24),
            shapes::open_torus(),
            shapes::cone(50),
            shapes::sheets(),
        ] {
            let tree = Bvh::of(&triangles);
            let packets = Packets::of(&tree, DVec3::new(0.3, 0.2, 0.1));
            for eight in shapes::points(&tree, 800, 0.4).chunks_exact(LANES) {
                let eight: [DVec3; LANES] = eight.try_into().unwrap();
                let fast = packets.around(&packets.points_at(eight), &mut 0);
                for (p, fast) in eight.into_iter().zip(fast) {
                    let slow = shapes::winding(&triangles, p);
                    assert!((f64::from(fast) - slow).abs() < 0.05, "{fast} {slow} {p}");
                }
            }
        }
    }

    #[test]
    fn it_counts_every_layer() {
        let ball = shapes::icosphere(2);
        let flipped = shapes::flipped(&ball);
        for (layers, expected) in [(1, 1.0), (3, 3.0), (7, 7.0)] {
            for (ball, sign) in [(&ball, 1.0), (&flipped, -1.0)] {
                let tree = Bvh::of(&ball.repeat(layers));
                let packets = Packets::of(&tree, DVec3::ZERO);
                let p = packets.points_at([DVec3::new(0.2, -0.3, 0.1); LANES]);
                let around = packets.around(&p, &mut 0)[0];
                assert!(
                    (around - sign * expected).abs() < 0.05 * expected,
                    "{around}"
                );
            }
        }
    }
}
