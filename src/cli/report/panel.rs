//! Panels: drawings made of SVG elements, with the colours and fonts that all of them use.

use anyhow::Context;
use mohawk::ramp::viridis;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt::Write as _;
use std::{fmt, sync::Arc};

/// Font families. PNG files use the first.
const FONT: &str = "Ubuntu, Roboto, Arial, sans-serif";

pub const INK: &str = "#1f2430";
pub const FAINT: &str = "#707786";
pub const GRID: &str = "#e4e7ec";
pub const LINE: &str = "#2171b5";
/// Marks the worst of a set: the largest gap, the closest pair.
pub const WORST: &str = "#d63031";

/// Returns the colour of a share from 0 to 1, as sRGB bytes.
pub fn shade(share: f64) -> [u8; 3] {
    viridis(share).map(|channel| (255.0 * channel).round() as u8)
}

/// Returns a colour as `#rrggbb`.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns points as in the attribute `points`.
pub fn listed(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let points = points.into_iter().map(|[x, y]| format!("{x:.1},{y:.1} "));
    points.collect()
}

/// A drawing: SVG elements in pixels from its upper left corner.
pub struct Panel {
    /// The width and the height.
    pub size: [f64; 2],
    body: String,
}

/// Returns text with the special characters of XML and HTML escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML does not allow control characters, even escaped.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

impl Panel {
    pub fn new(size: [f64; 2]) -> Self {
        let body = String::new();
        Panel { size, body }
    }

    /// Adds elements.
    pub fn push(&mut self, elements: fmt::Arguments) {
        // Writing to a string cannot fail.
        _ = writeln!(self.body, "{elements}");
    }

    /// Adds a rectangle with further attributes.
    pub fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], more: &str) {
        self.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {more}/>"
        ));
    }

    /// Adds a line through points, with further attributes.
    pub fn line(
        &mut self,
        points: impl IntoIterator<Item = [f64; 2]>,
        color: &str,
        width: f64,
        more: &str,
    ) {
        let points = listed(points);
        self.push(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" \
             stroke-width=\"{width}\" {more}/>"
        ));
    }

    /// Adds a line of text, whose `anchor` ("start", "middle" or "end") is at the position.
    pub fn text(&mut self, [x, y]: [f64; 2], size: f64, color: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-family=\"{FONT}\" font-size=\"{size}\" \
             fill=\"{color}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Adds another panel, clipped at its edges.
    pub fn put(&mut self, [x, y]: [f64; 2], panel: &Panel) {
        let ([width, height], body) = (panel.size, &panel.body);
        self.push(format_args!(
            "<svg x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\">\n{body}</svg>"
        ));
    }

    /// Returns the panel as an SVG document.
    pub fn to_svg(&self) -> String {
        let ([width, height], body) = (self.size, &self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
        )
    }

    /// Returns the panel as a file with this extension: SVG, or else PNG, with the fonts of the
    /// program instead of those of the system.
    pub fn to_file(&self, extension: &str) -> anyhow::Result<Vec<u8>> {
        if extension == "svg" {
            return Ok(self.to_svg().into_bytes());
        }
        let mut options = Options::default();
        let fonts = Arc::make_mut(&mut options.fontdb);
        fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        // This font has the Greek letters and symbols that the former lacks.
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        let tree = Tree::from_str(&self.to_svg(), &options).context("a chart cannot be drawn")?;
        let [width, height] = self.size.map(|side| side as u32);
        let pixels = Pixmap::new(width, height);
        let mut pixels = pixels.context("a picture of that size cannot be made")?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().context("a chart cannot be drawn")
    }
}
