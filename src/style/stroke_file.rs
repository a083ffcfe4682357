//! Stroke files.

use super::selection::SelectBy;
use super::view::{Camera, CameraError, View};
use crate::maps::{LayerSettings, MapKind};
use crate::strokes::{self, StrokeError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Strokes over the picture of a camera, as in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrokeFile {
    /// [`VERSION`](strokes::VERSION).
    pub version: u32,
    /// The camera of strokes without their own.
    #[serde(default)]
    pub camera: Camera,
    /// Width and height of the picture, pixels.
    pub size: [u32; 2],
    /// The strokes, in order.
    pub strokes: Vec<Stroke>,
    /// Number of the last strokes that are undone in the end.
    #[serde(default)]
    pub undo: u32,
}

crate::choices! {
    /// A tool for hair or maps.
    pub enum Tool: "tool" = Comb {
        /// Moves hair along, half as fast as the brush; straightens it where it is combed
        /// lengthwise
        Comb = "comb",
        /// Cuts hair where it enters the circle
        Cut = "cut",
        /// Makes hair longer in its own shape
        Grow = "grow",
        /// Turns hair away from the skin
        Puff = "puff",
        /// Turns hair towards the skin
        Flatten = "flatten",
        /// Makes hair more like the hair around it
        Smooth = "smooth",
        /// Pulls hair together into locks
        Clump = "clump",
        /// Winds each strand around its axis
        Curl = "curl",
        /// Turns hair away from the stroke to both sides, so that each falls to its own
        Part = "part",
        /// Plants hair where roots are far apart, on bald skin too; strength: how densely
        Add = "add",
        /// Removes hair where roots are close; strength: how much of it
        Delete = "delete",
        /// Draws a guide, which hair follows: from the skin along the stroke
        Draw = "draw",
        /// Selects hair: the other brushes then act on it alone (Shift: deselects)
        Select = "select",
        /// Mixes a value into a map
        Paint = "paint",
        /// Fills a map with a value
        Fill = "fill",
    }
}

impl Tool {
    /// Returns `true` for the tools that make hair longer or shorter.
    pub fn changes_length(self) -> bool {
        matches!(self, Tool::Cut | Tool::Grow)
    }

    /// Returns `true` for the tools that change maps only.
    pub fn is_for_maps(self) -> bool {
        matches!(self, Tool::Paint | Tool::Fill)
    }
}

crate::choices! {
    /// A side of the head that a fill is limited to. Left and right are the head's own.
    pub enum FillSide: "side" = Left {
        /// The left half of the head
        Left = "left",
        /// The right half of the head
        Right = "right",
        /// The left side of the parting: of the line of the stack's first modifier that parts hair
        PartingLeft = "parting-left",
        /// The right side of the parting
        PartingRight = "parting-right",
    }
}

/// Reads a tool by its name.
fn tool<'de, D: Deserializer<'de>>(from: D) -> Result<Tool, D::Error> {
    let name = String::deserialize(from)?;
    // The name in some programs.
    let name = if name == "pinch" { "clump" } else { &name };
    let found = Tool::ALL.into_iter().find(|tool| tool.name() == name);
    found.ok_or_else(|| {
        let known = Tool::ALL.map(Tool::name).join(", ");
        D::Error::custom(format!("no tool is called {name:?}: there are {known}"))
    })
}

/// A stroke of a brush.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    /// The tool; `smooth` with a `map` changes the map.
    #[serde(deserialize_with = "tool")]
    pub tool: Tool,
    /// Radius of the brush, pixels, above 0 to [`MAX_RADIUS`](strokes::MAX_RADIUS).
    pub radius: f32,
    /// Strength, 0 (no effect) to 1.
    pub strength: f32,
    /// `true` if the other side of the head changes alike.
    #[serde(default)]
    pub mirror: bool,
    /// Share of the radius over which the effect fades out to the edge, 0 to 1.
    #[serde(default = "half")]
    pub falloff: f32,
    /// The reduction of movement near the root, 0 to 1.
    #[serde(default)]
    pub tips: f32,
    /// The map that `paint`, `fill` or `smooth` changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapKind>,
    /// The layer of the map, which is created if it does not exist; `None`: the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The painted value: one number or three, each 0 to 1; `"along"` the stroke, for directions;
    /// or `"erase"`, which takes coverage of the layer away.
    ///
    /// `select` takes one number: how much hair is selected, 0 to 1, by default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<PaintValue>,
    /// The side that `fill` is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<FillSide>,
    /// The choice of hair by `select`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: SelectBy,
    /// `true` if the brush acts on guides of the first modifier `follow` of the stack that is on. With
    /// `draw` it does in any case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guides: bool,
    /// `true` if points are pixels of a picture of the part's UV layout that shows the whole unit
    /// square. Only for `paint`, and `smooth` with a `map`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flat: bool,
    /// Width and height of the picture of this stroke, pixels, if the window was resized between
    /// strokes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[u32; 2]>,
    /// The camera of this stroke, if it was moved between strokes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Positions of the brush: seconds, then pixels right and down.
    pub points: Vec<[f64; 3]>,
}

fn is_default(by: &SelectBy) -> bool {
    *by == SelectBy::default()
}

fn half() -> f32 {
    0.5
}

/// The value of a stroke on a map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[serde(expecting = "\"value\" must be a number, three of them, \"along\" or \"erase\"")]
pub enum PaintValue {
    /// Grey.
    Grey(f32),
    /// Red, green and blue.
    Color([f32; 3]),
    /// No value, but this.
    Word(PaintWord),
}

/// A word in place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaintWord {
    /// The direction of the stroke.
    Along,
    /// Takes coverage of the layer away.
    Erase,
}

impl PaintValue {
    /// Returns the value as three numbers; `None` for a word.
    pub fn rgb(self) -> Option<[f32; 3]> {
        match self {
            PaintValue::Grey(grey) => Some([grey; 3]),
            PaintValue::Color(color) => Some(color),
            PaintValue::Word(_) => None,
        }
    }
}

impl StrokeFile {
    /// Reads and checks the text of a stroke file.
    ///
    /// # Errors
    ///
    /// [`StrokeError`]: what is wrong, and in which stroke.
    pub fn from_json(text: &str) -> Result<Self, StrokeError> {
        let file: StrokeFile = strokes::read(text.as_bytes())?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), StrokeError> {
        View::new(&self.camera, self.size).map_err(StrokeError::of("the file"))?;
        for (stroke, number) in self.strokes.iter().zip(1..) {
            let of = format!("stroke {number}");
            stroke.check().map_err(StrokeError::of(&of))?;
            self.view(stroke).map_err(StrokeError::of(&of))?;
        }
        strokes::check_steps(self.strokes.iter().map(|stroke| &stroke.points[..]), 1.0)
    }

    /// Returns the view of a stroke, with the file's camera and size if it has none.
    ///
    /// # Errors
    ///
    /// [`CameraError`]; never for a file that was checked.
    pub fn view(&self, stroke: &Stroke) -> Result<View, CameraError> {
        let camera = stroke.camera.unwrap_or(self.camera);
        View::new(&camera, stroke.size.unwrap_or(self.size))
    }
}

impl Default for Stroke {
    /// Returns a comb without points.
    fn default() -> Self {
        Self {
            tool: Tool::Comb,
            radius: 40.0,
            strength: 0.5,
            mirror: false,
            falloff: half(),
            tips: 0.0,
            map: None,
            layer: None,
            value: None,
            side: None,
            by: SelectBy::default(),
            guides: false,
            flat: false,
            size: None,
            camera: None,
            points: Vec::new(),
        }
    }
}

impl Stroke {
    /// Returns `true` if the stroke changes guides, and hair by them.
    pub fn is_on_guides(&self) -> bool {
        self.guides || self.tool == Tool::Draw
    }

    fn check(&self) -> Result<(), String> {
        strokes::check_share("strength", self.strength)?;
        strokes::check_share("falloff", self.falloff)?;
        strokes::check_share("tips", self.tips)?;
        strokes::check_radius(self.radius)?;
        if let Some(name) = &self.layer {
            let checked = LayerSettings::new(name).check();
            checked.map_err(|problem| problem.to_string())?;
        }
        let is_map = self.tool.is_for_maps();
        let smooths = self.tool == Tool::Smooth;
        let along = Some(PaintValue::Word(PaintWord::Along));
        let erases = self.value == Some(PaintValue::Word(PaintWord::Erase));
        let takes_along = self.tool == Tool::Paint && self.map == Some(MapKind::Direction);
        let value = self.value.and_then(PaintValue::rgb);
        let in_range = |value: [f32; 3]| value.iter().all(|x| (0.0..=1.0).contains(x));
        let problem = if !is_map && !smooths && self.map.is_some() {
            return Err(format!("\"{}\" takes no \"map\"", self.tool.name()));
        } else if is_map && self.map.is_none() {
            let known = MapKind::ALL.map(MapKind::name).join(", ");
            return Err(format!("\"map\" is missing: one of {known}"));
        } else if self.flat && (self.tool == Tool::Fill || self.map.is_none()) {
            "\"flat\" is only for \"paint\", and for \"smooth\" with a \"map\"; leave it out"
        } else if self.value == along && !takes_along {
            "\"value\": \"along\" is only for \"paint\" with \"map\": \"direction\""
        } else if self.layer.is_some() && self.map.is_none() {
            "\"layer\" is only for strokes with a \"map\"; leave it out"
        } else if erases && !(is_map && self.layer.is_some()) {
            "\"value\": \"erase\" is only for \"paint\" and \"fill\" with a \"layer\""
        } else if is_map && self.value.is_none() {
            "\"value\" is missing: a grey value, or red, green and blue, 0 to 1"
        } else if self.is_on_guides() && (is_map || self.map.is_some() || self.tool == Tool::Select)
        {
            "\"guides\" is only for tools that change hair"
        } else if self.side.is_some() && self.tool != Tool::Fill {
            "\"side\" is only for \"fill\"; leave it out"
        } else if self.by != SelectBy::default() && self.tool != Tool::Select {
            "\"by\" is only for \"select\""
        } else if self.tool == Tool::Select && matches!(self.value, Some(PaintValue::Color(_))) {
            "\"value\" of \"select\" must be one number"
        } else if !value.is_none_or(in_range) {
            "\"value\" must be 0 to 1"
        } else {
            return strokes::check_points(&self.points);
        };
        Err(problem.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(stroke: &str) -> Result<StrokeFile, StrokeError> {
        StrokeFile::from_json(&format!(
            r#"{{"version":1,"size":[512,512],"strokes":[{{"tool":"{stroke},
            "radius":20,"strength":1,"points":[[0,9,9]]}}]}}"#
        ))
    }

    #[test]
    fn files_come_back_and_hold_no_defaults() {
        for (stroke, flat) in [
            (r#"paint","map":"direction","value":"along""#, false),
            (r#"paint","map":"length","value":0.2,"flat":true"#, true),
            (r#"smooth","map":"length","flat":true"#, true),
            (
                r#"fill","map":"mask1","value":1,"side":"parting-right""#,
                false,
            ),
            (r#"pinch""#, false),
        ] {
            let read = file(stroke).unwrap();
            let text = serde_json::to_string(&read).unwrap();
            assert_eq!(StrokeFile::from_json(&text).unwrap(), read);
            assert_eq!(text.contains(r#"flat":true"#), flat);
            assert_eq!(text.contains("flat"), flat);
        }
        let pinch = file(r#"pinch""#).unwrap();
        assert_eq!(pinch.strokes[0].tool, Tool::Clump);
    }

    #[test]
    fn wrong_strokes_are_refused() {
        let cases = r#"
            paint","map":"tint","value":"along" => stroke 1: "value": "along" is only for
            fill","map":"direction","value":"along" => stroke 1: "value": "along" is only for
            smooth","map":"direction","value":"along" => stroke 1: "value": "along" is only for
            comb","flat":true => stroke 1: "flat" is only for
            smooth","flat":true => stroke 1: "flat" is only for
            add","flat":true => stroke 1: "flat" is only for
            fill","map":"length","value":1,"flat":true => stroke 1: "flat" is only for
            paint","map":"length","value":1,"side":"left" => stroke 1: "side" is only for
            comb","side":"parting-left" => stroke 1: "side" is only for
            comb","layer":"a" => stroke 1: "layer" is only for strokes with a "map"
            paint","map":"length","value":"erase" => stroke 1: "value": "erase" is only for
            smooth","map":"length","layer":"a","value":"erase" => "value": "erase" is only for
            paint","map":"length","layer":"","value":1 => 1 to 40 characters
            paint","map":"length","layer":3,"value":1 => expected a string
            comb","falloff":3 => stroke 1: "falloff" must be 0 to 1
            paint","value":1 => stroke 1: "map" is missing: one of density
            brush" => "brush": there are comb, cut"#;
        for case in cases.trim().lines() {
            let (stroke, expected) = case.trim().split_once(" => ").unwrap();
            let error = file(stroke).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let mut far = file(r#"comb""#).unwrap();
        far.strokes[0].points[0][1] = 1e300;
        let error = far.check().unwrap_err().to_string();
        assert!(error.starts_with("stroke 1: point 1 is"), "{error}");
    }
}
