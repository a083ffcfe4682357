//! Blocks and packets of nodes.

use super::lanes::LANES;

/// The number of nodes along the side of a packet.
pub(crate) const PACKET: usize = 2;
/// The number of nodes along the side of a block, which is handled as a whole where possible.
pub(crate) const BLOCK: usize = 4;

/// Returns the offsets of the nodes of a packet in a piece that starts with `layer`.
#[inline(always)]
pub(crate) fn places(
    from: [usize; 3],
    end: [usize; 3],
    size: [usize; 3],
    layer: usize,
) -> [Option<usize>; LANES] {
    std::array::from_fn(|lane| {
        let node = [0, 1, 2].map(|axis: usize| from[axis] + (lane >> axis & 1));
        let is_there = (0..3).all(|axis| node[axis] < end[axis]);
        is_there.then(|| place(node, size, layer))
    })
}

/// Returns the offset of a node in a piece that starts with `layer`.
#[inline(always)]
pub(crate) fn place(node: [usize; 3], size: [usize; 3], layer: usize) -> usize {
    ((node[2] - layer) * size[1] + node[1]) * size[0] + node[0]
}
