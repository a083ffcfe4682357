//! From settings to a head with hair, telling a person about the slow parts.

use super::talk::Talk;
use anyhow::{Context, bail};
use mohawk::roots::Amount;
use mohawk::scene_file::Staging;
use mohawk::sim::{Ellipsoid, Field, FieldError, FieldSettings, HeadShape};
use mohawk::style::{Model, Saved, Styler};
use mohawk::{Config, Groom, Head, Roots, Scalp, Simulation, style};
use std::{ops::ControlFlow, path::Path, sync::Arc};
use tracing::{debug, warn};

/// A head and the strands that grow on it.
pub struct Grown {
    pub head: Head,
    /// Empty where nothing is painted.
    pub groom: Groom,
    /// What it grows on, and from; `None` where nothing is painted, and of a style.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub planted: Option<(Scalp, Roots)>,
}

/// Loads a head (the shipped one without a path) and grows its hair.
pub fn grow(config: &Config, path: Option<&Path>, talk: Talk) -> anyhow::Result<Grown> {
    if path.is_some_and(Saved::is_named) {
        let Styled { styler, .. } = styled(config, path, false, talk)?;
        let (head, groom) = (styler.head().clone(), styler.groom().clone());
        return Ok(Grown {
            head,
            groom,
            planted: None,
        });
    }
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

/// A session with a style, and which head it is for.
pub struct Styled {
    pub styler: Styler,
    pub model: Model,
}

/// Opens a style (the plain one of a head, where the path is no style's), with these settings, and
/// with the skin if hair is to be kept out of it.
pub fn styled(
    config: &Config,
    path: Option<&Path>,
    with_skin: bool,
    talk: Talk,
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
    warn_of(&head, &name);
    let with_skin = with_skin || saved.moves_to(&config.roots);
    let head = Arc::new(head);
    let field = match with_skin {
        true => skin(&style::with_skin(&head), talk),
        false => None,
    };
    let model = saved.model.clone();
    let bar = talk.progress("roots", 1000);
    let styler = Styler::open(head, field, saved, config.clone(), &mut |share| {
        bar.set_position((share * 1000.0) as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    Ok(Styled {
        styler: styler.with_context(|| name)?,
        model,
    })
}

/// What plays a scene: strands of its own, or a head with its hair.
pub struct Cast {
    /// As the scene combs them.
    pub groom: Groom,
    /// What they can collide with.
    pub shape: HeadShape,
    /// `None`: the strands are the scene's own.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub grown: Option<Grown>,
}

impl Cast {
    /// Takes the scene's own strands, or grows hair on the scene's head or that of the command line.
    pub fn of(
        staging: &Staging,
        config: &Config,
        path: Option<&Path>,
        talk: Talk,
    ) -> anyhow::Result<Self> {
        if let (Some(path), true) = (path, staging.strands.is_some() || staging.head.is_some()) {
            bail!(
                "{}: the scene has a head or strands of its own",
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
        let grown = grow(config, path, talk)?;
        if !grown.groom.stiffness.is_empty() && config.sim.is_limp() {
            warn!(
                "{}: its stiffness map changes nothing under {} while sim.hold is 0, which leaves \
                 all hair limp; raise it, or take another solver",
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
                field: field(&grown.head, config, talk),
            },
            grown: Some(grown),
        })
    }

    /// All of it at rest, where the scene begins.
    pub fn simulation(&self, staging: &Staging, config: &Config) -> Simulation {
        let settings = config.sim.clone();
        let mut simulation = Simulation::new(&self.groom, settings, staging.pose(0.0));
        simulation.set_head(self.shape.clone());
        simulation
    }
}

/// The distance field of a head's skin, if hair collides with it.
fn field(head: &Head, config: &Config, talk: Talk) -> Option<Arc<Field>> {
    match config.sim.needs_field() {
        true => skin(head, talk),
        false => None,
    }
}

/// The same, whatever the settings say.
fn skin(head: &Head, talk: Talk) -> Option<Arc<Field>> {
    let bar = talk.progress("skin", 1000);
    let field = Field::bake(head, &FieldSettings::default(), &mut |share| {
        bar.set_position((share * 1000.0) as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    match field {
        Ok(field) => Some(Arc::new(field)),
        // Bald: nothing collides.
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

/// What to call a head in messages: its path as it was typed.
pub fn name_of(path: Option<&Path>) -> String {
    path.map_or("the shipped head".into(), |path| path.display().to_string())
}

/// Loads a head, the shipped one without a path.
pub fn load(config: &Config, path: Option<&Path>, talk: Talk) -> anyhow::Result<Head> {
    let spinner = talk.spinner("loading the head");
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
