//! The winding number of a surface: 1 inside, 0 outside, and in between near holes.
//!
//! Jacobson, Kavan, Sorkine-Hornung: Robust Inside-Outside Segmentation using Generalized Winding
//! Numbers (SIGGRAPH 2013): the solid angles of all triangles, divided by 4π. Barill, Dickson,
//! Schmidt, Levin, Jacobson: Fast Winding Numbers for Soups and Clouds (SIGGRAPH 2018): the
//! triangles of a distant box act as one dipole. The number also tells the orientation of
//! triangles, and which of them are deep inside.

use super::packet::{Face, MAX_DEPTH, Packets};
use super::skin::longest_edge2;
use super::work::Work;
use crate::bvh::{Bvh, Corners};
use crate::det_math::angle;
use crate::sim::sdf::settings::SdfError;
use crate::sim::simd::{LANES, Lanes, Lanes3, dot3, minus3, splat3, sum3};
use glam::DVec3;
use std::f32::consts::PI;

/// The number of triangles per piece of work.
const TRIANGLES: usize = 1_024;
/// The largest number of boxes and triangles that a piece may visit: a hundred times that of a mesh
/// without stacked triangles.
const MAX_VISITS: u64 = 8_000_000;
/// A triangle is buried if the winding number just in front of it exceeds this.
const BURIED: f32 = 0.75;
/// The weights of the centroid.
const MIDDLE: [f64; 3] = [1.0, 1.0, 1.0];

impl Packets {
    /// Determines from which side the triangles of `all` are counter-clockwise.
    pub(crate) fn orient(&mut self, all: &Bvh, work: &mut Work) -> Result<(), SdfError> {
        let before = self.in_front_of_faces(all, &[MIDDLE], work)?;
        // In front of a closed surface the number is 0, or −1 if the front is inside. The mean is
        // weighted by area, so that small flipped triangles do not decide.
        let mean = all.corners.iter().zip(&before);
        let mean = mean.map(|(t, &w)| area(t) * (f64::from(w) + 0.5));
        if mean.sum::<f64>() < 0.0 {
            self.sign = -1.0;
        }
        Ok(())
    }

    /// Returns the triangles that are not buried.
    pub(crate) fn unburied(&self, all: &Bvh, work: &mut Work) -> Result<Vec<Corners>, SdfError> {
        // Large triangles may be buried only in part, so points near the corners are tested too.
        let places = [MIDDLE, [8.0, 1.0, 1.0], [1.0, 8.0, 1.0], [1.0, 1.0, 8.0]];
        let before = self.in_front_of_faces(all, &places, work)?;
        let all = all.corners.iter().zip(before);
        let shown = all.filter(|&(_, w)| w <= BURIED);
        Ok(shown.map(|(t, _)| *t).collect())
    }

    /// Returns the smallest winding number at points just in front of each triangle, at the given
    /// weights of its corners. Points after the first are tested only where it may be buried.
    fn in_front_of_faces(
        &self,
        all: &Bvh,
        places: &[[f64; 3]],
        work: &mut Work,
    ) -> Result<Vec<f32>, SdfError> {
        let sides = (all.bounds()).map_or(0.0, |(low, high)| (high - low).max_element());
        let least = f64::from(sides) * 1e-5;
        let mut before = vec![f32::INFINITY; all.corners.len()];
        work.each(&mut before, TRIANGLES, |piece, before, count| {
            let corners = &all.corners[piece * TRIANGLES..];
            for (before, corners) in before.chunks_mut(LANES).zip(corners.chunks(LANES)) {
                for &weights in places {
                    if !before.iter().any(|&w| w > BURIED) {
                        break;
                    }
                    let last = corners.len() - 1;
                    let points = std::array::from_fn(|lane| {
                        in_front_of(&corners[lane.min(last)], weights, self.sign, least)
                    });
                    let points = self.points_at(points);
                    let around = self.around(&points, &mut count.done);
                    for (before, w) in before.iter_mut().zip(around.0) {
                        *before = before.min(w);
                    }
                }
                if count.done > MAX_VISITS {
                    count.most = 0;
                    return;
                }
            }
        })?;
        Ok(before)
    }

    /// Returns the winding numbers at eight points, which separate inside from outside. Visits are
    /// added to `work`.
    #[inline(always)]
    pub(crate) fn around(&self, p: &Lanes3, work: &mut u64) -> Lanes {
        let mut far = Lanes::ZERO;
        let mut near = AngleSum {
            real: Lanes::ONE,
            imaginary: Lanes::ZERO,
            turns: Lanes::ZERO,
        };
        let mut open = [0_u32; MAX_DEPTH];
        let mut waiting = usize::from(!self.boxes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let here = open[waiting];
            let (node, dipole) = (&self.boxes[here as usize], &self.dipoles[here as usize]);
            *work += 1;
            let to = minus3(&splat3(dipole.center), p);
            let away2 = dot3(&to, &to);
            if !away2.any_below(Lanes::splat(dipole.far2)) {
                let along = dot3(&to, &splat3(dipole.moment));
                far += along / (away2 * away2.sqrt());
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
        let far = far / Lanes::splat(4.0 * PI);
        Lanes::from_fn(|lane| (far.0[lane] + near.turns(lane)) * self.sign)
    }
}

/// Returns a point just in front of a triangle, or behind it for side −1: by a thousandth of its
/// height, at least `least`.
fn in_front_of(corners: &Corners, weights: [f64; 3], side: f32, least: f64) -> DVec3 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    let on_it = a * weights[0] + b * weights[1] + c * weights[2];
    let on_it = on_it / (weights[0] + weights[1] + weights[2]);
    // The length is twice the area: height times longest edge.
    let normal = (b - a).cross(c - a);
    let longest2 = longest_edge2([a, b, c]);
    let longest = longest2.max(f64::MIN_POSITIVE).sqrt();
    let unit = normal / normal.length().max(f64::MIN_POSITIVE);
    on_it + unit * (f64::from(side) * (1e-3 * normal.length() / longest).max(least))
}

/// Returns twice the area of a triangle.
fn area(corners: &Corners) -> f64 {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    (b - a).cross(c - a).length()
}

/// A sum of angles, each from −π to π, without an arc tangent per angle: multiplying complex
/// numbers adds their angles, and full turns are counted.
struct AngleSum {
    real: Lanes,
    imaginary: Lanes,
    turns: Lanes,
}

impl AngleSum {
    /// Adds half the solid angle of a triangle, positive seen from behind: van Oosterom, Strackee:
    /// The Solid Angle of a Plane Triangle (1983), equation 8.
    #[inline(always)]
    fn add(&mut self, face: &Face, p: &Lanes3) {
        let a = minus3(&splat3(face.a), p);
        let (b, c) = (sum3(&a, &splat3(face.ab)), sum3(&a, &splat3(face.ac)));
        let squares = [dot3(&a, &a), dot3(&b, &b), dot3(&c, &c)];
        let (ab, bc, ca) = (dot3(&a, &b), dot3(&b, &c), dot3(&c, &a));
        // a · (b × c), relative to a corner to avoid cancellation.
        let volume = dot3(&a, &splat3(face.ab.cross(face.ac)));
        for lane in 0..LANES {
            let [la, lb, lc] = squares.map(|square| square.0[lane].sqrt());
            let real = la * lb * lc + ab.0[lane] * lc + bc.0[lane] * la + ca.0[lane] * lb;
            let imaginary = volume.0[lane];
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
                self.real.0[lane] * real - self.imaginary.0[lane] * imaginary,
                self.real.0[lane] * imaginary + self.imaginary.0[lane] * real,
            );
            // The sum of two angles of one half plane lies in the other only beyond ±π.
            let upper = |y: f32| if y >= 0.0 { 1.0 } else { -1.0 };
            let before = upper(self.imaginary.0[lane]);
            let full = before == upper(imaginary) && before != upper(product.1);
            self.turns.0[lane] += if full { before } else { 0.0 };
            // Rescaled to about unit length; it is never 0, since neither factor is.
            let size = 1.0 / (product.0.abs() + product.1.abs()).max(1e-30);
            (self.real.0[lane], self.imaginary.0[lane]) = (product.0 * size, product.1 * size);
        }
    }

    /// Returns the sum in full turns; half of a solid angle of 4π is one turn.
    #[inline(always)]
    fn turns(&self, lane: usize) -> f32 {
        let (x, y) = (self.real.0[lane], self.imaginary.0[lane]);
        let rest = angle(x.into(), y.into());
        self.turns.0[lane] + rest as f32 / (2.0 * PI)
    }
}
