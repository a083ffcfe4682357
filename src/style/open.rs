//! Opening a file as a style: a style that was saved, or strands of another program.

use super::file::{FileError, Saved};
use super::imported::Imported;
use crate::files::read_plain;
use crate::head::{HEAD_EXTENSIONS, HeadSettings, Kinds, Limits, Model, kinds};
use crate::roots::MAX_STRANDS;
use crate::sim::{GuideSettings, HeadCollider};
use crate::strands::{Format, StrandsError, StrandsErrorKind, StrandsFile};
use std::path::Path;
use std::sync::Arc;
use tracing::warn;

/// Returns `true` if a path is opened as a style: it names one, or a file of strands.
pub fn opens(path: &Path) -> bool {
    Saved::is_named(path) || is_hair(path)
}

/// Returns `true` if a path names a file of strands: by its extension or, where heads have that too,
/// by its content. Files of lines and surfaces are heads, and those of curves and surfaces hair with its
/// head.
pub fn is_hair(path: &Path) -> bool {
    let is_hair = |kinds: Kinds| kinds.curves || kinds.lines && !kinds.surfaces;
    hair_only(path) || Format::of_path(path).is_some() && kinds_of(path).is_some_and(is_hair)
}

/// Returns `true` if no head has the extension of a path, but files of strands have.
fn hair_only(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    hair_extensions().any(|hair| hair == extension)
}

/// Returns the kinds of geometry in a file that may be a head; `None` if it cannot be read.
fn kinds_of(path: &Path) -> Option<Kinds> {
    let limits = Limits::default();
    let bytes = read_plain(path, limits.file_bytes).ok()?;
    kinds(&bytes, &limits).ok()
}

/// Returns the extensions of files of strands that heads do not have.
pub fn hair_extensions() -> impl Iterator<Item = &'static str> {
    let all = Format::ALL
        .into_iter()
        .flat_map(|format| format.extensions());
    all.copied()
        .filter(|extension| !HEAD_EXTENSIONS.contains(extension))
}

/// Reads a style, or a file of strands, which are on the head that ships with the program if they lie
/// on it, or else free. `limits` are those on files of strands.
///
/// # Errors
///
/// The errors of [`Saved::open`] and [`open_hair`].
pub fn open_within(path: &Path, limits: &Limits) -> Result<Saved, FileError> {
    match is_hair(path) {
        true => Ok(open_hair(path, &[], limits)?),
        false => Saved::open(path),
    }
}

/// Reads a file of strands as a style: on its own surfaces, on the first of `heads`, read with these
/// settings, or on the head that ships with the program if they lie there, or else without a head. Warns
/// of what is left out.
///
/// # Errors
///
/// The file cannot be read, or has more than [`MAX_STRANDS`] strands.
pub fn open_hair(
    path: &Path,
    heads: &[(Model, HeadSettings)],
    limits: &Limits,
) -> Result<Saved, StrandsError> {
    let mut saved = Saved::default();
    let config = &mut saved.style.config;
    let (file, (strands, mut notes)) = StrandsFile::open(path, limits)?;
    if file.frames > 1 {
        notes.push(format!(
            "of its {} frames the first is opened; the solver moves the hair",
            file.frames
        ));
    }
    drop(file);
    notes
        .iter()
        .for_each(|note| warn!("{}: {note}", path.display()));
    let count = strands.len();
    let first = strands.points.first();
    let problem = if count > MAX_STRANDS as usize {
        Some(format!(
            "it has {count} strands; at most {MAX_STRANDS} can be shown"
        ))
    } else if strands.points.iter().all(|point| Some(point) == first) {
        Some("its strands have no length: all points are at one place".to_owned())
    } else {
        None
    };
    if let Some(problem) = problem {
        let file = path.display().to_string();
        let kind = StrandsErrorKind::Unfit(problem);
        return Err(StrandsError { file, kind });
    }
    let guides = strands.guides.iter().filter(|guide| **guide).count();
    if guides > 0 {
        // The number of guides is the share of the strands, rounded up.
        let share = ((guides as f64 - 0.5) / count as f64) as f32;
        let range = GuideSettings::share.range();
        config.sim.guides.share = share.clamp(*range.start(), *range.end());
    }
    // The hair is drawn as it is in the file.
    (config.groom.stray, config.groom.frizz) = (0.0, 0.0);
    let imported = Imported::new(strands);
    let scale_on = |(model, settings): &(Model, HeadSettings)| {
        let head = model.load(settings).ok()?;
        let placement = imported.placement(&head)?;
        let scale = placement.scale * f64::from(head.units.scale);
        Some((model.clone(), settings.clone(), scale))
    };
    let is_own = !hair_only(path) && kinds_of(path).is_some_and(|kinds| kinds.surfaces);
    let own = is_own.then(|| {
        let settings = HeadSettings {
            limits: limits.clone(),
            ..HeadSettings::default()
        };
        (Model::File(path.to_owned()), settings)
    });
    let shipped = Default::default();
    let all = own.iter().chain(heads).chain([&shipped]);
    let scale = match all.into_iter().find_map(scale_on) {
        Some((model, settings, scale)) => {
            (saved.model, config.head) = (model, settings);
            scale
        }
        None => {
            let (model, scale) = imported.own_model();
            saved.model = model;
            config.head.scale = Some(scale as f32);
            config.sim.head_collider = HeadCollider::None;
            scale * imported.told().scale
        }
    };
    imported.set_look(&mut config.look.hair, scale as f32);
    saved.strands = Some(Arc::new(imported));
    Ok(saved)
}
