//! Heads, and the hair that grows on them.

use super::arrays::{error, numbers};
use super::hair::Hair;
use super::roots::Roots;
use super::settings::pairs;
use super::shipped::shipped_model;
use js_sys::Uint8Array;
use mohawk::embed::{EmbedError, OpenHead, StyleSource};
use mohawk::files::disk;
use mohawk::head::Model;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The name under which a style lies in memory while it is read.
const STYLE: &str = "style.mohawk";

/// A head.
#[wasm_bindgen]
pub struct Head {
    open: OpenHead,
    /// The file that it was read from, with which styles compare their own model.
    file: Option<(PathBuf, Vec<u8>)>,
}

/// A surface to draw.
#[wasm_bindgen(getter_with_clone)]
pub struct Surface {
    pub name: String,
    pub positions: Vec<f32>,
    pub normals: Vec<f32>,
    pub faces: Vec<u32>,
    /// Linear RGBA.
    pub color: Vec<f32>,
}

#[wasm_bindgen]
impl Head {
    /// Reads a file of any format of heads, with the files that it names: `paths` from its folder,
    /// and the `files` there.
    pub fn open(
        name: &str,
        bytes: Vec<u8>,
        paths: Vec<String>,
        files: Vec<Uint8Array>,
        settings: Vec<String>,
    ) -> Result<Head, JsError> {
        let path = Path::new(name);
        if path.file_name().is_none() {
            return Err(error(format!("{name:?} is no name of a file")));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = paths.iter().map(|path| folder.join(path));
        let beside: Vec<_> = beside.zip(files.iter().map(Uint8Array::to_vec)).collect();
        let file = Some((path.to_owned(), bytes));
        let model = Model::File(path.to_owned());
        let read = || with_files(file.as_slice(), || Self::read(model, settings));
        let head = with_files(&beside, read)?;
        Ok(Self { file, ..head })
    }

    /// Reads a model that ships with the package, whose files have been provided.
    pub fn shipped(name: &str, settings: Vec<String>) -> Result<Head, JsError> {
        Self::read(Model::Shipped(shipped_model(name)?), settings)
    }

    fn read(model: Model, settings: Vec<String>) -> Result<Head, JsError> {
        let open = OpenHead::read(model, &pairs(settings))?;
        Ok(Self { open, file: None })
    }

    /// The name of the file without its extension.
    pub fn name(&self) -> String {
        self.open.head().name.clone()
    }

    /// The licence in the file.
    pub fn licence(&self) -> Option<String> {
        self.open.head().licence.clone()
    }

    /// Problems that did not stop the load.
    pub fn warnings(&self) -> Vec<String> {
        self.open.head().warnings.clone()
    }

    /// The scale, the centre, and the matrix from the file to head space, column by column.
    pub fn units(&self) -> Vec<f64> {
        let units = &self.open.head().units;
        let centre = units.centre.as_dvec3().to_array();
        let matrix = units.native_matrix().to_cols_array();
        [&[units.scale.into()], &centre[..], &matrix].concat()
    }

    /// The parts that are surfaces, head space.
    pub fn parts(&self) -> Vec<Surface> {
        let head = self.open.head();
        let parts = head.parts.iter().filter(|part| !part.triangles.is_empty());
        let surfaces = parts.map(|part| Surface {
            name: part.name.clone(),
            positions: numbers(&part.positions),
            normals: numbers(&part.normals),
            faces: part.triangles.concat(),
            color: (head.materials.get(part.material))
                .map_or_else(|| vec![1.0; 4], |material| material.base_color.to_vec()),
        });
        surfaces.collect()
    }

    /// The painted skin without normals and colour; `None` if nothing is painted.
    pub fn scalp(&self) -> Option<Surface> {
        let scalp = self.open.scalp().ok()?;
        Some(Surface {
            name: self.name(),
            positions: numbers(scalp.positions()),
            normals: Vec::new(),
            faces: scalp.triangles().concat(),
            color: Vec::new(),
        })
    }

    /// Samples the painted skin.
    pub fn roots(&self, settings: Vec<String>) -> Result<Roots, JsError> {
        let go_on = &mut |_| ControlFlow::Continue(());
        Ok(self.open.roots(&pairs(settings), go_on)?.into())
    }

    /// Grows hair: that of a preset by its name, or of a `.mohawk` file, or the default, with some
    /// settings changed.
    pub fn grow(
        &self,
        preset: Option<String>,
        file: Option<Vec<u8>>,
        settings: Vec<String>,
    ) -> Result<Hair, JsError> {
        let settings = pairs(settings);
        let grow = |style: StyleSource| -> Result<Hair, EmbedError> {
            let go_on = &mut |_| ControlFlow::Continue(());
            Ok(self.open.grow(style, &settings, go_on)?.into())
        };
        let path = Path::new(STYLE);
        let hair = with_files(self.file.as_slice(), || match (preset, file) {
            (Some(name), _) => grow(StyleSource::Preset(&name)),
            (None, Some(bytes)) => with_files(&[(path.to_owned(), bytes)], || {
                grow(StyleSource::File(path))
            }),
            (None, None) => grow(StyleSource::Default),
        });
        Ok(hair?)
    }
}

/// Puts files where the library finds them for as long as it reads them.
fn with_files<T>(files: &[(impl AsRef<Path>, Vec<u8>)], read: impl FnOnce() -> T) -> T {
    for (path, bytes) in files {
        disk::add(path.as_ref(), bytes.clone());
    }
    let result = read();
    for (path, _) in files {
        disk::remove_file(path).ok(); // Two may have the same name.
    }
    result
}
