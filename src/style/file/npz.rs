//! Edits as NumPy arrays, for `numpy.load("edits.npz")`.
//!
//! ```text
//! roots_of [n], roots [n, 3]     follicles with edits, and their positions
//! planted_of [n], planted [n]    follicles with hair planted (1) or removed (0)
//! selection [n]                  how much hair is selected, by follicle; missing: all of it is
//! own_roots [n, 3]               the roots of hair from a file of strands; missing: they are sampled
//! strands_16 [n], grown_16 [n], points_16 [n, 16, 3]   curves of 16 points; other counts likewise
//! ```

use super::archive::zipped;
use crate::groom::RestCurves;
use crate::head::{Budget, MAX_COORDINATE};
use crate::npy::{Npy, Number};
use crate::roots::MAX_STRANDS;
use crate::style::{Curve, Edits, Selection};
use crate::zip_file::{open_zip, read_entry, take};
use glam::Vec3;
use npyz::{Serialize, WriteOptions, WriterBuilder};
use std::collections::BTreeMap;
use std::io::{self, Cursor};
use zip::ZipArchive;

/// Largest array, bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Bytes of memory for each byte of an array: it, its values, and the edits that are made of them
/// with the places in their lists.
pub(super) const MEMORY: usize = 5;
/// Upper bound of the numbers of follicles: on painted skin, then as many on bald skin.
const MAX_FOLLICLES: u32 = 4 * MAX_STRANDS;

/// Writes edits and the roots of their strands.
pub(super) fn write(
    edits: &Edits,
    roots: &BTreeMap<u32, Vec3>,
    is_plain: bool,
) -> io::Result<Vec<u8>> {
    let positions = roots.values().flat_map(Vec3::to_array);
    let planted = edits.planted.values().map(|&planted| u8::from(planted));
    let mut files = vec![
        array("roots_of", &[], roots.keys().copied())?,
        array("roots", &[3], positions)?,
        array("planted_of", &[], edits.planted.keys().copied())?,
        array("planted", &[], planted)?,
    ];
    if !edits.selection.is_all() {
        let values = edits.selection.values().iter().copied();
        files.push(array("selection", &[], values)?);
        let rest = std::iter::once(edits.selection.rest());
        files.push(array("selection_rest", &[], rest)?);
    }
    if let Some(own) = &edits.roots {
        files.push(array(
            "own_roots",
            &[3],
            own.iter().flat_map(Vec3::to_array),
        )?);
    }
    let mut by_points: BTreeMap<usize, Vec<(u32, &Curve)>> = BTreeMap::new();
    for (&strand, curve) in &edits.curves {
        let curves = by_points.entry(curve.points.len()).or_default();
        curves.push((strand, curve));
    }
    for (per, curves) in by_points {
        let strands = curves.iter().map(|(strand, _)| *strand);
        let grown = curves.iter().map(|(_, curve)| curve.grown);
        let points = curves.iter().flat_map(|(_, curve)| curve.points.iter());
        let points = points.flat_map(|point| point.to_array());
        files.extend([
            array(&format!("strands_{per}"), &[], strands)?,
            array(&format!("grown_{per}"), &[], grown)?,
            array(&format!("points_{per}"), &[per as u64, 3], points)?,
        ]);
    }
    zipped(&files, is_plain)
}

/// Returns a file of an array whose rows have this shape, with its name.
fn array<T: npyz::AutoSerialize + Serialize>(
    name: &str,
    row: &[u64],
    values: impl Iterator<Item = T>,
) -> io::Result<(String, Vec<u8>)> {
    let values: Vec<T> = values.collect();
    let rows = values.len() as u64 / row.iter().product::<u64>().max(1);
    let shape = [&[rows], row].concat();
    let mut bytes = Vec::new();
    let mut writer = WriteOptions::<T>::new()
        .default_dtype()
        .shape(&shape)
        .writer(&mut bytes)
        .begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    Ok((format!("{name}.npy"), bytes))
}

/// Reads edits and the roots of their strands.
///
/// # Errors
///
/// What is wrong, to follow the name of the file.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<(Edits, BTreeMap<u32, Vec3>), String> {
    let zip = open_zip(bytes).map_err(|error| format!("is damaged: {error}"))?;
    let mut arrays = Arrays { zip, budget };
    let mut edits = Edits::default();
    let numbers = arrays.numbers("roots_of")?;
    let places: Vec<f32> = arrays.values("roots", Some(numbers.len()), &[3])?;
    check_near("places", "roots", &places)?;
    let places = places.chunks_exact(3).map(Vec3::from_slice);
    let roots = numbers.into_iter().zip(places).collect();
    let numbers = arrays.numbers("planted_of")?;
    let planted: Vec<u8> = arrays.values("planted", Some(numbers.len()), &[])?;
    let planted = planted.into_iter().map(|planted| planted != 0);
    edits.planted = numbers.into_iter().zip(planted).collect();
    if arrays.has("selection") {
        let values: Vec<f32> = arrays.values("selection", None, &[])?;
        let rest = match arrays.has("selection_rest") {
            true => arrays.values("selection_rest", Some(1), &[])?,
            false => vec![0.0],
        };
        let mut shares = values.iter().chain(&rest);
        let are_shares = shares.all(|share: &f32| (0.0..=1.0).contains(share));
        if !are_shares || values.len() >= MAX_FOLLICLES as usize {
            return Err("has values in selection that are not 0 to 1, or too many".to_owned());
        }
        edits.selection = Selection::new(values, rest[0]);
    }
    if arrays.has("own_roots") {
        let places: Vec<f32> = arrays.values("own_roots", None, &[3])?;
        check_near("places", "own_roots", &places)?;
        if places.is_empty() || places.len() / 3 > MAX_STRANDS as usize {
            return Err(format!("has no own_roots, or more than {MAX_STRANDS}"));
        }
        edits.roots = Some(places.chunks_exact(3).map(Vec3::from_slice).collect());
    }
    for per in 2..=RestCurves::MOST_POINTS {
        // Any of the three arrays will do: that others are missing is an error.
        let has = |kind: &str| arrays.has(&format!("{kind}_{per}"));
        if !["strands", "grown", "points"].into_iter().any(has) {
            continue;
        }
        let strands = arrays.numbers(&format!("strands_{per}"))?;
        let count = Some(strands.len());
        let grown: Vec<f32> = arrays.values(&format!("grown_{per}"), count, &[])?;
        let name = format!("points_{per}");
        let points: Vec<f32> = arrays.values(&name, count, &[per as u64, 3])?;
        if !grown.iter().all(|x| (1e-3..=MAX_COORDINATE).contains(x)) {
            return Err(format!("has lengths in grown_{per} that no hair has"));
        }
        check_near("points", &name, &points)?;
        let curves = points.chunks_exact(3 * per).zip(grown);
        for (strand, (points, grown)) in strands.into_iter().zip(curves) {
            let points: Vec<Vec3> = points.chunks_exact(3).map(Vec3::from_slice).collect();
            if points[0] != Vec3::ZERO {
                return Err(format!("has strands in {name} that do not begin at 0"));
            }
            let points = points.into();
            edits.curves.insert(strand, Curve { points, grown });
        }
    }
    Ok((edits, roots))
}

/// Checks that coordinates are finite, and not far away.
fn check_near(what: &str, name: &str, coordinates: &[f32]) -> Result<(), String> {
    match coordinates.iter().all(|x| x.abs() <= MAX_COORDINATE) {
        true => Ok(()),
        false => Err(format!(
            "has {what} in {name} that are not finite, or far away"
        )),
    }
}

/// The arrays of a `.npz` file.
struct Arrays<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    budget: &'a Budget,
}

impl Arrays<'_> {
    fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// Reads numbers of follicles, which must increase.
    fn numbers(&mut self, name: &str) -> Result<Vec<u32>, String> {
        let numbers: Vec<u32> = self.values(name, None, &[])?;
        let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        match rising && numbers.last().is_none_or(|&last| last < MAX_FOLLICLES) {
            true => Ok(numbers),
            false => Err(format!(
                "has numbers in {name} that are out of order, or no strand has"
            )),
        }
    }

    /// Reads an array with rows of this shape: `rows` of them, or any number. The file must have
    /// all of its bytes.
    fn values<T: Number>(
        &mut self,
        name: &str,
        rows: Option<usize>,
        row: &[u64],
    ) -> Result<Vec<T>, String> {
        if !self.has(name) {
            return Err(format!("has no array {name}"));
        }
        let bytes = read_entry(
            &mut self.zip,
            &format!("{name}.npy"),
            MAX_BYTES,
            self.budget,
        );
        let bytes = bytes.map_err(|problem| format!("has an array {name} that {problem}"))?;
        let wrong = |error| format!("has an array {name} that is wrong: {error}");
        let array = Npy::parse(&bytes).map_err(wrong)?;
        let found = array.shape();
        let first = found.first().copied().unwrap_or(0);
        let shape = [&[rows.map_or(first, |rows| rows as u64)], row].concat();
        if found != shape {
            return Err(format!(
                "has an array {name} of shape {found:?} instead of {shape:?}"
            ));
        }
        // The values, and the edits that are made of them.
        let kept = (MEMORY as u64 - 1) * bytes.len() as u64;
        take(self.budget, kept).map_err(|problem| format!("has an array {name} that {problem}"))?;
        let values = array.values().map_err(wrong);
        drop(bytes);
        values
    }
}
