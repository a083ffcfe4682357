//! Strands of hair: for files, in the space of the model that the hair is on.

use super::{Strands, Values};
use crate::config::Config;
use crate::groom::{Groom, MIN_WIDTH};
use crate::head::{Units, Up};
use crate::look::{HairLook, dyed};
use crate::sim::Simulation;
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use glam::Vec3;

/// The unit of hair without a head: a decimetre, in metres.
const DECIMETRE: f64 = 0.1;
/// Points of straight strands.
const POINTS: usize = 16;

impl Strands {
    /// Returns the hair at rest, in head space, with its widths and colours.
    fn of_groom(groom: &Groom, look: &HairLook, points: Option<u32>) -> Self {
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
            2.0 * look.radius * share.max(MIN_WIDTH) * (1.0 + along * along * (look.taper - 1.0))
        };
        let [root, tip] = look.colors();
        // As hair is drawn.
        let mixed = |root: f32, tip: f32, along: f32| match look.lit {
            true => {
                let [root, tip] = [root, tip].map(linear_from_srgb);
                srgb_from_linear(root + along * (tip - root))
            }
            false => root + along * (tip - root),
        };
        let color = |(strand, along): (usize, f32)| {
            let own: [f32; 3] = std::array::from_fn(|i| mixed(root[i], tip[i], along));
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

    /// Returns hair at rest as files have it: in the space of the file of its head, whose units are given,
    /// or without a head in decimetres with Y up. Strands that others follow are marked. `points` are those
    /// of each strand; without, as many as the hair has.
    pub fn for_file(
        groom: &Groom,
        config: &Config,
        head: Option<&Units>,
        points: Option<u32>,
    ) -> Self {
        let mut strands = Self::of_groom(groom, &config.look.hair, points);
        match head {
            None => (strands.up, strands.unit_metres) = (Some(Up::Y), Some(DECIMETRE)),
            Some(units) => {
                let native = units.native;
                // The setting of what is up turns the head, not its file.
                strands.up = native.map(|native| native.up);
                strands.unit_metres = native.map(|native| native.metres);
                to_file(&mut strands.points, Some(units));
                let scale = units.scale * native.map_or(1.0, |native| native.metres as f32);
                let widths = std::mem::take(&mut strands.widths);
                strands.widths = widths.map(|width| width / scale);
            }
        }
        if let Some(numbers) = config.sim.guides.chosen(groom) {
            strands.guides = vec![false; strands.len()];
            (numbers.iter()).for_each(|&guide| strands.guides[guide as usize] = true);
        }
        strands
    }

    /// Returns hair as it hangs, like [`for_file`](Self::for_file): on the head as it is in its file,
    /// however it is turned.
    pub fn hanging(sim: &Simulation, config: &Config, head: Option<&Units>) -> Self {
        let (groom, per) = (sim.groom(), sim.strand_particles() as u32);
        let mut strands = Self::for_file(groom, config, head, Some(per));
        let mut particles = Vec::new();
        sim.write_shape(&mut particles);
        if head.is_some() {
            let head_from_world = sim.drawn_pose().to_mat4().inverse();
            for particle in &mut particles {
                let [x, y, z, _] = *particle;
                let place = head_from_world.transform_point3(Vec3::new(x, y, z));
                *particle = place.extend(0.0).into();
            }
        }
        particles_to_file(&mut strands.points, &particles, head);
        strands
    }
}

/// Sets the points of strands to particles, `[x, y, z, _]`, from head space or, without a head, as they
/// are.
pub fn particles_to_file(points: &mut [[f32; 3]], particles: &[[f32; 4]], head: Option<&Units>) {
    for (point, &[x, y, z, _]) in points.iter_mut().zip(particles) {
        *point = [x, y, z];
    }
    to_file(points, head);
}

/// Moves points from head space to that of the file of the head.
fn to_file(points: &mut [[f32; 3]], head: Option<&Units>) {
    if let Some(units) = head {
        for point in points {
            *point = units.native_from_head((*point).into()).into();
        }
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
