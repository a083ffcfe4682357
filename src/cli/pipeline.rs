//! The way from settings to a head with hair, with progress bars and warnings.

use super::messages::Messages;
use anyhow::{Context, Result, anyhow, bail};
use mohawk::presets::Preset;
use mohawk::roots::{Amount, SampleError};
use mohawk::sim::{Ellipsoid, HeadShape, SkinMotion};
use mohawk::style::{self, Card, Measured, OpenError, Planted, Saved, Styler};
use mohawk::{Config, Groom, Head, Roots, Scalp, Simulation, head::Model, scene_file::SceneSetup};
use std::{cell::RefCell, path::Path, sync::Arc};
use tracing::{debug, warn};

/// A head or a style, and the settings that it is read with.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub config: &'a Config,
    /// The file; `None` for the shipped head.
    pub path: Option<&'a Path>,
    /// `true` if the file is a style, or has strands.
    pub is_style: bool,
    /// The style in it, if it was opened for its settings.
    pub opened: Option<&'a RefCell<Option<Saved>>>,
    /// The style to begin with.
    pub preset: Option<&'a Preset>,
    pub messages: Messages,
}

impl Source<'_> {
    /// Loads the head and grows its hair; `None` if nothing is painted. `with_field` bakes the
    /// distance field of the skin meanwhile.
    pub fn grow(self, with_field: bool) -> Result<(Arc<Head>, Option<Styler>)> {
        let (saved, head) = self.open()?;
        if let (true, Some(advice)) = (saved.is_plain(), head.paint_advice()) {
            warn!("{}: {advice}", self.name());
            return Ok((head, None));
        }
        let styler = self.begin(saved, head, with_field)?;
        debug!("{} roots after density", styler.groom().len());
        Ok((styler.head().clone(), Some(styler)))
    }

    /// Opens the style and returns it with the model that it is for, and its card. A head gives its
    /// unstyled hair. `with_field` bakes the distance field of the skin, which keeps hair out of the
    /// head.
    pub fn styled(self, with_field: bool) -> Result<(Styler, Model, Card)> {
        let (saved, head) = self.open()?;
        let (model, card) = (saved.model.clone(), saved.card.clone());
        Ok((self.begin(saved, head, with_field)?, model, card))
    }

    /// Loads the head, or that of the style.
    pub fn load(self) -> Result<Arc<Head>> {
        self.load_model(&self.saved()?.model)
    }

    /// Opens the style (that of a head is plain), loads its head and logs warnings about it.
    pub fn open(self) -> Result<(Saved, Arc<Head>)> {
        let saved = self.saved()?;
        let head = self.load_model(&saved.model)?;
        for warning in head.warnings_beside_advice() {
            warn!("{}: {warning}", self.name());
        }
        Ok((saved, head))
    }

    /// Returns the style: the file's, or that of a head, which is plain or has the settings of the
    /// preset; without a head the preset.
    fn saved(self) -> Result<Saved> {
        let model = match self.path {
            Some(path) if self.is_style => {
                let opened = self.opened.and_then(RefCell::take);
                return Ok(opened
                    .map_or_else(|| style::open_within(path, &self.config.head.limits), Ok)?);
            }
            path => path.map(|path| Model::File(path.to_owned())),
        };
        let limits = &self.config.head.limits;
        let preset = self.preset.map(|preset| preset.open_within(limits));
        let preset = preset.transpose()?;
        let saved = preset.unwrap_or_default();
        let Some(model) = model else {
            return Ok(saved);
        };
        let (saved, left_out) = saved.on_model(model);
        if let Some(left_out) = left_out {
            let name = self.preset.map_or("", Preset::name);
            warn!("preset {name} on {}: {left_out}", name_of(self.path, None));
        }
        Ok(saved)
    }

    /// Returns the name of the head in messages: its path as given, or the preset.
    fn name(self) -> String {
        name_of(self.path, self.preset)
    }

    fn load_model(self, model: &Model) -> Result<Arc<Head>> {
        let spinner = self.messages.spinner("loading the head");
        let loaded = model.load(&self.config.head);
        spinner.finish_and_clear();
        let head = match self.path {
            Some(path) if self.is_style => loaded.context(path.display().to_string())?,
            None if self.preset.is_some() => loaded.context(self.name())?,
            _ => loaded?,
        };
        let triangles = head.triangle_count();
        let (name, parts) = (&head.name, head.parts.len());
        debug!("{name}: {parts} parts, {triangles} triangles");
        Ok(Arc::new(head))
    }

    /// Samples the roots of a style and grows its hair.
    fn begin(self, saved: Saved, head: Arc<Head>, with_field: bool) -> Result<Styler> {
        let (config, name) = (self.config, self.name());
        let measured = Measured::new(head, None).wanting_field(with_field);
        let opened = self.messages.with_bar("hair", |progress| {
            Styler::open(measured, saved, config.clone(), progress)
        });
        let styler = opened.map_err(|error| match error {
            OpenError::Sample(error) => cannot_sample(error, &name),
            error => anyhow::Error::from(error).context(name.clone()),
        })?;
        if let Some(error) = styler.field_error() {
            warn!("{name}: hair collides with an ellipsoid, not with the skin: {error}");
        }
        if styler.style().edits.roots.is_none() {
            let (count, spacing) = styler.follicles().sampled();
            report_roots(count, spacing, &name, config);
        }
        Ok(styler)
    }
}

/// The hair that plays a scene.
pub struct SceneHair {
    /// The scene, or the animation of the head that plays in its place.
    pub setup: SceneSetup,
    /// The strands, combed as the scene says.
    pub groom: Arc<Groom>,
    /// The shape of the head that strands collide with.
    pub shape: HeadShape,
    /// The head; `None` if the scene has strands of its own.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub head: Option<Arc<Head>>,
    /// The scalp and the roots of the strands; `None` if nothing is painted on the head.
    #[cfg_attr(not(feature = "viewer"), allow(dead_code))]
    pub planted: Option<Planted>,
}

impl SceneHair {
    /// Takes the strands of the scene, or grows hair on the head of the scene or of the command
    /// line. With `is_default`, an animation of the head plays in place of the scene.
    pub fn of(setup: &SceneSetup, is_default: bool, source: Source) -> Result<Self> {
        let config = source.config;
        let has_own = setup.strands.is_some() || setup.head.is_some();
        if let (Some(path), true) = (source.path, has_own) {
            bail!(
                "{}: the scene has a head or strands of its own, so no other head can be given",
                path.display()
            );
        }
        if let Some(groom) = &setup.strands {
            if let Some(preset) = source.preset {
                let name = preset.name();
                warn!("the scene has strands of its own: preset {name} gives its settings alone");
            }
            return Ok(Self {
                setup: setup.clone(),
                groom: groom.into(),
                shape: setup.skull.into(),
                head: None,
                planted: None,
            });
        }
        let source = match setup.head.as_deref() {
            Some(path) => Source {
                path: Some(path),
                is_style: style::opens(path),
                opened: None,
                ..source
            },
            None => source,
        };
        let (head, styler) = source.grow(config.sim.needs_field())?;
        let animation = match is_default {
            true => head.animation(config.head.animation.as_deref()),
            false => Ok(None),
        };
        let animation = animation.map_err(|problem| anyhow!("{}: {problem}", source.name()))?;
        let animated = animation.and_then(|animation| SceneSetup::of_animation(&head, animation));
        let setup = animated.unwrap_or_else(|| setup.clone());
        let groom = styler.as_ref().map(|styler| styler.groom().clone());
        let mut groom = groom.unwrap_or_default();
        if !groom.stiffness.is_empty() && config.sim.is_limp() {
            warn!(
                "{}: its stiffness map has no effect with solver {} while sim.hold is 0, which leaves \
                 all hair limp; raise sim.hold or take another solver",
                source.name(),
                config.sim.solver.name()
            );
        }
        setup.comb(&mut groom);
        Ok(Self {
            groom,
            shape: HeadShape {
                ellipsoid: Ellipsoid::of_head(&style::with_skin(&head)),
                field: (styler.as_ref().and_then(Styler::field).cloned())
                    .filter(|_| config.sim.needs_field()),
            },
            setup,
            head: Some(head),
            planted: styler.map(|styler| styler.planted().clone()),
        })
    }

    /// Returns a simulation of the strands at rest, at the start of the scene. Warns of ties that
    /// hold nothing.
    pub fn simulation(&self, config: &Config) -> Simulation {
        let simulation = self.simulation_of(self.groom.clone(), config);
        for (i, held) in simulation.tied_strands().into_iter().enumerate() {
            if held == 0 {
                let number = i + 1;
                warn!(
                    "sim.ties, number {number}: it holds no strand; strands must be groomed to pass \
                     within its reach of its place, and be long enough to get there"
                );
            }
        }
        simulation
    }

    /// Shows the head where the animation has it at a time, and roots on it, if one plays.
    #[cfg(feature = "viewer")]
    pub fn show_skin(&self, secs: f64, groom: &Groom, stage: &mut mohawk::render::Stage) {
        let rig = self.head.as_ref().and_then(|head| head.rig.as_ref());
        if let (Some(animation), Some(rig)) = (self.setup.animation(), rig) {
            stage.set_head_shapes(&rig.shapes(animation, secs));
            stage.carry_groom(groom);
        }
    }

    /// Returns a simulation like [`simulation`](Self::simulation) of other strands on the same head.
    pub fn simulation_of(&self, groom: Arc<Groom>, config: &Config) -> Simulation {
        let settings = config.sim.clone();
        let mut simulation = Simulation::new(groom.clone(), settings, self.setup.pose(0.0));
        simulation.set_head(self.shape.clone());
        if let (Some(animation), Some(head)) = (self.setup.animation(), &self.head) {
            let skin = SkinMotion::new(&style::with_skin(head), animation, &groom);
            simulation.set_skin(skin);
            simulation.rest();
        }
        simulation
    }

    /// Returns the motion of the skin under the strands, if an animation plays.
    #[cfg(feature = "viewer")]
    pub fn skin_motion(&self) -> Option<SkinMotion> {
        let (animation, head) = (self.setup.animation()?, self.head.as_ref()?);
        SkinMotion::new(&style::with_skin(head), animation, &self.groom)
    }
}

/// Returns the name of a head in messages: its path as given, or the preset.
pub fn name_of(path: Option<&Path>, preset: Option<&Preset>) -> String {
    match (path, preset) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(preset)) => format!("preset {}", preset.name()),
        (None, None) => "the shipped head".to_owned(),
    }
}

/// Samples the roots of the scalp called `name`, with a progress bar.
pub fn sample(scalp: &Scalp, name: &str, config: &Config, messages: Messages) -> Result<Roots> {
    let roots = messages.with_bar("roots", |progress| {
        Roots::sample(scalp, &config.roots, progress)
    });
    let roots = roots.map_err(|error| cannot_sample(error, name))?;
    report_roots(roots.positions.len(), roots.spacing, name, config);
    Ok(roots)
}

fn cannot_sample(error: SampleError, name: &str) -> anyhow::Error {
    anyhow::Error::from(error).context(format!("{name}: no roots could be sampled"))
}

/// Logs the number of roots, and warns if it is not the one that was asked for.
fn report_roots(count: usize, spacing: f32, name: &str, config: &Config) {
    debug!("{count} roots, no two closer than {spacing:.4} dm");
    if let Amount::Strands(asked) = config.roots.amount
        && count.abs_diff(asked as usize) > (asked as usize / 20).max(TOLERATED)
    {
        warn!(
            "{name}: {count} roots instead of {asked}: no spacing was found that gives this number"
        );
    }
}

/// Largest difference from the number of strands asked for that causes no warning.
const TOLERATED: usize = 5;
