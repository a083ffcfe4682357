//! Transforms: operations one after the other, the first outermost.

use super::super::Moment;
use super::archive::{Archive, Object, find};
use super::numbers::all;
use glam::{DMat4, DVec3};

/// Returns the transform of an object whose parent has the transform `above`, and notes how it moves.
pub fn apply(
    archive: &Archive,
    object: &Object,
    above: DMat4,
    moment: &mut Moment,
) -> Result<DMat4, String> {
    let properties = archive.within(&archive.properties_of(object)?, ".xform")?;
    if let Some(values) = find(&properties, ".vals") {
        moment.tell(values.moments(), archive.rate(values));
    }
    let list = |name: &str| match find(&properties, name) {
        Some(property) => all(archive, property),
        None => Ok(Vec::new()),
    };
    let inherits = list(".inherits")?
        .first()
        .is_none_or(|&inherits| inherits != 0.0);
    let mut matrix = if inherits { above } else { DMat4::IDENTITY };
    let (operations, values) = (list(".ops")?, list(".vals")?);
    let mut values = &values[..];
    for operation in operations {
        // The lower half of the byte is a hint.
        let operation = operate(operation as u8 >> 4, &mut values);
        matrix *= operation
            .ok_or_else(|| format!("{} has a transform that lacks numbers", object.label()))?;
    }
    Ok(matrix)
}

/// Returns an operation, of which the numbers are the next of `values`.
fn operate(operation: u8, values: &mut &[f64]) -> Option<DMat4> {
    fn next<const N: usize>(values: &mut &[f64]) -> Option<[f64; N]> {
        let (numbers, rest) = values.split_first_chunk()?;
        *values = rest;
        Some(*numbers)
    }
    let turn = |axis: DVec3, degrees: f64| match axis.try_normalize() {
        Some(axis) => DMat4::from_axis_angle(axis, degrees.to_radians()),
        None => DMat4::IDENTITY,
    };
    Some(match operation {
        0 => DMat4::from_scale(next::<3>(values)?.into()),
        1 => DMat4::from_translation(next::<3>(values)?.into()),
        2 => {
            let [x, y, z, degrees] = next(values)?;
            turn(DVec3::new(x, y, z), degrees)
        }
        // Rows are vectors in the file, as columns are here.
        3 => DMat4::from_cols_array(&next(values)?),
        4..7 => turn(
            DVec3::AXES[usize::from(operation) - 4],
            next::<1>(values)?[0],
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_applied_from_the_last() {
        let numbers = [1.0, 2.0, 3.0, 0.0, 0.0, 5.0, 90.0, 2.0, 2.0, 2.0, 180.0];
        let mut values = &numbers[..];
        let operations = [1, 2, 0, 4].map(|operation| operate(operation, &mut values).unwrap());
        let matrix = operations.iter().product::<DMat4>();
        let place = matrix.transform_point3(DVec3::new(1.0, 1.0, 0.0));
        assert!(place.distance(DVec3::new(3.0, 4.0, 3.0)) < 1e-12, "{place}");
        assert_eq!(
            (operate(3, &mut values), operate(7, &mut &numbers[..])),
            (None, None)
        );
    }
}
