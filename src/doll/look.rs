//! The drawings of figures and clips: SVG with the colours of the hair.

use super::clip::ClipKind;
use super::figure::{Figure, Palette};

/// The expression of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Face {
    /// Direction of the eyes: right and down, each -1 to 1; 0 is straight ahead.
    pub gaze: [f32; 2],
    /// The mouth.
    pub mouth: Mouth,
}

/// The shape of a mouth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouth {
    /// At rest.
    #[default]
    Smile,
    /// While the hair is brushed.
    Happy,
    /// While the hair is cut.
    Oh,
}

/// Largest movement of the pupils, pixels.
const PUPILS: [f32; 2] = [4.0, 3.0];
/// The element of the drawings that moves the pupils.
const LOOK: &str = "<g id=\"look\" transform=\"translate(0 0)\">";

impl Figure {
    fn drawing(self) -> &'static str {
        match self {
            Self::Girl => include_str!("figures/girl.svg"),
            Self::Boy => include_str!("figures/boy.svg"),
            Self::Lion => include_str!("figures/lion.svg"),
            Self::Troll => include_str!("figures/troll.svg"),
        }
    }

    /// Returns everything but the face, as SVG of the page.
    pub fn body_svg(self, palette: Palette) -> String {
        restyled(self.drawing(), &(styles(palette) + "#face{display:none}"))
    }

    /// Returns the face alone, as SVG of the page.
    pub fn face_svg(self, palette: Palette, face: Face) -> String {
        let [one, other] = match face.mouth {
            Mouth::Smile => ["happy", "oh"],
            Mouth::Happy => ["smile", "oh"],
            Mouth::Oh => ["smile", "happy"],
        };
        let hidden = ["page", one, other].map(|id| format!("#{id}{{display:none}}"));
        let styles = styles(palette) + &hidden.concat();
        let [x, y] = [0, 1].map(|i| face.gaze[i].clamp(-1.0, 1.0) * PUPILS[i]);
        let look = LOOK.replace("0 0", &format!("{x} {y}"));
        restyled(self.drawing(), &styles).replacen(LOOK, &look, 1)
    }

    /// Returns the box of the face on the page: corner, width, height, pixels.
    pub fn face_box(self) -> [f32; 4] {
        match self {
            Self::Girl => [322.0, 222.0, 156.0, 126.0],
            Self::Boy => [336.0, 226.0, 128.0, 122.0],
            Self::Lion => [330.0, 222.0, 140.0, 170.0],
            Self::Troll => [326.0, 314.0, 148.0, 172.0],
        }
    }

    /// Returns the point between the eyes, pixels.
    pub fn eyes(self) -> [f32; 2] {
        match self {
            Self::Girl | Self::Boy => [400.0, 277.0],
            Self::Lion => [400.0, 280.0],
            Self::Troll => [400.0, 373.0],
        }
    }
}

/// Returns the drawing of a clip as SVG with a box of 100 by 100.
pub fn clip_svg(kind: ClipKind, color: [f32; 3]) -> String {
    let drawing = match kind {
        ClipKind::Bow => include_str!("figures/bow.svg"),
        ClipKind::Barrette => include_str!("figures/barrette.svg"),
        ClipKind::Flower => include_str!("figures/flower.svg"),
        ClipKind::Scrunchie => include_str!("figures/scrunchie.svg"),
    };
    let (main, dark) = (hex(color), hex(color.map(|c| 0.68 * c)));
    let light = hex(color.map(|c| c + 0.45 * (1.0 - c)));
    let styles = format!(".main{{fill:{main}}}.dark{{fill:{dark}}}.light{{fill:{light}}}");
    restyled(drawing, &styles)
}

/// Returns the styles of what has the colour of the hair.
fn styles(palette: Palette) -> String {
    let scalp = palette.scalp();
    let (cap, shade) = (hex(scalp), hex(scalp.map(|c| 0.72 * c)));
    let brow = hex(scalp.map(|c| 0.85 * c));
    format!(".cap{{fill:{cap}}}.capshade{{fill:{shade}}}.brow{{fill:none;stroke:{brow}}}")
}

/// Returns a drawing with other styles.
fn restyled(drawing: &str, styles: &str) -> String {
    let parts = (drawing.split_once("<style>")).zip(drawing.split_once("</style>"));
    parts.map_or(drawing.to_owned(), |((before, _), (_, after))| {
        format!("{before}<style>{styles}</style>{after}")
    })
}

fn hex(color: [f32; 3]) -> String {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_have_all_elements_that_are_replaced() {
        for figure in Figure::ALL {
            let drawing = figure.drawing();
            let ids = ["page", "face", "smile", "happy", "oh"].map(|id| format!("id=\"{id}\""));
            let parts = ["<style>", "</style>", LOOK, "class=\"cap\""];
            for part in parts.into_iter().chain(ids.iter().map(String::as_str)) {
                assert!(drawing.contains(part), "{figure:?}: {part}");
            }
            let face = Face {
                gaze: [1.0, -5.0],
                mouth: Mouth::Oh,
            };
            let svg = figure.face_svg(Palette::Pink, face);
            assert!(svg.contains("translate(4 -3)") && svg.contains("#happy{display:none}"));
            assert!(!svg.contains("#oh{display:none}"));
        }
        for kind in ClipKind::ALL {
            let svg = clip_svg(kind, [1.0, 0.0, 0.5]);
            assert!(svg.contains(".main{fill:#ff0080}"), "{kind:?}");
        }
    }

    #[cfg(feature = "render")]
    #[test]
    fn faces_stay_in_their_boxes() {
        use resvg::tiny_skia::{Pixmap, Transform};
        use resvg::usvg::{Options, Tree};
        for figure in Figure::ALL {
            let [x, y, width, height] = figure.face_box();
            for (mouth, gaze) in [
                (Mouth::Smile, [1.0, 1.0]),
                (Mouth::Happy, [-1.0, -1.0]),
                (Mouth::Oh, [0.0, 0.0]),
            ] {
                let svg = figure.face_svg(Palette::Brown, Face { gaze, mouth });
                let tree = Tree::from_str(&svg, &Options::default()).unwrap();
                let mut pixels = Pixmap::new(800, 600).unwrap();
                resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
                let drawn = pixels.pixels().iter().zip(0..);
                let drawn = drawn.filter(|(pixel, _)| pixel.alpha() > 0);
                let drawn = drawn.map(|(_, i)| ((i % 800) as f32, (i / 800) as f32));
                let mut count = 0;
                for (px, py) in drawn {
                    let inside = px >= x && px < x + width && py >= y && py < y + height;
                    assert!(inside, "{figure:?} {mouth:?}: {px} {py}");
                    count += 1;
                }
                assert!(count > 1000, "{figure:?} has a face");
            }
            let tree = Tree::from_str(&figure.body_svg(Palette::Brown), &Options::default());
            assert!(tree.is_ok(), "{figure:?}");
        }
    }
}
