//! Hair at rest.

use crate::error::{Failure, MohawkStatus, guarded};
use crate::head::MohawkHead;
use crate::input::{self, array, create, existing, free, go_on, some_text, text, write};
use crate::roots::first;
use glam::Vec3;
use mohawk::embed::{Hair, StyleSource};
use mohawk::strands::Form;
use std::ffi::c_char;
use std::path::Path;

/// Hair at rest.
pub struct MohawkHair {
    pub(crate) hair: Hair,
}

/// Grows hair on a head. The style is the name of a preset, the path of a .mohawk file, or NULL.
/// Settings are those of `roots`, `groom`, `sim`, `look` and `view`. Free it with `mohawk_hair_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_grow(
    head: *const MohawkHead,
    style: *const c_char,
    settings: *const *const c_char,
    hair: *mut *mut MohawkHair,
) -> MohawkStatus {
    let make = || {
        // SAFETY: the caller gives null or a handle.
        let head = unsafe { existing("head", head) }?;
        // SAFETY: the caller gives null or text.
        let style = match unsafe { text("style", style) }? {
            Some(path) if path.ends_with(".mohawk") => StyleSource::File(Path::new(path)),
            Some(preset) => StyleSource::Preset(preset),
            None => StyleSource::Default,
        };
        // SAFETY: the caller gives null or a list of texts.
        let settings = unsafe { input::settings(settings) }?;
        let hair = head.open.grow(style, &settings, &mut go_on)?;
        Ok(MohawkHair { hair })
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(hair, make) }
}

/// Takes strands in the air: three coordinates for each point of each strand, root first, decimetres.
/// Each strand has the same number of points, at least 2. Free it with `mohawk_hair_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_of_strands(
    points: *const f32,
    strands: usize,
    points_per_strand: usize,
    hair: *mut *mut MohawkHair,
) -> MohawkStatus {
    let make = || {
        if points_per_strand == 0 {
            let text = "points_per_strand: a strand has at least 2";
            return Err(Failure::of_argument(text));
        }
        let count = strands.saturating_mul(points_per_strand);
        // SAFETY: the caller gives three numbers for each point.
        let points = unsafe { array("points", points.cast::<[f32; 3]>(), count) }?;
        let strands = points.chunks(points_per_strand);
        let strands = strands.map(|strand| strand.iter().copied().map(Vec3::from).collect());
        let hair = Hair::curved(strands)?;
        Ok(MohawkHair { hair })
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(hair, make) }
}

/// Returns the number of strands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_count(hair: *const MohawkHair) -> usize {
    // SAFETY: the caller gives null or a handle.
    unsafe { hair.as_ref() }.map_or(0, |hair| hair.hair.groom.len())
}

/// Returns three coordinates for each root, head space, decimetres. They are valid until the handle is
/// freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_roots(hair: *const MohawkHair) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { hair.as_ref() }.map(|hair| &hair.hair.groom.roots[..]))
}

/// Returns the unit normal of the skin at each root, three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_normals(hair: *const MohawkHair) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { hair.as_ref() }.map(|hair| &hair.hair.groom.normals[..]))
}

/// Returns the length of each strand, decimetres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_lengths(hair: *const MohawkHair) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { hair.as_ref() }.map(|hair| &hair.hair.groom.lengths[..]))
}

/// Writes six numbers: the colour at roots and at tips, sRGB, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_colors(
    hair: *const MohawkHair,
    numbers: *mut f32,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let hair = unsafe { existing("hair", hair) }?;
        let colors = hair.hair.config.look.hair.colors();
        // SAFETY: the caller gives an array of six numbers.
        unsafe { write("numbers", numbers, &colors.concat()) }
    })
}

/// Writes points along each strand at rest, root first, head space, decimetres: three numbers for each
/// of `points_per_strand` points, 2 or more, of each strand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_points(
    hair: *const MohawkHair,
    points_per_strand: usize,
    numbers: *mut f32,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let groom = &unsafe { existing("hair", hair) }?.hair.groom;
        if !(2..=1 << 16).contains(&points_per_strand) {
            let text = format!("points_per_strand = {points_per_strand}: expected 2 to 65536");
            return Err(Failure::of_argument(text));
        }
        let mut strand = vec![Vec3::ZERO; points_per_strand];
        for number in 0..groom.len() {
            groom.write_rest(number, &mut strand);
            let flat: Vec<f32> = strand.iter().flat_map(Vec3::to_array).collect();
            let place = numbers.wrapping_add(number * flat.len());
            // SAFETY: the caller gives an array for all strands.
            unsafe { write("numbers", place, &flat) }?;
        }
        Ok(())
    })
}

/// Writes the hair at rest to a file in the format of its name: .abc, .usda, .usdc, .usdz, .glb, .hair,
/// .tfx, .data, .npz, .obj or .ply. Points are in the units and the place of the file of the head.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_save(
    hair: *const MohawkHair,
    path: *const c_char,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let hair = unsafe { existing("hair", hair) }?;
        // SAFETY: the caller gives text.
        let path = Path::new(unsafe { some_text("path", path) }?);
        let saved = hair.hair.strands().save(path, Form::default(), None);
        saved.map_err(Failure::of_error)
    })
}

/// Frees hair. NULL is ignored. Its simulations keep what they need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_hair_free(hair: *mut MohawkHair) {
    // SAFETY: the caller gives null or a handle that it uses no more.
    unsafe { free(hair) }
}
