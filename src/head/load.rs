//! Reading a head: from a file, from memory or from the program to primitives in file space, the
//! scalp among them, and everything moved to head space.

use super::contents::Contents;
use super::convert::to_gltf;
use super::error::LoadErrorKind::{self, Unreadable};
use super::error::{LoadError, Result, Warnings};
use super::extent::{self, HeadBox, bounds};
use super::gltf::buffers::Buffers;
use super::gltf::uri::read_limited;
use super::limits::Limits;
use super::mask::Mask;
use super::material::Materials;
use super::mesh::paint::{PaintColor, PaintSearch, scalp_triangles};
use super::mesh::pose::Skins;
use super::mesh::{PlacedPart, nodes};
use super::model::{Extent, Model};
use super::place::place_parts;
use super::rig::{AtRest, Rig};
use super::scalp_part;
use super::settings::HeadSettings;
use super::units::Units;
use super::whole::Head;
use crate::files::{disk as fs, is_file, read_plain};
use crate::told::short;
use glam::{DMat4, DQuat};
use std::borrow::Cow;
use std::f64::consts::PI;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The height of the scalp part in decimetres, neck included.
///
/// The shipped head is 2.7383 high, so its scale is 1.0006.
pub const STANDARD_HEIGHT: f64 = 2.74;

impl Head {
    /// Reads a `.glb` or `.gltf` file with the buffers and images it names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is invalid; the text names the file, the element in it and
    /// what to do. Broken textures are only warnings.
    pub fn load(path: &Path, settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        Model::File(path.to_owned()).load(settings)
    }

    /// Reads a self-contained file from memory; `name` is used in messages.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::load`]; buffers in other files are an error too.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        settings: &HeadSettings,
    ) -> std::result::Result<Head, LoadError> {
        assemble(name, bytes, None, settings, &mut || ()).map_err(LoadError::of(name))
    }

    /// Returns the head that ships with the program.
    ///
    /// # Errors
    ///
    /// Settings that are out of range.
    pub fn shipped(settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        Model::default().load(settings)
    }
}

impl Model {
    /// Reads the head.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::load`].
    pub fn load(&self, settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        self.load_in_parts(settings, &mut || ())
    }

    /// Reads the head. `between` is called between parts of the work that take long.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::load`].
    pub fn load_in_parts(
        &self,
        settings: &HeadSettings,
        between: &mut dyn FnMut(),
    ) -> std::result::Result<Head, LoadError> {
        self.bytes(&settings.limits)
            .and_then(|bytes| assemble(&self.name(), &bytes, Some(self), settings, between))
            .map_err(LoadError::of(self.name()))
    }

    /// Returns the name of the file in messages.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Model::Shipped(model) => model.file_name().into(),
            Model::File(path) => path.to_string_lossy(),
            Model::Embedded(_) => "model.glb".into(),
        }
    }

    /// Returns the model with the content of its file; `None` if that is no `.glb`, or needs other
    /// files.
    ///
    /// # Errors
    ///
    /// The file is larger than `max` bytes, or cannot be read.
    pub fn embedded(self, settings: &HeadSettings, max: u64) -> io::Result<Option<Model>> {
        let Model::File(path) = &self else {
            return Ok(Some(self));
        };
        let bytes = read_plain(path, max)?;
        let is_whole = |head: Head| !head.files.iter().skip(1).any(|file| is_file(file));
        let is_alone = bytes.starts_with(b"glTF") && self.load(settings).is_ok_and(is_whole);
        Ok(is_alone.then(|| Model::Embedded(Arc::from(bytes))))
    }

    /// Returns `true` if two models are the same file, or self-contained files of the same content.
    pub fn is_same(&self, other: &Model) -> bool {
        let whole = |path: &Path| fs::canonicalize(path).ok();
        match (self, other) {
            _ if self == other => true,
            (Model::File(a), Model::File(b)) if whole(a).is_some_and(|a| whole(b) == Some(a)) => {
                true
            }
            _ => (self.whole_content(other)).is_some_and(|a| other.whole_content(self) == Some(a)),
        }
    }

    /// Returns the content of a file that needs no others, if it may be that of `other`.
    fn whole_content(&self, other: &Model) -> Option<Cow<'_, [u8]>> {
        let Model::File(path) = self else {
            return self.bytes(&Limits::default()).ok();
        };
        let is_glb = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("glb"));
        let as_large = match other {
            Model::File(other) => fs::metadata(other).ok()?.len(),
            _ => other.bytes(&Limits::default()).ok()?.len() as u64,
        };
        (is_glb && fs::metadata(path).ok()?.len() == as_large)
            .then(|| self.bytes(&Limits::default()).ok())?
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Model::File(path) => Some(path),
            _ => None,
        }
    }

    pub(super) fn bytes(&self, limits: &Limits) -> Result<Cow<'_, [u8]>> {
        match self {
            Model::Shipped(model) => Ok(model.bytes().into()),
            Model::File(path) => read_file(path, limits).map(Cow::Owned),
            Model::Embedded(bytes) => Ok(bytes[..].into()),
        }
    }
}

/// Reads a plain file within the limit on its size.
fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let fail = |problem: &dyn ToString, advice| Err(Unreadable(problem.to_string(), advice));
    let bytes = match fs::metadata(path) {
        Err(error) => return fail(&error, "Check the path."),
        Ok(meta) if meta.is_dir() => {
            return fail(
                &"it is a directory",
                "Name the file of the head in it, for instance a .glb.",
            );
        }
        Ok(meta) if !meta.is_file() => {
            return fail(
                &"it is not a plain file",
                "Name the file of a head, for instance a .glb.",
            );
        }
        Ok(_) => read_limited(path, u64::MAX, 0, limits),
    };
    bytes.or_else(|error| fail(&error, "Check that it may be read, and its size."))
}

/// Returns the head from the bytes of `file`; URIs are relative to `model`.
fn assemble(
    file: &str,
    bytes: &[u8],
    model: Option<&Model>,
    settings: &HeadSettings,
    between: &mut dyn FnMut(),
) -> Result<Head> {
    let paint = PaintSearch {
        rule: settings.paint,
        color: PaintColor::new(settings.paint_color)?,
    };
    if let Some(scale) = settings.scale
        && !(scale.is_finite() && scale > 0.0)
    {
        let problem = format!("{scale} is not a positive number of decimetres per file unit");
        let name = "scale";
        return Err(LoadErrorKind::Setting { name, problem });
    }
    let mut warnings = Warnings::default();
    let mut gltf = to_gltf(bytes.into(), model, &settings.limits, &mut warnings)?;
    let buffers = Buffers::open(&gltf.bytes, model, gltf.budget)?;

    let document = &buffers.document;
    let ahead = match document.vrm.looks_back() {
        true => DQuat::from_rotation_y(PI),
        false => DQuat::IDENTITY,
    };
    let turn = settings.turn() * ahead;
    let file_from_scene = DMat4::from_quat(turn);
    let shown = nodes::shown(&buffers.document, &buffers.budget, file_from_scene)?;
    let mask = Mask::of(&settings.mask, &buffers, &shown, &mut warnings);
    let scalp_by = (paint, mask.as_ref());
    let mut skins = Skins::default();
    let (mut placed, limbs) = place_parts(
        &buffers,
        &shown,
        scalp_by,
        &settings.hide,
        &mut skins,
        &mut warnings,
    )?;
    let unmasked = mask.as_ref().map(Mask::problem);
    let scalp = scalp_part::find(&placed, unmasked, &mut warnings);
    if let Some(mask) = mask {
        mask.give_back(&buffers.budget);
    }
    scalp_part::tell_of_hair(&placed, scalp.map(|(part, _)| part), &mut warnings);
    let scalp_part = scalp.map(|(part, _)| part);
    let other_paint = scalp_part::other_paint(&placed, scalp_part);
    // The memory that `Scalp::of_head` and `Roots::sample` will take is reserved.
    if let Some(PlacedPart { part, place, .. }) = scalp_part.map(|part| &placed[part])
        && let Some(paint) = &part.paint
    {
        let triangles = scalp_triangles(paint, &part.triangles).count() as u64;
        let what = format_args!("{place}: the scalp");
        // Per triangle: two lists of corners, normals, areas; pieces and sums of the sampler; the
        // search for those that lie back to back.
        buffers.budget.take(triangles, 44 + 64 + 28, what)?;
        // Per vertex: two lists of numbers, which may move as they grow; positions, normals,
        // density.
        let vertices = paint.density.len() as u64;
        buffers.budget.take(vertices, 4 + 8 + 28, what)?;
    }
    let (low, high) = bounds(placed.iter());
    let of_scalp = scalp_part.map(|part| placed[part].node);
    let joints = shown.joints(&buffers.document, of_scalp);
    let of_head = extent::find(&placed, scalp_part, &joints, &mut warnings);
    let units = Units {
        native: gltf.native,
        ..units(&of_head, settings.scale, turn, &mut warnings)?
    };
    let mut materials = Materials::default();
    materials.between = Some(between);
    for placed in &mut placed {
        placed.part.material = materials.convert(&buffers, placed.material, &mut warnings);
        placed.move_to_head(&units, &buffers.budget, &mut warnings)?;
    }
    let parts: Vec<_> = placed.into_iter().map(|placed| placed.part).collect();
    materials.close(&parts);
    let mut contents = Contents::of(
        document,
        &shown,
        &parts,
        &materials.materials,
        &mut warnings,
    );
    contents.other_paint = other_paint;
    let stem = Path::new(file).file_stem().unwrap_or(file.as_ref());
    let mut head = Head {
        name: stem.to_string_lossy().into_owned(),
        licence: (document.vrm.licence())
            .or_else(|| document.copyright.clone())
            .map(|licence| short(&licence)),
        parts,
        materials: materials.materials,
        textures: materials.textures,
        scalp_part,
        units,
        extent: Extent {
            low,
            high,
            lowest: ((of_head.low.y - f64::from(units.centre.y)) * f64::from(units.scale)) as f32,
            head: of_head.high - of_head.low,
            measured: of_head.what,
            scalp_area: scalp.map_or(0.0, |(_, area)| area),
        },
        rig: None,
        contents,
        warnings: Vec::new(),
        files: buffers.folder.looked_at(model.and_then(Model::path)),
    };
    head.files.append(&mut gltf.libraries);
    if !limbs.is_empty() {
        let rig = Rig::new(
            &buffers,
            &shown,
            limbs,
            skins,
            &AtRest {
                parts: &head.parts,
                units: &head.units,
                scalp_part: head.scalp_part,
                lowest: head.extent.lowest,
            },
            &mut warnings,
        )?;
        head.rig = rig.map(Arc::new);
    }
    head.warnings = warnings.finish();
    Ok(head)
}

/// Returns the map to head space: the head is centred and scaled to [`STANDARD_HEIGHT`].
fn units(
    of_head: &HeadBox,
    scale: Option<f32>,
    turn: DQuat,
    warnings: &mut Warnings,
) -> Result<Units> {
    let HeadBox { low, high, what } = of_head;
    let size = *high - *low;
    let fail = |problem: String| {
        let advice = "Check its scale and apply transforms before exporting, or set `scale`.";
        Err(LoadErrorKind::advised(what, problem, advice))
    };
    if !size.is_finite() {
        return fail(format!("its size, {size}, is not finite"));
    }
    let scale = match scale {
        Some(scale) => scale,
        None => {
            let mut height = size.y;
            if height <= size.max_element() * 1e-6 {
                height = size.max_element();
                warnings.push("the head has no height; its largest side is taken instead");
            }
            if height <= 0.0 {
                return fail("all its corners are at one point".to_owned());
            }
            let scale = (STANDARD_HEIGHT / height) as f32;
            if !scale.is_finite() || scale < f32::MIN_POSITIVE {
                let problem = format!("it is {height:e} high, which cannot be scaled");
                return fail(problem);
            }
            scale
        }
    };
    // Rounded before it is used, so that the inverse map is exact.
    let centre = ((*low + *high) / 2.0).as_vec3();
    if !centre.is_finite() {
        return fail(format!("its centre, {centre}, is out of range"));
    }
    Ok(Units {
        turn,
        scale,
        centre,
        native: None,
    })
}
