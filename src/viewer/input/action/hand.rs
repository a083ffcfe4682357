//! The tool in hand, and its settings.

use mohawk::maps::MapKind;
use mohawk::style::{PaintValue, PaintWord, SelectBy, Stroke, Tool};
use std::collections::BTreeMap;

/// Range of the radius, logical pixels.
pub(crate) const RADII: std::ops::RangeInclusive<f32> = 4.0..=300.0;

/// Longest string by which the pointer pulls the brush, logical pixels.
pub(crate) const LONGEST_STRING: f32 = 100.0;

/// A tool of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandTool {
    Brush(Tool),
    /// Paints a value into a map.
    PaintMap,
    /// Takes coverage of a layer away.
    EraseMap,
    /// Smooths the values of a map.
    SmoothMap,
}

impl HandTool {
    /// Returns the description, one line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            HandTool::Brush(tool) => tool.about(),
            HandTool::PaintMap => {
                "Paints the value below into the map, on the head or on the canvas"
            }
            HandTool::EraseMap => "Takes paint off the active layer",
            HandTool::SmoothMap => "Smooths the values of the map",
        }
    }

    /// Returns the label of its button.
    pub(crate) fn label(self) -> String {
        let (first, rest) = match self {
            HandTool::Brush(tool) => tool.name().split_at(1),
            HandTool::PaintMap => ("P", "aint"),
            HandTool::EraseMap => ("E", "rase"),
            HandTool::SmoothMap => ("S", "mooth map"),
        };
        first.to_uppercase() + rest
    }
}

/// The tool in use, and its settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hand {
    pub(crate) tool: HandTool,
    /// The brush. The radius is in logical pixels; tool, map and points are not used.
    pub(crate) brush: Stroke,
    /// The map that `PaintMap`, `EraseMap` and `SmoothMap` change.
    pub(crate) map: MapKind,
    /// The active layer of each map; the base where there is none.
    pub(crate) layers: BTreeMap<MapKind, String>,
    /// The value that is painted into grey maps.
    pub(crate) grey: f32,
    /// The colour that is painted into the tint map, sRGB.
    pub(crate) color: [f32; 3],
    /// The value that is painted into the direction map; `None`: the direction of the stroke.
    pub(crate) direction: Option<[f32; 3]>,
    /// Length of the string by which the pointer pulls the brush, logical pixels.
    pub(crate) string: f32,
    /// The strengths of the tools that were in hand before.
    pub(crate) strengths: Vec<(HandTool, f32)>,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            tool: HandTool::Brush(Tool::Comb),
            brush: Stroke::default(),
            map: MapKind::Density,
            layers: BTreeMap::new(),
            grey: 1.0,
            color: [0.9, 0.2, 0.2],
            direction: None,
            string: 0.0,
            strengths: Vec::new(),
        }
    }
}

impl Hand {
    /// Takes another tool, with the strength that it had before.
    pub(crate) fn take(&mut self, tool: HandTool) {
        self.strengths.retain(|(of, _)| *of != self.tool);
        self.strengths.push((self.tool, self.brush.strength));
        let known = self.strengths.iter().find(|(of, _)| *of == tool);
        self.brush.strength = match (known, tool) {
            (Some((_, strength)), _) => *strength,
            (None, HandTool::Brush(Tool::Select)) => 1.0,
            (None, _) => Stroke::default().strength,
        };
        self.tool = tool;
    }

    /// Returns `true` if the tool changes guides.
    pub(crate) fn guides(&self) -> bool {
        self.stroke(1.0).is_on_guides()
    }

    /// Returns `true` if the tool changes a map, and not strands.
    pub(crate) fn paints(&self) -> bool {
        !matches!(self.tool, HandTool::Brush(_))
    }

    /// Returns the name of the layer that the tool changes; `None`: the base.
    pub(crate) fn layer(&self) -> Option<&str> {
        self.layers.get(&self.map).map(String::as_str)
    }

    /// Returns the value that the tool paints into its map.
    pub(crate) fn value(&self) -> PaintValue {
        match self.map {
            MapKind::Tint => PaintValue::Color(self.color),
            MapKind::Direction => match self.direction {
                Some(value) => PaintValue::Color(value),
                None => PaintValue::Word(PaintWord::Along),
            },
            _ => PaintValue::Grey(self.grey),
        }
    }

    /// Returns a stroke without points. `scale`: pixels of the view per logical pixel.
    pub(crate) fn stroke(&self, scale: f32) -> Stroke {
        let (tool, map, value) = match self.tool {
            HandTool::Brush(tool) => (tool, None, None),
            HandTool::PaintMap => (Tool::Paint, Some(self.map), Some(self.value())),
            HandTool::EraseMap => {
                let erase = PaintValue::Word(PaintWord::Erase);
                (Tool::Paint, Some(self.map), Some(erase))
            }
            HandTool::SmoothMap => (Tool::Smooth, Some(self.map), None),
        };
        let selects = tool == Tool::Select;
        Stroke {
            guides: self.brush.guides && map.is_none() && !selects,
            tool,
            radius: self.brush.radius * scale,
            map,
            layer: map.and(self.layer()).map(str::to_owned),
            value,
            by: if selects {
                self.brush.by
            } else {
                SelectBy::default()
            },
            ..self.brush.clone()
        }
    }

    /// Multiplies the radius by a factor.
    pub(crate) fn resize(&mut self, factor: f32) {
        let (min, max) = (*RADII.start(), *RADII.end());
        self.brush.radius = (self.brush.radius * factor).clamp(min, max);
    }
}
