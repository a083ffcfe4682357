//! Strands of hair: for files, in the space of the model that the hair is on.

use super::{Strands, Values};
use crate::groom::Groom;
use crate::head::{Units, Up};
use crate::look::{HairLook, dyed};
use glam::{Mat4, Vec3};

/// Points of straight strands.
const POINTS: usize = 16;

impl Strands {
    /// Returns the hair at rest, in head space, with its widths and colours. `points` are those of each
    /// strand; without, as many as the hair has.
    pub fn of_groom(groom: &Groom, look: &HairLook, points: Option<u32>) -> Self {
        let own = groom
            .curves
            .as_ref()
            .map_or(POINTS, |curves| curves.per_strand());
        let per = points.map_or(own, |points| points.max(2) as usize);
        let mut rest = vec![Vec3::ZERO; per * groom.len()];
        for (strand, points) in rest.chunks_exact_mut(per).enumerate() {
            groom.write_rest(strand, points);
        }
        let along = move |point: usize| (point % per) as f32 / (per - 1) as f32;
        let places = || (0..groom.len() * per).map(move |point| (point / per, along(point)));
        let count = groom.len();
        let [shares, bleach] = [&groom.widths, &groom.bleach].map(|values| values.as_chunks().0);
        let width = |(strand, along): (usize, f32)| {
            let [share] = value_along(shares, count, strand, along).unwrap_or([1.0]);
            2.0 * look.radius * share * (1.0 + along * (look.taper - 1.0))
        };
        let [root, tip] = look.colors();
        let color = |(strand, along): (usize, f32)| {
            let own: [f32; 3] = std::array::from_fn(|i| root[i] + along * (tip[i] - root[i]));
            let dye = value_along(&groom.tints, count, strand, along);
            let bleach = value_along(bleach, count, strand, along);
            match (dye, bleach) {
                (None, None) => own,
                _ => dyed(
                    own,
                    dye.unwrap_or([1.0; 3]),
                    bleach.map_or(0.0, |[share]| share),
                ),
            }
        };
        Self {
            counts: vec![per as u32; groom.len()],
            points: rest.into_iter().map(Vec3::into).collect(),
            widths: Values::Points(places().map(width).collect()),
            colors: Values::Points(places().map(color).collect()),
            ..Self::default()
        }
    }

    /// Sets the points to particles, `[x, y, z, _]`, all strands with equal numbers of them; a matrix
    /// moves them.
    pub fn set_particles(&mut self, particles: &[[f32; 4]], moves: Option<Mat4>) {
        for (point, &[x, y, z, _]) in self.points.iter_mut().zip(particles) {
            let place = Vec3::new(x, y, z);
            *point = moves
                .map_or(place, |moves| moves.transform_point3(place))
                .into();
        }
    }

    /// Marks the strands with these numbers as guides; `None`: none is.
    pub fn mark_guides(&mut self, numbers: Option<Vec<u32>>) {
        self.guides = numbers.map_or(Vec::new(), |numbers| {
            let mut guides = vec![false; self.len()];
            (numbers.iter()).for_each(|&guide| guides[guide as usize] = true);
            guides
        });
    }

    /// Moves strands from head space to that of the file of the head, which has this axis up.
    pub fn to_file(&mut self, units: &Units, up: Up) {
        self.up = Some(up);
        file_from_head(units, &mut self.points);
        let widths = std::mem::take(&mut self.widths);
        self.widths = widths.map(|width| width / units.scale);
    }
}

/// Returns the value at a place along a strand, from 0 to 1, of values that are evenly spaced along each
/// of `count` strands; `None` without values.
fn value_along<const N: usize>(
    values: &[[f32; N]],
    count: usize,
    strand: usize,
    along: f32,
) -> Option<[f32; N]> {
    let per = values.len() / count.max(1);
    let values = values.get(strand * per..(strand + 1) * per)?;
    let place = along * per.checked_sub(1)? as f32;
    let (before, share) = (place as usize, place.fract());
    let (from, to) = (values[before], values[(before + 1).min(per - 1)]);
    Some(std::array::from_fn(|i| from[i] + share * (to[i] - from[i])))
}

/// Moves points from head space to that of the file of the head.
pub fn file_from_head(units: &Units, points: &mut [[f32; 3]]) {
    for point in points {
        *point = units.file_from_head((*point).into()).into();
    }
}
