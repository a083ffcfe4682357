//! The order from back to front in which blended things are drawn.

/// Bits of a depth that count. Depths that differ by less than the range of all depths divided by
/// two to this power are in the order of their indices.
const BITS: u32 = 16;

/// Returns the indices of `depths` from the largest to the smallest, by counting. Equal depths keep
/// their order; what is not a number counts as farthest.
pub fn back_to_front(depths: &[f32]) -> Vec<u32> {
    let finite = || depths.iter().copied().filter(|depth| depth.is_finite());
    let far = finite().fold(f32::MIN, f32::max);
    let near = finite().fold(f32::MAX, f32::min);
    let most = ((1u32 << BITS) - 1) as f32;
    let scale = if far > near { most / (far - near) } else { 0.0 };
    let from_back = |depth: f32| most as usize - ((depth - near) * scale).min(most) as usize;
    let mut starts = vec![0u32; (1 << BITS) + 1];
    for &depth in depths {
        starts[from_back(depth) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut order = vec![0; depths.len()];
    for (index, &depth) in (0..).zip(depths) {
        let start = &mut starts[from_back(depth)];
        order[*start as usize] = index;
        *start += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_index_comes_once_and_depths_fall(
            depths in prop::collection::vec(prop_oneof![8 => -1e3f32..1e3, 1 => Just(f32::NAN)], 0..200),
        ) {
            let order = back_to_front(&depths);
            let mut indices = order.clone();
            indices.sort_unstable();
            prop_assert!(indices.into_iter().eq(0..depths.len() as u32));
            let sorted = order.iter().map(|&index| depths[index as usize]);
            let sorted: Vec<f32> = sorted.filter(|depth| depth.is_finite()).collect();
            let step = 2e3 / 65_535.0;
            prop_assert!(sorted.is_sorted_by(|a, b| a + step >= *b), "{sorted:?}");
        }
    }

    #[test]
    fn equal_depths_keep_their_order() {
        assert_eq!(back_to_front(&[2.0; 4]), [0, 1, 2, 3]);
        assert_eq!(back_to_front(&[1.0, 3.0, 2.0]), [1, 2, 0]);
        assert!(back_to_front(&[]).is_empty());
    }
}
