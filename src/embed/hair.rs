//! Hair at rest, and the skin that it meets.

use super::EmbedError;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::Head;
use crate::scene_file::{curved_strands, straight_strands};
use crate::sim::{Ellipsoid, HeadShape, Sdf, SpringSettings};
use crate::strands::Strands;
use crate::style::{Baked, Measured, Styler, bake_skin, with_skin};
use glam::Vec3;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// A head with the distance field of its skin, which takes a second to bake.
#[derive(Debug)]
pub struct Skin {
    /// The head.
    pub head: Arc<Head>,
    field: OnceLock<Baked>,
}

impl Skin {
    /// Returns the skin of a head. The field is baked when it is needed.
    pub fn new(head: Head) -> Self {
        Self {
            head: Arc::new(head),
            field: OnceLock::new(),
        }
    }

    /// Returns the field; `None` if the head has none.
    pub fn field(&self) -> Option<Arc<Sdf>> {
        let bake = || bake_skin(&self.head, &mut |_| ControlFlow::Continue(()));
        self.field.get_or_init(bake).clone().ok()
    }

    /// Returns the head with its field, if that has been baked.
    pub(super) fn measured(&self) -> Measured {
        Measured::with_baked(self.head.clone(), self.field.get().cloned())
    }

    /// Keeps the field that growing hair has baked.
    pub(super) fn keep_field(&self, styler: &Styler) {
        if let Some(baked) = styler.baked_field() {
            // Another thread may have been sooner.
            _ = self.field.set(baked.clone());
        }
    }

    /// Returns the shape that hair collides with. The field takes long, so only if it is needed.
    pub(super) fn shape(&self, config: &Config) -> HeadShape {
        HeadShape {
            ellipsoid: Ellipsoid::of_head(&with_skin(&self.head)),
            field: config.sim.needs_field().then(|| self.field()).flatten(),
        }
    }
}

/// Hair at rest.
#[derive(Clone, Debug)]
pub struct Hair {
    /// The strands.
    pub groom: Arc<Groom>,
    /// The settings that it has grown with.
    pub config: Config,
    /// The head under it; `None` for strands in the air.
    pub skin: Option<Arc<Skin>>,
    /// The parts of the style that belong to its own head and are left out on this one.
    pub left_out: Option<String>,
}

impl Hair {
    /// Returns the strands at rest for a file, in the units and axes of that of the head.
    pub fn strands(&self) -> Strands {
        self.strands_of(None)
    }

    /// Returns the strands with so many points each; without, as many as the hair has.
    pub(super) fn strands_of(&self, points: Option<u32>) -> Strands {
        let units = self.skin.as_ref().map(|skin| &skin.head.units);
        Strands::for_file(&self.groom, &self.config, units, points)
    }

    /// Returns strands in the air. All solvers move them as published.
    pub(super) fn in_air(groom: Groom) -> Self {
        let mut config = Config::default();
        config.sim.sag_free = false;
        config.sim.spring = SpringSettings::REFERENCE;
        Self {
            groom: groom.into(),
            config,
            skin: None,
            left_out: None,
        }
    }

    /// Returns strands in the air, of which each has 2 points or more, root first, decimetres.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Strands`] for strands that no scene file may have.
    pub fn curved(strands: impl IntoIterator<Item = Vec<Vec3>>) -> Result<Self, EmbedError> {
        let groom = curved_strands(strands).map_err(EmbedError::Strands)?;
        Ok(Self::in_air(groom))
    }

    /// Returns straight strands in the air: roots, directions and lengths, decimetres.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Strands`] for strands that no scene file may have.
    pub fn straight(
        strands: impl IntoIterator<Item = (Vec3, Vec3, f32)>,
    ) -> Result<Self, EmbedError> {
        let groom = straight_strands(strands).map_err(EmbedError::Strands)?;
        Ok(Self::in_air(groom))
    }
}
