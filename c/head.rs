//! Heads.

use crate::error::{Failure, MohawkStatus, guarded};
use crate::input::{self, create, existing, free, go_on, some_text, text, write};
use crate::roots::MohawkRoots;
use mohawk::embed::OpenHead;
use mohawk::head::Model;
use mohawk::presets::Preset;
use std::ffi::{CString, c_char};
use std::ptr;

/// A head.
pub struct MohawkHead {
    pub(crate) open: OpenHead,
    warnings: CString,
}

impl MohawkHead {
    unsafe fn read(model: Model, list: *const *const c_char) -> Result<Self, Failure> {
        // SAFETY: as the caller of `mohawk_head_open` promises.
        let open = OpenHead::read(model, &unsafe { input::settings(list) }?)?;
        let warnings = open.head().warnings.join("\n").replace('\0', "");
        Ok(Self {
            open,
            warnings: CString::new(warnings).unwrap_or_default(),
        })
    }
}

/// Reads a head from a file of any format, or the head that comes with the library if the path is NULL.
/// Settings are those of `head`. Free it with `mohawk_head_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_open(
    path: *const c_char,
    settings: *const *const c_char,
    head: *mut *mut MohawkHead,
) -> MohawkStatus {
    let make = || {
        // SAFETY: the caller gives null or text.
        let path = unsafe { text("path", path) }?;
        let model = path.map_or_else(Model::default, |path| Model::File(path.into()));
        // SAFETY: the caller gives null or a list of texts.
        unsafe { MohawkHead::read(model, settings) }
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(head, make) }
}

/// Reads the model that a preset is made for. Free it with `mohawk_head_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_of_preset(
    preset: *const c_char,
    settings: *const *const c_char,
    head: *mut *mut MohawkHead,
) -> MohawkStatus {
    let make = || {
        // SAFETY: the caller gives text.
        let preset = Preset::find(unsafe { some_text("preset", preset) }?);
        let model = preset.map_err(Failure::of_error)?.model();
        // SAFETY: the caller gives null or a list of texts.
        unsafe { MohawkHead::read(model.map_err(Failure::of_error)?, settings) }
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(head, make) }
}

/// Returns problems that did not stop the load, a line each. The text is valid until the handle is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_warnings(head: *const MohawkHead) -> *const c_char {
    // SAFETY: the caller gives null or a handle.
    unsafe { head.as_ref() }.map_or(ptr::null(), |head| head.warnings.as_ptr())
}

/// Writes the matrix to head space, decimetres, from the file in the units and axes of
/// `mohawk_hair_save`: 16 numbers, column by column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_from_file(
    head: *const MohawkHead,
    matrix: *mut f32,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let units = unsafe { existing("head", head) }?.open.head().units;
        let numbers = units.native_matrix().as_mat4().to_cols_array();
        // SAFETY: the caller gives an array of 16 numbers.
        unsafe { write("matrix", matrix, &numbers) }
    })
}

/// Spreads points over the painted skin, decimetres, with settings of `roots`. Free them with
/// `mohawk_roots_free`. Their faces count the triangles of the painted skin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_roots(
    head: *const MohawkHead,
    settings: *const *const c_char,
    roots: *mut *mut MohawkRoots,
) -> MohawkStatus {
    let make = || {
        // SAFETY: the caller gives null or a handle.
        let head = unsafe { existing("head", head) }?;
        // SAFETY: the caller gives null or a list of texts.
        let settings = unsafe { input::settings(settings) }?;
        let roots = head.open.roots(&settings, &mut go_on)?;
        let faces = roots.points.iter().map(|point| point.triangle).collect();
        Ok(MohawkRoots::new(roots, faces))
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(roots, make) }
}

/// Frees a head. NULL is ignored. Its hair keeps what it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_head_free(head: *mut MohawkHead) {
    // SAFETY: the caller gives null or a handle that it uses no more.
    unsafe { free(head) }
}
