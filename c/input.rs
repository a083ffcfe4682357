//! Arguments from C, and handles for it.

use crate::error::{Failure, MohawkStatus, guarded};
use glam::{DMat4, Mat4};
use mohawk::sim::Pose;
use std::ffi::{CStr, c_char};
use std::ops::ControlFlow;
use std::{ptr, slice};

/// Returns the thing behind a pointer that must not be null.
pub unsafe fn existing<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller gives null or a pointer that it may read.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Returns the thing behind a pointer that must not be null, to be changed.
pub unsafe fn existing_mut<'a, T>(name: &str, pointer: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller gives null or a pointer that only it uses.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

fn null(name: &str) -> Failure {
    Failure::of_argument(format!("{name}: it is NULL"))
}

/// Returns an array of so many things; null is an empty one.
pub unsafe fn array<'a, T>(name: &str, first: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(null(name));
    }
    if len > isize::MAX as usize / size_of::<T>() {
        let text = format!("{name}: {len} of them do not fit into memory");
        return Err(Failure::of_argument(text));
    }
    // SAFETY: the caller gives an array of this length, which is not null and fits into memory.
    Ok(unsafe { slice::from_raw_parts(first, len) })
}

/// Returns text; `None` for null.
pub unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller gives null or text that ends with NUL.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str();
    let text = text.map_err(|_| Failure::of_argument(format!("{name}: it is not UTF-8")))?;
    Ok(Some(text))
}

/// Returns text that must not be null.
pub unsafe fn some_text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: as the caller of this function promises.
    unsafe { text(name, pointer) }?.ok_or_else(|| null(name))
}

/// Returns settings from texts "key=value", of which the last is followed by null.
pub unsafe fn settings(list: *const *const c_char) -> Result<Vec<(String, String)>, Failure> {
    let mut settings = Vec::new();
    while !list.is_null() {
        // SAFETY: the caller gives null or an array that ends with null, and none before was null.
        let setting = unsafe { *list.add(settings.len()) };
        // SAFETY: the texts of the array end with NUL.
        let Some(setting) = (unsafe { text("settings", setting) })? else {
            break;
        };
        let split = setting
            .split_once('=')
            .ok_or_else(|| Failure::of_input(format!("settings: {setting:?}: expected key=value")));
        let (key, value) = split?;
        settings.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(settings)
}

/// Returns the pose of a matrix, column by column; `None` for null.
pub unsafe fn pose(matrix: *const f32) -> Result<Option<Pose>, Failure> {
    if matrix.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller gives null or 16 numbers.
    let numbers = unsafe { &*matrix.cast::<[f32; 16]>() };
    let matrix: DMat4 = Mat4::from_cols_array(numbers).as_dmat4();
    let pose = Pose::of_matrix(&matrix);
    pose.map(Some)
        .map_err(|error| Failure::of_argument(format!("pose: {error}")))
}

/// Writes numbers into an array of the caller.
pub unsafe fn write(name: &str, out: *mut f32, numbers: &[f32]) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller gives an array of its own of at least so many numbers.
    unsafe { ptr::copy_nonoverlapping(numbers.as_ptr(), out, numbers.len()) };
    Ok(())
}

/// Writes the handle of a new thing, or null if there is none.
pub unsafe fn create<T>(
    out: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a pointer that it may write.
        let out = unsafe { existing_mut("the place of the handle", out) }?;
        *out = ptr::null_mut();
        *out = Box::into_raw(Box::new(make()?));
        Ok(())
    })
}

/// Frees the thing of a handle. Null is nothing.
pub unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the handle is of `create`, and the caller frees it once.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Lets work go on to its end.
pub fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
