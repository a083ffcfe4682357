//! Distances of packets of eight points from the nearest triangles.
//!
//! Baking needs millions of distances. The points of a packet are the corners of a cell, so they
//! traverse the tree together, and each packet starts with the nearest triangle of the last one.
//! Coordinates are relative to the middle of the mesh, in single precision.

use super::dipole::{Dipole, dipoles};
use super::lanes::{LANES, Lanes, Points, any_below, dot_with, min, sum};
use crate::bvh::Bvh;
use glam::{DVec3, Vec3};

/// The largest depth of a tree whose indices fit a `u32`.
pub(crate) const MAX_DEPTH: usize = 40;
/// Triangles with a smaller height, relative to the mesh, are treated as their edges. Rounding
/// would decide what is above the face, and the edges are as near.
const FLAT: f32 = 2e-5;

/// A triangle, prepared for queries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) a: [f32; 3],
    pub(crate) ab: [f32; 3],
    pub(crate) ac: [f32; 3],
    /// The unit normal; 0 for flat triangles.
    normal: [f32; 3],
    ab_ab: f32,
    ab_ac: f32,
    ac_ac: f32,
    /// 1 / squared length of ab, ac and bc; 0 for edges of length 0.
    per2: [f32; 3],
}

/// A node of the tree in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Box3 {
    low: [f32; 3],
    high: [f32; 3],
    pub(crate) from: u32,
    pub(crate) count: u32,
    /// 0 for a leaf.
    pub(crate) second: u32,
}

/// The triangles of a tree, relative to a middle.
pub(crate) struct Packets {
    pub(crate) boxes: Vec<Box3>,
    pub(crate) dipoles: Vec<Dipole>,
    pub(crate) faces: Vec<Face>,
    /// The origin of the local coordinates.
    middle: DVec3,
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
            let per2 = [ab, ac, bc].map(|edge| {
                let square = edge.length_squared();
                if square > 1e-30 {
                    (1.0 / square) as f32
                } else {
                    0.0
                }
            });
            let normal = ab.cross(ac);
            let longest2 = ab
                .length_squared()
                .max(ac.length_squared())
                .max(bc.length_squared());
            let flat = f64::from(FLAT * side);
            let is_flat = normal.length_squared() <= flat * flat * longest2;
            Face {
                a: a.as_vec3().to_array(),
                ab: ab.as_vec3().to_array(),
                ac: ac.as_vec3().to_array(),
                normal: if is_flat {
                    [0.0; 3]
                } else {
                    (normal / normal.length()).as_vec3().to_array()
                },
                ab_ab: ab.length_squared() as f32,
                ab_ac: ab.dot(ac) as f32,
                ac_ac: ac.length_squared() as f32,
                per2,
            }
        };
        let boxes = tree.nodes.iter().map(|node| Box3 {
            low: local(node.low).as_vec3().to_array(),
            high: local(node.high).as_vec3().to_array(),
            from: node.from,
            count: node.count,
            second: node.second,
        });
        Self {
            boxes: boxes.collect(),
            dipoles: dipoles(tree, middle),
            faces: tree.corners.iter().map(face).collect(),
            middle,
        }
    }

    /// Returns a packet of any eight points.
    #[inline(always)]
    pub(crate) fn points_at(&self, places: [DVec3; LANES]) -> Points {
        let places = places.map(|p| (p - self.middle).as_vec3());
        [0, 1, 2].map(|axis: usize| places.map(|p| p[axis]))
    }

    /// Returns the packet of the eight corners of a box, x fastest.
    #[inline(always)]
    pub(crate) fn points(&self, from: DVec3, to: DVec3) -> Points {
        let (from, to) = ((from - self.middle).as_vec3(), (to - self.middle).as_vec3());
        [0, 1, 2].map(|axis: usize| {
            let ends = [from[axis], to[axis]];
            std::array::from_fn(|lane| ends[lane >> axis & 1])
        })
    }

    /// Lowers squared distances in `best` to those from the nearest triangles. With `stretch2`
    /// above 1 the results may be too large by that factor, which saves visits where many triangles
    /// are about equally near. `hint` is a triangle that may be near, and is updated. Visits are
    /// added to `work`.
    #[inline(always)]
    pub(crate) fn nearest(
        &self,
        p: &Points,
        stretch2: f32,
        best: &mut Lanes,
        hint: &mut u32,
        work: &mut u64,
    ) {
        let Some(root) = self.boxes.first() else {
            return;
        };
        improve(best, &distance2(&self.faces[*hint as usize], p));
        let mut open = [([0.0; LANES], 0_u32); MAX_DEPTH];
        let mut waiting = 0;
        let mut here = 0;
        if !any_below(&to_box2(root, p, stretch2), best) {
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
                if any_below(&away[far], best) {
                    open[waiting] = (away[far], halves[far]);
                    waiting += 1;
                }
                if any_below(&away[near], best) {
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
                if any_below(away, best) {
                    break *node;
                }
            };
        }
    }
}

/// Returns squared distances from a triangle: from its plane above the face, else from the nearest
/// edge.
#[inline(always)]
fn distance2(face: &Face, p: &Points) -> Lanes {
    let mut ap = [[0.0; LANES]; 3];
    for axis in 0..3 {
        for lane in 0..LANES {
            ap[axis][lane] = p[axis][lane] - face.a[axis];
        }
    }
    let along = [dot_with(&ap, face.ab), dot_with(&ap, face.ac)];
    let height = dot_with(&ap, face.normal);
    let has_face = face.normal != [0.0; 3];
    let mut found = [0.0; LANES];
    for lane in 0..LANES {
        let v = [ap[0][lane], ap[1][lane], ap[2][lane]];
        // The side of each edge: Ericson 2005, Real-Time Collision Detection, 5.1.5.
        let (d1, d2) = (along[0][lane], along[1][lane]);
        let (d3, d4) = (d1 - face.ab_ab, d2 - face.ab_ac);
        let (d5, d6) = (d1 - face.ab_ac, d2 - face.ac_ac);
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        let above = has_face & (va > 0.0) & (vb > 0.0) & (vc > 0.0);
        let ab = off_edge2(v, face.ab, share(d1 * face.per2[0]));
        let ac = off_edge2(v, face.ac, share(d2 * face.per2[1]));
        let (mut bp, mut bc) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            bp[axis] = v[axis] - face.ab[axis];
            bc[axis] = face.ac[axis] - face.ab[axis];
        }
        let bc = off_edge2(bp, bc, share((d4 - d3) * face.per2[2]));
        let edges = min(min(ab, ac), bc);
        found[lane] = if above {
            height[lane] * height[lane]
        } else {
            edges
        };
    }
    found
}

#[inline(always)]
fn share(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

#[inline(always)]
fn off_edge2(v: [f32; 3], edge: [f32; 3], share: f32) -> f32 {
    let [x, y, z] = [
        v[0] - edge[0] * share,
        v[1] - edge[1] * share,
        v[2] - edge[2] * share,
    ];
    x * x + y * y + z * z
}

/// Returns squared distances from a box, times `stretch2`.
#[inline(always)]
fn to_box2(around: &Box3, p: &Points, stretch2: f32) -> Lanes {
    let mut found = [0.0; LANES];
    for ((p, low), high) in p.iter().zip(around.low).zip(around.high) {
        for lane in 0..LANES {
            let (below, above) = (low - p[lane], p[lane] - high);
            let off = if below > above { below } else { above };
            let off = if off > 0.0 { off } else { 0.0 };
            found[lane] += off * off;
        }
    }
    found.map(|square| square * stretch2)
}

/// Takes the smaller numbers. Returns whether there were any.
#[inline(always)]
fn improve(best: &mut Lanes, found: &Lanes) -> bool {
    let any = any_below(found, best);
    for lane in 0..LANES {
        best[lane] = min(found[lane], best[lane]);
    }
    any
}
