//! Triangles prepared for queries, and distances of packets of eight points from the nearest ones.
//!
//! Baking needs millions of distances. The points of a packet are the corners of a cell, so they
//! traverse the tree together, and each packet starts with the nearest triangle of the last one.
//! Coordinates are relative to the middle of the mesh, in single precision.

use super::skin::longest_edge2;
use crate::bvh::{Bvh, Node};
use crate::sim::simd::{LANES, Lanes, Lanes3, axes, clamp, dot3, get3, minus3, splat3};
use glam::{DVec3, Vec3};

/// The largest depth of a tree whose indices fit a `u32`.
pub(crate) const MAX_DEPTH: usize = 40;
/// Triangles with a smaller height, relative to the mesh, are treated as their edges. Rounding
/// would decide what is above the face, and the edges are as near.
const FLAT: f32 = 2e-5;
/// A box is distant at this many times its radius: β of the 2018 paper, which recommends 2. The
/// error stays below 0.05 (`winding_numbers_are_sums_of_solid_angles`).
const FAR: f32 = 2.0;

/// A triangle, prepared for queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) a: Vec3,
    pub(crate) ab: Vec3,
    pub(crate) ac: Vec3,
    /// The unit normal; 0 for flat triangles.
    normal: Vec3,
    ab_ab: f32,
    ab_ac: f32,
    ac_ac: f32,
    /// 1 / squared length of ab, ac and bc; 0 for edges of length 0.
    per2: [f32; 3],
}

/// The triangles of a tree, relative to a middle.
pub(crate) struct Packets {
    pub(crate) boxes: Vec<Node>,
    pub(crate) dipoles: Vec<Dipole>,
    pub(crate) faces: Vec<Face>,
    /// The origin of the local coordinates.
    middle: DVec3,
    /// −1 if triangles are counter-clockwise seen from inside.
    pub(crate) sign: f32,
}

impl Packets {
    /// Prepares the triangles of a tree, relative to `middle`.
    pub(crate) fn of(tree: &Bvh, middle: DVec3) -> Self {
        let local = |p: Vec3| p.as_dvec3() - middle;
        let side = tree
            .bounds()
            .map_or(0.0, |(low, high)| (high - low).max_element());
        let face = |t: &[Vec3; 3]| {
            let [a, b, c] = t.map(local);
            let (ab, ac, bc) = (b - a, c - a, c - b);
            let per2 = [ab, ac, bc].map(|edge| match edge.length_squared() {
                square if square > 1e-30 => (1.0 / square) as f32,
                _ => 0.0,
            });
            let normal = ab.cross(ac);
            let longest2 = longest_edge2([a, b, c]);
            let flat = f64::from(FLAT * side);
            let is_flat = normal.length_squared() <= flat * flat * longest2;
            Face {
                a: a.as_vec3(),
                ab: ab.as_vec3(),
                ac: ac.as_vec3(),
                normal: if is_flat {
                    Vec3::ZERO
                } else {
                    (normal / normal.length()).as_vec3()
                },
                ab_ab: ab.length_squared() as f32,
                ab_ac: ab.dot(ac) as f32,
                ac_ac: ac.length_squared() as f32,
                per2,
            }
        };
        let boxes = tree.nodes.iter().map(|node| Node {
            low: local(node.low).as_vec3(),
            high: local(node.high).as_vec3(),
            ..*node
        });
        Self {
            boxes: boxes.collect(),
            dipoles: dipoles(tree, middle),
            faces: tree.corners.iter().map(face).collect(),
            middle,
            sign: 1.0,
        }
    }

    /// Returns a packet of any eight points.
    #[inline(always)]
    pub(crate) fn points_at(&self, places: [DVec3; LANES]) -> Lanes3 {
        let places = places.map(|p| (p - self.middle).as_vec3());
        axes!(axis => Lanes(places.map(|p| p[axis])))
    }

    /// Returns the packet of the eight corners of a box, x fastest.
    #[inline(always)]
    pub(crate) fn points(&self, from: DVec3, to: DVec3) -> Lanes3 {
        let (from, to) = ((from - self.middle).as_vec3(), (to - self.middle).as_vec3());
        axes!(axis => Lanes::from_fn(|lane| [from, to][lane >> axis & 1][axis]))
    }

    /// Lowers squared distances in `best` to those from the nearest triangles. With `stretch2`
    /// above 1 the results may be too large by that factor, which saves visits where many triangles
    /// are about equally near. `hint` is a triangle that may be near, and is updated. Visits are
    /// added to `work`.
    #[inline(always)]
    pub(crate) fn nearest(
        &self,
        p: &Lanes3,
        stretch2: f32,
        best: &mut Lanes,
        hint: &mut u32,
        work: &mut u64,
    ) {
        let Some(root) = self.boxes.first() else {
            return;
        };
        improve(best, &distance2(&self.faces[*hint as usize], p));
        let mut open = [(Lanes::ZERO, 0_u32); MAX_DEPTH];
        let mut waiting = 0;
        let mut here = 0;
        if !to_box2(root, p, stretch2).any_below(*best) {
            return;
        }
        loop {
            let node = &self.boxes[here as usize];
            if node.second == 0 {
                for t in node.from..node.from + node.count {
                    if improve(best, &distance2(&self.faces[t as usize], p)) {
                        *hint = t;
                    }
                }
                *work += 1 + u64::from(node.count);
            } else {
                *work += 2;
                let halves = [here + 1, node.second];
                let away = halves.map(|half| to_box2(&self.boxes[half as usize], p, stretch2));
                let near = usize::from(sum(&away[1]) < sum(&away[0]));
                let far = 1 - near;
                if away[far].any_below(*best) {
                    open[waiting] = (away[far], halves[far]);
                    waiting += 1;
                }
                if away[near].any_below(*best) {
                    here = halves[near];
                    continue;
                }
            }
            here = loop {
                if waiting == 0 {
                    return;
                }
                waiting -= 1;
                let (away, node) = &open[waiting];
                if away.any_below(*best) {
                    break *node;
                }
            };
        }
    }
}

/// Returns squared distances from a triangle: from its plane above the face, else from the nearest
/// edge.
#[inline(always)]
fn distance2(face: &Face, p: &Lanes3) -> Lanes {
    let ap = minus3(p, &splat3(face.a));
    let along = [face.ab, face.ac].map(|edge| dot3(&ap, &splat3(edge)));
    let height = dot3(&ap, &splat3(face.normal));
    let has_face = face.normal != Vec3::ZERO;
    let mut found = Lanes::ZERO;
    for lane in 0..LANES {
        let v = get3(&ap, lane);
        // The side of each edge: Ericson 2005, Real-Time Collision Detection, 5.1.5.
        let (d1, d2) = (along[0].0[lane], along[1].0[lane]);
        let (d3, d4) = (d1 - face.ab_ab, d2 - face.ab_ac);
        let (d5, d6) = (d1 - face.ab_ac, d2 - face.ac_ac);
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        let above = has_face & (va > 0.0) & (vb > 0.0) & (vc > 0.0);
        let ab = off_edge2(v, face.ab, d1 * face.per2[0]);
        let ac = off_edge2(v, face.ac, d2 * face.per2[1]);
        let bc = off_edge2(v - face.ab, face.ac - face.ab, (d4 - d3) * face.per2[2]);
        let edges = min(min(ab, ac), bc);
        found.0[lane] = if above {
            height.0[lane] * height.0[lane]
        } else {
            edges
        };
    }
    found
}

/// Returns the smaller number, and `b` if one is not a number.
#[inline(always)]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Returns the squared distance from the point of an edge at `share`, which is clamped to 0 to 1.
#[inline(always)]
fn off_edge2(v: Vec3, edge: Vec3, share: f32) -> f32 {
    let off = v - edge * clamp(share, 0.0, 1.0);
    off.dot(off)
}

/// Returns squared distances from a box, times `stretch2`.
#[inline(always)]
fn to_box2(around: &Node, p: &Lanes3, stretch2: f32) -> Lanes {
    let mut found = Lanes::ZERO;
    let (low, high) = (around.low.to_array(), around.high.to_array());
    for ((p, low), high) in p.iter().zip(low).zip(high) {
        for lane in 0..LANES {
            let (below, above) = (low - p.0[lane], p.0[lane] - high);
            let off = if below > above { below } else { above };
            let off = if off > 0.0 { off } else { 0.0 };
            found.0[lane] += off * off;
        }
    }
    found * Lanes::splat(stretch2)
}

/// Returns the sum, in a fixed order.
#[inline(always)]
fn sum(lanes: &Lanes) -> f32 {
    let four = [0, 1, 2, 3].map(|i| lanes.0[i] + lanes.0[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// Takes the smaller numbers. Returns `true` if there were any.
#[inline(always)]
fn improve(best: &mut Lanes, found: &Lanes) -> bool {
    let any = found.any_below(*best);
    *best = best.min(*found);
    any
}

/// The dipole that stands for a distant box of triangles: Barill et al. 2018 (see `winding`).
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
