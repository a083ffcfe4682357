//! The sheet in pixels.

use super::ReportError;
use super::svg::Panel;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// Renders a panel with the letters that ship with the program, whatever the system has.
pub(crate) fn rendered(panel: &Panel) -> Result<Vec<u8>, ReportError> {
    let mut options = Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    // Has what the former lacks: Greek, signs.
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    let failed = |problem: String| ReportError::Chart(problem);
    let tree = Tree::from_str(&panel.document(), &options);
    let tree = tree.map_err(|error| failed(error.to_string()))?;
    let mut pixels = Pixmap::new(panel.width as u32, panel.height as u32)
        .ok_or_else(|| failed("a picture of that size cannot be made".to_owned()))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| failed(error.to_string()))
}
