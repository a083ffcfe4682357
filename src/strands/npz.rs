//! NumPy arrays, for `numpy.load("strands.npz")`.
//!
//! ```text
//! counts [s]                the number of points of each strand
//! points [n, 3]             the points, or [frames, n, 3] of a motion
//! fps                       the frames per second of a motion
//! widths, opacities         one number, or [s], or [n]
//! colors                    [3], or [s, 3], or [n, 3], sRGB
//! root_uvs [s, 2]           texture coordinates of the skin, v up
//! guides [s]                1 for strands that others follow
//! up [3], unit_metres       the direction that is up, and the length of a unit
//! ```

use super::bytes::take_memory;
use super::{Moment, Motion, Strands, Values};
use crate::files::Output;
use crate::head::{Budget, Up};
use crate::npy::{Npy, Number};
use crate::zip_file::{open_zip, read_entry, stored_entry};
use glam::DVec3;
use npyz::{AutoSerialize, WriteOptions, WriterBuilder};
use std::io::{self, Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The largest array, bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Reads a file; of a motion, a frame.
pub fn read(bytes: &[u8], budget: &Budget, moment: &mut Moment) -> Result<Strands, String> {
    let zip = open_zip(bytes).map_err(|error| format!("it is damaged: {error}"))?;
    let mut arrays = Arrays { zip, bytes, budget };
    let [counts, points] = ["counts", "points"].map(|name| arrays.has(name));
    if !counts || !points {
        return Err("it has no arrays `counts` and `points`".to_owned());
    }
    let (_, counts) = arrays.values::<u32>("counts", u64::MAX)?;
    let (shape, points) = arrays.points(moment)?;
    let [count, 3] = shape[..] else {
        return Err("its array `points` is not [n, 3] or [frames, n, 3]".to_owned());
    };
    let strands = counts.len() as u64;
    let mut strands = Strands {
        widths: arrays
            .groups("widths", strands, count)?
            .map(|[width]| width),
        opacities: arrays
            .groups("opacities", strands, count)?
            .map(|[share]| share),
        colors: arrays.groups("colors", strands, count)?,
        counts,
        points,
        ..Strands::default()
    };
    if let Values::Strands(uvs) = arrays.groups("root_uvs", strands.len() as u64, count)? {
        strands.root_uvs = uvs;
    }
    if arrays.has("guides") {
        let (_, guides) = arrays.values::<u8>("guides", u64::MAX)?;
        strands.guides = guides.into_iter().map(|guide| guide != 0).collect();
    }
    if arrays.has("unit_metres") {
        let (_, unit) = arrays.values::<f64>("unit_metres", u64::MAX)?;
        let unit = unit.first().filter(|unit| unit.is_normal() && **unit > 0.0);
        let unit = unit.ok_or("its array `unit_metres` has no number above 0")?;
        strands.unit_metres = Some(*unit);
    }
    if arrays.has("up") {
        let (_, up) = arrays.values::<f64>("up", u64::MAX)?;
        let up = up.first_chunk().copied().map(DVec3::from);
        strands.up = Up::ALL
            .into_iter()
            .find(|axis| Some(axis.direction()) == up);
    }
    Ok(strands)
}

/// The arrays of a file.
struct Arrays<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    bytes: &'a [u8],
    budget: &'a Budget,
}

impl Arrays<'_> {
    fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// Reads an array of at most `most` numbers.
    fn values<T: Number>(&mut self, name: &str, most: u64) -> Result<(Vec<u64>, Vec<T>), String> {
        let file = format!("{name}.npy");
        let bytes = read_entry(&mut self.zip, &file, MAX_BYTES, self.budget);
        let bytes = bytes.map_err(|problem| format!("its array `{name}` {problem}"))?;
        let wrong = |error| format!("its array `{name}`: {error}");
        let array = Npy::parse(&bytes).map_err(wrong)?;
        take_memory(self.budget, bytes.len() as u64, 1)?;
        let shape = array.shape().to_vec();
        let values: Vec<T> = array.values().map_err(wrong)?;
        self.budget.give_back(bytes.len() as u64, 1);
        match values.len() as u64 <= most {
            true => Ok((shape, values)),
            false => Err(format!(
                "its array `{name}` has more numbers than strands or points"
            )),
        }
    }

    /// Reads the points, of a motion those of a frame.
    fn points(&mut self, moment: &mut Moment) -> Result<(Vec<u64>, Vec<[f32; 3]>), String> {
        // All frames were checked with the first.
        if moment.frame > 0
            && let Some(bytes) = stored_entry(&mut self.zip, "points.npy", self.bytes)
            && let Ok(array) = Npy::parse(bytes)
            && let [frames, count, 3] = *array.shape()
            && (moment.frame as u64) < frames
        {
            take_memory(self.budget, count, 24)?;
            let numbers = 3 * count as usize;
            let values = array.values_in::<f32>(moment.frame * numbers, numbers);
            let values = values.map_err(|error| format!("its array `points`: {error}"))?;
            return Ok((vec![count, 3], values.as_chunks().0.to_vec()));
        }
        let (mut shape, values) = self.values::<f32>("points", u64::MAX)?;
        let mut points = values.as_chunks().0;
        if let [frames, count, 3] = shape[..]
            && frames > 0
        {
            let fps = match self.has("fps") {
                true => self.values::<f64>("fps", 1)?.1.first().copied(),
                false => None,
            };
            let is_rate = |fps: &f64| fps.is_normal() && *fps > 0.0;
            moment.tell(frames as usize, fps.filter(is_rate).unwrap_or(24.0));
            let frame = moment.frame.min(frames as usize - 1);
            points = &points[frame * count as usize..][..count as usize];
            shape.remove(0);
        }
        Ok((shape, points.to_vec()))
    }

    /// Reads values for all, for each strand or for each point.
    fn groups<const N: usize>(
        &mut self,
        name: &str,
        strands: u64,
        points: u64,
    ) -> Result<Values<[f32; N]>, String> {
        if !self.has(name) {
            return Ok(Values::None);
        }
        let (shape, values) = self.values::<f32>(name, points.saturating_mul(N as u64))?;
        let groups = values.as_chunks().0;
        let row = if N == 1 { &[][..] } else { &[N as u64] };
        match groups {
            [all] if shape == row => Ok(Values::All(*all)),
            _ if shape == [&[strands], row].concat() => Ok(Values::Strands(groups.to_vec())),
            _ if shape == [&[points], row].concat() => Ok(Values::Points(groups.to_vec())),
            _ => Err(format!(
                "its array `{name}` has the shape {shape:?}, which is that of neither strands nor points"
            )),
        }
    }
}

/// Writes a file. Frames of a motion are written one after the other.
pub fn write(out: &mut dyn Output, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let mut zip = ZipWriter::new(out);
    if let Err(error) = fill(&mut zip, strands, motion) {
        // Dropped, it would print that it cannot be finished.
        std::mem::forget(zip);
        return Err(error);
    }
    zip.finish()?;
    Ok(())
}

/// Writes all arrays.
fn fill(zip: &mut Zip, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let (count, points) = (strands.len() as u64, strands.points.len() as u64);
    array(zip, "counts", &[count], strands.counts.iter().copied())?;
    match motion {
        None => {
            let numbers = strands.points.as_flattened().iter().copied();
            array(zip, "points", &[points, 3], numbers)?;
        }
        Some(motion) => {
            array(zip, "fps", &[], [motion.fps].into_iter())?;
            start(zip, "points", motion.frames as u64 * points * 12)?;
            let shape = [motion.frames as u64, points, 3];
            let options = WriteOptions::<f32>::new().default_dtype().shape(&shape);
            let mut writer = options.writer(&mut *zip).begin_nd()?;
            let mut frame = strands.points.clone();
            for nth in 0..motion.frames {
                (motion.frame)(nth, &mut frame)?;
                writer.extend(frame.as_flattened().iter().copied())?;
            }
            writer.finish()?;
        }
    }
    groups(zip, "widths", &strands.widths.clone().map(|width| [width]))?;
    groups(
        zip,
        "opacities",
        &strands.opacities.clone().map(|share| [share]),
    )?;
    groups(zip, "colors", &strands.colors)?;
    if !strands.root_uvs.is_empty() {
        let numbers = strands.root_uvs.as_flattened().iter().copied();
        array(zip, "root_uvs", &[count, 2], numbers)?;
    }
    if !strands.guides.is_empty() {
        let guides = strands.guides.iter().map(|&guide| u8::from(guide));
        array(zip, "guides", &[count], guides)?;
    }
    if let Some(up) = strands.up {
        array(zip, "up", &[3], up.direction().to_array().into_iter())?;
    }
    if let Some(unit) = strands.unit_metres {
        array(zip, "unit_metres", &[], [unit].into_iter())?;
    }
    Ok(())
}

type Zip<'a> = ZipWriter<&'a mut dyn Output>;

/// Begins an array of so many bytes.
fn start(zip: &mut Zip, name: &str, bytes: u64) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(bytes > u64::from(u32::MAX / 2));
    zip.start_file(format!("{name}.npy"), options)?;
    Ok(())
}

/// Writes an array.
fn array<T: AutoSerialize + npyz::Serialize>(
    zip: &mut Zip,
    name: &str,
    shape: &[u64],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let count: u64 = shape.iter().product();
    start(zip, name, count * size_of::<T>() as u64)?;
    let options = WriteOptions::<T>::new().default_dtype().shape(shape);
    let mut writer = options.writer(zip.by_ref()).begin_nd()?;
    writer.extend(values)?;
    writer.finish()
}

/// Writes values, unless there are none.
fn groups<const N: usize>(zip: &mut Zip, name: &str, values: &Values<[f32; N]>) -> io::Result<()> {
    let Some((is_many, groups)) = values.scoped([false, true, true]) else {
        return Ok(());
    };
    let rows = is_many.then_some(groups.len() as u64);
    let row = (N > 1).then_some(N as u64);
    let shape: Vec<u64> = rows.into_iter().chain(row).collect();
    array(zip, name, &shape, groups.as_flattened().iter().copied())
}
