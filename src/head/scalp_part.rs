//! Which part of a model hair grows on, and which parts are hair already.

use super::error::{Topic, Warnings, quoted};
use super::mesh::PlacedPart;
use super::mesh::paint::{scalp_area, scalp_triangles};
use super::mesh::primitive::WHITE;
use super::model::Paint;

/// The start of the warnings that say why nothing is painted.
const NO_PAINT: &str = "no scalp paint found";

/// Tells of parts that look like hair that the model has already.
pub fn tell_of_hair(placed: &[PlacedPart], scalp: Option<usize>, warnings: &mut Warnings) {
    let parts = placed.iter().enumerate();
    let hair = parts.filter(|(nth, part)| {
        part.is_hair && !part.part.triangles.is_empty() && Some(*nth) != scalp
    });
    let names: Vec<String> = hair
        .map(|(_, part)| quoted(&part.part.name))
        .take(8)
        .collect();
    if !names.is_empty() {
        let told = format!(
            "the model has hair of its own: {}; --hide hair leaves it out",
            names.join(", ")
        );
        warnings.tell(Topic::Hair, told);
    }
}

/// Returns the evidence of other paint: on the scalp, else on the first part that has it.
pub fn other_paint(placed: &[PlacedPart], scalp: Option<usize>) -> Option<String> {
    let scalp = scalp.map(|part| &placed[part]);
    scalp.into_iter().chain(placed).find_map(
        |PlacedPart {
             part, unpainted, ..
         }| {
            let why = unpainted.passed_over.as_ref()?;
            Some(format!("{why}, on part {}", quoted(&part.name)))
        },
    )
}

/// Returns the painted part with the largest scalp, and its area; warns of the others. `unmasked` is
/// why a mask paints nothing.
pub fn find(
    placed: &[PlacedPart],
    unmasked: Option<String>,
    warnings: &mut Warnings,
) -> Option<(usize, f64)> {
    let parts = placed.iter().enumerate();
    let painted =
        parts.filter_map(|(index, placed)| Some((index, placed, placed.part.paint.as_ref()?)));
    let painted: Vec<_> = painted.collect();
    // Paint of this program comes before other paint.
    let mut scalp: Option<(usize, (bool, f64))> = None;
    for &(index, placed, paint) in &painted {
        let area = scalp_area(paint, &placed.part.triangles, |v| placed.position(v));
        let rank = (paint.is_own, area);
        if area > 0.0 && scalp.is_none_or(|(_, before)| rank > before) {
            scalp = Some((index, rank));
        }
    }
    let scalp = scalp.map(|(index, (_, area))| (index, area));
    for &(index, PlacedPart { part, .. }, paint) in &painted {
        let name = quoted(&part.name);
        match scalp {
            Some((scalp, _)) if scalp == index => {}
            Some((scalp, _)) => warnings.push(format!(
                "{name} is painted too and stays bald: hair grows on {}, {}",
                quoted(&placed[scalp].part.name),
                match &placed[scalp].part.paint {
                    Some(Paint { is_own: true, .. }) => "which was painted with this program",
                    _ => "where the painted area is largest",
                }
            )),
            None => {
                let vertices = paint.density.iter().filter(|&&d| d > 0.0).count();
                let mut whole = scalp_triangles(paint, &part.triangles);
                let lacking = match whole.next() {
                    Some(_) => "the triangles that are painted have no area",
                    None => "no triangle is painted at all three corners",
                };
                let told = format!(
                    "{NO_PAINT}: {vertices} vertices of {name} are painted ({}), but {lacking}",
                    paint.why
                );
                warnings.tell(Topic::Paint, told);
            }
        }
    }
    if let (true, Some(unmasked)) = (painted.is_empty(), unmasked) {
        warnings.tell(Topic::Paint, format!("{NO_PAINT}: {unmasked}"));
    } else if painted.is_empty() {
        let colored = placed
            .iter()
            .filter(|placed| !placed.unpainted.color_sets.is_empty());
        let contents = |placed: &PlacedPart| {
            let sets = placed.unpainted.color_sets.join(", ");
            format!("{sets} (part {})", quoted(&placed.part.name))
        };
        let found: Vec<String> = colored.take(8).map(contents).collect();
        let mut sets = placed
            .iter()
            .flat_map(|placed| &placed.unpainted.color_sets);
        let hint = match sets.all(|set| set.ends_with(WHITE)) {
            true => "",
            false => "; --paint takes other colours",
        };
        let told = match &found[..] {
            [] => format!("{NO_PAINT}: the model has no vertex colours"),
            found => format!("{NO_PAINT}: {}{hint}", found.join("; ")),
        };
        warnings.tell(Topic::Paint, told);
    }
    scalp
}
