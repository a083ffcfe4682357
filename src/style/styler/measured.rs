//! A head that was measured in one session, for another session on the same head.

use super::Styler;
use super::kept_follicles::KeptFollicles;
use super::skin_field::{Baked, beside_skin};
use crate::head::Head;
use crate::roots::SampleError;
use crate::sim::Sdf;
use crate::style::contents::Style;
use crate::style::follicles::Progress;
use std::sync::Arc;

/// A head with what takes seconds to measure: its follicles, and the distance field of its skin.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) head: Arc<Head>,
    pub(super) field: Option<Baked>,
    /// `true` if the field is wanted even if the shape of hair does not depend on it.
    pub(super) wants_field: bool,
    pub(super) follicles: KeptFollicles,
}

impl Measured {
    /// Measures nothing yet.
    pub fn new(head: Arc<Head>, field: Option<Arc<Sdf>>) -> Self {
        Self::with_baked(head, field.map(Ok))
    }

    /// Measures nothing but the distance field, if it was baked.
    pub(crate) fn with_baked(head: Arc<Head>, field: Option<Baked>) -> Self {
        Self {
            head,
            field,
            wants_field: false,
            follicles: KeptFollicles::default(),
        }
    }

    /// Sets if the distance field is baked even where the shape of hair does not depend on it.
    pub fn wanting_field(self, wants_field: bool) -> Self {
        Self {
            wants_field,
            ..self
        }
    }

    /// Measures what a style needs.
    ///
    /// # Errors
    ///
    /// The errors of [`Follicles::of_head`](crate::style::Follicles::of_head) and
    /// [`Follicles::add_bald`](crate::style::Follicles::add_bald).
    pub fn for_style(
        head: Arc<Head>,
        style: &Style,
        progress: Progress,
    ) -> Result<Self, SampleError> {
        let (source, needs_skin) = (style.root_source(), style.config.groom.needs_skin());
        let (sampled, baked) = beside_skin(&head, needs_skin, progress, |progress| {
            KeptFollicles::default().take_or_sample(&head, &source, style.needs_bald(), progress)
        })?;
        let mut measured = Self::with_baked(head, baked);
        if let Some(follicles) = sampled {
            measured.follicles.keep(&source, &follicles);
        }
        Ok(measured)
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
            wants_field: false,
            follicles,
        }
    }
}
