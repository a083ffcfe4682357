//! Tools and how they are held.

use mohawk::maps::MapKind;
use mohawk::style::{AlongStroke, Brush, PaintValue, Stroke, StrokeTool, Tool};

/// Radii that people can choose, logical pixels.
pub(crate) const RADII: std::ops::RangeInclusive<f32> = 4.0..=300.0;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Brush(Tool),
    /// Paints a value into a map.
    Paint,
    /// Evens a map out.
    Even,
}

impl Held {
    /// What it does, in a line.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Held::Brush(Tool::Comb) => {
                "Takes hair along, half as fast; along the hair it straightens, across it bends"
            }
            Held::Brush(Tool::Cut) => "Cuts hair off where it enters the circle",
            Held::Brush(Tool::Grow) => "Lets hair grow as it stands",
            Held::Brush(Tool::Puff) => "Raises hair off the skin",
            Held::Brush(Tool::Flatten) => "Presses hair to the skin",
            Held::Brush(Tool::Smooth) => "Makes hair more like the hair around it",
            Held::Brush(Tool::Clump) => "Draws hair together: pinches it into locks",
            Held::Brush(Tool::Curl) => "Winds hair around itself",
            Held::Brush(Tool::Add) => "Plants hair, on bald skin too; strength: how densely",
            Held::Brush(Tool::Delete) => "Takes hair away; strength: how much of it",
            Held::Paint => "Paints the value below into the map, on the head or on the canvas",
            Held::Even => "Evens the map out",
        }
    }

    /// What it is called on its button.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Held::Brush(Tool::Comb) => "Comb",
            Held::Brush(Tool::Cut) => "Cut",
            Held::Brush(Tool::Grow) => "Grow",
            Held::Brush(Tool::Puff) => "Puff",
            Held::Brush(Tool::Flatten) => "Flatten",
            Held::Brush(Tool::Smooth) => "Smooth",
            Held::Brush(Tool::Clump) => "Clump",
            Held::Brush(Tool::Curl) => "Curl",
            Held::Brush(Tool::Add) => "Add",
            Held::Brush(Tool::Delete) => "Delete",
            Held::Paint => "Paint",
            Held::Even => "Smooth map",
        }
    }
}

/// What is in hand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hand {
    pub(crate) held: Held,
    /// Its radius is in logical pixels; its tool does not count.
    pub(crate) brush: Brush,
    /// What `Paint` and `Even` work on.
    pub(crate) map: MapKind,
    /// What is painted into grey maps.
    pub(crate) grey: f32,
    /// What is painted into the tint: sRGB, as people choose it.
    pub(crate) color: [f32; 3],
    /// What is painted into the direction map; `None`: the way that the brush goes.
    pub(crate) direction: Option<[f32; 3]>,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            held: Held::Brush(Tool::Comb),
            brush: Brush::default(),
            map: MapKind::Density,
            grey: 1.0,
            color: [0.9, 0.2, 0.2],
            direction: None,
        }
    }
}

impl Hand {
    /// Does it paint, and not brush strands?
    pub(crate) fn paints(&self) -> bool {
        !matches!(self.held, Held::Brush(_))
    }

    /// Could it want hair where the model is bald?
    pub(crate) fn wants_bald(&self) -> bool {
        match self.held {
            Held::Brush(tool) => matches!(tool, Tool::Add | Tool::Delete),
            Held::Paint | Held::Even => self.map == MapKind::Density,
        }
    }

    /// What it paints into its map.
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

    /// A stroke with it that has not begun; `scale`: the view's pixels for a logical one.
    pub(crate) fn stroke(&self, scale: f32) -> Stroke {
        let (tool, map, value) = match self.held {
            Held::Brush(tool) => (StrokeTool::Brush(tool), None, None),
            Held::Paint => (StrokeTool::Paint, Some(self.map), Some(self.value())),
            Held::Even => (StrokeTool::Brush(Tool::Smooth), Some(self.map), None),
        };
        Stroke {
            tool,
            radius: self.brush.radius * scale,
            strength: self.brush.strength,
            mirror: self.brush.mirror,
            falloff: self.brush.falloff,
            tips: self.brush.tips,
            map,
            value,
            camera: None,
            flat: false,
            size: None,
            points: Vec::new(),
        }
    }

    /// Makes the brush larger or smaller.
    pub(crate) fn resize(&mut self, factor: f32) {
        let (least, most) = (*RADII.start(), *RADII.end());
        self.brush.radius = (self.brush.radius * factor).clamp(least, most);
    }
}
