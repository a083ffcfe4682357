//! Strokes as files have them, and as steps of even length.

use super::brush::{Brush, Tool};
use super::paint::Paint;
use super::view::{Camera, CameraError, View};
use crate::maps::MapKind;
use crate::strokes::{self, StrokeError};
use serde::{Deserialize, Serialize};

/// Strokes over the picture of a camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeFile {
    /// [`VERSION`](strokes::VERSION).
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
    /// Pixels, above 0 to [`MOST_RADIUS`](strokes::MOST_RADIUS).
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

impl StrokeFile {
    /// Reads and checks the text of a stroke file.
    ///
    /// # Errors
    ///
    /// What is wrong, and in which stroke.
    pub fn from_json(text: &str) -> Result<Self, StrokeError> {
        let file: StrokeFile = strokes::read(text)?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), StrokeError> {
        let wrong_view = |of: String| {
            move |error: CameraError| StrokeError::Picture {
                of,
                problem: error.to_string(),
            }
        };
        View::new(&self.camera, self.size).map_err(wrong_view("the file".into()))?;
        for (number, stroke) in self.strokes.iter().enumerate() {
            let wrong = |problem: String| StrokeError::Stroke {
                stroke: number + 1,
                problem,
            };
            stroke.check().map_err(wrong)?;
            let of = format!("stroke {}", number + 1);
            self.view(stroke).map_err(wrong_view(of))?;
        }
        strokes::check_steps(self.strokes.iter().map(|stroke| &stroke.points[..]), 1.0)
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
        strokes::check_share("strength", self.strength)?;
        strokes::check_share("falloff", self.falloff)?;
        strokes::check_share("tips", self.tips)?;
        strokes::check_radius(self.radius)?;
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
        strokes::check_points(&self.points)
    }
}
