//! `mohawk style`: maps and strokes without a window.

use super::messages::usage_error;
use super::output::{self, CommandResult};
use super::settings::{HairArgs, HeadArgs};
use crate::numbers::grouped;
use anyhow::Context;
use mohawk::files::{is_same_place, write_whole_with};
use mohawk::head::Model;
use mohawk::maps::{Map, MapKind};
use mohawk::style::{Card, Saved, StrokeFile, Styler};
use serde::Serialize;
use std::{ops::ControlFlow, path::PathBuf, time::Instant};

const EXAMPLES: &str = "\
Examples:
  mohawk style --strokes comb.json -o combed.mohawk
  mohawk style my-head.glb --map density=density.png --map length=density.png -o fur.mohawk
  mohawk style combed.mohawk --strokes more.json -o combed.mohawk --points rest.npy --json
  mohawk style my-head.glb --strokes comb.json --embed -o whole.mohawk
  mohawk render combed.mohawk -o combed.png

A stroke file is JSON, in pixels of the picture that its camera sees (see docs/styling.md):
  {\"version\": 1,
   \"camera\": {\"eye\": [0, 0, 9], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_degrees\": 30},
   \"size\": [1280, 720],
   \"strokes\": [{\"tool\": \"comb\", \"radius\": 40, \"strength\": 0.5, \"mirror\": true,
                \"points\": [[0, 640, 100], [0.5, 700, 200]]}],
   \"undo\": 0}

With \"flat\": true, painting strokes are in pixels of a picture of the whole UV layout.

rest.npy holds f32 [strand, point, 3]: hair at rest in head space, in decimetres, root first.";

/// Paint maps and brush strands without a window, and save the style
///
/// The input is a head or a saved style: a .mohawk file or a folder. Maps are applied first, then
/// strokes, both in the given order. The same arguments give the same bits on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct StyleArgs {
    /// Stroke file to apply, .json; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Styling")]
    strokes: Vec<PathBuf>,
    /// Picture over the UVs of the head that scales a property of hair; may be given several times
    ///
    /// Grey pictures: density (0 is bald), length, width (0 is a tenth), stiffness (0 is limp),
    /// curl, clump, mask1 to mask4 (for modifiers); black is least, white is most. Colour pictures: tint is the colour of the dye,
    /// where white dyes nothing; direction has x, y and z of head space in red, green and blue,
    /// where half is 0.
    #[arg(long = "map", value_name = "KIND=FILE", value_parser = map, help_heading = "Styling")]
    maps: Vec<(MapKind, PathBuf)>,

    /// Write the style: a .mohawk file, or else a folder
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write the hair at rest: .npy
    #[arg(long, value_name = "FILE", value_parser = output::file_parser(&["npy"]), help_heading = "Output")]
    points: Option<PathBuf>,
    /// Include the head in the .mohawk file (.glb only)
    #[arg(long, requires = "output", help_heading = "Output")]
    embed: bool,

    /// A line about the style, for lists of presets
    #[arg(long, value_name = "TEXT", requires = "output", value_parser = about, help_heading = "Output")]
    about: Option<String>,
    /// Small picture of the style, for lists of presets: .png, at most 512 pixels a side
    #[arg(
        long,
        value_name = "FILE",
        requires = "output",
        help_heading = "Output"
    )]
    thumbnail: Option<PathBuf>,

    #[command(flatten)]
    hair: HairArgs,
    #[command(flatten)]
    head: HeadArgs,
}

fn map(text: &str) -> Result<(MapKind, PathBuf), String> {
    let (kind, file) =
        (text.split_once('=')).ok_or("expected KIND=FILE, for example density=density.png")?;
    let kind: MapKind = kind.trim().parse().map_err(|e| format!("{e}"))?;
    if file.is_empty() {
        return Err(format!("expected a file, for example {kind}={kind}.png"));
    }
    Ok((kind, PathBuf::from(file)))
}

fn about(text: &str) -> Result<String, String> {
    let max = Card::MAX_ABOUT;
    match text.chars().count() <= max && !text.contains(char::is_control) {
        true => Ok(text.to_owned()),
        false => Err(format!("expected one line of at most {max} characters")),
    }
}

/// The style and its hair in numbers.
#[derive(Serialize)]
struct Styled {
    output: Option<PathBuf>,
    points: Option<PathBuf>,
    strands: usize,
    points_per_strand: usize,
    /// The number of strands that differ from what settings and maps grow.
    edited: usize,
    /// The numbers of strands that were planted and that were removed.
    planted: usize,
    removed: usize,
    maps: Vec<MapKind>,
    /// The number of strokes in all files, and of those that are undone in the end.
    strokes: usize,
    undone: usize,
    /// Mean and largest length, in decimetres.
    mean_length: f64,
    longest: f32,
    /// The depth of the deepest point in the skin, by its distance field; 0 if none is inside.
    deepest: f32,
    /// The size of the undo history, in bytes.
    history_bytes: usize,
    seconds: f64,
}

impl StyleArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.head.messages.start();
        self.check_outputs()?;
        let start = Instant::now();
        let files = (self.strokes.iter())
            .map(|path| output::read_strokes(path, StrokeFile::from_json))
            .collect::<anyhow::Result<Vec<StrokeFile>>>()?;
        let mut config = self.head.config()?;
        self.hair.override_in(&mut config)?;
        let maps = self.maps()?;
        // A picture that cannot be a thumbnail is refused before the work.
        self.card(Card::default())?;
        let (mut styler, model, card) = self.head.source(&config).styled(true)?;
        if let Some(points) = &self.points {
            output::check("style", points, &styler.head().files)?;
        }
        for (map, (_, file)) in maps.into_iter().zip(&self.maps) {
            let set = styler.set_map(map, &mut |_| ControlFlow::Continue(()));
            set.with_context(|| file.display().to_string())?;
        }
        for (file, path) in files.iter().zip(&self.strokes) {
            let messages = self.head.messages;
            let played = messages.with_bar("strokes", |progress| styler.play(file, progress));
            played.with_context(|| path.display().to_string())?;
        }
        let result = self.result(&styler, &files, start);
        if let Some(output) = &self.output {
            let saved = Saved {
                style: styler.style().clone(),
                model: self.model(model, &config)?,
                roots: styler.edited_roots(),
                card: self.card(card)?,
                strands: None,
            };
            saved.save(output)?;
        }
        if let Some(points) = &self.points {
            let strands = styler.strands();
            let shape = [strands.len(), strands.per_strand(), 3].map(|n| n as u64);
            let written = write_whole_with(points, |file| {
                let mut writer = output::npy(file, &shape)?;
                writer.extend(strands.positions().flat_map(|point| point.to_array()))?;
                writer.finish()
            });
            written.with_context(|| format!("{} could not be written", points.display()))?;
        }
        result.print(self.head.json)
    }

    /// Checks that no file that is read would be overwritten, except a style that is edited in
    /// place.
    fn check_outputs(&self) -> anyhow::Result<()> {
        let maps = self.maps.iter().map(|(_, file)| file);
        let inputs = (self.strokes.iter()).chain(maps).chain(&self.thumbnail);
        let inputs = inputs.cloned().chain(self.head.inputs());
        if let Some(path) = &self.output {
            let edited = self.head.path.as_ref().filter(|_| self.head.is_style());
            let others = inputs.clone().filter(|input| Some(input) != edited);
            output::check("style", path, others)?;
        }
        if let Some(path) = &self.points {
            let output = self.output.as_ref();
            if output.is_some_and(|output| is_same_place(output, path)) {
                let problem = "--output and --points name the same file";
                return Err(usage_error("style", problem.to_owned()));
            }
            output::check("style", path, inputs)?;
        }
        Ok(())
    }

    /// Reads the pictures of maps.
    fn maps(&self) -> anyhow::Result<Vec<Map>> {
        let mut maps = Vec::<Map>::new();
        for (kind, file) in &self.maps {
            if maps.iter().any(|map| map.kind() == *kind) {
                let problem = format!("--map {kind} is given twice: one picture makes a map");
                return Err(usage_error("style", problem));
            }
            maps.push(Map::load(file, *kind)?);
        }
        Ok(maps)
    }

    /// Returns the model to save: with `--embed` the contents of its file.
    fn model(&self, model: Model, config: &mohawk::Config) -> anyhow::Result<Model> {
        let Model::File(path) = &model else {
            return Ok(model);
        };
        if !self.embed {
            return Ok(model);
        }
        let name = path.display().to_string();
        let embedded = model.embedded(&config.head, MAX_EMBEDDED_BYTES);
        let embedded = embedded.with_context(|| format!("{name} cannot be read"))?;
        embedded.with_context(|| {
            format!(
                "{name} is no .glb, or needs other files, and cannot be embedded: make a .glb of it, \
                 for example by mohawk export --painted"
            )
        })
    }

    /// Returns what a list shows of the style: what was given, or what its file had. A style that
    /// begins with a preset is another one.
    fn card(&self, own: Card) -> anyhow::Result<Card> {
        let mut card = match self.head.preset {
            Some(_) => Card::default(),
            None => own,
        };
        if let Some(about) = &self.about {
            card.about.clone_from(about);
        }
        if let Some(path) = &self.thumbnail {
            let loaded = card.load_picture(path);
            loaded.with_context(|| format!("{} cannot be a thumbnail", path.display()))?;
        }
        Ok(card)
    }

    fn result(&self, styler: &Styler, files: &[StrokeFile], start: Instant) -> Styled {
        let (strands, style) = (styler.strands(), styler.style());
        let lengths: Vec<f32> = (0..strands.len()).map(|i| strands.length(i)).collect();
        let sum: f64 = lengths.iter().map(|&length| f64::from(length)).sum();
        let planted = style.edits.planted.values().filter(|&&planted| planted);
        let planted = planted.count();
        Styled {
            output: self.output.clone(),
            points: self.points.clone(),
            strands: strands.len(),
            points_per_strand: strands.per_strand(),
            edited: style.edits.curves.len(),
            planted,
            removed: style.edits.planted.len() - planted,
            maps: style.maps.keys().copied().collect(),
            strokes: files.iter().map(|file| file.strokes.len()).sum(),
            undone: styler.history().undone(),
            mean_length: sum / strands.len().max(1) as f64,
            longest: lengths.into_iter().fold(0.0, f32::max),
            deepest: styler.deepest().filter(|deep| *deep > 0.0).unwrap_or(0.0),
            history_bytes: styler.history().bytes(),
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

/// Largest head file that is embedded, in bytes.
const MAX_EMBEDDED_BYTES: u64 = 4 << 30;

impl CommandResult for Styled {
    fn text(&self) -> String {
        let maps: Vec<&str> = self.maps.iter().map(|map| map.name()).collect();
        let maps = match maps.is_empty() {
            true => "none".to_owned(),
            false => maps.join(", "),
        };
        let [strands, edited, planted, removed] =
            [self.strands, self.edited, self.planted, self.removed].map(grouped);
        let text = format!(
            "strands: {strands} of {} points\nedited: {edited}\n\
             planted, removed: {planted}, {removed}\nmaps: {maps}\n\
             strokes, undone: {}, {}\nmean length: {:.4} dm, longest {:.4} dm\n\
             deepest point: {:.4} dm\ntime: {:.3} s\n",
            self.points_per_strand,
            self.strokes,
            self.undone,
            self.mean_length,
            self.longest,
            self.deepest,
            self.seconds
        );
        output::table(&text, self.output.iter().chain(&self.points))
    }
}
