//! Reads the animations of a glTF file.

use super::Animation;
use super::curve::{Curve, Interpolation, Property};
use crate::head::error::{LoadErrorKind, Result, Warnings, label, truncated};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document;
use crate::head::settings::MOST_NAME;
use ::gltf::accessor::DataType;
use std::collections::HashMap;
use std::sync::Arc;

const TIMES: Expected = Expected {
    lanes: &[1],
    components: &[DataType::F32],
    quantized: &[],
    text: "SCALAR of f32",
    advice: "Export the animation again.",
};
const NUMBERS: Expected = Expected {
    components: &[
        DataType::F32,
        DataType::I8,
        DataType::U8,
        DataType::I16,
        DataType::U16,
    ],
    text: "f32 or normalised integers",
    ..TIMES
};
const VECTORS: Expected = Expected {
    lanes: &[3],
    text: "VEC3 of f32",
    ..TIMES
};
const ROTATIONS: Expected = Expected {
    lanes: &[4],
    text: "VEC4 of f32 or normalised integers",
    ..NUMBERS
};

/// Numbers are below this: nothing on a head is so far away, or so large.
const FARTHEST: f32 = 1e9;
/// The longest animation that is played, seconds.
const MOST_SECS: f32 = 3600.0;

/// Returns the animations that change a node for which `moves` is true. Broken ones are left out with
/// a warning.
pub fn animations(
    buffers: &Buffers,
    moves: impl Fn(usize) -> bool,
    warnings: &mut Warnings,
) -> Vec<Animation> {
    let mut times = HashMap::new();
    let raws = buffers.document.animations.iter().enumerate();
    let animations = raws.filter_map(|(number, raw)| {
        let at = label("animation", number, raw.name.as_deref());
        let curves = match &raw.broken {
            Some(problem) => Err(LoadErrorKind::invalid(&at, problem)),
            None => curves(buffers, raw, &at, &moves, &mut times),
        };
        match curves {
            Ok(curves) if curves.is_empty() => None,
            Ok(curves) => Some(Animation {
                name: (raw.name.as_deref()).map_or_else(
                    || format!("animation {number}"),
                    |name| name.chars().take(MOST_NAME).collect(),
                ),
                number,
                duration_secs: curves.iter().map(Curve::end_secs).fold(0.0, f64::max),
                return_secs: 0.0,
                curves,
            }),
            Err(problem) => {
                warnings.push(format!("{problem} It is not played."));
                None
            }
        }
    });
    animations.collect()
}

fn curves(
    buffers: &Buffers,
    raw: &document::Animation,
    at: &str,
    moves: &impl Fn(usize) -> bool,
    known: &mut HashMap<usize, Arc<[f32]>>,
) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for (nth, channel) in raw.channels.iter().enumerate() {
        let property = match channel.target.path.as_str() {
            "translation" => Property::Translation,
            "rotation" => Property::Rotation,
            "scale" => Property::Scale,
            "weights" => Property::Weights,
            // Extensions animate other things.
            _ => continue,
        };
        let node = channel.target.node.map(|node| node.index());
        let Some(node) = node.filter(|&node| moves(node)) else {
            continue;
        };
        let place = format!("{at}, channel {nth}");
        let sampler = channel.sampler.index();
        let Some(sampler) = raw.samplers.get(sampler) else {
            let count = raw.samplers.len();
            return Err(LoadErrorKind::missing(place, "sampler", sampler, count));
        };
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => {
                let problem = format!("its interpolation is {}", truncated(other));
                return Err(LoadErrorKind::invalid(place, problem));
            }
        };
        let times = match known.get(&sampler.input.index()) {
            Some(times) => times.clone(),
            None => {
                let accessor = Accessor::open(buffers, sampler.input, &place, "input", &TIMES)?;
                let times = accessor.floats::<1>(0.0).into_flattened();
                check_times(&times)
                    .map_err(|problem| LoadErrorKind::invalid(&accessor.at, problem))?;
                let times: Arc<[f32]> = times.into();
                known.insert(sampler.input.index(), times.clone());
                times
            }
        };
        let expected = match property {
            Property::Translation | Property::Scale => &VECTORS,
            Property::Rotation => &ROTATIONS,
            Property::Weights => &NUMBERS,
        };
        let output = Accessor::open(buffers, sampler.output, &place, "output", expected)?;
        let values = match property {
            Property::Translation | Property::Scale => output.floats::<3>(0.0).into_flattened(),
            Property::Rotation => output.floats::<4>(0.0).into_flattened(),
            Property::Weights => output.floats::<1>(0.0).into_flattened(),
        };
        let each = match interpolation {
            Interpolation::Cubic => 3 * times.len(),
            _ => times.len(),
        };
        let lanes = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::Weights => values.len() / each,
        };
        if lanes == 0 || values.len() != lanes * each {
            let problem = format!("has {} elements for {} keys", output.count, times.len());
            return Err(LoadErrorKind::invalid(output.at, problem));
        }
        let is_near = |value: &f32| value.abs() < FARTHEST;
        if let Some(number) = values.iter().position(|value| !is_near(value)) {
            let problem = format!("number {number} is not finite, or beyond {FARTHEST:e}");
            return Err(LoadErrorKind::invalid(output.at, problem));
        }
        curves.push(Curve {
            node,
            property,
            interpolation,
            times,
            lanes,
            values,
        });
    }
    Ok(curves)
}

/// Returns what is wrong with the times of keys.
fn check_times(times: &[f32]) -> std::result::Result<(), String> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Err("it has no keys".to_owned());
    };
    if !times.iter().all(|time| time.is_finite()) || !times.is_sorted() || first < 0.0 {
        return Err("its times do not increase from 0 or later".to_owned());
    }
    match last > MOST_SECS {
        true => Err(format!(
            "it lasts {last} s; at most {MOST_SECS} s are played"
        )),
        false => Ok(()),
    }
}
