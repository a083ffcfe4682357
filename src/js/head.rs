//! Heads, and the hair that grows on them.

use crate::arrays::{error, numbers, of};
use crate::hair::Hair;
use crate::roots::Roots;
use crate::settings::apply;
use crate::shipped::shipped_model;
use js_sys::Uint8Array;
use mohawk::files::disk;
use mohawk::head::Model;
use mohawk::presets::Preset;
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{self, Saved, Styler};
use mohawk::{Config, Scalp};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The name under which a style lies in memory while it is read.
const STYLE: &str = "style.mohawk";

/// A head.
#[wasm_bindgen]
pub struct Head {
    model: Model,
    /// The settings it was read with, and defaults.
    config: Config,
    skin: Rc<Skin>,
}

/// A head with the distance field of its skin, which takes a second to bake.
pub struct Skin {
    pub head: Arc<mohawk::Head>,
    field: OnceCell<Option<Arc<Sdf>>>,
}

impl Skin {
    /// Returns the field; `None` if the head has none.
    pub fn field(&self) -> Option<Arc<Sdf>> {
        let bake = || {
            let head = style::with_skin(&self.head);
            let go_on = &mut |_| ControlFlow::Continue(());
            Sdf::bake(&head, &SdfSettings::default(), go_on).ok()
        };
        self.field.get_or_init(|| bake().map(Arc::new)).clone()
    }
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
        with_files(&beside, || {
            with_files(&[(path.to_owned(), bytes)], || {
                Self::read(Model::File(path.to_owned()), &settings)
            })
        })
    }

    /// Reads a model that ships with the package, whose files have been provided.
    pub fn shipped(name: &str, settings: Vec<String>) -> Result<Head, JsError> {
        Self::read(Model::Shipped(shipped_model(name)?), &settings)
    }

    fn read(model: Model, settings: &[String]) -> Result<Head, JsError> {
        let mut config = Config::default();
        apply(&mut config, settings, &["head"])?;
        Ok(Self {
            skin: Rc::new(Skin {
                head: Arc::new(model.load(&config.head)?),
                field: OnceCell::new(),
            }),
            model,
            config,
        })
    }

    /// The name of the file without its extension.
    pub fn name(&self) -> String {
        self.skin.head.name.clone()
    }

    /// The licence in the file.
    pub fn licence(&self) -> Option<String> {
        self.skin.head.licence.clone()
    }

    /// Problems that did not stop the load.
    pub fn warnings(&self) -> Vec<String> {
        self.skin.head.warnings.clone()
    }

    /// Decimetres per unit of the file, then the place in the file that is the origin here.
    pub fn units(&self) -> Vec<f32> {
        let units = &self.skin.head.units;
        [&[units.scale][..], &units.centre.to_array()].concat()
    }

    /// The parts that are surfaces, head space.
    pub fn parts(&self) -> Vec<Surface> {
        let head = &self.skin.head;
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
        let scalp = Scalp::of_head(&self.skin.head)?;
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
        let mut config = self.config.clone();
        apply(&mut config, &settings, &["roots"])?;
        let scalp = Scalp::of_head(&self.skin.head).ok_or_else(|| self.bald())?;
        Roots::on(&scalp, &config.roots, None)
    }

    /// Grows hair: that of a preset by its name, or of a `.mohawk` file, or the default, with some
    /// settings changed.
    pub fn grow(
        &self,
        preset: Option<String>,
        file: Option<Vec<u8>>,
        settings: Vec<String>,
    ) -> Result<Hair, JsError> {
        let saved = match (preset, file) {
            (Some(name), _) => Preset::find(&name)?.open()?,
            (None, Some(bytes)) => {
                let path = Path::new(STYLE);
                with_files(&[(path.to_owned(), bytes)], || Saved::open(path))?
            }
            (None, None) => Saved::default(),
        };
        let (saved, left_out) = saved.on_model(self.model.clone());
        let mut config = saved.style.config.clone();
        config.head = self.config.head.clone();
        let sections = ["roots", "groom", "sim", "look", "view"];
        apply(&mut config, &settings, &sections)?;
        if saved.style.is_plain() && self.skin.head.scalp_part.is_none() {
            return Err(self.bald());
        }
        let needs_skin = saved.moves_to(&config.roots) || config.groom.needs_skin();
        let field = needs_skin.then(|| self.skin.field()).flatten();
        let go_on = &mut |_| ControlFlow::Continue(());
        let head = self.skin.head.clone();
        let styler = Styler::open(head, field, saved, config.clone(), go_on);
        let styler = styler.map_err(of(self.model.name()))?;
        Ok(Hair::new(&styler, config, self.skin.clone(), left_out))
    }
}

impl Head {
    /// Returns the error of a head without a scalp.
    fn bald(&self) -> JsError {
        let advice = self.skin.head.paint_advice();
        error(advice.unwrap_or_else(|| {
            format!("{}: the painted triangles have no area", self.model.name())
        }))
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
