//! The numbers of a sample: an integer or float of 8 to 64 bits each.

use super::super::bytes::take_memory;
use super::archive::{Archive, Property};
use crate::told::short;
use half::f16;

/// The bytes of a number, by type.
const SIZES: [usize; 12] = [1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8];

// Types; 0 is a truth value.
pub const BOOL: u32 = 0;
pub const U8: u32 = 1;
pub const I16: u32 = 4;
pub const I32: u32 = 6;
pub const F32: u32 = 10;
pub const F64: u32 = 11;

/// Returns the sample of a property as groups of `N` numbers. Further numbers of a value are left
/// out; single numbers are grouped.
pub fn groups<'a, const N: usize>(
    archive: &Archive<'a>,
    property: &Property<'a>,
) -> Result<impl ExactSizeIterator<Item = [f64; N]> + use<'a, N>, String> {
    let (kind, extent) = (property.kind, property.extent);
    let in_group = if extent == 1 { N } else { extent };
    let Some(&size) = SIZES
        .get(kind)
        .filter(|_| in_group >= N && !property.is_compound)
    else {
        let name = String::from_utf8_lossy(property.name);
        return Err(format!(
            "its `{}` is no list of {N} numbers each",
            short(&name)
        ));
    };
    let sample = archive.sample(property)?.chunks_exact(size * in_group);
    Ok(sample.map(move |group| {
        std::array::from_fn(|nth| number(kind as u32, &group[nth * size..][..size]))
    }))
}

/// Returns all numbers of the sample of a property, of a value or of many.
pub fn all(archive: &Archive, property: &Property) -> Result<Vec<f64>, String> {
    let mut flat = *property;
    flat.extent = 1;
    let numbers = groups::<1>(archive, &flat)?;
    take_memory(archive.budget, numbers.len() as u64, 8)?;
    Ok(numbers.map(|[number]| number).collect())
}

/// Returns the number of at most 8 bytes.
fn number(kind: u32, bytes: &[u8]) -> f64 {
    let digits = bytes.iter().rev();
    let bits = digits.fold(0, |bits, &digit| bits << 8 | u64::from(digit));
    match kind {
        2 => f64::from(bits as i8),
        I16 => f64::from(bits as i16),
        I32 => f64::from(bits as i32),
        8 => bits as i64 as f64,
        9 => f16::from_bits(bits as u16).to_f64(),
        F32 => f64::from(f32::from_bits(bits as u32)),
        F64 => f64::from_bits(bits),
        _ => bits as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_each_type_are_read() {
        for kind in [2, I16, I32, 8] {
            let bytes = &(-3_i64).to_le_bytes()[..SIZES[kind as usize]];
            assert_eq!(number(kind, bytes), -3.0, "{kind}");
        }
        for kind in [BOOL, U8, 3, 5, 7] {
            let bytes = &1_u64.to_le_bytes()[..SIZES[kind as usize]];
            assert_eq!(number(kind, bytes), 1.0, "{kind}");
        }
        assert_eq!(number(F32, &0.5_f32.to_le_bytes()), 0.5);
        assert_eq!(number(F64, &0.1_f64.to_le_bytes()), 0.1);
    }
}
