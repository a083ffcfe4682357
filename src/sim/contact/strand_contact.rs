//! Contact of finished strands: they are turned out of everything, and measured.

use super::contacts::Contacts;
use super::planes::Pivot;
use super::root_clearance::RootClearance;
use crate::sim::simd::{
    Kernel, LANES, Lanes, Lanes3, SHORT, Transpose, above3, add_scaled3, dot3, minus3, scaled3,
    splat3,
};
use glam::Vec3;

/// The largest number of pushes per point. From deep inside, one push may not be enough.
const MAX_PUSHES: usize = 4;

impl Contacts {
    /// Rotates the segments from `from` to `end` of eight strands out of everything, without
    /// friction. Returns 1 in the lanes that were inside of something.
    #[inline(always)]
    fn turn_out(
        &self,
        from: &Lanes3,
        length: &Lanes,
        end: &mut Lanes3,
        clearance: &mut RootClearance,
    ) -> Lanes {
        if clearance.is_clear() {
            return Lanes::ZERO;
        }
        let sdf = self.look_ahead(end, clearance);
        if clearance.is_clear() {
            return Lanes::ZERO;
        }
        clearance.touching = !self.are_outside(end, clearance);
        if !clearance.touching {
            return Lanes::ZERO;
        }
        let pivot = Pivot { from, length };
        let deep = *end;
        let mut touched = Lanes::ZERO;
        for _ in 0..MAX_PUSHES {
            let before = *end;
            let planes = self.move_out(end, clearance, Some(pivot));
            touched = touched.max(planes.touched);
            if planes.is_none() || *end == before {
                break;
            }
        }
        // All surfaces have been asked, and not only bounds of their distances.
        if touched == Lanes::ZERO {
            return touched;
        }
        if let Some(sdf) = sdf {
            self.follow_skin(sdf, deep, end, clearance, pivot);
        }
        // In folds, turning may not be enough: there the segment gives way by what is left.
        if !self.are_outside(end, clearance) {
            for _ in 0..MAX_PUSHES {
                if self.push_out(end, clearance).is_none() {
                    break;
                }
            }
            if let Some(sdf) = sdf
                && sdf.unstick(end, pivot, &clearance.allowed())
            {
                self.push_out(end, clearance);
            }
        }
        touched
    }
}

/// Returns points `j` and `j + 1` of up to eight strands of `each` points; 0 past the last one.
/// Unused lanes repeat the first strand.
#[inline(always)]
fn two(points: &[[f32; 4]], each: usize, j: usize, transpose: impl Transpose) -> [Lanes3; 2] {
    let count = points.len() / each;
    let mut rows = [Lanes::ZERO; LANES];
    for (lane, row) in rows.iter_mut().enumerate() {
        let first = if lane < count { lane * each + j } else { j };
        let [x, y, z, _] = points[first];
        let [u, v, w, _] = match j + 1 < each {
            true => points[first + 1],
            false => [0.0; 4],
        };
        *row = Lanes([x, y, z, 0.0, u, v, w, 0.0]);
    }
    let [x, y, z, _, u, v, w, _] = transpose.transposed(&rows);
    [[x, y, z], [u, v, w]]
}

/// Brings the segments of up to eight strands to length and turns them out of everything, from the
/// root on: each in its own direction, from where the one before it ends.
pub(crate) struct LayStrands<'a> {
    pub(crate) contacts: &'a Contacts,
    /// Strand after strand, root first, `each` points a strand; world space.
    pub(crate) points: &'a mut [[f32; 4]],
    pub(crate) each: usize,
    /// Length at rest of the segment that ends at a point; the last one is that of all others.
    pub(crate) lengths: &'a [Lanes],
    /// Segments between these shares of it are left alone. Longer ones become that long, shorter
    /// ones as much longer than the share as they are shorter, up to their length: so the length
    /// is continuous, and a segment that has shrunk to nothing has all of it again.
    pub(crate) shares: [f32; 2],
    /// Unit normals of the skin at the roots, world space. Nothing keeps strands with a zero normal
    /// above their roots.
    pub(crate) normals: &'a Lanes3,
    /// Strands that are left alone.
    pub(crate) stay: [bool; LANES],
}

impl LayStrands<'_> {
    /// Writes points `j` and `j + 1` of all strands that do not stay.
    #[inline(always)]
    fn write(&mut self, j: usize, [[x, y, z], [u, v, w]]: [Lanes3; 2], transpose: impl Transpose) {
        let (each, zero) = (self.each, Lanes::ZERO);
        let rows = transpose.transposed(&[x, y, z, zero, u, v, w, zero]);
        let strands = self.points.chunks_exact_mut(each).zip(rows).zip(self.stay);
        for ((strand, Lanes([x, y, z, o, u, v, w, p])), stays) in strands {
            if stays {
                continue;
            }
            strand[j] = [x, y, z, o];
            if let Some(next) = strand.get_mut(j + 1) {
                *next = [u, v, w, p];
            }
        }
    }
}

impl Kernel for LayStrands<'_> {
    #[inline(always)]
    fn run(mut self, transpose: impl Transpose) {
        let each = self.each;
        let collides = !self.contacts.is_empty();
        let [least, most] = self.shares.map(Lanes::splat);
        let mut pair = two(self.points, each, 0, transpose);
        // The point before, as it was and as it is now, and the direction of its segment.
        let (mut before, mut from) = (pair[0], pair[0]);
        let is_unit = dot3(self.normals, self.normals);
        let mut direction = above3(is_unit, SHORT, self.normals, &splat3(Vec3::Y));
        let mut clearance = RootClearance::none();
        if collides {
            let skin = RootClearance::SKIN;
            clearance = (self.contacts).clearance(skin, &from, self.normals, &Lanes::ZERO);
        }
        // 1 in the lanes that are no longer where they were.
        let mut moved = Lanes::ZERO;
        for j in 1..each {
            if j % 2 == 0 {
                pair = two(self.points, each, j, transpose);
            }
            let point = pair[j % 2];
            let way = minus3(&point, &before);
            before = point;
            let (square, own) = (
                dot3(&way, &way),
                self.lengths[j.min(self.lengths.len() - 1)],
            );
            let [low, high] = [own * least, own * most];
            let is_long = square.less_than(low * low, Lanes::ZERO, Lanes::ONE);
            let fits = (high * high).less_than(square, Lanes::ZERO, is_long);
            moved = moved.max(Lanes::ONE - fits);
            let mut end = point;
            let mut length = own;
            if collides || moved != Lanes::ZERO {
                length = square.sqrt();
                let along = scaled3(&way, Lanes::ONE / length);
                direction = above3(square, SHORT, &along, &direction);
                let longer = (low + low - length).min(own);
                length = length.less_than(low, longer, length.min(high));
                let laid = add_scaled3(&from, &direction, length);
                end = above3(moved, 0.5, &laid, &point);
            }
            if collides {
                clearance.climb(&length);
                let planes = self
                    .contacts
                    .turn_out(&from, &length, &mut end, &mut clearance);
                moved = moved.max(planes);
            }
            from = end;
            pair[j % 2] = end;
            if (j % 2 == 1 || j + 1 == each) && moved != Lanes::ZERO {
                self.write(j - j % 2, pair, transpose);
            }
        }
    }
}

/// Measures the depth of the deepest particle of up to eight strands, decimetres; 0 if none is
/// inside.
pub(crate) struct StrandDepths<'a> {
    pub(crate) contacts: &'a Contacts,
    /// The strands, like [`LayStrands::points`].
    pub(crate) points: &'a [[f32; 4]],
    pub(crate) each: usize,
    /// The normals, like [`LayStrands::normals`].
    pub(crate) normals: &'a Lanes3,
}

impl Kernel<f32> for StrandDepths<'_> {
    #[inline(always)]
    fn run(self, transpose: impl Transpose) -> f32 {
        let mut deepest = Lanes::default();
        let mut pair = two(self.points, self.each, 0, transpose);
        let mut before = pair[0];
        let mut clearance = (self.contacts).clearance(0.0, &before, self.normals, &Lanes::ZERO);
        for j in 1..self.each {
            if j % 2 == 0 {
                pair = two(self.points, self.each, j, transpose);
            }
            let point = pair[j % 2];
            let way = minus3(&point, &before);
            clearance.climb(&dot3(&way, &way).sqrt());
            before = point;
            deepest = deepest.max(-self.contacts.distance(&point, &clearance));
        }
        deepest.0.into_iter().fold(0.0, f32::max)
    }
}
