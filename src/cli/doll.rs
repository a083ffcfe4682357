//! `mohawk doll`: the 2D doll, with or without a window.

// A build without a window checks the arguments too.
#![cfg_attr(not(feature = "viewer"), allow(dead_code, unused_variables))]

use super::messages::{Messages, usage_error};
use super::output::{self, file_parser};
use super::settings::{choice, resolution};
use super::view;
use crate::{bindings::DOLL_BINDINGS, numbers::grouped};
use mohawk::doll::{
    COUNTS, Doll, DollSession, DollSettings, DollStrokes, Figure, LengthProfile, PAGE, Palette,
    STATIONS,
};

use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  mohawk doll                                   The window: drag to brush
  mohawk doll --figure lion --palette rainbow --hairs 3000
  mohawk doll lily.doll                         A doll that was saved
  mohawk doll --strokes brush.json -o lily.png --json hairs.json
  mohawk doll lily.doll --strokes more.json -o lily.doll

A stroke file is JSON, in pixels of a picture of the whole page, which has 800 x 600 pixels:
  {\"version\": 1, \"size\": [800, 600],
   \"strokes\": [{\"tool\": \"comb\", \"radius\": 30, \"strength\": 1,
                \"points\": [[0, 300, 250], [0.5, 420, 300]]}],
   \"undo\": 0}
Tools are comb, cut, color (with \"color\": [1, 0.4, 0.7]), clip (with \"clip\": \"bow\", \"barrette\",
\"flower\" or \"scrunchie\") and reset. hairs.json has the format of a .doll file: from, mid, to, length
and color of each hair (see docs/doll.md).";

/// Brush the hair of a paper doll
///
/// Opens a window in which the mouse brushes, cuts, dyes and ties the hair of a doll. With --output
/// or --json, strokes are replayed without a window and give the same hair on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct DollArgs {
    /// Saved doll (.doll)
    file: Option<PathBuf>,

    /// Figure with the hair
    #[arg(long, value_parser = choice::<Figure>(), help_heading = "Doll")]
    figure: Option<Figure>,
    /// Colours of the hair
    #[arg(long, value_parser = choice::<Palette>(), help_heading = "Doll")]
    palette: Option<Palette>,
    /// Number of hairs, 100 to 5,000 [default: 1200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(COUNTS[0])..=i64::from(COUNTS[1])), help_heading = "Doll")]
    hairs: Option<u32>,
    /// Hair length: `figure`, or nine lengths in pixels from left to right
    #[arg(long, value_name = "LENGTHS", value_parser = profile, allow_hyphen_values = true, help_heading = "Doll")]
    profile: Option<LengthProfile>,
    /// Seed of the random hair [default: 1]
    #[arg(long, value_name = "N", help_heading = "Doll")]
    seed: Option<u64>,

    /// Stroke file to apply, .json; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Strokes")]
    strokes: Vec<PathBuf>,

    /// Write a picture (.png) or the doll (.doll), without a window
    #[arg(short, long, value_name = "FILE", value_parser = file_parser(&["png", "doll"]), help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write all hairs as JSON to a file or to stdout, without a window
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = STDOUT, value_parser = json, help_heading = "Output")]
    json: Option<PathBuf>,
    /// Size of the picture in pixels [default: that of the last stroke file, or 800,600]
    #[arg(long, value_name = "W,H", value_parser = resolution, help_heading = "Output")]
    resolution: Option<(u32, u32)>,

    /// List every drag and key on stdout, and stop
    #[arg(long, help_heading = "Window")]
    list_bindings: bool,

    #[command(flatten)]
    messages: Messages,
}

/// Stands for stdout in place of a file name.
const STDOUT: &str = "-";

fn json(text: &str) -> Result<PathBuf, String> {
    match text {
        STDOUT => Ok(PathBuf::from(text)),
        _ => file_parser(&["json"])(text)
            .map_err(|why| format!("{why}; for stdout put --json last, or write --json -")),
    }
}

fn profile(text: &str) -> Result<LengthProfile, String> {
    if text == "figure" {
        return Ok(LengthProfile::Figure);
    }
    let lengths: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let lengths = lengths.ok().and_then(|lengths| lengths.try_into().ok());
    let lengths: [f64; STATIONS] =
        lengths.ok_or_else(|| format!("expected \"figure\" or {STATIONS} lengths with commas"))?;
    let settings = DollSettings {
        profile: LengthProfile::Custom(lengths),
        ..DollSettings::default()
    };
    settings.validate().map_err(|error| error.to_string())?;
    Ok(settings.profile)
}

impl DollArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.messages.start();
        if self.list_bindings {
            return view::list_bindings(DOLL_BINDINGS, self.json.is_some());
        }
        let is_picture = |path: &PathBuf| output::extension(path) == "png";
        if self.resolution.is_some() && !self.output.as_ref().is_some_and(is_picture) {
            let message = "--resolution is the size of a picture: add -o doll.png";
            return Err(usage_error("doll", message));
        }
        if let Some(path) = &self.output {
            output::check("doll", path, &self.strokes)?;
        }
        if let Some(path) = &self.json {
            output::check("doll", path, self.strokes.iter().chain(&self.file))?;
        }
        let started = Instant::now();
        let files = (self.strokes.iter())
            .map(|path| output::read_strokes(path, DollStrokes::from_json))
            .collect::<anyhow::Result<Vec<DollStrokes>>>()?;
        let mut session = DollSession::new(match &self.file {
            Some(path) => Doll::open(path)?,
            None => Doll::grown(DollSettings::default())?,
        });
        let base = session.doll().settings.clone();
        let settings = DollSettings {
            figure: self.figure.unwrap_or(base.figure),
            palette: self.palette.unwrap_or(base.palette),
            hairs: self.hairs.unwrap_or(base.hairs),
            profile: self.profile.unwrap_or(base.profile),
            seed: self.seed.unwrap_or(base.seed),
        };
        match self.file {
            Some(_) => session.set_settings(settings, false)?,
            None => session = DollSession::new(Doll::grown(settings)?),
        }
        let before = session.history().len();
        for file in &files {
            self.messages.with_bar("strokes", |progress| {
                session.play(file, &mut |share| _ = progress(share));
            });
        }
        if self.output.is_none() && self.json.is_none() {
            #[cfg(feature = "viewer")]
            return crate::viewer::run_doll(session, self.file).map_err(anyhow::Error::from);
            #[cfg(not(feature = "viewer"))]
            return Err(super::messages::no_drawing());
        }
        let size = files.last().map_or(PAGE, |file| file.size);
        self.write(session.doll(), size)?;
        if self.json.as_deref() == Some(Path::new(STDOUT)) {
            return Ok(());
        }
        let strokes: usize = files.iter().map(|file| file.strokes.len()).sum();
        let effective = session.history().len() - before;
        let doll = session.doll();
        let [back, fringe] = doll.settings.layers().map(grouped);
        let text = format!(
            "figure: {}, {}\nhairs: {back} at the back, {fringe} in the fringe\nclips: {}\n\
             strokes: {strokes}, of which {effective} changed something and were not undone\n\
             time: {:.3} s\n",
            doll.settings.figure,
            doll.settings.palette,
            grouped(doll.clips.len()),
            started.elapsed().as_secs_f64()
        );
        let written = self.output.iter().chain(&self.json);
        output::print(&output::table(&text, written))
    }

    fn write(&self, doll: &Doll, size: [u32; 2]) -> anyhow::Result<()> {
        match &self.json {
            Some(path) if path == Path::new(STDOUT) => output::print(&doll.to_json())?,
            Some(path) => doll.save(path)?,
            None => {}
        }
        match &self.output {
            Some(path) if output::extension(path) == "doll" => doll.save(path)?,
            Some(path) => {
                let size = (self.resolution).map_or(size, |(width, height)| [width, height]);
                output::write(path, &picture(doll, size)?)?;
            }
            None => {}
        }
        Ok(())
    }
}

/// Returns a picture of a doll as a PNG file.
fn picture(doll: &Doll, size: [u32; 2]) -> anyhow::Result<Vec<u8>> {
    #[cfg(feature = "viewer")]
    {
        use mohawk::render::{Offscreen, page_picture};
        let offscreen = Offscreen::new()?;
        let picture = page_picture(offscreen.context(), doll, size)?;
        output::png(&picture)
    }
    #[cfg(not(feature = "viewer"))]
    Err(super::messages::no_drawing())
}
