//! The way from settings to a head with hair, with progress bars and warnings.

use super::messages::Messages;
use anyhow::{Context, bail};
use mohawk::roots::Amount;
use mohawk::scene_file::Staging;
use mohawk::sim::{Ellipsoid, Field, FieldError, FieldSettings, HeadShape};
use mohawk::style::{Model, Saved, Styler};
use mohawk::{Config, Groom, Head, Roots, Scalp, Simulation, style};
use std::{path::Path, sync::Arc};
use tracing::{debug, warn};

/// A head and the strands that grow on it.
pub struct Grown {
    pub head: Head,
    /// The strands; empty if nothing is painted.
    pub groom: Groom,
    /// The scalp and the roots of the strands; `None` if nothing is painted, and for a style.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub planted: Option<(Scalp, Roots)>,
}

/// Loads a head, the shipped one without a path, and grows its hair.
pub fn grow(config: &Config, path: Option<&Path>, messages: Messages) -> anyhow::Result<Grown> {
    if path.is_some_and(Saved::is_named) {
        let Styled { styler, .. } = styled(config, path, false, messages)?;
        let (head, groom) = (styler.head().clone(), styler.groom().clone());
        return Ok(Grown {
            head,
            groom,
            planted: None,
        });
    }
    let name = name_of(path);
    let head = load(config, path, messages)?;
    log_warnings(&head, &name);
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
    let roots = sample(&scalp, &name, config, messages)?.thinned(&scalp, config.groom.density);
    debug!("{} roots after density", roots.positions.len());
    let groom = Groom::grow(&roots, &config.groom, config.roots.seed);
    Ok(Grown {
        head,
        groom,
        planted: Some((scalp, roots)),
    })
}

/// A style that is open for styling.
pub struct Styled {
    pub styler: Styler,
    /// The head that the style is for.
    pub model: Model,
}

/// Opens a style with these settings; the unstyled hair of a head if the path is that of a head.
/// `with_skin` loads the distance field of the skin, which keeps hair out of the head.
pub fn styled(
    config: &Config,
    path: Option<&Path>,
    with_skin: bool,
    messages: Messages,
) -> anyhow::Result<Styled> {
    let name = name_of(path);
    let saved = match path {
        Some(path) if Saved::is_named(path) => Saved::open(path)?,
        Some(path) => Saved {
            model: Model::File(path.to_owned()),
            ..Saved::default()
        },
        None => Saved::default(),
    };
    let head = (saved.model.load(&config.head)).with_context(|| name.clone())?;
    log_warnings(&head, &name);
    let with_skin = with_skin || saved.moves_to(&config.roots);
    let head = Arc::new(head);
    let field = match with_skin {
        true => skin(&style::with_skin(&head), messages),
        false => None,
    };
    let model = saved.model.clone();
    let styler = messages.with_bar("roots", |progress| {
        Styler::open(head, field, saved, config.clone(), progress)
    });
    Ok(Styled {
        styler: styler.with_context(|| name)?,
        model,
    })
}

/// The hair that plays a scene.
pub struct Cast {
    /// The strands, combed as the scene says.
    pub groom: Groom,
    /// The shape of the head that strands collide with.
    pub shape: HeadShape,
    /// The head with its hair; `None` if the scene has strands of its own.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub grown: Option<Grown>,
}

impl Cast {
    /// Takes the strands of the scene, or grows hair on the head of the scene or of the command
    /// line.
    pub fn of(
        staging: &Staging,
        config: &Config,
        path: Option<&Path>,
        messages: Messages,
    ) -> anyhow::Result<Self> {
        if let (Some(path), true) = (path, staging.strands.is_some() || staging.head.is_some()) {
            bail!(
                "{}: the scene has a head or strands of its own, so no other head can be given",
                path.display()
            );
        }
        if let Some(groom) = &staging.strands {
            return Ok(Self {
                groom: groom.clone(),
                shape: staging.skull.into(),
                grown: None,
            });
        }
        let path = staging.head.as_deref().or(path);
        let grown = grow(config, path, messages)?;
        if !grown.groom.stiffness.is_empty() && config.sim.is_limp() {
            warn!(
                "{}: its stiffness map has no effect with solver {} while sim.hold is 0, which leaves \
                 all hair limp; raise sim.hold or take another solver",
                name_of(path),
                config.sim.solver.name()
            );
        }
        let mut groom = grown.groom.clone();
        staging.comb(&mut groom);
        Ok(Self {
            groom,
            shape: HeadShape {
                ellipsoid: Ellipsoid::of_head(&grown.head),
                field: match config.sim.needs_field() {
                    true => skin(&grown.head, messages),
                    false => None,
                },
            },
            grown: Some(grown),
        })
    }

    /// Returns a simulation of the strands at rest, at the start of the scene.
    pub fn simulation(&self, staging: &Staging, config: &Config) -> Simulation {
        let settings = config.sim.clone();
        let mut simulation = Simulation::new(&self.groom, settings, staging.pose(0.0));
        simulation.set_head(self.shape.clone());
        simulation
    }
}

/// Returns the distance field of the skin of a head; `None` with a warning if it has none.
fn skin(head: &Head, messages: Messages) -> Option<Arc<Field>> {
    let field = messages.with_bar("skin", |progress| {
        Field::bake(head, &FieldSettings::default(), progress)
    });
    match field {
        Ok(field) => Some(Arc::new(field)),
        // A head without hair has nothing that collides.
        Err(FieldError::NoSkin) => None,
        Err(error) => {
            warn!(
                "{}: hair collides with an ellipsoid, not with the skin: {error}",
                head.name
            );
            None
        }
    }
}

/// Returns the name of a head in messages: its path as given.
pub fn name_of(path: Option<&Path>) -> String {
    path.map_or("the shipped head".into(), |path| path.display().to_string())
}

/// Loads a head; the shipped one without a path.
pub fn load(config: &Config, path: Option<&Path>, messages: Messages) -> anyhow::Result<Head> {
    let spinner = messages.spinner("loading the head");
    let loaded = match path {
        Some(path) if Saved::is_named(path) => Saved::open(path)?.model.load(&config.head),
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

/// Logs the warnings about a head that has been loaded.
pub fn log_warnings(head: &Head, name: &str) {
    for warning in head.warnings_beside_advice() {
        warn!("{name}: {warning}");
    }
}

/// Samples the roots of the head called `name`, with a progress bar.
pub fn sample(
    scalp: &Scalp,
    name: &str,
    config: &Config,
    messages: Messages,
) -> anyhow::Result<Roots> {
    let roots = messages.with_bar("roots", |progress| {
        Roots::sample(scalp, &config.roots, progress)
    });
    let roots = roots.with_context(|| format!("{name}: no roots could be sampled"))?;
    debug!(
        "{} roots, no two closer than {:.4} dm",
        roots.positions.len(),
        roots.spacing
    );
    if let Amount::Strands(asked) = config.roots.amount {
        let got = roots.positions.len();
        if got.abs_diff(asked as usize) > (asked as usize / 20).max(TOLERATED) {
            warn!(
                "{name}: {got} roots instead of {asked}: no spacing was found that gives this number"
            );
        }
    }
    Ok(roots)
}

/// Largest difference from the number of strands asked for that causes no warning.
const TOLERATED: usize = 5;
