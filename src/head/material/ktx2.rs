//! KTX2 pictures of Basis Universal, those of `KHR_texture_basisu`: ETC1S, and UASTC, which may be
//! packed with Zstandard. The largest of the sizes in a file is read.
//!
//! The transcoder trusts what a file says. It gets parts that are checked here.

use basisu::basislz::decoder::BitwiseDecoder;
use basisu::basislz::etc1s::Etc1sTranscoder;
use basisu::basislz::huffman::{FAST_LOOKUP_BITS, HuffmanDecodingTable};
use basisu::uastc::unpack::unpack_uastc;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::Read;

const IDENTIFIER: &[u8] = b"\xABKTX 20\xBB\r\n\x1A\n";
/// Colour models.
const ETC1S: u32 = 163;
const UASTC: u32 = 166;
/// Schemes of supercompression.
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;
/// The length of a data format descriptor of two samples, colour and alpha.
const TWO_SAMPLES: u32 = 4 + 24 + 2 * 16;
/// The pixels along a side of a block, and the bytes of a block of UASTC.
const SIDE: u32 = 4;
const BLOCK: u64 = 16;
/// Memory for each block of ETC1S in bytes: an index, and two rows of predictions.
const INDEX: u64 = 4 + 2 * 4;
/// Memory that a picture of any size may need: codebooks, and blocks of Zstandard.
const FREE: u64 = 2 << 20;
/// The number of bytes that are unpacked at once. They are kept beside the window.
const CHUNK: usize = 64 << 10;
/// The most pixels whose bytes the transcoder can count.
const MOST_PIXELS: u64 = u32::MAX as u64 / 4;
const CUT_OFF: &str = "is broken: it is cut off";

/// A picture whose file is checked, but not yet decoded.
pub struct Ktx2<'a> {
    pub size: [u32; 2],
    codec: Codec<'a>,
}

enum Codec<'a> {
    Etc1s(Etc1s<'a>),
    Uastc {
        blocks: &'a [u8],
        /// The number of bytes that Zstandard looks back, if the blocks are packed.
        window: Option<u64>,
    },
}

impl<'a> Ktx2<'a> {
    /// Checks a file. The error completes "texture 3 …".
    pub fn of(file: &'a [u8]) -> Result<Self, String> {
        if !file.starts_with(IDENTIFIER) {
            return Err("is broken: its first bytes are not those of KTX2".into());
        }
        let word = |at| word(file, at).ok_or(CUT_OFF);
        let size = [word(20)?, word(24)?];
        let [depth, layers, faces] = [word(28)?, word(32)?, word(36)?];
        if depth > 0 || layers > 1 || faces != 1 {
            return Err("is a KTX2 volume, array or cube; only plain pictures are read".into());
        }
        let [width, height] = size;
        if width.max(height) > i32::MAX as u32 || area(size) > MOST_PIXELS {
            return Err(format!("is broken: it has {width} x {height} pixels"));
        }
        let descriptor = word(48)? as usize;
        let model = match word(12)? {
            0 => word(descriptor.saturating_add(12))? & 0xFF,
            _ => 0,
        };
        let level = part(file, long(file, 80), long(file, 88)).ok_or(CUT_OFF)?;
        let codec = match (model, word(44)?) {
            (ETC1S, BASIS_LZ) => {
                let has_alpha = word(52)? >= TWO_SAMPLES;
                Codec::Etc1s(Etc1s::of(file, level, has_alpha).ok_or(CUT_OFF)?)
            }
            (UASTC, 0) => Codec::Uastc {
                blocks: part(level, Some(0), Some(blocks(size))).ok_or(CUT_OFF)?,
                window: None,
            },
            (UASTC, ZSTANDARD) => Codec::Uastc {
                blocks: level,
                window: Some(window(level, blocks(size)).ok_or(CUT_OFF)?),
            },
            _ => return Err("is KTX2 without Basis Universal (ETC1S or UASTC)".into()),
        };
        Ok(Self { size, codec })
    }

    /// Returns the number of bytes that decoding takes at most beside the pixels.
    pub fn scratch(&self) -> u64 {
        let count = blocks(self.size);
        let codec = match self.codec {
            Codec::Etc1s(_) => count / BLOCK * INDEX,
            Codec::Uastc { window: None, .. } => 0,
            // A ring grows to up to twice its contents, and is copied then.
            Codec::Uastc {
                window: Some(window),
                ..
            } => window.saturating_mul(3).saturating_add(count),
        };
        codec.saturating_add(FREE)
    }

    /// Returns the pixels as RGBA. The error completes "texture 3 …".
    pub fn decode(self) -> Result<Vec<u8>, String> {
        let mut pixels = vec![0; area(self.size) as usize * 4];
        let decoded = match self.codec {
            Codec::Etc1s(parts) => parts.decode(self.size, &mut pixels),
            Codec::Uastc { blocks, window } => match window {
                None => fill(blocks, self.size, &mut pixels),
                Some(window) => unpack(blocks, window, self.size)
                    .and_then(|blocks| fill(&blocks, self.size, &mut pixels)),
            },
        };
        decoded.ok_or("is broken: its blocks cannot be decoded")?;
        Ok(pixels)
    }
}

/// Decodes blocks of UASTC.
fn fill(blocks: &[u8], size: [u32; 2], pixels: &mut [u8]) -> Option<()> {
    let [width, height, side] = [size[0], size[1], SIDE].map(|side| side as usize);
    let (blocks, _) = blocks.as_chunks();
    let across = width.div_ceil(side);
    for (i, block) in blocks.iter().enumerate() {
        let colors = unpack_uastc(block, false)?;
        let [left, top] = [i % across, i / across].map(|at| at * side);
        let count = side.min(width - left);
        for (row, y) in colors.chunks(side).zip(top..height) {
            let to = &mut pixels[4 * (y * width + left)..];
            for (to, from) in to.chunks_mut(4).zip(&row[..count]) {
                to.copy_from_slice(&from.c);
            }
        }
    }
    Some(())
}

/// The parts of a picture of ETC1S.
struct Etc1s<'a> {
    /// The numbers of endpoints and selectors.
    counts: [u32; 2],
    endpoints: &'a [u8],
    selectors: &'a [u8],
    tables: &'a [u8],
    color: &'a [u8],
    alpha: Option<&'a [u8]>,
}

impl<'a> Etc1s<'a> {
    fn of(file: &'a [u8], level: &'a [u8], has_alpha: bool) -> Option<Self> {
        let global = part(file, long(file, 64), long(file, 72))?;
        let [counts, endpoints, selectors, tables] = [0, 4, 8, 12].map(|at| word(global, at));
        // Each level has a picture of 20 bytes, the largest first.
        let pictures = u64::from(word(file, 40)?.max(1));
        let mut at = 20 + 20 * pictures;
        let mut next = |length: Option<u32>| {
            let length = length.map(u64::from);
            let found = part(global, Some(at), length)?;
            at += found.len() as u64;
            Some(found)
        };
        let slice = |at| {
            let [offset, length] = [at, at + 4].map(|at| word(global, at).map(u64::from));
            part(level, offset, length)
        };
        let counts = counts?;
        Some(Self {
            counts: [counts & 0xFFFF, counts >> 16],
            endpoints: next(endpoints)?,
            selectors: next(selectors)?,
            tables: next(tables)?,
            color: slice(24)?,
            alpha: if has_alpha { Some(slice(32)?) } else { None },
        })
    }

    fn decode(&self, [width, height]: [u32; 2], to: &mut [u8]) -> Option<()> {
        let [across, down] = [width, height].map(|side| side.div_ceil(SIDE));
        let (codes, color) = (self.codes()?, self.color);
        match self.alpha {
            None => codes.transcode_slice_rgba32(color, across, down, width, height, None, to),
            Some(alpha) => {
                codes.transcode_image_rgba32(color, alpha, across, down, width, height, None, to)
            }
        }
    }

    fn codes(&self) -> Option<Etc1sTranscoder> {
        // Three bits say how selectors are stored; the third, that they have no table.
        let are_raw = self.selectors.first()? & 4 != 0;
        let hold = tables_hold(self.endpoints, 0, 4)
            && tables_hold(self.selectors, 3, usize::from(!are_raw))
            && tables_hold(self.tables, 0, 4);
        let [endpoints, selectors] = self.counts;
        let mut codes = Etc1sTranscoder::new();
        let read = hold
            && codes.decode_palettes(endpoints, self.endpoints, selectors, self.selectors)
            && codes.decode_tables(self.tables);
        read.then_some(codes)
    }
}

/// Returns `true` if no table of Huffman codes has a long code alone: the transcoder would read past
/// the end of it.
fn tables_hold(bytes: &[u8], skipped: u32, count: usize) -> bool {
    let mut reader = BitwiseDecoder::new(bytes);
    reader.get_bits(skipped);
    (0..count).all(|_| {
        let mut table = HuffmanDecodingTable::new();
        let is_read = reader.read_huffman_table(&mut table);
        let mut used = table.code_sizes.iter().filter(|&&size| size > 0);
        let (first, second) = (used.next(), used.next());
        let is_long = first.is_some_and(|&size| u32::from(size) > FAST_LOOKUP_BITS);
        is_read && (second.is_some() || !is_long)
    })
}

/// Returns the number of bytes that a frame of Zstandard looks back.
fn window(frame: &[u8], content: u64) -> Option<u64> {
    let descriptor = *frame.get(4)?;
    // A frame of a single segment looks back to its start.
    if descriptor & 0x20 != 0 {
        return Some(content);
    }
    let byte = *frame.get(5)?;
    let base = 1_u64 << (10 + (byte >> 3));
    Some(base + base / 8 * u64::from(byte & 7))
}

/// Unpacks the blocks of UASTC from a frame of Zstandard.
fn unpack(frame: &[u8], window: u64, size: [u32; 2]) -> Option<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(window);
    let mut reader = StreamingDecoder::new_with_decoder(frame, decoder).ok()?;
    let mut unpacked = vec![0; usize::try_from(blocks(size)).ok()?];
    for chunk in unpacked.chunks_mut(CHUNK) {
        reader.read_exact(chunk).ok()?;
    }
    Some(unpacked)
}

/// Returns the number of pixels.
pub(super) fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Returns the number of bytes of UASTC.
fn blocks(size: [u32; 2]) -> u64 {
    area(size.map(|side| side.div_ceil(SIDE))) * BLOCK
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn part(bytes: &[u8], offset: Option<u64>, length: Option<u64>) -> Option<&[u8]> {
    let end = usize::try_from(offset?.checked_add(length?)?).ok()?;
    bytes.get(offset? as usize..end)
}
