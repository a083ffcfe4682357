//! Strokes as files have them, and as steps of even length.

use super::brush::{Brush, Move, STEP_PIXELS, Tool};
use super::camera::{Camera, CameraError, View};
use super::paint::Paint;
use crate::maps::MapKind;
use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

/// The version of stroke files that this program reads and writes.
pub const VERSION: u32 = 1;
/// Largest radius of a brush, pixels.
pub const MOST_RADIUS: f32 = 4096.0;
/// Farthest that a stroke goes from the picture's corner, pixels.
const FARTHEST: f64 = 65_536.0;
/// Most steps of a file: hours of brushing.
const MOST_STEPS: f64 = 1e6;

/// Strokes over the picture of a camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeFile {
    /// [`VERSION`].
    pub version: u32,
    /// What it is seen from, head space.
    #[serde(default)]
    pub camera: Camera,
    /// Width and height of the picture, pixels.
    pub size: [u32; 2],
    /// One after the other.
    pub strokes: Vec<Stroke>,
    /// How many of them are undone in the end.
    #[serde(default)]
    pub undo: u32,
}

/// What a stroke does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum StrokeTool {
    /// Something to strands; `smooth` with a `map`: to the map.
    Brush(Tool),
    /// Mixes a value into a map.
    Paint,
    /// Makes all of a map one value.
    Fill,
}

impl StrokeTool {
    /// Its name in stroke files.
    pub fn name(self) -> &'static str {
        match self {
            StrokeTool::Brush(tool) => tool.name(),
            StrokeTool::Paint => "paint",
            StrokeTool::Fill => "fill",
        }
    }
}

impl From<StrokeTool> for String {
    fn from(tool: StrokeTool) -> String {
        tool.name().to_owned()
    }
}

impl TryFrom<String> for StrokeTool {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        // What some programs call it.
        let name = if name == "pinch" { "clump" } else { &name };
        let brushes = Tool::ALL.map(StrokeTool::Brush).into_iter();
        let all = brushes.chain([StrokeTool::Paint, StrokeTool::Fill]);
        all.clone().find(|tool| tool.name() == name).ok_or_else(|| {
            let known: Vec<&str> = all.map(StrokeTool::name).collect();
            format!("no tool is called {name:?}: there are {}", known.join(", "))
        })
    }
}

/// A stroke of a brush.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    /// What it does.
    pub tool: StrokeTool,
    /// Pixels, above 0 to [`MOST_RADIUS`].
    pub radius: f32,
    /// 0 (nothing) to 1.
    pub strength: f32,
    /// The same on the other side of the head.
    #[serde(default)]
    pub mirror: bool,
    /// Share of the radius over which the effect fades out, 0 to 1.
    #[serde(default = "half")]
    pub falloff: f32,
    /// By how much less hair moves near its root, 0 to 1.
    #[serde(default)]
    pub tips: f32,
    /// The map that `paint`, `fill` and `smooth` are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapKind>,
    /// What is painted: a grey value, or three, each 0 to 1; `"along"` the stroke, for directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<PaintValue>,
    /// Its points are pixels of a picture of the part's UV layout, which shows the whole unit
    /// square; only for `paint`, and `smooth` with a `map`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub flat: bool,
    /// A picture of its own size, where the window was resized between strokes, pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 2]>,
    /// A camera of its own, where it was moved between strokes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Seconds, then pixels right and down.
    pub points: Vec<[f64; 3]>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn half() -> f32 {
    0.5
}

/// One value or three.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "\"value\" must be a number, three of them, or \"along\""
)]
pub enum PaintValue {
    /// Grey.
    Grey(f32),
    /// Red, green and blue.
    Color([f32; 3]),
    /// The way of the stroke.
    Along(AlongStroke),
}

/// `"along"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlongStroke {
    /// The way that the brush goes.
    Along,
}

impl PaintValue {
    /// As three; `None`: it is another wherever the brush goes.
    pub fn rgb(self) -> Option<[f32; 3]> {
        match self {
            PaintValue::Grey(grey) => Some([grey; 3]),
            PaintValue::Color(color) => Some(color),
            PaintValue::Along(_) => None,
        }
    }
}

impl Stroke {
    /// What it does to a map.
    pub fn paint(&self) -> Paint {
        match self.value.map(PaintValue::rgb) {
            _ if self.tool != StrokeTool::Paint => Paint::Smooth,
            Some(None) => Paint::Along,
            value => Paint::Value(value.flatten().unwrap_or_default()),
        }
    }
}

/// Why a stroke file is refused.
#[derive(Debug, thiserror::Error)]
pub enum StrokeError {
    /// Not JSON, or not of this shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A file of some other program.
    #[error("it has \"version\": {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// A camera that shows nothing.
    #[error("{of}: {source}")]
    Camera {
        /// Whose.
        of: String,
        /// Why.
        source: CameraError,
    },
    /// A value out of its range, or one that is missing.
    #[error("stroke {stroke}: {problem}")]
    Stroke {
        /// Its number, from 1.
        stroke: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Too much for any head of hair.
    #[error(
        "the strokes are {steps:.0} steps of {STEP_PIXELS} pixels long; at most {MOST_STEPS:.0} are taken"
    )]
    TooLong {
        /// How many.
        steps: f64,
    },
}

impl StrokeFile {
    /// Reads and checks the text of a stroke file.
    ///
    /// # Errors
    ///
    /// What is wrong, and in which stroke.
    pub fn from_json(text: &str) -> Result<Self, StrokeError> {
        /// Told before the rest, which another version may spell otherwise.
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let Version { version } = serde_json::from_str(text)?;
        if version != VERSION {
            return Err(StrokeError::Version(version));
        }
        let file: StrokeFile = serde_json::from_str(text)?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), StrokeError> {
        let wrong_view = |of: String| move |source| StrokeError::Camera { of, source };
        View::new(&self.camera, self.size).map_err(wrong_view("the file".into()))?;
        let mut steps = 0.0;
        for (number, stroke) in self.strokes.iter().enumerate() {
            let wrong = |problem: String| StrokeError::Stroke {
                stroke: number + 1,
                problem,
            };
            stroke.check().map_err(wrong)?;
            let of = format!("stroke {}", number + 1);
            self.view(stroke).map_err(wrong_view(of))?;
            let ways = stroke.points.windows(2).map(|pair| {
                let [_, x, y] = pair[0];
                let [_, to_x, to_y] = pair[1];
                DVec2::new(x, y).distance(DVec2::new(to_x, to_y))
            });
            steps += 1.0 + ways.sum::<f64>() / f64::from(STEP_PIXELS);
        }
        match steps > MOST_STEPS {
            true => Err(StrokeError::TooLong { steps }),
            false => Ok(()),
        }
    }

    /// The camera of a stroke with the file's picture.
    ///
    /// # Errors
    ///
    /// None in a file that was checked.
    pub fn view(&self, stroke: &Stroke) -> Result<View, CameraError> {
        let camera = stroke.camera.unwrap_or(self.camera);
        View::new(&camera, stroke.size.unwrap_or(self.size))
    }
}

impl Stroke {
    /// How the brush is held; for a map's tool, that of its nearest relative.
    pub fn brush(&self) -> Brush {
        Brush {
            tool: match self.tool {
                StrokeTool::Brush(tool) => tool,
                StrokeTool::Paint | StrokeTool::Fill => Tool::Smooth,
            },
            radius: self.radius,
            strength: self.strength,
            falloff: self.falloff,
            tips: self.tips,
            mirror: self.mirror,
        }
    }

    fn check(&self) -> Result<(), String> {
        let shares = [
            ("strength", self.strength),
            ("falloff", self.falloff),
            ("tips", self.tips),
        ];
        for (name, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("\"{name}\" must be 0 to 1, not {share}"));
            }
        }
        if !(self.radius > 0.0 && self.radius <= MOST_RADIUS) {
            let radius = self.radius;
            return Err(format!(
                "\"radius\" must be above 0 to {MOST_RADIUS} pixels, not {radius}"
            ));
        }
        let is_map = matches!(self.tool, StrokeTool::Paint | StrokeTool::Fill);
        if !is_map && self.map.is_some() && self.tool != StrokeTool::Brush(Tool::Smooth) {
            return Err(format!("\"{}\" takes no \"map\"", self.tool.name()));
        }
        if is_map && self.map.is_none() {
            let known = MapKind::ALL.map(MapKind::name).join(", ");
            return Err(format!("\"map\" is missing: one of {known}"));
        }
        if self.flat && (self.tool == StrokeTool::Fill || self.map.is_none()) {
            return Err(
                "\"flat\" is only for \"paint\", and for \"smooth\" with a \"map\"; leave it out"
                    .into(),
            );
        }
        let along = PaintValue::Along(AlongStroke::Along);
        let takes_along = self.tool == StrokeTool::Paint && self.map == Some(MapKind::Direction);
        if self.value == Some(along) && !takes_along {
            return Err(
                "\"value\": \"along\" is only for \"paint\" with \"map\": \"direction\"".into(),
            );
        }
        if is_map && self.value.is_none() {
            return Err(
                "\"value\" is missing: a grey value, or red, green and blue, 0 to 1".into(),
            );
        }
        let value = self.value.and_then(PaintValue::rgb);
        if value.is_some_and(|value| !value.iter().all(|x| (0.0..=1.0).contains(x))) {
            return Err("\"value\" must be 0 to 1".into());
        }
        if self.points.is_empty() {
            return Err("\"points\" is empty: a tap has one, as [seconds, x, y]".into());
        }
        let is_there = |point: &[f64; 3]| {
            point[0].is_finite() && point[1..].iter().all(|x| x.abs() <= FARTHEST)
        };
        match self.points.iter().position(|point| !is_there(point)) {
            Some(point) => Err(format!(
                "point {} is not finite, or farther away than {FARTHEST:.0} pixels",
                point + 1
            )),
            None => Ok(()),
        }
    }
}

/// Makes steps of even length of what a mouse tells, however often it does.
#[derive(Debug, Default)]
pub(super) struct Even {
    /// Where the last whole step ended.
    at: Option<DVec2>,
    /// The way from there, as it was told.
    last: DVec2,
    gone: f64,
    any: bool,
}

impl Even {
    /// The brush is here now.
    pub(super) fn push(&mut self, to: DVec2, step: &mut impl FnMut(Move)) {
        let Some(mut at) = self.at else {
            (self.at, self.last) = (Some(to), to);
            return;
        };
        let long = f64::from(STEP_PIXELS);
        let (from, way) = (self.last, to.distance(self.last));
        let mut done = 0.0;
        while self.gone + (way - done) >= long {
            done += long - self.gone;
            let next = from + (to - from) * (done / way);
            step(moved(at, next));
            (at, self.gone, self.any) = (next, 0.0, true);
        }
        self.gone += way - done;
        (self.at, self.last) = (Some(at), to);
    }

    /// The stroke ends: what is left of the way, or a tap.
    pub(super) fn finish(&mut self, step: &mut impl FnMut(Move)) {
        if let Some(at) = self.at.take()
            && (at != self.last || !self.any)
        {
            step(moved(at, self.last));
        }
        *self = Self::default();
    }
}

fn moved(from: DVec2, to: DVec2) -> Move {
    let single = |p: DVec2| -> Vec2 { p.as_vec2() };
    Move {
        from: single(from),
        to: single(to),
    }
}
