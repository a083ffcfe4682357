//! A head from a file, and the hair that grows on it.

use super::{EmbedError, Hair, Progress, Skin, set};
use crate::config::Config;
use crate::head::{Head, Model};
use crate::presets::Preset;
use crate::roots::Roots;
use crate::scalp::Scalp;
use crate::style::{self, Saved, Styler};
use std::path::Path;
use std::sync::Arc;

/// The place of a style.
#[derive(Clone, Copy, Debug)]
pub enum StyleSource<'a> {
    /// The default.
    Default,
    /// A preset by its name.
    Preset(&'a str),
    /// A `.mohawk` file.
    File(&'a Path),
    /// A file of strands, in a format of `mohawk convert`, that lie on the head.
    Strands(&'a Path),
}

/// A head, with the settings that it was read with.
#[derive(Clone, Debug)]
pub struct OpenHead {
    model: Model,
    config: Config,
    skin: Arc<Skin>,
}

impl OpenHead {
    /// Reads a head, with some settings of `head` changed.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Load`], and those of [`set`](super::set).
    pub fn read(model: Model, settings: &[(String, String)]) -> Result<Self, EmbedError> {
        let mut config = Config::default();
        set(&mut config, settings, &["head"])?;
        Self::with(model, config)
    }

    /// Reads a head with the settings of a configuration.
    pub(super) fn with(model: Model, config: Config) -> Result<Self, EmbedError> {
        Ok(Self {
            skin: Arc::new(Skin::new(model.load(&config.head)?)),
            model,
            config,
        })
    }

    /// Returns the head.
    pub fn head(&self) -> &Arc<Head> {
        &self.skin.head
    }

    /// Returns the painted skin.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Bald`].
    pub fn scalp(&self) -> Result<Scalp, EmbedError> {
        Scalp::of_head(self.head()).ok_or_else(|| self.bald())
    }

    /// Samples the painted skin, with some settings of `roots` changed. Painted density leaves out
    /// roots.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Bald`], [`EmbedError::Sample`], and those of [`set`](super::set).
    pub fn roots(
        &self,
        settings: &[(String, String)],
        progress: Progress,
    ) -> Result<Roots, EmbedError> {
        let mut config = self.config.clone();
        set(&mut config, settings, &["roots"])?;
        let scalp = self.scalp()?;
        let roots = Roots::sample(&scalp, &config.roots, progress);
        let roots = roots.map_err(|error| EmbedError::Sample(self.name(), error))?;
        Ok(roots.thinned(&scalp, 1.0))
    }

    /// Grows the hair of a style, with some settings changed.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Preset`], [`EmbedError::Style`], [`EmbedError::StrandsFile`],
    /// [`EmbedError::Elsewhere`], [`EmbedError::Bald`], [`EmbedError::Open`], and those of [`set`](super::set).
    pub fn grow(
        &self,
        style: StyleSource,
        settings: &[(String, String)],
        progress: Progress,
    ) -> Result<Hair, EmbedError> {
        let saved = match style {
            StyleSource::Preset(name) => Preset::find(name)?.open()?,
            StyleSource::File(path) => style::open_within(path, &self.config.head.limits)?,
            StyleSource::Strands(path) => self.strands(path)?,
            StyleSource::Default => Saved::default(),
        };
        let (saved, left_out) = saved.on_model(self.model.clone());
        let mut config = saved.style.config.clone();
        config.head = self.config.head.clone();
        let sections = ["roots", "groom", "sim", "look", "view"];
        set(&mut config, settings, &sections)?;
        let hair = self.grow_with(saved, config, progress)?;
        Ok(Hair { left_out, ..hair })
    }

    /// Reads strands that lie on the head.
    fn strands(&self, path: &Path) -> Result<Saved, EmbedError> {
        let own = (self.model.clone(), self.config.head.clone());
        let saved = style::open_hair(path, &[own], &self.config.head.limits)?;
        match saved.model.is_same(&self.model) {
            true => Ok(saved),
            false => Err(EmbedError::Elsewhere(
                path.display().to_string(),
                self.name(),
            )),
        }
    }

    /// Grows the hair of a style for the head with the settings of a configuration.
    pub(super) fn grow_with(
        &self,
        saved: Saved,
        config: Config,
        progress: Progress,
    ) -> Result<Hair, EmbedError> {
        if saved.is_plain() && self.head().scalp_part.is_none() {
            return Err(self.bald());
        }
        let styler = Styler::open(self.skin.measured(), saved, config.clone(), progress);
        let styler = styler.map_err(|error| EmbedError::Open(self.name(), error))?;
        self.skin.keep_field(&styler);
        Ok(Hair {
            groom: styler.groom().clone(),
            config,
            skin: Some(self.skin.clone()),
            left_out: None,
        })
    }

    fn name(&self) -> String {
        self.model.name().into_owned()
    }

    /// Returns the error of a head without a scalp.
    fn bald(&self) -> EmbedError {
        let advice = self.head().paint_advice();
        EmbedError::Bald(
            advice
                .unwrap_or_else(|| format!("{}: the painted triangles have no area", self.name())),
        )
    }
}
