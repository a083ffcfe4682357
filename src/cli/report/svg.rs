//! The few SVG elements that panels are made of.

use super::palette::{FONT, hex};
use std::fmt::Write as _;

/// A drawing of some size: elements in pixels from its upper left corner.
pub(crate) struct Panel {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) body: String,
}

#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// As text that means nothing to XML or HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML has no such characters, not even escaped.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

impl Panel {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Panel {
            width,
            height,
            body: String::new(),
        }
    }

    pub(crate) fn text(
        &mut self,
        [x, y]: [f64; 2],
        size: f64,
        color: [u8; 3],
        anchor: Anchor,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (color, text) = (hex(color), escaped(text));
        // Writing to a string cannot fail.
        _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-family=\"{FONT}\" font-size=\"{size}\" \
             fill=\"{color}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// Puts another panel into this one, cut off at its edges.
    pub(crate) fn put(&mut self, [x, y]: [f64; 2], panel: &Panel) {
        let Panel {
            width,
            height,
            body,
        } = panel;
        _ = writeln!(
            self.body,
            "<svg x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\">\n{body}</svg>"
        );
    }

    /// As a document of its own.
    pub(crate) fn document(&self) -> String {
        let Panel {
            width,
            height,
            body,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
        )
    }
}
