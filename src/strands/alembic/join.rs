//! The strands of several objects as one.

use super::super::bytes::take_memory;
use super::super::{Strands, Values};
use crate::head::Budget;

/// Joins strands. Values that only some have are filled in or left out, with a warning.
pub fn join(
    mut parts: Vec<Strands>,
    budget: &Budget,
    warnings: &mut Vec<String>,
) -> Result<Strands, String> {
    parts.retain(|part| !part.is_empty());
    match parts.len() {
        0 => return Err("it has no curves".to_owned()),
        1 => return Ok(parts.remove(0)),
        _ => {}
    }
    let strands: usize = parts.iter().map(Strands::len).sum();
    let points: usize = parts.iter().map(|part| part.points.len()).sum();
    // The lists that are made: counts, texture coordinates, guides; positions, values.
    take_memory(budget, strands as u64, 4 + 8 + 1)?;
    take_memory(budget, (points + strands) as u64, 12 + 12 + 4 + 4)?;
    let mut all = Strands {
        widths: joined(&parts, "widths", |part| &part.widths, warnings),
        opacities: joined(&parts, "opacities", |part| &part.opacities, warnings),
        colors: joined(&parts, "colours", |part| &part.colors, warnings),
        ..Strands::default()
    };
    all.counts.reserve_exact(strands);
    all.points.reserve_exact(points);
    let lacking = parts.iter().filter(|part| part.root_uvs.is_empty()).count();
    if lacking > 0 && lacking < parts.len() {
        warnings.push(
            "the texture coordinates of roots are left out: some objects lack them".to_owned(),
        );
    }
    let has_guides = parts.iter().any(|part| !part.guides.is_empty());
    for mut part in parts {
        if lacking == 0 {
            all.root_uvs.append(&mut part.root_uvs);
        }
        if has_guides {
            part.guides.resize(part.len(), false);
            all.guides.append(&mut part.guides);
        }
        all.counts.append(&mut part.counts);
        all.points.append(&mut part.points);
    }
    Ok(all)
}

/// Returns the values of all parts: one, or as many as the part needs that has most.
fn joined<T: Copy + PartialEq>(
    parts: &[Strands],
    what: &str,
    of: impl Fn(&Strands) -> &Values<T>,
    warnings: &mut Vec<String>,
) -> Values<T> {
    let Some(first) = parts.iter().find_map(|part| of(part).at(0, 0)) else {
        return Values::None;
    };
    if parts.iter().any(|part| of(part).is_none()) {
        warnings.push(format!(
            "objects without {what} take the first of the others"
        ));
    }
    if parts.iter().all(|part| *of(part) == Values::All(first)) {
        return Values::All(first);
    }
    let is_fine = parts
        .iter()
        .any(|part| matches!(of(part), Values::Points(_)));
    let each = |part: &Strands| {
        if is_fine {
            part.points.len()
        } else {
            part.len()
        }
    };
    let mut values = Vec::with_capacity(parts.iter().map(each).sum());
    for part in parts {
        let value = |strand, point| of(part).at(strand, point).unwrap_or(first);
        for (strand, range) in part.ranges().enumerate() {
            match is_fine {
                true => values.extend(range.map(|point| value(strand, point))),
                false => values.push(value(strand, range.start)),
            }
        }
    }
    match is_fine {
        true => Values::Points(values),
        false => Values::Strands(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Limits;

    #[test]
    fn values_of_all_objects_are_kept() {
        let part = |count: u32, widths: Values<f32>, colors| Strands {
            counts: vec![count],
            points: vec![[count as f32; 3]; count as usize],
            widths,
            colors,
            ..Strands::default()
        };
        let red = [1.0, 0.0, 0.0];
        let first = part(2, Values::Points(vec![0.5, 0.25]), Values::All(red));
        let mut second = part(3, Values::All(1.0), Values::None);
        (second.guides, second.root_uvs) = (vec![true], vec![[0.5; 2]]);
        let mut warnings = Vec::new();
        let budget = Budget::new(&Limits::default(), 0);
        let all = join(
            vec![first, second, Strands::default()],
            &budget,
            &mut warnings,
        )
        .unwrap();
        assert_eq!(all.counts, [2, 3]);
        assert_eq!(all.points[1..3], [[2.0; 3], [3.0; 3]]);
        assert_eq!(all.widths, Values::Points(vec![0.5, 0.25, 1.0, 1.0, 1.0]));
        assert_eq!(all.colors, Values::Strands(vec![red; 2]));
        assert_eq!((all.guides, all.root_uvs), (vec![false, true], Vec::new()));
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }
}
