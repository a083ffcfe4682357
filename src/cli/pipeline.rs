//! From settings to a head with hair, telling a person about the slow parts.

use super::talk::Talk;
use crate::{Config, Groom, Head, Roots, Scalp, roots::Amount};
use anyhow::Context;
use std::{ops::ControlFlow, path::Path};
use tracing::{debug, warn};

/// A head and the strands that grow on it.
pub struct Grown {
    pub head: Head,
    /// Empty where nothing is painted.
    pub groom: Groom,
    /// What it grows on, and from; `None` where nothing is painted.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub planted: Option<(Scalp, Roots)>,
}

/// Loads a head (the shipped one without a path) and grows its hair.
pub fn grow(config: &Config, path: Option<&Path>, talk: Talk) -> anyhow::Result<Grown> {
    let name = name_of(path);
    let head = load(config, path, talk)?;
    warn_of(&head, &name);
    if let Some(advice) = head.paint_advice() {
        warn!("{name}: {advice}");
    }
    let Some(scalp) = Scalp::of_head(&head) else {
        return Ok(Grown {
            head,
            groom: Groom::default(),
            planted: None,
        });
    };
    let roots = sample(&scalp, &name, config, talk)?.thinned(&scalp, config.groom.density);
    debug!("{} roots after density", roots.positions.len());
    let groom = Groom::grow(&roots, &config.groom, config.roots.seed);
    Ok(Grown {
        head,
        groom,
        planted: Some((scalp, roots)),
    })
}

/// What to call a head in messages: its path as it was typed.
pub fn name_of(path: Option<&Path>) -> String {
    path.map_or("the shipped head".into(), |path| path.display().to_string())
}

/// Loads a head, the shipped one without a path.
pub fn load(config: &Config, path: Option<&Path>, talk: Talk) -> anyhow::Result<Head> {
    let spinner = talk.spinner("loading the head");
    let loaded = match path {
        Some(path) => Head::load(path, &config.head),
        None => Head::shipped(&config.head),
    };
    spinner.finish_and_clear();
    let head = loaded?;
    let triangles: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    debug!(
        "{}: {} parts, {triangles} triangles",
        head.name,
        head.parts.len()
    );
    Ok(head)
}

/// Tells what is odd about a head and did not stop it.
pub fn warn_of(head: &Head, name: &str) {
    for warning in head.warnings_beside_advice() {
        warn!("{name}: {warning}");
    }
}

/// Samples the roots of the head called `name`, with a progress bar.
pub fn sample(scalp: &Scalp, name: &str, config: &Config, talk: Talk) -> anyhow::Result<Roots> {
    let bar = talk.progress("roots", 1000);
    let roots = Roots::sample(scalp, &config.roots, &mut |share| {
        bar.set_position((share * 1000.0) as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let roots = roots.with_context(|| format!("{name}: no roots could be sampled"))?;
    debug!(
        "{} roots, no two closer than {:.4} dm",
        roots.positions.len(),
        roots.spacing
    );
    if let Amount::Strands(asked) = config.roots.amount {
        let got = roots.positions.len();
        if got.abs_diff(asked as usize) > (asked as usize / 20).max(TOLD_FROM) {
            warn!("{name}: {got} roots instead of {asked}: no spacing was found that gives them");
        }
    }
    Ok(roots)
}

/// Fewer strands too many or too few are not worth telling.
const TOLD_FROM: usize = 5;
