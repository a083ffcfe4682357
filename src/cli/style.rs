//! `mohawk style`: maps and strokes without a window.

use super::{
    data, pipeline,
    settings::{HairArgs, HeadArgs},
    talk::Talk,
    usage_error,
};
use crate::numbers::grouped;
use anyhow::{Context, bail};
use mohawk::files::{read_plain, write_whole_with};
use mohawk::maps::{Map, MapKind};
use mohawk::style::{Model, Saved, StrokeFile, Styler};
use npyz::WriterBuilder;
use serde::Serialize;
use std::{
    io::{BufWriter, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

const EXAMPLES: &str = "\
Examples:
  mohawk style --strokes comb.json -o combed.mohawk
  mohawk style my-head.glb --map density=density.png --map length=density.png -o fur.mohawk
  mohawk style combed.mohawk --strokes more.json -o combed.mohawk --points rest.npy --json
  mohawk style my-head.glb --strokes comb.json --embed -o whole.mohawk
  mohawk render combed.mohawk -o combed.png

A stroke file is JSON, with points in pixels of the picture of its camera (see docs/styling.md):
  {\"version\": 1,
   \"camera\": {\"eye\": [0, 0, 9], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_degrees\": 30},
   \"size\": [1280, 720],
   \"strokes\": [{\"tool\": \"comb\", \"radius\": 40, \"strength\": 0.5, \"mirror\": true,
                \"points\": [[0, 640, 100], [0.5, 700, 200]]}],
   \"undo\": 0}

With \"flat\": true, strokes that paint go over the UV layout: points are pixels of a picture of it.

rest.npy holds f32 [strand, point, 3] in head space, decimetres: hair at rest, point 0 the root.";

/// Paint maps and brush strands without a window, and save the style
///
/// Takes a head or a saved style: a .mohawk file or a folder. Maps are applied first, then strokes,
/// each in the given order. The same arguments give the same bits on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct StyleArgs {
    /// Stroke file to replay, .json; can be given several times
    #[arg(long, value_name = "FILE", help_heading = "Styling")]
    strokes: Vec<PathBuf>,
    /// Picture over the head's UVs that controls a setting; can be given several times
    ///
    /// density (0: bald), length, width (0: a tenth), stiffness (0: limp), curl and clump are grey: dark
    /// is the least and bright the most. tint is the dye; white changes nothing. direction: red, green
    /// and blue are x, y and z of the head, half is 0.
    #[arg(long = "map", value_name = "KIND=FILE", value_parser = map, help_heading = "Styling")]
    maps: Vec<(MapKind, PathBuf)>,

    /// Write the style: a .mohawk file, or a folder if the name has no such ending
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write hair at rest: .npy
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    points: Option<PathBuf>,
    /// Include the head in the .mohawk file (.glb only)
    #[arg(long, requires = "output", help_heading = "Output")]
    embed: bool,

    #[command(flatten)]
    hair: HairArgs,
    #[command(flatten)]
    head: HeadArgs,
    #[command(flatten)]
    talk: Talk,
}

fn map(text: &str) -> Result<(MapKind, PathBuf), String> {
    let (kind, file) =
        (text.split_once('=')).ok_or("expected KIND=FILE, for example density=density.png")?;
    let kind: MapKind = kind.trim().parse().map_err(|e| format!("{e}"))?;
    if file.is_empty() {
        return Err(format!("which file? For example {kind}={kind}.png"));
    }
    Ok((kind, PathBuf::from(file)))
}

/// The result, for people and for `--json`.
#[derive(Serialize)]
struct Styled {
    output: Option<PathBuf>,
    points: Option<PathBuf>,
    strands: usize,
    points_per_strand: usize,
    /// Strands whose shape was changed by hand.
    edited: usize,
    /// Follicles that were planted and emptied by hand.
    planted: usize,
    removed: usize,
    maps: Vec<MapKind>,
    /// Strokes of all files, and those that were undone in the end.
    strokes: usize,
    undone: usize,
    /// Decimetres.
    mean_length: f64,
    longest: f32,
    /// Depth of the deepest point in the skin, by its distance field, decimetres; 0 if none is in it.
    deepest: f32,
    /// Size of the undo history, bytes.
    history_bytes: usize,
    seconds: f64,
}

impl StyleArgs {
    pub fn run(self) -> anyhow::Result<()> {
        self.talk.start();
        for output in [&self.output, &self.points].into_iter().flatten() {
            data::check_folder(output)?;
        }
        self.check_inputs()?;
        let start = Instant::now();
        let files = self.strokes.iter().map(|path| strokes(path));
        let files: Vec<StrokeFile> = files.collect::<anyhow::Result<_>>()?;
        let mut config = self.head.config()?;
        self.hair.override_in(&mut config)?;
        let path = self.head.path.as_deref();
        let pipeline::Styled { mut styler, model } =
            pipeline::styled(&config, path, true, self.talk)?;
        for (kind, file) in &self.maps {
            let map = Map::load(file, *kind)?;
            let set = styler.set_map(map, &mut |_| ControlFlow::Continue(()));
            set.with_context(|| file.display().to_string())?;
        }
        self.play(&mut styler, &files)?;
        let result = self.result(&styler, &files, start);
        if let Some(output) = &self.output {
            let saved = Saved {
                style: styler.style().clone(),
                model: self.model(model, &config)?,
                roots: styler.edited_roots(),
            };
            saved.save(output)?;
        }
        if let Some(points) = &self.points {
            let written = write_whole_with(points, |file| write_points(&styler, file));
            written.with_context(|| format!("{} could not be written", points.display()))?;
        }
        match self.talk.json {
            true => data::print_json(&result),
            false => data::print(&result.table()),
        }
    }

    /// Refuses to overwrite an input, except the style that is worked on.
    fn check_inputs(&self) -> anyhow::Result<()> {
        let maps = self.maps.iter().map(|(_, file)| file);
        let inputs: Vec<&PathBuf> = self.strokes.iter().chain(maps).collect();
        let head = self.head.path.iter();
        let model = head.clone().filter(|path| !Saved::is_named(path));
        let of = |output: &Option<PathBuf>, more: Vec<&PathBuf>| {
            let inputs = inputs.iter().copied().chain(more);
            let found = data::overwritten(output.as_deref()?, inputs)?;
            Some(found.display().to_string())
        };
        let output = of(&self.output, model.collect());
        match output.or_else(|| of(&self.points, head.collect())) {
            Some(input) => {
                let message = format!("{input} is read and would be written over");
                Err(usage_error("style", message))
            }
            None => Ok(()),
        }
    }

    fn play(&self, styler: &mut Styler, files: &[StrokeFile]) -> anyhow::Result<()> {
        for (file, path) in files.iter().zip(&self.strokes) {
            let bar = self.talk.progress("strokes", 1000);
            let played = styler.play(file, &mut |share| {
                bar.set_position((share * 1000.0) as u64);
                ControlFlow::Continue(())
            });
            bar.finish_and_clear();
            played.with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    /// Returns the model to save.
    fn model(&self, model: Model, config: &mohawk::Config) -> anyhow::Result<Model> {
        let Model::File(path) = &model else {
            return Ok(model);
        };
        if !self.embed {
            return Ok(model);
        }
        let name = path.display();
        let max = 4 << 30;
        let bytes = read_plain(path, max).with_context(|| format!("{name} cannot be read"))?;
        let embedded = Model::Embedded(Arc::from(bytes));
        if embedded.load(&config.head).is_err() {
            bail!("{name} needs other files and cannot be embedded; export it as .glb");
        }
        Ok(embedded)
    }

    fn result(&self, styler: &Styler, files: &[StrokeFile], start: Instant) -> Styled {
        let (strands, style) = (styler.strands(), styler.style());
        let lengths: Vec<f32> = (0..strands.len()).map(|i| strands.length(i)).collect();
        let whole: f64 = lengths.iter().map(|&length| f64::from(length)).sum();
        let planted = style
            .edits
            .planted
            .values()
            .filter(|&&planted| planted)
            .count();
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
            mean_length: whole / lengths.len().max(1) as f64,
            longest: lengths.iter().fold(0.0, |max, &length| max.max(length)),
            deepest: styler.deepest().unwrap_or(0.0).max(0.0),
            history_bytes: styler.history().bytes(),
            seconds: start.elapsed().as_secs_f64(),
        }
    }
}

fn strokes(path: &Path) -> anyhow::Result<StrokeFile> {
    data::strokes(path, StrokeFile::from_json)
}

/// Writes hair at rest as an array `[strand, point, 3]`.
fn write_points(styler: &Styler, file: &mut dyn Write) -> std::io::Result<()> {
    let strands = styler.strands();
    let shape = [strands.len(), strands.per_strand(), 3].map(|n| n as u64);
    let mut writer = npyz::WriteOptions::<f32>::new()
        .default_dtype()
        .shape(&shape)
        .writer(BufWriter::new(file))
        .begin_nd()?;
    writer.extend(strands.positions().flat_map(|point| point.to_array()))?;
    writer.finish()
}

impl Styled {
    fn table(&self) -> String {
        let maps: Vec<&str> = self.maps.iter().map(|map| map.name()).collect();
        let maps = match maps.is_empty() {
            true => "none".to_owned(),
            false => maps.join(", "),
        };
        let (strands, points) = (grouped(self.strands), self.points_per_strand);
        let (planted, removed) = (grouped(self.planted), grouped(self.removed));
        let (mean, longest) = (self.mean_length, self.longest);
        let mut rows = vec![
            ("strands", format!("{strands} of {points} points")),
            ("edited", grouped(self.edited)),
            ("planted, removed", format!("{planted}, {removed}")),
            ("maps", maps),
            (
                "strokes, undone",
                format!("{}, {}", self.strokes, self.undone),
            ),
            (
                "mean length",
                format!("{mean:.4} dm, longest {longest:.4} dm"),
            ),
            ("deepest point", format!("{:.4} dm", self.deepest)),
            ("took", format!("{:.3} s", self.seconds)),
        ];
        let outputs = [&self.output, &self.points].into_iter().flatten();
        rows.extend(outputs.map(|path| ("written", path.display().to_string())));
        (rows.iter())
            .map(|(name, value)| format!("  {name:<18}{value}\n"))
            .collect()
    }
}
