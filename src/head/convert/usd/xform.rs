//! The transforms of prims of USD: operations in an order, the first outermost.

use super::layer::Layer;
use crate::head::error::Result;
use crate::head::limits::Budget;
use glam::{DMat4, DQuat, DVec3};

/// Operations of one prim.
const MOST_OPERATIONS: usize = 64;

/// Returns the transform of a prim in its parent, and whether it ignores its parents.
pub fn local(layer: &Layer, prim: u32, budget: &Budget) -> Result<(DMat4, bool)> {
    let (mut matrix, mut is_reset) = (DMat4::IDENTITY, false);
    let order = layer.words(layer.attribute(prim, "xformOpOrder"));
    for name in order.into_iter().take(MOST_OPERATIONS) {
        if name == "!resetXformStack!" {
            (matrix, is_reset) = (DMat4::IDENTITY, true);
            continue;
        }
        let (name, is_inverse) = match name.strip_prefix("!invert!") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let attribute = layer.attribute(prim, name);
        let kind = name.strip_prefix("xformOp:").unwrap_or(name);
        let kind = kind.split(':').next().unwrap_or(kind);
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let numbers = layer.mixed(attribute, budget, |number| number, mix)?;
        if let Some(operation) = operation(kind, &numbers) {
            matrix *= if is_inverse {
                operation.inverse()
            } else {
                operation
            };
        }
    }
    Ok((matrix, is_reset))
}

fn operation(kind: &str, numbers: &[f64]) -> Option<DMat4> {
    let vector = || {
        numbers
            .first_chunk::<3>()
            .map(|&numbers| DVec3::from(numbers))
    };
    let turn = |axis: char, degrees: f64| {
        let angle = degrees.to_radians();
        match axis {
            'X' => DQuat::from_rotation_x(angle),
            'Y' => DQuat::from_rotation_y(angle),
            _ => DQuat::from_rotation_z(angle),
        }
    };
    Some(match kind {
        "translate" => DMat4::from_translation(vector()?),
        "scale" => DMat4::from_scale(vector()?),
        // Rows are vectors in the file, as columns are here.
        "transform" => DMat4::from_cols_array(numbers.first_chunk::<16>()?),
        "orient" => {
            let [w, x, y, z] = *numbers.first_chunk::<4>()?;
            let length = DQuat::from_xyzw(x, y, z, w).length();
            (length > 0.0).then(|| DMat4::from_quat(DQuat::from_xyzw(x, y, z, w) / length))?
        }
        _ => {
            let axes = kind.strip_prefix("rotate")?;
            let is_known = axes.chars().all(|axis| matches!(axis, 'X' | 'Y' | 'Z'));
            let (_, 1 | 3) = (is_known.then_some(())?, axes.len()) else {
                return None;
            };
            if axes.len() == 1 {
                return Some(DMat4::from_quat(turn(
                    axes.chars().next()?,
                    *numbers.first()?,
                )));
            }
            // The first axis is turned about first.
            let degrees = vector()?;
            let all = axes.chars().map(|axis| match axis {
                'X' => turn(axis, degrees.x),
                'Y' => turn(axis, degrees.y),
                _ => turn(axis, degrees.z),
            });
            DMat4::from_quat(all.fold(DQuat::IDENTITY, |before, next| next * before))
        }
    })
}
