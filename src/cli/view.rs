//! `mohawk view`: the window.

use super::settings::SettingsArgs;

/// Open a window on a head: drag it and the hair follows
///
/// Drag the head to swing it and the background to look around it; press F1 for all keys. A file
/// dropped on the window is loaded as the new head.
#[derive(Debug, clap::Args)]
pub struct ViewArgs {
    #[command(flatten)]
    settings: SettingsArgs,
}

impl ViewArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.settings.talk.start();
        let Some(config) = self.settings.config()? else {
            return Ok(());
        };
        run(self.settings, config)
    }
}

#[cfg(feature = "viewer")]
fn run(args: SettingsArgs, config: crate::Config) -> anyhow::Result<()> {
    use anyhow::Context;

    // A mistyped name should end here, not in a window with another head.
    if let Some(path) = &args.head.path {
        std::fs::File::open(path)
            .with_context(|| format!("{} could not be read", path.display()))?;
    }
    crate::viewer::run(crate::viewer::Options {
        config,
        config_path: args.head.config,
        head: args.head.path,
    })?;
    Ok(())
}

#[cfg(not(feature = "viewer"))]
fn run(_: SettingsArgs, _: crate::Config) -> anyhow::Result<()> {
    anyhow::bail!(super::NO_DRAWING)
}
