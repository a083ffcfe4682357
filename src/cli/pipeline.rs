//! From settings to a head with hair, telling a person about the slow parts.

use super::talk::Talk;
use crate::{Config, Groom, Head, Roots, Scalp};
use std::{ops::ControlFlow, path::Path};
use tracing::{debug, warn};

/// A head and the strands that grow on it.
pub struct Grown {
    pub head: Head,
    /// Empty where nothing is painted.
    pub groom: Groom,
}

/// Loads a head (the shipped one without a path) and grows its hair.
pub fn grow(config: &Config, path: Option<&Path>, talk: Talk) -> anyhow::Result<Grown> {
    let head = match path {
        Some(path) => Head::load(path, &config.head)?,
        None => Head::shipped(&config.head)?,
    };
    for warning in head.warnings_beside_advice() {
        warn!("{}: {warning}", head.name);
    }
    if let Some(advice) = head.paint_advice() {
        warn!("{advice}");
    }
    let triangles: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    debug!(
        "{}: {} parts, {triangles} triangles",
        head.name,
        head.parts.len()
    );

    let Some(scalp) = Scalp::of_head(&head) else {
        return Ok(Grown {
            head,
            groom: Groom::default(),
        });
    };
    let bar = talk.progress("roots", 1000);
    let roots = Roots::sample(&scalp, &config.roots, &mut |share| {
        bar.set_position((share * 1000.0) as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let roots = roots?;
    let groom = Groom::grow(&roots, &config.groom, config.roots.seed);
    debug!(
        "{} strands, no two roots closer than {:.4} dm",
        groom.len(),
        roots.spacing
    );
    Ok(Grown { head, groom })
}
