//! Writing the `.glb` container.

use super::bundle::Chunk;
use crate::head::gltf::container::{BIN_CHUNK, GLB, JSON_CHUNK};

/// Returns a file of these chunks.
pub fn file<'a, I: Iterator<Item = (u32, &'a [u8])>>(
    json: &str,
    bin: &Chunk,
    others: impl Fn() -> I,
) -> Result<Vec<u8>, u64> {
    let padded = |len: usize| (len as u64).next_multiple_of(4);
    let more: u64 = others().map(|(_, bytes)| 8 + padded(bytes.len())).sum();
    let length = 12 + 8 + padded(json.len()) + 8 + bin.len() + more;
    let (Ok(stated), Ok(capacity)) = (u32::try_from(length), usize::try_from(length)) else {
        return Err(length);
    };
    let mut out = Vec::new();
    out.try_reserve_exact(capacity).map_err(|_| length)?;
    out.extend_from_slice(GLB);
    out.extend(2u32.to_le_bytes());
    out.extend(stated.to_le_bytes());
    let mut chunk = |kind: u32, len: u64, write: &mut dyn FnMut(&mut Vec<u8>), pad: u8| {
        // A chunk is shorter than the file, whose length fits.
        out.extend((len as u32).to_le_bytes());
        out.extend(kind.to_le_bytes());
        write(&mut out);
        out.resize(out.len().next_multiple_of(4), pad);
    };
    let text = &mut |out: &mut Vec<u8>| out.extend_from_slice(json.as_bytes());
    chunk(JSON_CHUNK, padded(json.len()), text, b' ');
    chunk(BIN_CHUNK, bin.len(), &mut |out| bin.write(out), 0);
    for (kind, bytes) in others() {
        let write = &mut |out: &mut Vec<u8>| out.extend_from_slice(bytes);
        chunk(kind, padded(bytes.len()), write, 0);
    }
    Ok(out)
}
