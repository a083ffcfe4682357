//! Formats of strand files: chosen by content or extension, what each keeps, and writing.

use super::{Form, Motion, Shape, Strands, Values};
use super::{alembic, data, gltf, hair, npz, obj, ply, tfx, usd};
use crate::files::{FileError, Output, write_whole_with};
use crate::head::{Up, is_usd};
use crate::srgb::linear_from_srgb;
use glam::{DQuat, DVec3};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// An error of reading or writing strands.
pub type StrandsError = FileError<StrandsErrorKind>;

/// A problem of a file of strands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StrandsErrorKind {
    /// The file cannot be read or is too large.
    #[error("cannot be read: {}", with_advice(.0, "Check the path"))]
    Unreadable(String),
    /// The format is not known.
    #[error(
        "is no file of strands that is known. Strands are read from and written to {}",
        Format::names()
    )]
    Unknown,
    /// The file contradicts itself, or has no strands.
    #[error("{}", with_advice(.0, "Export it again, or in another format"))]
    Broken(String),
    /// The strands do not fit the format.
    #[error("{0}")]
    Unfit(String),
    /// The file cannot be written.
    #[error("could not be written: {0}")]
    Unwritable(String),
}

/// Returns a problem with advice, unless it has its own.
fn with_advice(problem: &str, advice: &str) -> String {
    let problem = problem.trim_end_matches('.');
    let has_advice = problem.contains("xport it again") || problem.contains("--limit");
    match has_advice {
        true => problem.to_owned(),
        false => format!("{problem}. {advice}"),
    }
}

/// A format of strand files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Cem Yuksel's hair models.
    Hair,
    /// TressFX 4.
    Tfx,
    /// USC-HairSalon.
    Data,
    /// USD curves.
    Usd,
    /// Alembic curves.
    Alembic,
    /// glTF lines.
    Gltf,
    /// NumPy arrays.
    Npz,
    /// Lines of a mesh.
    Obj,
    /// Edges of a mesh.
    Ply,
}

/// A thing that a format can hold beside positions.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Widths,
    Opacities,
    Colors,
    RootUvs,
    Guides,
    Unit,
    Axes,
    Motion,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = {
        use Format::{Alembic, Data, Gltf, Hair, Npz, Obj, Ply, Tfx, Usd};
        [Hair, Tfx, Data, Usd, Alembic, Gltf, Npz, Obj, Ply]
    };

    /// Returns the extensions of its files, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Hair => &["hair"],
            Format::Tfx => &["tfx"],
            Format::Data => &["data"],
            Format::Usd => &["usda", "usdc", "usdz", "usd"],
            Format::Alembic => &["abc"],
            Format::Gltf => &["glb", "gltf"],
            Format::Npz => &["npz"],
            Format::Obj => &["obj"],
            Format::Ply => &["ply"],
        }
    }

    /// Returns the format of files of this name.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extensions().contains(&&*extension))
    }

    /// Returns the format of a file by its first bytes, or else by its name.
    pub(super) fn of_file(bytes: &[u8], path: &Path) -> Option<Format> {
        let starts = |magic: &[u8]| bytes.starts_with(magic);
        match () {
            () if starts(hair::MAGIC) => Some(Format::Hair),
            () if starts(b"ply") => Some(Format::Ply),
            () if starts(b"glTF") => Some(Format::Gltf),
            () if is_usd(bytes) => Some(Format::Usd),
            () if starts(alembic::MAGIC) => Some(Format::Alembic),
            () if tfx::is(bytes) => Some(Format::Tfx),
            () if starts(b"PK") => Some(Format::Npz),
            () => Self::of_path(path),
        }
    }

    /// Returns the extensions of all formats for a message. glTF is written as .glb only.
    pub fn names() -> String {
        let all = Self::ALL.iter().flat_map(|format| format.extensions());
        let all = all.filter(|extension| **extension != "gltf");
        let names: Vec<String> = all.map(|extension| format!(".{extension}")).collect();
        names.join(", ")
    }

    fn holds(self) -> &'static [Held] {
        use Held::{Axes, Colors, Guides, Motion, Opacities, RootUvs, Unit, Widths};
        match self {
            Format::Data => &[],
            Format::Obj => &[Colors],
            Format::Hair | Format::Ply => &[Widths, Opacities, Colors],
            Format::Tfx => &[Widths, Opacities, Colors, RootUvs],
            Format::Gltf => &[Widths, Opacities, Colors, RootUvs, Guides, Unit, Axes],
            Format::Alembic => &[Widths, Opacities, Colors, RootUvs, Guides, Axes, Motion],
            Format::Usd | Format::Npz => &[
                Widths, Opacities, Colors, RootUvs, Guides, Unit, Axes, Motion,
            ],
        }
    }

    /// Returns `true` if its files can hold strands in motion.
    pub fn has_motion(self) -> bool {
        self.holds().contains(&Held::Motion)
    }

    /// Returns what a file in this format loses of strands, as words: "widths". `shape` is that of
    /// strands in glTF.
    pub fn losses(self, strands: &Strands, shape: Shape) -> Vec<&'static str> {
        let is_lines = self != Format::Gltf || shape == Shape::Lines;
        let is_cards = self == Format::Gltf && shape == Shape::Cards;
        // Their numbers are metres with Y up by themselves.
        let is_metres = matches!(self, Format::Gltf | Format::Alembic);
        let holds = |held: Held| {
            let is_on_lines = matches!(held, Held::RootUvs | Held::Guides);
            self.holds().contains(&held) && (is_lines || !is_on_lines)
        };
        let has = [
            ("widths", Held::Widths, !strands.widths.is_none()),
            ("opacities", Held::Opacities, !strands.opacities.is_none()),
            ("colours", Held::Colors, !strands.colors.is_none()),
            (
                "texture coordinates",
                Held::RootUvs,
                !strands.root_uvs.is_empty(),
            ),
            ("guides", Held::Guides, !strands.guides.is_empty()),
            (
                "its unit",
                Held::Unit,
                strands
                    .unit_metres
                    .is_some_and(|unit| !(is_metres && unit == 1.0)),
            ),
            (
                "its axes",
                Held::Axes,
                strands.up.is_some_and(|up| !(is_metres && up == Up::Y)),
            ),
        ];
        let lost = has
            .into_iter()
            .filter(|&(_, held, has)| has && !holds(held));
        let single = is_cards.then_some("single strands");
        let along = self == Format::Tfx && strands.have_tapers();
        let along = along.then_some("widths along strands");
        single
            .into_iter()
            .chain(lost.map(|(name, ..)| name))
            .chain(along)
            .collect()
    }
}

impl Strands {
    /// Returns `true` if the width changes along a strand.
    fn have_tapers(&self) -> bool {
        let Values::Points(widths) = &self.widths else {
            return false;
        };
        let mut strands = self.ranges().filter_map(|range| widths.get(range));
        strands.any(|widths| widths.iter().any(|width| *width != widths[0]))
    }

    /// Writes a file in the format of its name, completely or not at all. `form` is that of strands in
    /// glTF. With a motion, its frames replace the points one after the other.
    ///
    /// # Errors
    ///
    /// The name has no known extension, the strands or the motion do not fit the format, or the file
    /// cannot be written.
    pub fn save(
        &self,
        path: &Path,
        form: Form,
        motion: Option<Motion>,
    ) -> Result<(), StrandsError> {
        self.write(path, &form, motion)
            .map_err(FileError::of(path.display()))
    }

    fn write(
        &self,
        path: &Path,
        form: &Form,
        motion: Option<Motion>,
    ) -> Result<(), StrandsErrorKind> {
        let format = Format::of_path(path).ok_or(StrandsErrorKind::Unknown)?;
        self.check_fits(format, motion.is_some())?;
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if format == Format::Gltf && extension == "gltf" {
            let problem = "glTF is written as one file; name it .glb".to_owned();
            return Err(StrandsErrorKind::Unfit(problem));
        }
        // The unit, in metres, of strands that are turned so that Y is up.
        let unit = match (format, self.up) {
            (Format::Gltf | Format::Alembic, _) => Some(1.0),
            (Format::Usd, None | Some(Up::Y | Up::Z)) => None,
            (Format::Usd, _) => Some(self.unit_metres.unwrap_or(1.0)),
            _ => None,
        };
        let mut strands = unit.map_or(Cow::Borrowed(self), |unit| self.upright(unit));
        if format == Format::Usd && !strands.colors.is_none() {
            let colors = strands.colors.clone();
            strands.to_mut().colors = colors.map(|color| color.map(linear_from_srgb));
        }
        let mut turned;
        let motion = match (unit, motion) {
            (Some(unit), Some(motion)) => {
                let (frame, mut pose) = (motion.frame, self.clone());
                turned = move |nth: usize, points: &mut [[f32; 3]]| -> io::Result<()> {
                    frame(nth, &mut pose.points)?;
                    points.copy_from_slice(&pose.upright(unit).points);
                    Ok(())
                };
                Some(Motion {
                    frame: &mut turned,
                    ..motion
                })
            }
            (_, Some(Motion { fps, frames, frame })) => Some(Motion { fps, frames, frame }),
            (_, None) => None,
        };
        let written = match format {
            Format::Usd if extension == "usdz" => usd::save_package(path, &strands, motion),
            _ => write_whole_with(path, |file| {
                let mut out = io::BufWriter::new(file);
                let out: &mut dyn Output = &mut out;
                match format {
                    Format::Hair => hair::write(out, self),
                    Format::Tfx => tfx::write(out, self),
                    Format::Data => data::write(out, self),
                    Format::Usd if extension == "usda" => usd::text::write(out, &strands, motion),
                    Format::Usd => usd::binary::write(out, &strands, motion),
                    Format::Gltf => gltf::write(out, &strands, form),
                    Format::Alembic => alembic::write(out, &strands, motion),
                    Format::Npz => npz::write(out, self, motion),
                    Format::Obj => obj::write(out, self),
                    Format::Ply => ply::write(out, self),
                }?;
                out.flush()
            }),
        };
        written.map_err(|error| StrandsErrorKind::Unwritable(error.to_string()))
    }

    /// Returns the strands with Y up, in units of so many metres; as they are, where the file does not
    /// say what its unit is or what is up.
    fn upright(&self, unit_metres: f64) -> Cow<'_, Strands> {
        let scale = self.unit_metres.map_or(1.0, |unit| unit / unit_metres);
        let turn = match self.up {
            None | Some(Up::Y) => None,
            Some(up) => Some(up.turn()),
        };
        if scale == 1.0 && turn.is_none() {
            return Cow::Borrowed(self);
        }
        let mut strands = self.clone();
        let turn = turn.unwrap_or(DQuat::IDENTITY);
        for point in &mut strands.points {
            let place = turn * DVec3::from(point.map(f64::from)) * scale;
            *point = place.as_vec3().to_array();
        }
        strands.widths = strands
            .widths
            .map(|width| (f64::from(width) * scale) as f32);
        strands.unit_metres = strands.unit_metres.map(|_| unit_metres);
        strands.up = strands.up.map(|_| Up::Y);
        Cow::Owned(strands)
    }

    /// Checks that a format can hold the strands.
    fn check_fits(&self, format: Format, has_motion: bool) -> Result<(), StrandsErrorKind> {
        let unfit = |problem: String| Err(StrandsErrorKind::Unfit(problem));
        if has_motion && !format.has_motion() {
            let extension = format.extensions()[0];
            return unfit(format!(".{extension} files hold one pose, not a motion"));
        }
        if self.is_empty() {
            return unfit("there are no strands to write".to_owned());
        }
        self.check().map_err(StrandsErrorKind::Unfit)?;
        if let Some(strand) = self.counts.iter().position(|&count| count < 2) {
            return unfit(format!("strand {strand} has fewer than two points"));
        }
        let (least, most) = (self.counts.iter().min(), self.counts.iter().max());
        match format {
            Format::Tfx if least != most => unfit(
                "strands of .tfx files have equal numbers of points. Resample them with --points N"
                    .to_owned(),
            ),
            Format::Hair if most > Some(&hair::MOST_POINTS) => unfit(format!(
                "strands of .hair files have at most {} points. Resample them with --points N",
                hair::MOST_POINTS
            )),
            Format::Obj | Format::Ply | Format::Gltf if self.points.len() > i32::MAX as usize => {
                unfit("it would have more points than the format can count".to_owned())
            }
            _ => Ok(()),
        }
    }
}
