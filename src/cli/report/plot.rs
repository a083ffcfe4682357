//! The use of `plotters`: sizes, colours and fonts, and its drawings in panels.

use super::panel::{FONT, Panel};
use plotters::prelude::*;
use std::sync::OnceLock;

/// Scale of the drawings, because `plotters` has whole pixels only.
const FINE: f64 = 10.0;

/// Returns a length in pixels in units of the drawing.
pub(crate) fn fine(pixels: f64) -> u32 {
    (pixels * FINE) as u32
}

/// Returns a colour for `plotters`.
pub(crate) fn rgb([r, g, b]: [u8; 3]) -> RGBColor {
    RGBColor(r, g, b)
}

/// Returns the style of text of a height in pixels.
pub(crate) fn letters(pixels: f64, color: [u8; 3]) -> TextStyle<'static> {
    (font(), 1.24 * FINE * pixels)
        .into_font()
        .color(&rgb(color))
}

/// Adds a drawing to a panel, `top` pixels below its top.
pub(crate) fn put(panel: &mut Panel, top: f64, plot: &str) {
    // The elements inside the `svg` element of the document.
    let inside = plot.split_once('>').map_or("", |(_, rest)| rest);
    let inside = inside
        .rsplit_once("</svg>")
        .map_or(inside, |(rest, _)| rest);
    let scale = 1.0 / FINE;
    panel.push(format_args!(
        "<g transform=\"translate(0 {top})scale({scale})\">{inside}</g>"
    ));
}

/// Registers the font that labels are measured with, for systems without fonts, and returns it.
fn font() -> &'static str {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        // A font that cannot be read is reported where it is first used.
        _ = plotters::style::register_font(
            FONT,
            FontStyle::Normal,
            epaint_default_fonts::UBUNTU_LIGHT,
        );
    });
    FONT
}
