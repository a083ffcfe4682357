//! The tool in hand, and how it is held.

use mohawk::maps::MapKind;
use mohawk::style::{AlongStroke, PaintValue, Stroke, Tool};

/// Range of the radius, logical pixels.
pub(crate) const RADII: std::ops::RangeInclusive<f32> = 4.0..=300.0;

/// A tool of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Brush(Tool),
    /// Paints a value into a map.
    Paint,
    /// Smooths the values of a map.
    Even,
}

impl Held {
    /// Returns the description, one line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Held::Brush(tool) => tool.about(),
            Held::Paint => "Paints the value below into the map, on the head or on the canvas",
            Held::Even => "Smooths the values of the map",
        }
    }

    /// Returns the label of its button.
    pub(crate) fn label(self) -> String {
        let (first, rest) = match self {
            Held::Brush(tool) => tool.name().split_at(1),
            Held::Paint => ("P", "aint"),
            Held::Even => ("S", "mooth map"),
        };
        first.to_uppercase() + rest
    }
}

/// The tool in hand, and its settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hand {
    pub(crate) held: Held,
    /// Its radius is in logical pixels. Its tool, map and points are not used.
    pub(crate) brush: Stroke,
    /// The map that `Paint` and `Even` change.
    pub(crate) map: MapKind,
    /// The value that is painted into grey maps.
    pub(crate) grey: f32,
    /// The colour that is painted into the tint map, sRGB.
    pub(crate) color: [f32; 3],
    /// The value that is painted into the direction map; `None`: the direction of the stroke.
    pub(crate) direction: Option<[f32; 3]>,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            held: Held::Brush(Tool::Comb),
            brush: Stroke::default(),
            map: MapKind::Density,
            grey: 1.0,
            color: [0.9, 0.2, 0.2],
            direction: None,
        }
    }
}

impl Hand {
    /// Whether it changes a map, and not strands.
    pub(crate) fn paints(&self) -> bool {
        !matches!(self.held, Held::Brush(_))
    }

    /// The value that it paints into its map.
    pub(crate) fn value(&self) -> PaintValue {
        match self.map {
            MapKind::Tint => PaintValue::Color(self.color),
            MapKind::Direction => match self.direction {
                Some(value) => PaintValue::Color(value),
                None => PaintValue::Along(AlongStroke::Along),
            },
            _ => PaintValue::Grey(self.grey),
        }
    }

    /// Returns a stroke without points. `scale`: pixels of the view per logical pixel.
    pub(crate) fn stroke(&self, scale: f32) -> Stroke {
        let (tool, map, value) = match self.held {
            Held::Brush(tool) => (tool, None, None),
            Held::Paint => (Tool::Paint, Some(self.map), Some(self.value())),
            Held::Even => (Tool::Smooth, Some(self.map), None),
        };
        Stroke {
            tool,
            radius: self.brush.radius * scale,
            map,
            value,
            ..self.brush.clone()
        }
    }

    /// Multiplies the radius by a factor.
    pub(crate) fn resize(&mut self, factor: f32) {
        let (min, max) = (*RADII.start(), *RADII.end());
        self.brush.radius = (self.brush.radius * factor).clamp(min, max);
    }
}
