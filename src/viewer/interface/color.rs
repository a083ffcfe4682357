//! The button that every colour has. It opens a picker with the colour's code, swatches, and the
//! colours that were used last.

use super::rows::{color32, error_color, note};
use super::told::Told;
use three_d::egui::color_picker::{Alpha, color_picker_color32};
use three_d::egui::{self, Context, Id, Popup, PopupCloseBehavior, Response, RichText, Sense, Ui};

/// Natural colours of hair from dark to light, sRGB.
const NATURAL: [(&str, [u8; 3]); 12] = [
    ("Black", [0x14, 0x11, 0x10]),
    ("Darkest brown", [0x2b, 0x1d, 0x16]),
    ("Dark brown", [0x41, 0x2b, 0x1e]),
    ("Brown", [0x5c, 0x3d, 0x28]),
    ("Light brown", [0x7d, 0x5a, 0x3c]),
    ("Auburn", [0x6f, 0x2f, 0x1c]),
    ("Copper", [0xa4, 0x51, 0x2a]),
    ("Dark blond", [0x9c, 0x7a, 0x4c]),
    ("Blond", [0xc7, 0xa2, 0x66]),
    ("Platinum", [0xf0, 0xe4, 0xc8]),
    ("Grey", [0x8f, 0x8f, 0x8f]),
    ("White", [0xec, 0xec, 0xea]),
];
/// Common dyes, sRGB.
const DYES: [(&str, [u8; 3]); 12] = [
    ("Burgundy", [0x6d, 0x10, 0x30]),
    ("Red", [0xc8, 0x1e, 0x2b]),
    ("Orange", [0xf0, 0x64, 0x1e]),
    ("Yellow", [0xf5, 0xcf, 0x2e]),
    ("Green", [0x3f, 0xae, 0x4a]),
    ("Turquoise", [0x1f, 0xb5, 0xb0]),
    ("Blue", [0x24, 0x62, 0xd8]),
    ("Violet", [0x7a, 0x35, 0xc9]),
    ("Lilac", [0xc7, 0xa0, 0xe8]),
    ("Magenta", [0xd8, 0x1b, 0x8a]),
    ("Pink", [0xf0, 0x6f, 0xb0]),
    ("Silver", [0xc4, 0xc8, 0xd0]),
];
/// The number of colours of the session that are kept.
const RECENT: usize = 12;
/// Side of a swatch, gap between two, and width of the field for the code, logical pixels.
const SWATCH: f32 = 16.0;
const SWATCH_GAP: f32 = 2.0;
const CODE_WIDTH: f32 = 130.0;

/// Shows the button of a colour.
pub(crate) fn color(ui: &mut Ui, srgb: &mut [f32; 3]) -> Response {
    let before = bytes(*srgb);
    let mut button = swatch(ui, ui.spacing().interact_size, &code(before), before);
    let popup = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let is_open = popup.show(|ui| picker(ui, srgb)).is_some();
    if bytes(*srgb) != before {
        button.mark_changed();
    }
    // A colour counts as used when its picker closes.
    let opened = button.id.with("opened");
    let was: Option<[u8; 3]> = ui.data(|data| data.get_temp(opened));
    match (is_open, was) {
        (true, None) => _ = ui.data_mut(|data| data.insert_temp(opened, before)),
        (false, Some(was)) => {
            ui.data_mut(|data| data.remove::<[u8; 3]>(opened));
            if was != before {
                used(ui.ctx(), *srgb);
            }
        }
        _ => {}
    }
    button
}

/// Shows what a button opens.
fn picker(ui: &mut Ui, srgb: &mut [f32; 3]) {
    let width = (SWATCH + SWATCH_GAP) * NATURAL.len() as f32 - SWATCH_GAP;
    ui.spacing_mut().slider_width = width;
    ui.set_max_width(width);
    let mut color = color32(*srgb);
    if color_picker_color32(ui, &mut color, Alpha::Opaque) {
        *srgb = shares([color.r(), color.g(), color.b()]);
    }
    code_field(ui, srgb);
    let recent = recent(ui.ctx());
    let recent: Vec<_> = recent.into_iter().map(|color| ("", color)).collect();
    for (title, colors) in [
        ("Natural", &NATURAL[..]),
        ("Dyes", &DYES),
        ("Used last", &recent),
    ] {
        if colors.is_empty() {
            continue;
        }
        note(ui, title);
        let named = colors
            .iter()
            .map(|(name, color)| ([name, &*code(*color)].join(" "), shares(*color)));
        let clicked = ui.horizontal(|ui| swatches(ui, named));
        if let Some(i) = clicked.inner {
            *srgb = shares(colors[i].1);
        }
    }
}

/// Shows named colours, sRGB, side by side, and returns the number of the one that is clicked.
pub(crate) fn swatches(
    ui: &mut Ui,
    colors: impl Iterator<Item = (String, [f32; 3])>,
) -> Option<usize> {
    ui.spacing_mut().item_spacing.x = SWATCH_GAP;
    let mut clicked = None;
    for (i, (name, color)) in colors.enumerate() {
        let swatch = swatch(ui, egui::Vec2::splat(SWATCH), name.trim(), bytes(color));
        if swatch.help(name.trim()).clicked() {
            clicked = Some(i);
        }
    }
    clicked
}

/// Shows a button in a colour.
fn swatch(ui: &mut Ui, size: egui::Vec2, name: &str, color: [u8; 3]) -> Response {
    let (area, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ColorButton, true, name));
    let visuals = ui.style().interact(&response);
    let (rounding, line) = (visuals.corner_radius, visuals.bg_stroke);
    let painter = ui.painter();
    painter.rect_filled(area, rounding, color32(shares(color)));
    painter.rect_stroke(area, rounding, line, egui::StrokeKind::Inside);
    response
}

/// A text in the field for the code, and the colour that it was typed over.
#[derive(Clone)]
struct Typed {
    text: String,
    over: [u8; 3],
}

/// Shows the field for the code of a colour. What is no code stays there, and the colour stays too.
fn code_field(ui: &mut Ui, srgb: &mut [f32; 3]) {
    let (id, before) = (ui.id().with("code"), bytes(*srgb));
    let typed: Option<Typed> = ui.data(|data| data.get_temp(id));
    let typed = typed.filter(|typed| typed.over == before);
    let mut text = typed.map_or_else(|| code(before), |typed| typed.text);
    let field = egui::TextEdit::singleline(&mut text).char_limit(16);
    let field = ui.add(field.desired_width(CODE_WIDTH).hint_text("#RRGGBB"));
    let field = field.help("The colour as #RRGGBB: red, green and blue, 00 to FF each");
    let color = of_code(&text);
    if let Some(color) = color.filter(|_| field.changed()) {
        *srgb = shares(color);
    }
    let is_done = !field.has_focus();
    if color.is_none() && is_done {
        let why = format!("{text} is no colour. Write it as #C81E2B.");
        let why = RichText::new(why).small();
        ui.label(why.color(error_color(ui)));
    }
    let over = bytes(*srgb);
    ui.data_mut(|data| match color.is_some() && is_done {
        true => data.remove::<Typed>(id),
        false => _ = data.insert_temp(id, Typed { text, over }),
    });
}

/// Returns the code of a colour, sRGB.
pub(super) fn code_of(srgb: [f32; 3]) -> String {
    code(bytes(srgb))
}

/// Returns the code of a colour, as `#C81E2B`.
fn code([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Returns the colour of a code, with or without its first sign.
fn of_code(text: &str) -> Option<[u8; 3]> {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_code = digits.len() == 6 && digits.bytes().all(|sign| sign.is_ascii_hexdigit());
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    is_code.then_some([r, g, b])
}

fn bytes(srgb: [f32; 3]) -> [u8; 3] {
    let color = color32(srgb);
    [color.r(), color.g(), color.b()]
}

fn shares(color: [u8; 3]) -> [f32; 3] {
    color.map(|channel| f32::from(channel) / 255.0)
}

fn recent_id() -> Id {
    Id::new("colours used last")
}

/// Returns the colours of the session, the last one first.
fn recent(ctx: &Context) -> Vec<[u8; 3]> {
    ctx.data(|data| data.get_temp(recent_id()))
        .unwrap_or_default()
}

/// Notes that a colour was used.
pub(super) fn used(ctx: &Context, srgb: [f32; 3]) {
    let (mut recent, color) = (recent(ctx), bytes(srgb));
    recent.retain(|other| *other != color);
    recent.insert(0, color);
    recent.truncate(RECENT);
    ctx.data_mut(|data| data.insert_temp(recent_id(), recent));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_other_texts_are_none() {
        for (_, color) in NATURAL.into_iter().chain(DYES) {
            assert_eq!(of_code(&code(color)), Some(color));
            assert_eq!(bytes(shares(color)), color);
        }
        assert_eq!(of_code(" c81e2b "), Some([0xc8, 0x1e, 0x2b]));
        for text in [
            "",
            "#",
            "red",
            "#C81",
            "#C81E2",
            "#C81E2BFF",
            "#C81E2G",
            "##81E2B",
            "+81E2B",
        ] {
            assert_eq!(of_code(text), None, "{text}");
        }
    }

    #[test]
    fn the_last_colours_come_first_and_once() {
        let ctx = Context::default();
        for i in (0..20).chain([12]) {
            used(&ctx, [i as f32 / 255.0, 0.0, 0.0]);
        }
        let recent: Vec<u8> = recent(&ctx).into_iter().map(|color| color[0]).collect();
        assert_eq!(recent, [12, 19, 18, 17, 16, 15, 14, 13, 11, 10, 9, 8]);
    }
}
