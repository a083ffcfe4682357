//! The checklist of `mohawk inspect`: what a head needs, whether it is there, and how to mend it.

mod rigging;

use super::painted_triangles;
use crate::numbers::{grouped, plural};
use glam::{DVec3, Vec2, Vec3};
use mohawk::head::{Head, HeadSettings, Part, Topic, Up};
use serde::Serialize;

/// A check of a head.
#[derive(Serialize)]
pub struct Check {
    /// The name, which does not change between versions: `scalp paint`.
    pub check: &'static str,
    pub state: State,
    /// The finding: what the head has.
    pub found: String,
    /// The advice, if there is something to mend.
    pub advice: Option<String>,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is there.
    Found,
    /// It is not there, and something does not work well without it.
    Missing,
    /// It may be what is meant, or not.
    Remark,
    /// It is not there, and not needed.
    None,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Found => "found",
            State::Missing => "missing",
            State::Remark => "remark",
            State::None => "none",
        }
    }
}

/// A head is at most this many times as wide or deep as it is high, and at least this share of it.
const WIDEST: f64 = 1.5;
const NARROWEST: f64 = 0.3;
/// Hair on fewer triangles, or on less area in square decimetres, has a coarse edge or little room.
const FEW: usize = 24;
const SMALL: f64 = 0.05;
/// The volume of a head that is inside out, as a share of the box around it, is below this.
const INSIDE_OUT: f64 = -0.1;
/// Names of a list that are shown.
const SHOWN: usize = 5;

const PAINT: &str = "In Blender: add a Color Attribute filled with white, paint the scalp black in \
                     Vertex Paint mode, and export glTF 2.0 (.glb) with Data > Mesh > Vertex Colors \
                     set to Active. Or paint hair in the window (B, Paint), or name a material, \
                     attribute or picture with --mask.";

/// Returns the checks of a head that was read with these settings, the most important ones first.
/// The area of the scalp is left out where nothing is painted.
pub fn of(head: &Head, settings: &HeadSettings) -> Vec<Check> {
    let checks = [
        Some(geometry(head)),
        Some(scale(head, settings)),
        Some(direction(head, settings)),
        Some(paint(head, settings)),
        area(head, settings),
        Some(normals(head)),
        faces(head),
        Some(coordinates(head)),
        Some(pictures(head)),
        Some(hair(head)),
        Some(rigging::skins(head)),
        Some(rigging::morphs(head)),
        Some(rigging::animations(head)),
        Some(licence(head)),
    ];
    checks.into_iter().flatten().collect()
}

fn check(name: &'static str, state: State, found: impl Into<String>, advice: &str) -> Check {
    Check {
        check: name,
        state,
        found: found.into(),
        advice: (!advice.is_empty()).then(|| advice.to_owned()),
    }
}

fn geometry(head: &Head) -> Check {
    let triangles = head.triangle_count();
    let lines: usize = head.parts.iter().map(|part| part.lines.len()).sum();
    let lines = match lines {
        0 => String::new(),
        lines => format!(", {} lines of hair", grouped(lines)),
    };
    let parts = plural(head.parts.len(), "part");
    let found = format!("{} in {parts}{lines}", plural(triangles, "triangle"));
    check("geometry", State::Found, found, "")
}

fn scale(head: &Head, settings: &HeadSettings) -> Check {
    let [width, height, depth] = head.extent.head.to_array().map(significant);
    let what = &head.extent.measured;
    let scale = significant(head.units.scale.into());
    let by = if settings.scale.is_some() {
        " (head.scale)"
    } else {
        ""
    };
    let found = format!(
        "{height} high, {width} wide, {depth} deep in the file; {scale} dm per unit{by}; taken for \
         the head: {what}"
    );
    if looks_like_a_head(head.extent.head) || settings.scale.is_some() {
        return check("scale", State::Found, found, "");
    }
    let advice = "That is no shape of a head. In Blender: make the head an object of its own, or \
                  name a bone of the body neck or head; apply scale and rotation (Ctrl+A).";
    check("scale", State::Remark, found, advice)
}

fn looks_like_a_head(size: DVec3) -> bool {
    let sides = [size.x / size.y, size.z / size.y];
    sides.iter().all(|side| (NARROWEST..WIDEST).contains(side))
}

/// Tells by the eyes, which are before the middle of a head, whether it is upright and looks to +z.
fn direction(head: &Head, settings: &HeadSettings) -> Check {
    const CHECK: &str = "direction";
    let unknown = |why: &str| {
        let found = format!("taken as upright and facing +z: {why}");
        let advice = "If it lies or looks away: --up z, --turn 180. In Blender: turn it until the \
                      front view (Numpad 1) shows the face, and apply rotation (Ctrl+A).";
        check(CHECK, State::Remark, found, advice)
    };
    let Some(eyes) = head.contents.eyes else {
        return unknown("no part is called eyes");
    };
    if !looks_like_a_head(head.extent.head) {
        return unknown("it has not the shape of a head");
    }
    let (ahead, above, side) = (eyes.z, eyes.y, eyes.x);
    let turned = |by: f32| match (settings.turn_deg + by).rem_euclid(360.0) {
        deg if deg > 180.0 => format!("--turn {}", deg - 360.0),
        deg => format!("--turn {deg}"),
    };
    let largest = eyes.abs().max_element();
    let (looks, flags) = match settings.up {
        _ if ahead >= largest => {
            let found = "upright and facing +z, as its eyes tell";
            return check(CHECK, State::Found, found, "");
        }
        _ if -ahead >= largest => ("-z", turned(180.0)),
        _ if side >= largest => ("+x", turned(-90.0)),
        _ if -side >= largest => ("-x", turned(90.0)),
        Up::Y if above < 0.0 => ("-y", "--up z".to_owned()),
        Up::Y if ahead < 0.0 => ("+y", "--up -z".to_owned()),
        Up::Y => ("+y", "--up z --turn 180".to_owned()),
        _ if above < 0.0 => ("-y", "another --up".to_owned()),
        _ => ("+y", "another --up".to_owned()),
    };
    let found = format!("its eyes look to {looks}");
    let advice = format!(
        "Try {flags}. In Blender: turn it until the front view (Numpad 1) shows the face, and apply \
         rotation (Ctrl+A)."
    );
    check(CHECK, State::Remark, found, &advice)
}

fn paint(head: &Head, settings: &HeadSettings) -> Check {
    const CHECK: &str = "scalp paint";
    let scalp = head.scalp_part.map(|part| &head.parts[part]);
    if let Some((part, paint)) = scalp.and_then(|part| Some((part, part.paint.as_ref()?))) {
        let [asked, default] = [settings, &HeadSettings::default()]
            .map(|settings| (settings.paint, settings.paint_color, settings.mask.clone()));
        let other = match &head.contents.other_paint {
            Some(other) => format!("; otherwise {other}"),
            None if asked != default => "; otherwise none".to_owned(),
            None => String::new(),
        };
        let found = format!("{}, on part {:?}{other}", paint.why, part.name);
        return check(CHECK, State::Found, found, "");
    }
    // The list of what was searched comes after a colon.
    let reasons = head.told(Topic::Paint);
    let reasons = reasons.map(|told| told.split_once(": ").map_or(told, |(_, reason)| reason));
    let reasons: Vec<&str> = reasons.collect();
    check(CHECK, State::Missing, reasons.join("; "), PAINT)
}

fn area(head: &Head, settings: &HeadSettings) -> Option<Check> {
    let part = &head.parts[head.scalp_part?];
    let count = painted_triangles(part)?;
    let area = head.extent.scalp_area * f64::from(head.units.scale).powi(2);
    let found = format!("{}, {} dm²", plural(count, "triangle"), significant(area));
    let is_all = count == part.triangles.len() && settings.mask.is_empty();
    let advice = match is_all {
        _ if count < FEW => {
            "Few triangles: the edge of the hair is coarse. In Blender: Edit Mode, select the scalp, \
             Subdivide, paint again."
        }
        _ if area < SMALL => {
            "A small scalp. In Blender: paint more of it black in Vertex Paint mode."
        }
        true => {
            "All of this part is painted. If the face is a piece of it, in Blender: fill it with \
             white in Vertex Paint mode, and paint only the scalp black."
        }
        false => "",
    };
    let state = if advice.is_empty() {
        State::Found
    } else {
        State::Remark
    };
    Some(check("scalp area", state, found, advice))
}

fn normals(head: &Head) -> Check {
    let lacking = &head.contents.without_normals;
    let lacking: Vec<&Part> = lacking.iter().map(|&part| &head.parts[part]).collect();
    match lacking.is_empty() {
        true => check("normals", State::Found, "in the file", ""),
        false => check(
            "normals",
            State::Missing,
            format!("computed, smooth, for {}", named(&lacking)),
            "In Blender: Shade Smooth or Auto Smooth, and export with Data > Mesh > Normals.",
        ),
    }
}

/// Tells of a head that is inside out: the cones of its faces about its middle have a negative volume.
fn faces(head: &Head) -> Option<Check> {
    let part = &head.parts[head.scalp_part?];
    let places = || part.positions.iter();
    let (low, high) = (
        places().copied().reduce(Vec3::min)?,
        places().copied().reduce(Vec3::max)?,
    );
    let middle = (low + high) / 2.0;
    let volume = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| part.positions[corner as usize] - middle);
        f64::from(a.dot(b.cross(c)) / 6.0)
    };
    let volume: f64 = part.triangles.iter().map(volume).sum();
    let advice = "Hair grows inward. In Blender: Edit Mode, select all, Mesh > Normals > Recalculate \
                  Outside, and export again.";
    let is_inside_out = volume < INSIDE_OUT * f64::from((high - low).element_product());
    is_inside_out.then(|| check("faces", State::Remark, "they look inward", advice))
}

fn coordinates(head: &Head) -> Check {
    const CHECK: &str = "texture coordinates";
    let is_spread = |uvs: &Vec<Vec2>| {
        let boxes = uvs.iter().map(|&uv| (uv, uv));
        let around = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        around.is_some_and(|(low, high)| (high - low).min_element() > 0.0)
    };
    // Maps are painted on the part with the scalp, or on any.
    let parts = match head.scalp_part {
        Some(scalp) => &head.parts[scalp..=scalp],
        None => &head.parts[..],
    };
    let lacks =
        |part: &&Part| !part.triangles.is_empty() && !part.uvs.as_ref().is_some_and(is_spread);
    let lacking: Vec<&Part> = parts.iter().filter(lacks).collect();
    match (lacking.is_empty(), parts) {
        (true, [part]) => check(CHECK, State::Found, format!("on part {:?}", part.name), ""),
        (true, _) => check(CHECK, State::Found, "on all parts", ""),
        (false, _) => check(
            CHECK,
            State::Missing,
            format!(
                "not on {}: maps there are as coarse as vertices",
                named(&lacking)
            ),
            "In Blender: Edit Mode, UV > Smart UV Project, and export with Data > Mesh > UVs.",
        ),
    }
}

fn pictures(head: &Head) -> Check {
    const CHECK: &str = "pictures";
    let told: Vec<&str> = head.told(Topic::Picture).collect();
    match (&told[..], head.textures.len()) {
        ([], 0) => check(CHECK, State::None, "materials have colours only", ""),
        ([], count) => {
            let sides = head.textures.iter().map(|it| it.width.max(it.height));
            let largest = sides.max().unwrap_or(0);
            let found = format!("{}, up to {largest} pixels", plural(count, "texture"));
            check(CHECK, State::Found, found, "")
        }
        ([first, rest @ ..], _) => {
            let rest = match rest.len() {
                0 => String::new(),
                rest => format!("; and {rest} more"),
            };
            let advice = "Put the pictures beside the model as PNG or JPEG. In Blender: File > \
                          External Data > Find Missing Files, and export glTF 2.0 (.glb).";
            check(CHECK, State::Missing, format!("{first}{rest}"), advice)
        }
    }
}

fn hair(head: &Head) -> Check {
    const CHECK: &str = "own hair";
    match head.told(Topic::Hair).next() {
        None => check(
            CHECK,
            State::None,
            "no part that is shown is called hair",
            "",
        ),
        Some(told) => {
            let advice = "Or in Blender: hide it, and export with Include > Visible Objects.";
            check(CHECK, State::Remark, told, advice)
        }
    }
}

fn licence(head: &Head) -> Check {
    match &head.licence {
        Some(licence) => check("licence", State::Found, licence, ""),
        None => check(
            "licence",
            State::Missing,
            "the file names none",
            "Ask its maker before you share it. In Blender: fill in Copyright when you export.",
        ),
    }
}

/// Returns the names of parts.
fn named(parts: &[&Part]) -> String {
    let names = parts
        .iter()
        .take(SHOWN)
        .map(|part| format!("{:?}", part.name));
    listed(&names.collect::<Vec<_>>(), parts.len())
}

/// Returns names and how many of `count` are left out.
fn listed(names: &[String], count: usize) -> String {
    let rest = match count.saturating_sub(names.len()) {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    names.join(", ") + &rest
}

/// Returns a number with three significant digits, or as an integer if it has more before its point.
fn significant(value: f64) -> String {
    let digits = match value.abs() {
        size if size.is_finite() && size > 0.0 => 2 - size.log10().floor() as i32,
        _ => 0,
    };
    match digits > 9 {
        true => format!("{value:.2e}"),
        false => format!("{value:.*}", digits.max(0) as usize),
    }
}
