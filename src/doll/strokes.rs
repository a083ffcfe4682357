//! Stroke files and their replay.

use super::brush::{DollBrush, DollTool};
use super::clip::ClipKind;
use super::figure::PAGE;
use super::file::check_color;
use super::session::DollSession;
use crate::strokes::{self, MAX_RADIUS, StrokeError};
use serde::{Deserialize, Serialize};

/// A stroke file: strokes over a picture of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollStrokes {
    /// [`VERSION`](strokes::VERSION).
    pub version: u32,
    /// Width and height of the picture, pixels. It shows the whole page, as [`PageFit`] says.
    pub size: [u32; 2],
    /// The strokes, in order.
    pub strokes: Vec<DollStroke>,
    /// Number of the last strokes that are undone at the end.
    #[serde(default)]
    pub undo: u32,
}

/// A stroke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollStroke {
    /// The tool.
    pub tool: DollTool,
    /// Radius, pixels of the picture, above 0 to [`MAX_RADIUS`].
    #[serde(default = "default_radius")]
    pub radius: f32,
    /// Strength, 0 (no effect) to 1.
    #[serde(default = "full_strength")]
    pub strength: f32,
    /// Colour of dyed hair or of a clip, sRGB.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "colour")]
    pub color: Option<[f32; 3]>,
    /// The kind of clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipKind>,
    /// Time (seconds) and position (pixels right and down).
    pub points: Vec<[f64; 3]>,
}

fn default_radius() -> f32 {
    DollBrush::default().radius as f32
}

fn full_strength() -> f32 {
    1.0
}

impl DollStrokes {
    /// Reads and checks the text of a stroke file.
    ///
    /// # Errors
    ///
    /// [`StrokeError`] that names the stroke.
    pub fn from_json(text: &str) -> Result<Self, StrokeError> {
        let file: Self = strokes::read(text.as_bytes())?;
        let [width, height] = file.size;
        let sides = 1..=MAX_RADIUS as u32 * 4;
        if !(sides.contains(&width) && sides.contains(&height)) {
            let max = sides.end();
            let problem = format!("each side must be 1 to {max} pixels, not {width} x {height}");
            return Err(StrokeError::of("\"size\"")(problem));
        }
        for (stroke, number) in file.strokes.iter().zip(1..) {
            let of = format!("stroke {number}");
            stroke.check().map_err(StrokeError::of(&of))?;
        }
        let scale = PageFit::of(file.size).scale.min(1.0);
        // Steps are in pixels of the page, which are smaller in a small picture.
        let steps = file.strokes.iter().map(|stroke| &stroke.points[..]);
        strokes::check_steps(steps, scale)?;
        Ok(file)
    }
}

impl DollStroke {
    fn check(&self) -> Result<(), String> {
        strokes::check_radius(self.radius)?;
        strokes::check_share("strength", self.strength)?;
        let tool = self.tool;
        match self.color {
            Some(_) if !tool.has_color() => return Err(format!("\"{tool}\" takes no \"color\"")),
            Some(color) => check_color(color)?,
            None if tool == DollTool::Color => {
                return Err("\"color\" is missing: red, green and blue, 0 to 1".into());
            }
            None => {}
        }
        if self.clip.is_some() && tool != DollTool::Clip {
            return Err(format!("\"{tool}\" takes no \"clip\""));
        }
        strokes::check_points(&self.points)
    }

    /// Returns the brush of the stroke, in pixels of the page.
    fn brush(&self, fit: &PageFit) -> DollBrush {
        let default = DollBrush::default();
        DollBrush {
            tool: self.tool,
            radius: f64::from(self.radius) / fit.scale,
            strength: f64::from(self.strength),
            color: self.color.unwrap_or(default.color),
            clip: self.clip.unwrap_or(default.clip),
        }
    }
}

/// The place of the page in a picture: as large as possible, and in the middle of a wide picture or at
/// the bottom of a tall one, where only sky is above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageFit {
    /// Pixels of the picture per pixel of the page.
    pub scale: f64,
    /// Corner of the page, pixels of the picture.
    pub corner: [f64; 2],
}

impl PageFit {
    /// Returns the place in a picture of `size` pixels.
    pub fn of(size: [u32; 2]) -> Self {
        let ([width, height], page) = (size.map(f64::from), PAGE.map(f64::from));
        let scale = (width / page[0]).min(height / page[1]);
        let corner = [0.5 * (width - scale * page[0]), height - scale * page[1]];
        Self { scale, corner }
    }

    /// Converts a point of the picture to the page.
    pub fn to_page(&self, x: f64, y: f64) -> [f64; 2] {
        let [left, top] = self.corner;
        [(x - left) / self.scale, (y - top) / self.scale]
    }
}

impl DollSession {
    /// Replays all strokes of a checked file, then undoes the number of strokes that it says, but
    /// nothing from before. `progress` receives the finished share.
    pub fn play(&mut self, file: &DollStrokes, progress: &mut dyn FnMut(f32)) {
        let fit = PageFit::of(file.size);
        let points = file.strokes.iter().map(|stroke| stroke.points.len());
        let all = points.sum::<usize>() as f32;
        let (mut done, mut changed) = (0, Vec::new());
        for stroke in &file.strokes {
            self.begin(stroke.brush(&fit));
            for &[_, x, y] in &stroke.points {
                let [x, y] = fit.to_page(x, y);
                self.move_to(x, y);
                done += 1;
                progress(done as f32 / all);
            }
            changed.push(self.end());
        }
        // Strokes that changed nothing are not in the history.
        let undone = changed.iter().rev().take(file.undo as usize);
        for _ in undone.filter(|&&changed| changed) {
            self.undo();
        }
    }
}
