//! Begins a session with a style.

use super::skin_field::beside_skin;
use super::{Growth, Measured, Styler};
use crate::config::Config;
use crate::groom::Checkpoint;
use crate::maps::MapError;
use crate::roots::SampleError;
use crate::style::contents::History;
use crate::style::file::Saved;
use crate::style::follicles::{Follicles, Progress};
use crate::style::grow::{self, Skin};
use glam::Vec3;
use std::collections::BTreeMap;

/// Roots farther than this from their saved position belong to another head, decimetres.
const ROOT_TOLERANCE: f32 = 1e-3;

/// An error of opening a style.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The roots could not be sampled.
    #[error("no roots could be sampled: {0}")]
    Sample(#[from] SampleError),
    /// No triangle of the head has an area.
    #[error("has no surface that hair could grow on")]
    NoSurface,
    /// A map does not fit the model.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The root of this edited strand, the first such, is so far (decimetres) from where it was.
    #[error(
        "the style does not fit this head: the root of strand {0} is {1:.3} dm away from where it was. \
         The head, [head] or [roots] has changed"
    )]
    OtherHead(u32, f32),
    /// The head is turned or scaled in another way than hair that has places of its own.
    #[error(
        "the style does not fit this head: its strands came from a file, and scale, up or turn_deg of \
         [head] has changed since"
    )]
    MovedHead,
}

impl Styler {
    /// Begins a session with a saved style, with these settings in place of its own. If they change
    /// the roots, edits are transferred to the new ones and kept out of the skin. The distance field
    /// of the skin is baked if hair needs it and it is not measured. There is nothing to undo.
    ///
    /// # Errors
    ///
    /// [`OpenError`].
    pub fn open(
        measured: Measured,
        mut saved: Saved,
        config: Config,
        progress: Progress,
    ) -> Result<Self, OpenError> {
        let Measured {
            head,
            field,
            wants_field,
            follicles: mut kept_follicles,
        } = measured;
        let is_placed = saved.style.edits.roots.is_some();
        if is_placed && !saved.style.config.head.places_as(&config.head) {
            return Err(OpenError::MovedHead);
        }
        let imported = saved.strands.take().map(|strands| {
            let placement = strands.placed(&head);
            saved.style.edits.roots = Some(strands.roots(&head, placement));
            (strands, placement)
        });
        // Edits belong to the style's own roots, and are transferred from there.
        let mut style = saved.style;
        let transfers = !style.edits.is_empty() && style.config.roots != config.roots;
        let own = std::mem::replace(&mut style.config, config.clone());
        if transfers {
            style.config.roots = own.roots.clone();
        }
        let source = style.root_source();
        let needs_field = wants_field || transfers || style.config.groom.needs_skin();
        let wanted = needs_field && field.is_none();
        let (follicles, baked) = beside_skin(&head, wanted, progress, |progress| {
            kept_follicles.take_or_sample(&head, &source, style.needs_bald(), progress)
        })?;
        let follicles = follicles.ok_or(OpenError::NoSurface)?;
        if let Some((strands, placement)) = imported {
            style.edits.curves = strands.curves(own, (&head, placement), &follicles);
        }
        let bald = vec![false; follicles.len()];
        let bare = Skin::bare(&head.parts[follicles.part()]);
        let mut styler = Self {
            grown: grow::grow_where(&style, bare, &follicles, &bald, &mut Checkpoint::default()),
            growth: Growth::default(),
            head,
            style,
            follicles,
            field,
            lengths: None,
            neighbours: None,
            canvas: None,
            model_density: None,
            uv_layout: None,
            history: History::default(),
            stroke: None,
            shown: None,
            active_override: None,
            previous_follicles: None,
            kept_follicles,
        };
        styler.take_baked(baked);
        styler.grow();
        for map in styler.style().maps.values() {
            map.check_fits(styler.part())?;
        }
        check_roots(&saved.roots, &styler.follicles)?;
        if transfers {
            styler.set_config(config, false, progress)?;
            styler.history.clear();
            styler.previous_follicles = None;
        }
        Ok(styler)
    }
}

/// Checks that the roots of edited strands are where they were.
pub(super) fn check_roots(
    roots: &BTreeMap<u32, Vec3>,
    follicles: &Follicles,
) -> Result<(), OpenError> {
    let positions = &follicles.roots().positions;
    for (&strand, place) in roots {
        let away = match positions.get(strand as usize) {
            Some(root) => root.distance(*place),
            // The root may be on bald skin, which has no follicles yet.
            None if !follicles.are_whole() => 0.0,
            None => f32::INFINITY,
        };
        if away > ROOT_TOLERANCE {
            return Err(OpenError::OtherHead(strand, away));
        }
    }
    Ok(())
}
