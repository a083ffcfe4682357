//! The flags of the head and of how its file is read.

use super::{PresetParser, checked, choice};
use crate::cli::messages::{Messages, usage_error};
use crate::cli::output;
use crate::cli::pipeline::{self, Source};
#[cfg(feature = "viewer")]
use anyhow::Context;
use anyhow::{Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use mohawk::config::Config;
use mohawk::head::{HeadSettings, Limits, Model, PaintRule, Up, is_mask_picture};
use mohawk::presets::Preset;
use mohawk::srgb::{linear_from_srgb, srgb_from_linear};
use mohawk::style::{self, Card, Saved};
use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};

/// The limits on files.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Change a limit on files; --help lists the limits
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = limit, long_help = limit_help(), help_heading = "Limits")]
    limits: Vec<(String, u64)>,
}

/// The head and the settings that it is read with.
#[derive(Debug, clap::Args)]
pub struct HeadArgs {
    /// Head to load: glTF 2.0 (.glb, .gltf, .vrm), COLLADA, FBX, OBJ, PLY, STL or USD; or a style
    /// (.mohawk or its folder), or strands (.hair, .abc and others) [default: the shipped head]
    ///
    /// Hair grows on the triangles whose vertex colours are painted black on white. A style brings
    /// its head and its settings; --config and flags override them.
    #[arg(value_name = "HEAD", value_parser = PathBufValueParser::new().try_map(head_path))]
    pub path: Option<PathBuf>,

    /// Style to start from: a name that `mohawk presets` lists, a style (.mohawk or its folder), or a
    /// file of strands
    ///
    /// --config and flags override its settings. HEAD gets the settings alone: maps and brushed
    /// strands belong to the preset's own head.
    #[arg(long, value_name = "NAME", value_parser = PresetParser, hide_possible_values = true)]
    pub preset: Option<Preset>,

    /// Settings file; flags override it
    #[arg(long, value_name = "FILE", help_heading = "Settings file")]
    pub config: Option<PathBuf>,

    /// Vertex colours that are scalp paint: auto, alpha, a colour by name or #rrggbb (sRGB)
    ///
    /// `auto` takes colours for paint that are black on white. A colour takes what has it, whatever
    /// the other colours look like.
    #[arg(long, value_name = "PAINT", value_parser = paint, help_heading = "Head")]
    paint: Option<(PaintRule, [f32; 3])>,
    /// Scalp by a name, instead of paint: a vertex attribute, node, mesh, material or joint, or a
    /// picture in the folder of HEAD, white where hair grows
    #[arg(long, value_name = "NAME", help_heading = "Head")]
    mask: Option<String>,
    /// Leave out parts by a word in the name of their node, mesh or material, such as hair; may be
    /// given several times
    #[arg(long, value_name = "WORD", help_heading = "Head")]
    hide: Vec<String>,
    /// The direction that is up in the file of the head [possible values: y, z, -z, x, -y, -x]
    #[arg(long, value_name = "AXIS", value_parser = choice::<Up>(), allow_hyphen_values = true, hide_possible_values = true, help_heading = "Head")]
    up: Option<Up>,
    #[arg(long = "turn", value_name = "DEG", help = HeadSettings::turn_deg.meaning_with_range(), allow_negative_numbers = true, value_parser = checked("not a number", |n: &f32| HeadSettings::turn_deg.check(n)), help_heading = "Head")]
    turn_deg: Option<f32>,
    /// Animation of the head that plays, by its name or number in the file, or none [default: the first]
    ///
    /// `mohawk inspect` lists them. In the window, a scene that is asked for plays instead.
    #[arg(long, value_name = "NAME", help_heading = "Head")]
    animation: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    pub messages: Messages,
    /// Write the result to stdout as JSON
    #[arg(long, help_heading = "Messages")]
    pub json: bool,

    #[arg(skip)]
    is_style: OnceCell<bool>,
    /// The style of which the settings were taken, until its hair is grown.
    #[arg(skip)]
    opened: RefCell<Option<Saved>>,
}

/// Refuses files that other flags or commands read.
fn head_path(path: PathBuf) -> Result<PathBuf, String> {
    match output::extension(&path).as_str() {
        "toml" if !style::opens(&path) => {
            Err("a settings file is given with --config, a scene file with --scene".to_owned())
        }
        "doll" => Err(format!(
            "a doll is opened with: mohawk doll {}",
            path.display()
        )),
        _ => Ok(path),
    }
}

impl HeadArgs {
    /// Returns the name of the head in messages: its path as given, or the preset.
    pub fn name(&self) -> String {
        pipeline::name_of(self.path.as_deref(), self.preset.as_ref())
    }

    /// Returns the flags that say how the file of the head is read, with their values.
    pub fn reading(&self) -> Vec<(&'static str, String)> {
        let paint = self.paint.map(|(rule, color)| match rule {
            PaintRule::Auto => "auto".to_owned(),
            PaintRule::Alpha => "alpha".to_owned(),
            PaintRule::White => "white".to_owned(),
            PaintRule::Color => {
                let [r, g, b] = color.map(|x| (255.0 * srgb_from_linear(x)).round() as u8);
                format!("#{r:02x}{g:02x}{b:02x}")
            }
        });
        let mut flags: Vec<_> = paint.map(|paint| ("--paint", paint)).into_iter().collect();
        flags.extend(self.mask.clone().map(|mask| ("--mask", mask)));
        flags.extend(self.hide.iter().cloned().map(|word| ("--hide", word)));
        flags.extend(self.up.map(|up| ("--up", up.to_string())));
        flags.extend(self.turn_deg.map(|turn| ("--turn", turn.to_string())));
        let limits = self.limits.limits.iter();
        flags.extend(limits.map(|(name, most)| ("--limit", format!("{name}={most}"))));
        flags
    }

    /// Returns `true` if an animation was asked for.
    pub fn wants_animation(&self) -> bool {
        self.animation.as_ref().is_some_and(|name| name != "none")
    }

    /// Checks that no animation was asked for where a scene or poses were.
    pub fn check_animation(&self, command: &'static str, is_free: bool) -> Result<()> {
        match self.wants_animation() && !is_free {
            true => {
                let problem = "--animation and a scene or poses cannot play at once: leave one out";
                Err(usage_error(command, problem.to_owned()))
            }
            false => Ok(()),
        }
    }

    /// Returns `true` if the path names a style, or a file of strands.
    pub fn is_style(&self) -> bool {
        let is_style = || self.path.as_deref().is_some_and(style::opens);
        *self.is_style.get_or_init(is_style)
    }

    /// Returns the card of the style that the path names.
    pub fn card(&self, path: &Path) -> Result<Card> {
        let opened = self
            .opened
            .borrow()
            .as_ref()
            .map(|saved| saved.card.clone());
        let open = || style::open_within(path, &self.limits.limits());
        Ok(opened.map_or_else(|| open().map(|saved| saved.card), Ok)?)
    }

    /// Returns the head that was asked for, to be read with these settings.
    pub fn source<'a>(&'a self, config: &'a Config) -> Source<'a> {
        Source {
            config,
            path: self.path.as_deref(),
            is_style: self.is_style(),
            opened: Some(&self.opened),
            preset: self.preset.as_ref(),
            messages: self.messages,
        }
    }

    /// Returns the files that are read: the head or the style, the preset, and the settings.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let preset = self.preset.iter().filter_map(Preset::path);
        let own = self.path.iter().map(PathBuf::as_path).chain(preset);
        let of_styles = own.clone().flat_map(Saved::files_of);
        let named = own.map(Path::to_owned).chain(self.config.clone());
        named.chain(of_styles).collect()
    }

    /// Checks that the head file can be read, for commands that would go on without it.
    #[cfg(feature = "viewer")]
    pub fn check_readable(&self) -> Result<()> {
        if let Some(path) = &self.path {
            std::fs::File::open(path).with_context(|| {
                let hint = "check the path (mohawk --help lists the commands)";
                format!("{} cannot be read; {hint}", path.display())
            })?;
        }
        Ok(())
    }

    /// Returns the settings of the settings file, the preset or the style, with the limits that were
    /// given.
    pub fn config(&self) -> Result<Config> {
        let style = self.path.as_deref().filter(|_| self.is_style());
        let mut config = match (&self.config, &self.preset, style) {
            (_, Some(preset), Some(style)) => bail!(
                "{} is a style and has its own settings: name it or --preset {}, not both",
                style.display(),
                preset.name()
            ),
            (path, Some(preset), _) => {
                let own = self.preset_config(preset)?;
                match path {
                    Some(path) => own.overridden_by(path)?,
                    None => own,
                }
            }
            (path, None, Some(style)) => {
                let saved = style::open_within(style, &self.limits.limits())?;
                let own = &saved.style.config;
                let config = match path {
                    Some(path) => own.overridden_by(path)?,
                    None => own.clone(),
                };
                self.opened.replace(Some(saved));
                config
            }
            (Some(path), None, None) => Config::load(path)?,
            (None, None, None) => Config::default(),
        };
        self.override_in(&mut config)?;
        Ok(config)
    }

    /// Returns the settings of a preset. A file of strands says how wide they are in units of its own,
    /// so that it is opened on HEAD.
    fn preset_config(&self, preset: &Preset) -> Result<Config> {
        let saved = match (&self.path, preset.path()) {
            (Some(head), Some(strands)) if style::is_hair(strands) => {
                let mut config = Config::default();
                self.override_in(&mut config)?;
                let limits = config.head.limits.clone();
                let own = (Model::File(head.clone()), config.head);
                let saved = style::open_hair(strands, &[own], &limits)?;
                saved.on_model(Model::File(head.clone())).0
            }
            _ => {
                let mut saved = preset.open_within(&self.limits.limits())?;
                if let Some(head) = &self.path
                    && !saved.model.is_same(&Model::File(head.clone()))
                {
                    saved = saved.on_model(Model::File(head.clone())).0;
                    // It is read as its own settings say.
                    saved.style.config.head = HeadSettings::default();
                }
                saved
            }
        };
        Ok(saved.style.config)
    }

    /// Replaces the settings of how the head is read by those that were given.
    fn override_in(&self, config: &mut Config) -> Result<()> {
        if let Some((rule, color)) = self.paint {
            (config.head.paint, config.head.paint_color) = (rule, color);
        }
        if !self.hide.is_empty() {
            config.head.hide = self.hide.clone();
            config.head.validate()?;
        }
        if let Some(name) = &self.mask {
            config.head.mask = mask(name, self.path.as_deref())?;
            config.head.validate()?;
        }
        config.head.up = self.up.unwrap_or(config.head.up);
        config.head.turn_deg = self.turn_deg.unwrap_or(config.head.turn_deg);
        if self.animation.is_some() {
            config.head.animation = self.animation.clone();
            config.head.validate()?;
        }
        self.limits.override_in(&mut config.head.limits);
        Ok(())
    }
}

impl LimitArgs {
    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        self.override_in(&mut limits);
        limits
    }

    fn override_in(&self, limits: &mut Limits) {
        for (name, value) in &self.limits {
            // They were checked when they were read.
            _ = limits.set(name, *value);
        }
    }
}

fn limit(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected NAME=VALUE, for example file-bytes=4G")?;
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'k' | 'K')) => (&value[..at], 1 << 10),
        Some((at, 'M')) => (&value[..at], 1 << 20),
        Some((at, 'G')) => (&value[..at], 1 << 30),
        _ => (value, 1),
    };
    let value = digits.parse::<u64>().ok();
    let value = value.and_then(|number| number.checked_mul(unit));
    let not_whole = "its value is not a whole number (k, M and G are 1024, 1024² and 1024³)";
    let value = value.ok_or(not_whole)?;
    let mut limits = Limits::default();
    limits.set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
}

/// Returns a mask as it is kept: a picture is named by its path in the folder of the head, so that
/// both can be moved together.
fn mask(name: &str, head: Option<&Path>) -> Result<String> {
    let folder = head.map(output::folder_of);
    let (Some(folder), true) = (folder, is_mask_picture(name)) else {
        return Ok(name.to_owned());
    };
    let Ok(inside) = folder.canonicalize() else {
        return Ok(name.to_owned());
    };
    let typed = [PathBuf::from(name), folder.join(name)];
    let pictures: Vec<PathBuf> =
        (typed.iter().filter_map(|path| path.canonicalize().ok())).collect();
    let relative = pictures
        .iter()
        .find_map(|picture| picture.strip_prefix(&inside).ok());
    match relative {
        Some(relative) => Ok(relative.to_string_lossy().into_owned()),
        // It may be the name of a material.
        None if pictures.is_empty() => Ok(name.to_owned()),
        None => bail!(
            "--mask {name}: the picture must lie in the folder of the head, {}; copy it there",
            folder.display()
        ),
    }
}

/// Reads which vertex colours are paint, and the linear colour of paint.
fn paint(text: &str) -> Result<(PaintRule, [f32; 3]), String> {
    const BLACK: [f32; 3] = [0.0; 3];
    Ok(match text {
        "auto" => (PaintRule::Auto, BLACK),
        "alpha" => (PaintRule::Alpha, BLACK),
        "white" => (PaintRule::White, BLACK),
        "black" => (PaintRule::Color, BLACK),
        "red" => (PaintRule::Color, [1.0, 0.0, 0.0]),
        "green" => (PaintRule::Color, [0.0, 1.0, 0.0]),
        "blue" => (PaintRule::Color, [0.0, 0.0, 1.0]),
        _ => {
            let wrong = || {
                let names = "auto, alpha, black, white, red, green, blue";
                format!("{text} is not one of {names}, nor a colour like #802000")
            };
            let digits = text
                .strip_prefix('#')
                .filter(|digits| digits.len() == 6 && !digits.starts_with('+'));
            let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let [_, rgb @ ..] = number.ok_or_else(wrong)?.to_be_bytes();
            let color = rgb.map(|byte| linear_from_srgb(f32::from(byte) / 255.0));
            let head = HeadSettings {
                paint_color: color,
                ..HeadSettings::default()
            };
            head.validate().map_err(|error| error.to_string())?;
            (PaintRule::Color, color)
        }
    })
}

fn limit_help() -> String {
    let mut help = "Change a limit that guards against hostile files; may be given several times. \
        k, M and G stand for 1024, 1024² and 1024³. The limits and their defaults:\n"
        .to_owned();
    for (name, about, default) in Limits::names() {
        let default = match default {
            n if n.is_multiple_of(1 << 30) => format!("{}G", n >> 30),
            n if n.is_multiple_of(1 << 20) => format!("{}M", n >> 20),
            n => n.to_string(),
        };
        let named = format!("{name}={default}");
        help += &format!("\n  {named:<18} {about}");
    }
    help
}
