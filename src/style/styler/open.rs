//! From a saved style to a session with it.

use super::state::Styler;
use crate::config::Config;
use crate::head::Head;
use crate::maps::MapError;
use crate::roots::{RootSettings, SampleError};
use crate::sim::Sdf;
use crate::style::contents::Style;
use crate::style::file::Saved;
use crate::style::progress::Progress;
use std::sync::Arc;

/// An error of opening a style.
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
    /// The roots of edited strands are elsewhere.
    #[error(
        "strand {strand} was styled on another head, with other settings of [head], or [roots] \
         were changed in its file: its root is {away:.3} dm away from where it was"
    )]
    OtherHead {
        /// The first such strand.
        strand: u32,
        /// Distance of its root from where it was, decimetres.
        away: f32,
    },
}

impl Saved {
    /// Whether these settings of roots move edits to other roots. The skin must be known then, to
    /// keep them out of it.
    pub fn moves_to(&self, roots: &RootSettings) -> bool {
        !self.style.edits.is_empty() && self.style.config.roots != *roots
    }
}

impl Styler {
    /// Begins a session with a saved style, with these settings in place of its own. If they change
    /// the roots, edits are transferred to the new ones and kept out of the skin by `field`. There
    /// is nothing to undo.
    ///
    /// # Errors
    ///
    /// [`OpenError`].
    pub fn open(
        head: Arc<Head>,
        field: Option<Arc<Sdf>>,
        saved: Saved,
        config: Config,
        progress: Progress,
    ) -> Result<Self, OpenError> {
        // Edits belong to the style's own roots, and are transferred from there.
        let transfers = saved.moves_to(&config.roots);
        let own = saved.style.config.roots;
        let mut style = Style {
            config: config.clone(),
            ..saved.style
        };
        if transfers {
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
        if transfers {
            styler.set_config(config, false, progress)?;
            styler.forget_history();
        }
        Ok(styler)
    }
}
