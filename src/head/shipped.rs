//! The models that ship with the program.

use crate::files::{ShippedFile, shipped_file};

/// The files, by name. The first is the head that is shown by default.
static MODELS: [ShippedFile; 4] = [
    shipped_file!([] "head.glb"),
    shipped_file!([] "bust.glb"),
    shipped_file!([] "meadow.glb"),
    shipped_file!([] "waist.glb"),
];

/// A model that ships with the program; by default the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShippedModel(usize);

impl ShippedModel {
    /// Returns the model in a file of the folder `models`; `None`: no such model ships.
    pub fn named(file_name: &str) -> Option<Self> {
        let place = MODELS.iter().position(|file| file.name == file_name);
        place.map(Self)
    }

    /// Returns the names of the files of all shipped models.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MODELS.iter().map(|file| file.name)
    }

    /// Returns the name of the file.
    pub fn file_name(self) -> &'static str {
        MODELS[self.0].name
    }

    /// Returns `true` for the head and the bust.
    pub(super) fn is_head(self) -> bool {
        ["head.glb", "bust.glb"].contains(&self.file_name())
    }

    /// Returns the paths in the folder `models` of the files that have to be fetched before it is
    /// loaded; none but in a browser.
    pub fn missing_files(self) -> impl Iterator<Item = &'static str> {
        // A model with the head finds it beside itself.
        let (own, head) = (&MODELS[self.0], &MODELS[0]);
        let beside = (self.is_head() && self.0 != 0).then_some(head);
        beside
            .into_iter()
            .chain([own])
            .filter_map(ShippedFile::missing)
    }

    /// Returns the content of the file.
    pub(super) fn bytes(self) -> &'static [u8] {
        MODELS[self.0].bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Head, HeadSettings, Model};
    use crate::sim::Sdf;
    use std::path::Path;

    #[test]
    fn the_bust_is_the_head_on_shoulders() {
        let settings = HeadSettings::default();
        let shipped = |name| Model::Shipped(ShippedModel::named(name).unwrap()).load(&settings);
        let (head, bust) = (shipped("head.glb").unwrap(), shipped("bust.glb").unwrap());
        assert!(bust.warnings.is_empty(), "{:?}", bust.warnings);
        // Places and maps of grooms fit both.
        assert_eq!(bust.units, head.units);
        let skin = |of: &Head| of.parts[of.scalp_part.unwrap()].clone();
        assert_eq!(skin(&bust).uvs, skin(&head).uvs);
        // Hair collides with the shoulders too, and there is no gap at the neck.
        let parts = Sdf::skin_parts(&bust);
        assert!(parts.len() == 2 && bust.parts[parts[1]].name == "shoulders");
        // A model that is read from a file finds the head beside it.
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/bust.glb");
        let read = Head::load(&path, &settings).unwrap();
        assert_eq!(skin(&read).positions, skin(&bust).positions);
        assert_eq!(read.textures.len(), bust.textures.len());
    }
}
