//! The models that are compiled into the program.

/// The files, by name. The first is the head that is shown by default.
const MODELS: [(&str, &[u8]); 4] = [
    ("head.glb", include_bytes!("../../models/head.glb")),
    ("bust.glb", include_bytes!("../../models/bust.glb")),
    ("meadow.glb", include_bytes!("../../models/meadow.glb")),
    ("waist.glb", include_bytes!("../../models/waist.glb")),
];

/// A model that ships with the program; by default the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShippedModel(usize);

impl ShippedModel {
    /// Returns the model in a file of the folder `models`; `None`: no such model ships.
    pub fn named(file_name: &str) -> Option<Self> {
        let place = MODELS.iter().position(|(name, _)| *name == file_name);
        place.map(Self)
    }

    /// Returns the names of the files of all shipped models.
    pub fn names() -> impl Iterator<Item = &'static str> {
        MODELS.iter().map(|(name, _)| *name)
    }

    /// Returns the name of the file.
    pub fn file_name(self) -> &'static str {
        MODELS[self.0].0
    }

    /// Returns `true` for the head and the bust.
    pub(super) fn is_head(self) -> bool {
        ["head.glb", "bust.glb"].contains(&self.file_name())
    }

    /// Returns the content of the file.
    pub(super) fn bytes(self) -> &'static [u8] {
        MODELS[self.0].1
    }
}
