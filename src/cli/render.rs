//! `mohawk render`: pictures and clips without a window.
//!
//! `args` has the flags and what they mean for the times of the pictures, `target` the names of
//! files, `film` plays a scene into an off-screen picture, `gif` writes clips, and `shoot` takes
//! the pictures and writes them.

// A build that cannot draw checks the arguments too.
#![cfg_attr(not(feature = "viewer"), allow(dead_code))]

mod args;
#[cfg(feature = "viewer")]
mod film;
#[cfg(feature = "viewer")]
mod gif;
#[cfg(feature = "viewer")]
mod shoot;
mod target;

use super::output;
use super::scene::SceneArg;
use super::usage::usage_error;
pub use args::RenderArgs;
use mohawk::style::Saved;

impl RenderArgs {
    pub fn run(mut self) -> anyhow::Result<()> {
        self.settings.messages.start();
        let scene = self.scene.as_ref().map(SceneArg::load).transpose()?;
        let Some(config) = self.settings.config(scene.as_ref())? else {
            return Ok(());
        };
        let Some(target) = self.output.take() else {
            return Ok(()); // clap requires it unless nothing is to be rendered.
        };
        self.check(&target)?;
        let path = self.settings.head.path.as_deref();
        if self.roots && path.is_some_and(Saved::is_named) {
            let message = "--roots shows the roots of heads, not of styles";
            return Err(usage_error("render", message));
        }
        self.settings.check_watch("render", self.scene.as_ref())?;
        output::check_folder(&target.path)?;
        let scene = scene.unwrap_or_else(|| self.default_scene(&target).into());
        run(&self, &target, scene, config)
    }
}

#[cfg(feature = "viewer")]
use shoot::run;

#[cfg(not(feature = "viewer"))]
fn run(
    _: &RenderArgs,
    _: &target::Target,
    _: mohawk::scene_file::SceneSetup,
    _: mohawk::Config,
) -> anyhow::Result<()> {
    anyhow::bail!(super::usage::NO_DRAWING)
}
