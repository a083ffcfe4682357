//! A head that was measured in one session, for another session on the same head.

use super::Styler;
use super::kept_follicles::KeptFollicles;
use crate::head::Head;
use crate::roots::SampleError;
use crate::sim::{Sdf, SdfSettings};
use crate::style::contents::Style;
use crate::style::follicles::{Follicles, Progress, with_skin};
use std::sync::Arc;

/// A head with what takes seconds to measure: its follicles, and the distance field of its skin.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) head: Arc<Head>,
    pub(super) field: Option<Arc<Sdf>>,
    pub(super) follicles: KeptFollicles,
}

impl Measured {
    /// Measures nothing yet.
    pub fn new(head: Arc<Head>, field: Option<Arc<Sdf>>) -> Self {
        Self {
            head,
            field,
            follicles: KeptFollicles::default(),
        }
    }

    /// Measures what a style needs.
    ///
    /// # Errors
    ///
    /// The errors of [`Follicles::of_head`] and [`Follicles::add_bald`].
    pub fn for_style(
        head: Arc<Head>,
        style: &Style,
        progress: Progress,
    ) -> Result<Self, SampleError> {
        let source = style.root_source();
        let mut measured = Self::new(head, None);
        if let Some(mut follicles) = Follicles::of_source(&measured.head, &source, progress)? {
            if style.needs_bald() {
                follicles.add_bald(&source.settings, progress)?;
            }
            measured.follicles.keep(&source, &follicles);
        }
        if style.config.groom.needs_skin() {
            let baked = Sdf::bake(
                &with_skin(&measured.head),
                &SdfSettings::default(),
                progress,
            );
            measured.field = baked.ok().map(Arc::new);
        }
        Ok(measured)
    }

    /// Takes the distance field of the skin.
    pub fn with_field(self, field: Arc<Sdf>) -> Self {
        Self {
            field: Some(field),
            ..self
        }
    }

    /// Returns the head.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }
}

impl Styler {
    /// Returns what the session has measured.
    pub fn measured(&self) -> Measured {
        let mut follicles = self.kept_follicles.clone();
        follicles.keep(&self.style.root_source(), &self.follicles);
        Measured {
            head: self.head.clone(),
            field: self.field.clone(),
            follicles,
        }
    }
}
