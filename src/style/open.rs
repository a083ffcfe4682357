//! From what was saved to a session with it.

use super::Style;
use super::file::Saved;
use super::styler::Styler;
use crate::config::Config;
use crate::head::Head;
use crate::maps::MapError;
use crate::roots::{RootSettings, SampleError};
use crate::sim::Field;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Why a style cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its roots could not be sampled.
    #[error("no roots could be sampled: {0}")]
    Sample(#[from] SampleError),
    /// No triangle of the head has an area.
    #[error("has no surface that hair could grow on")]
    NoSurface,
    /// A map does not fit the model.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Roots of edited strands are elsewhere.
    #[error(
        "strand {strand} was styled on another head, with other settings of [head], or [roots] \
         were changed in its file: its root is {away:.3} dm away from where it was"
    )]
    OtherHead {
        /// The first of them.
        strand: u32,
        /// Decimetres.
        away: f32,
    },
}

impl Saved {
    /// Does it have edits that go over to other roots, with these settings? Then the skin must be
    /// known that they are to be kept out of.
    pub fn moves_to(&self, roots: &RootSettings) -> bool {
        !self.style.edits.is_empty() && self.style.config.roots != *roots
    }
}

impl Styler {
    /// Begins with a style that was saved for a head, with these settings in place of its own: where
    /// they put roots elsewhere, its edits go over to them, kept out of the skin by `field`. There
    /// is nothing to undo.
    ///
    /// # Errors
    ///
    /// [`OpenError`].
    pub fn open(
        head: Arc<Head>,
        field: Option<Arc<Field>>,
        saved: Saved,
        config: Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, OpenError> {
        // Edits are of the style's own roots, and are taken over to others from there.
        let carries = saved.moves_to(&config.roots);
        let own = saved.style.config.roots;
        let mut style = Style {
            config: config.clone(),
            ..saved.style
        };
        if carries {
            style.config.roots = own;
        }
        let styler = Styler::new(head, field, style, progress)?;
        let mut styler = styler.ok_or(OpenError::NoSurface)?;
        for map in styler.style().maps.values() {
            map.check_fits(styler.part())?;
        }
        if let Some((strand, away)) = styler.misplaced(&saved.roots) {
            return Err(OpenError::OtherHead { strand, away });
        }
        if carries {
            styler.set_config(config, false, progress)?;
            styler.forget_history();
        }
        Ok(styler)
    }
}
