//! Hair in motion.

use crate::error::{Failure, MohawkStatus, guarded};
use crate::hair::MohawkHair;
use crate::input::{self, create, existing, existing_mut, free, go_on, some_text, text, write};
use mohawk::embed::Motion;
use mohawk::scene_file::SceneSetup;
use mohawk::strands::Form;
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::path::Path;
use std::ptr;

/// Hair in motion, in steps of 1/240 s.
pub struct MohawkMotion {
    motion: Motion,
    /// The drawn points.
    points: Vec<[f32; 4]>,
    is_written: bool,
}

/// Takes a frame: four numbers for each point of each strand, x, y, z and 0, and whatever was given to
/// `mohawk_motion_play`. Anything but 0 ends the work.
pub type MohawkFrame = Option<extern "C" fn(positions: *const f32, data: *mut c_void) -> c_int>;

/// Begins a simulation at rest. The scene is a name, the path of a scene file .toml, or NULL: the head
/// moves only where poses say so. Settings are those of `sim`, such as "sim.solver=ftl". Without hair
/// (NULL), a scene brings its own, or hair grows on the head that comes with the library; settings may
/// then be of `head`, `roots` and `groom` too. Free it with `mohawk_motion_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_new(
    hair: *const MohawkHair,
    scene: *const c_char,
    settings: *const *const c_char,
    motion: *mut *mut MohawkMotion,
) -> MohawkStatus {
    let make = || {
        // SAFETY: the caller gives null or text.
        let scene = unsafe { text("scene", scene) }?.map(SceneSetup::open);
        let scene = scene.transpose().map_err(Failure::of_error)?;
        // SAFETY: the caller gives null or a list of texts.
        let settings = unsafe { input::settings(settings) }?;
        // SAFETY: the caller gives null or a handle.
        let motion = match (unsafe { hair.as_ref() }, scene) {
            (Some(hair), scene) => Motion::new(&hair.hair, scene, &settings)?,
            (None, Some(scene)) => Motion::of_scene(scene, &settings, &mut go_on)?,
            (None, None) => return Err(Failure::of_argument("hair and scene: both are NULL")),
        };
        Ok(MohawkMotion {
            motion,
            points: Vec::new(),
            is_written: false,
        })
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { create(motion, make) }
}

/// Changes a motion, under a pose or without one.
unsafe fn change(
    handle: *mut MohawkMotion,
    change: impl FnOnce(&mut Motion) -> Result<(), Failure>,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle that only this call uses.
        let handle = unsafe { existing_mut("motion", handle) }?;
        handle.is_written = false;
        change(&mut handle.motion)
    })
}

/// Takes one step, at whose end the head is at a pose: a matrix of 16 numbers, column by column. If it is
/// NULL, the head moves as the scene says, or stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_step(
    motion: *mut MohawkMotion,
    pose: *const f32,
) -> MohawkStatus {
    // SAFETY: the caller gives a handle, and null or a matrix.
    unsafe {
        change(motion, |motion| {
            motion.step(input::pose(pose)?);
            Ok(())
        })
    }
}

/// Advances by seconds, 0 to 60, at whose end the head is at a pose: it turns and moves evenly. Time that
/// is no whole step waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_advance(
    motion: *mut MohawkMotion,
    seconds: f64,
    pose: *const f32,
) -> MohawkStatus {
    // SAFETY: the caller gives a handle, and null or a matrix.
    unsafe {
        change(motion, |motion| {
            let pose = input::pose(pose)?;
            Ok(motion.advance(seconds, pose, &mut go_on)?)
        })
    }
}

/// Plays frames of the scene, of which the first is the present, and hands each to a function, which
/// must not use the simulation. `fps` is 0.1 to 1000 a second.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_play(
    motion: *mut MohawkMotion,
    frames: u32,
    fps: f64,
    take: MohawkFrame,
    data: *mut c_void,
) -> MohawkStatus {
    let play = |motion: &mut Motion| {
        let take = take.ok_or_else(|| Failure::of_argument("take: it is NULL"))?;
        let ended = Cell::new(false);
        let mut take = |points: &[[f32; 4]]| {
            if !ended.get() {
                ended.set(take(points.as_ptr().cast(), data) != 0);
            }
        };
        let mut go_on = |_| match ended.get() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        Ok(motion.play(frames, fps, &mut take, &mut go_on)?)
    };
    // SAFETY: the caller gives null or a handle.
    unsafe { change(motion, play) }
}

/// Puts all strands to rest under a pose, or that of the start if it is NULL, at time 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_reset(
    motion: *mut MohawkMotion,
    pose: *const f32,
) -> MohawkStatus {
    // SAFETY: the caller gives a handle, and null or a matrix.
    unsafe {
        change(motion, |motion| {
            motion.reset(input::pose(pose)?);
            Ok(())
        })
    }
}

/// Changes settings of `sim`, also the solver. The motion goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_set(
    motion: *mut MohawkMotion,
    settings: *const *const c_char,
) -> MohawkStatus {
    // SAFETY: the caller gives a handle, and null or a list of texts.
    unsafe {
        change(
            motion,
            |motion| Ok(motion.set(&input::settings(settings)?)?),
        )
    }
}

/// Returns the number of strands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_strands(motion: *const MohawkMotion) -> usize {
    // SAFETY: the caller gives null or a handle.
    unsafe { motion.as_ref() }.map_or(0, |handle| handle.motion.simulation().strand_count())
}

/// Returns the number of points of each strand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_points_per_strand(motion: *const MohawkMotion) -> usize {
    // SAFETY: the caller gives null or a handle.
    unsafe { motion.as_ref() }.map_or(0, |handle| handle.motion.simulation().strand_particles())
}

/// Returns four numbers for each point of each strand, root first: x, y, z, world space, decimetres, and
/// 0. They lie between the last two steps, up to 1/240 s before `mohawk_motion_time`, on a head under
/// `mohawk_motion_pose`. They are valid until another function changes or frees the simulation. NULL is an
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_positions(motion: *mut MohawkMotion) -> *const f32 {
    let mut positions = ptr::null();
    guarded(|| {
        // SAFETY: the caller gives null or a handle that only this call uses.
        let handle = unsafe { existing_mut("motion", motion) }?;
        if !handle.is_written {
            handle.motion.simulation().write_shape(&mut handle.points);
            handle.is_written = true;
        }
        positions = handle.points.as_ptr().cast();
        Ok(())
    });
    positions
}

/// Writes the pose that the positions are under: a matrix of 16 numbers, column by column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_pose(
    motion: *const MohawkMotion,
    matrix: *mut f32,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let handle = unsafe { existing("motion", motion) }?;
        let pose = handle.motion.simulation().drawn_pose().to_mat4();
        // SAFETY: the caller gives an array of 16 numbers.
        unsafe { write("matrix", matrix, &pose.to_cols_array()) }
    })
}

/// Returns the simulated time, seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_time(motion: *const MohawkMotion) -> f64 {
    // SAFETY: the caller gives null or a handle.
    unsafe { motion.as_ref() }.map_or(0.0, |handle| handle.motion.simulation().time_secs())
}

/// Writes the strands of `mohawk_motion_positions` to a file, as `mohawk_hair_save` does: on the head as it
/// is in its file, however it is turned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_save(
    motion: *const MohawkMotion,
    path: *const c_char,
) -> MohawkStatus {
    guarded(|| {
        // SAFETY: the caller gives null or a handle.
        let handle = unsafe { existing("motion", motion) }?;
        // SAFETY: the caller gives text.
        let path = Path::new(unsafe { some_text("path", path) }?);
        let saved = handle.motion.strands().save(path, Form::default(), None);
        saved.map_err(Failure::of_error)
    })
}

/// Frees a simulation. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_motion_free(motion: *mut MohawkMotion) {
    // SAFETY: the caller gives null or a handle that it uses no more.
    unsafe { free(motion) }
}
