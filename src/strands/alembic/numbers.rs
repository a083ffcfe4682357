//! The numbers of a sample: an integer or float of 8 to 64 bits each.

use super::super::bytes::take_memory;
use super::archive::{Archive, Property};
use crate::binary_number::NumberType;
use crate::told::short;

/// The numbers of each type.
const KINDS: [NumberType; 12] = {
    use NumberType::*;
    [U8, U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64]
};

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
    let extent = property.extent;
    let in_group = if extent == 1 { N } else { extent };
    let Some(&kind) = KINDS
        .get(property.kind)
        .filter(|_| in_group >= N && !property.is_compound)
    else {
        let name = String::from_utf8_lossy(property.name);
        return Err(format!(
            "its `{}` is no list of {N} numbers each",
            short(&name)
        ));
    };
    let size = kind.size();
    let sample = archive.sample(property)?.chunks_exact(size * in_group);
    Ok(sample.map(move |group| std::array::from_fn(|nth| kind.of(&group[nth * size..][..size]))))
}

/// Returns all numbers of the sample of a property, of a value or of many.
pub fn all(archive: &Archive, property: &Property) -> Result<Vec<f64>, String> {
    let mut flat = *property;
    flat.extent = 1;
    let numbers = groups::<1>(archive, &flat)?;
    take_memory(archive.budget, numbers.len() as u64, 8)?;
    Ok(numbers.map(|[number]| number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_each_type_are_read() {
        let of = |kind: u32| KINDS[kind as usize];
        for kind in [2, I16, I32, 8].map(of) {
            let bytes = &(-3_i64).to_le_bytes()[..kind.size()];
            assert_eq!(kind.of(bytes), -3.0, "{kind:?}");
        }
        for kind in [BOOL, U8, 3, 5, 7].map(of) {
            let bytes = &1_u64.to_le_bytes()[..kind.size()];
            assert_eq!(kind.of(bytes), 1.0, "{kind:?}");
        }
        assert_eq!(of(F32).of(&0.5_f32.to_le_bytes()), 0.5);
        assert_eq!(of(F64).of(&0.1_f64.to_le_bytes()), 0.1);
    }
}
