//! Stroke files, and how they are replayed.

use super::{ClipKind, DollBrush, DollSession, DollTool, PAGE};
use crate::strokes::{self, MAX_RADIUS, StrokeError};
use serde::{Deserialize, Serialize};

/// Strokes over a picture of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollStrokes {
    /// [`VERSION`](strokes::VERSION).
    pub version: u32,
    /// Width and height of the picture, pixels: it shows the whole page, as large as it can be, in
    /// the middle.
    pub size: [u32; 2],
    /// One after the other.
    pub strokes: Vec<DollStroke>,
    /// How many of them are undone in the end.
    #[serde(default)]
    pub undo: u32,
}

/// A stroke over a doll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollStroke {
    /// What it does.
    pub tool: DollTool,
    /// Pixels of the picture, above 0 to [`MAX_RADIUS`].
    #[serde(default = "usual_radius")]
    pub radius: f32,
    /// 0 (nothing) to 1.
    #[serde(default = "whole")]
    pub strength: f32,
    /// What hair is dyed with, or a clip's colour, sRGB, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "colour")]
    pub color: Option<[f32; 3]>,
    /// Which clip is put on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipKind>,
    /// Seconds, then pixels right and down.
    pub points: Vec<[f64; 3]>,
}

fn usual_radius() -> f32 {
    DollBrush::default().radius as f32
}

fn whole() -> f32 {
    1.0
}

impl DollStrokes {
    /// Reads and checks the text of a stroke file.
    ///
    /// # Errors
    ///
    /// What is wrong, and in which stroke.
    pub fn from_json(text: &str) -> Result<Self, StrokeError> {
        let file: Self = strokes::read(text)?;
        let [width, height] = file.size;
        let sides = 1..=MAX_RADIUS as u32 * 4;
        if !(sides.contains(&width) && sides.contains(&height)) {
            let most = sides.end();
            return Err(StrokeError::Picture {
                of: "\"size\"".into(),
                problem: format!("each side must be 1 to {most} pixels, not {width} x {height}"),
            });
        }
        for (number, stroke) in file.strokes.iter().enumerate() {
            stroke.check().map_err(|problem| StrokeError::Stroke {
                stroke: number + 1,
                problem,
            })?;
        }
        let scale = Fit::of(file.size).scale.min(1.0);
        // Steps are pixels of the page, which a small picture has more of.
        let steps = file.strokes.iter().map(|stroke| &stroke.points[..]);
        strokes::check_steps(steps, scale)?;
        Ok(file)
    }
}

impl DollStroke {
    fn check(&self) -> Result<(), String> {
        strokes::check_radius(self.radius)?;
        strokes::check_share("strength", self.strength)?;
        let has_color = matches!(self.tool, DollTool::Color | DollTool::Clip);
        match self.color {
            Some(_) if !has_color => {
                let tool = self.tool.name();
                return Err(format!("\"{tool}\" takes no \"color\""));
            }
            None if self.tool == DollTool::Color => {
                return Err("\"color\" is missing: red, green and blue, 0 to 1".into());
            }
            Some(color) if !color.iter().all(|c| (0.0..=1.0).contains(c)) => {
                return Err("\"color\" must be red, green and blue, each 0 to 1".into());
            }
            _ => {}
        }
        if self.clip.is_some() && self.tool != DollTool::Clip {
            return Err(format!("\"{}\" takes no \"clip\"", self.tool.name()));
        }
        strokes::check_points(&self.points)
    }

    /// How the brush is held, pixels of the page.
    fn brush(&self, fit: &Fit) -> DollBrush {
        let usual = DollBrush::default();
        DollBrush {
            tool: self.tool,
            radius: f64::from(self.radius) / fit.scale,
            strength: f64::from(self.strength),
            color: self.color.unwrap_or(usual.color),
            clip: self.clip.unwrap_or(usual.clip),
        }
    }
}

/// How the page lies in a picture: as large as it can be, in the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Pixels of the picture per pixel of the page.
    pub scale: f64,
    /// Where the page's corner is, pixels of the picture.
    pub corner: [f64; 2],
}

impl Fit {
    /// In a picture of so many pixels.
    pub fn of(size: [u32; 2]) -> Self {
        let ([width, height], page) = (size.map(f64::from), PAGE.map(f64::from));
        let scale = (width / page[0]).min(height / page[1]);
        let corner = [width - scale * page[0], height - scale * page[1]].map(|rest| 0.5 * rest);
        Self { scale, corner }
    }

    /// A point of the picture as one of the page.
    pub fn to_page(&self, x: f64, y: f64) -> [f64; 2] {
        [
            (x - self.corner[0]) / self.scale,
            (y - self.corner[1]) / self.scale,
        ]
    }
}

impl DollSession {
    /// Does all strokes of a file, which has been checked, then undoes as many of them as it says:
    /// nothing that was done before. `progress` hears of the finished share.
    pub fn play(&mut self, file: &DollStrokes, progress: &mut dyn FnMut(f32)) {
        let fit = Fit::of(file.size);
        let points = file.strokes.iter().map(|stroke| stroke.points.len());
        let all = points.sum::<usize>().max(1) as f32;
        let mut done = 0;
        let mut point = || {
            done += 1;
            progress(done as f32 / all);
        };
        let strokes = file.strokes.iter();
        let changed = strokes.map(|stroke| self.stroke(stroke, &fit, &mut point));
        let changed: Vec<bool> = changed.collect();
        // Strokes that changed nothing have nothing that could be undone.
        let taken_back = changed.iter().rev().take(file.undo as usize);
        for _ in taken_back.filter(|&&changed| changed) {
            self.undo();
        }
    }

    /// Does a whole stroke. Did it change anything?
    fn stroke(&mut self, stroke: &DollStroke, fit: &Fit, done: &mut dyn FnMut()) -> bool {
        self.begin(stroke.brush(fit));
        for &[_, x, y] in &stroke.points {
            let [x, y] = fit.to_page(x, y);
            self.move_to(x, y);
            done();
        }
        self.end()
    }
}
