//! Small KTX2 files of Basis Universal.

#![allow(dead_code)] // Each test crate uses a part of this.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

const ETC1S: u32 = 163;
const UASTC: u32 = 166;

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        let bit = |i| value.checked_shr(i).is_some_and(|value| value & 1 == 1);
        self.0.extend((0..count).map(bit));
    }

    /// Writes a table of Huffman codes for symbols of these lengths, of which there are at most two.
    fn table(&mut self, lengths: &[u32]) {
        const ORDER: [u32; 21] = [
            17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16,
        ];
        self.put(lengths.len() as u32, 14);
        self.put(ORDER.len() as u32, 5);
        for length in ORDER {
            self.put(lengths.contains(&length).into(), 3);
        }
        let shortest = lengths.iter().min();
        for length in lengths {
            self.put((Some(length) != shortest).into(), 1);
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0, |sum, &bit| sum << 1 | u8::from(bit))
        };
        self.0.chunks(8).map(byte).collect()
    }
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a file of one level.
fn file(
    size: [u32; 2],
    model: u32,
    scheme: u32,
    samples: u32,
    global: &[u8],
    level: &[u8],
) -> Vec<u8> {
    let descriptor = 4 + 24 + 16 * samples;
    let global_at = 104 + descriptor;
    let [global_len, level_len] = [global.len() as u32, level.len() as u32];
    let level_at = global_at + global_len;
    [
        &b"\xABKTX 20\xBB\r\n\x1A\n"[..],
        &words(&[0, 1, size[0], size[1], 0, 0, 1, 1, scheme]),
        &words(&[104, descriptor, 0, 0, global_at, 0, global_len, 0]),
        &words(&[level_at, 0, level_len, 0, 0, 0]),
        &words(&[
            descriptor,
            0,
            2 | (descriptor - 4) << 16,
            model | 1 << 8 | 2 << 16,
        ]),
        &words(&[3 | 3 << 8, 0, 0, 0, 0, 0, 0, 15 << 24, 0, 0, 0][..3 + 4 * samples as usize]),
        global,
        level,
    ]
    .concat()
}

/// Returns a picture of ETC1S of 8 x 8 pixels in four blocks: red and green, with an alpha of 124
/// in the first and 0 in the others.
pub fn etc1s() -> Vec<u8> {
    etc1s_with(&[1])
}

/// Returns a picture of ETC1S with a table of one long code, past whose end decoders read.
pub fn etc1s_with_a_long_code() -> Vec<u8> {
    etc1s_with(&[16])
}

/// Returns the picture with these lengths of codes for what is added to an intensity.
fn etc1s_with(intensities: &[u32]) -> Vec<u8> {
    // What is added to 5 bits of colour: 0 or 16.
    let mut colors = [0; 17];
    (colors[0], colors[16]) = (1, 1);
    let mut endpoints = Bits::default();
    for _ in 0..3 {
        endpoints.table(&colors);
    }
    endpoints.table(intensities);
    // Colours, not grey. They begin at 16, 16, 16.
    endpoints.put(0, 1);
    for added in [[0, 1, 1], [1, 1, 0]] {
        endpoints.put(u32::from(intensities[0] == 16) * 0x8000, intensities[0]);
        for bit in added {
            endpoints.put(bit, 1);
        }
    }
    // One block of selectors, all the darkest, as bytes.
    let mut selectors = Bits::default();
    selectors.put(4, 3);
    selectors.put(0, 32);
    // Only the last prediction is used: an endpoint for each of the four blocks.
    let mut predictions = [0; 256];
    predictions[255] = 1;
    let mut tables = Bits::default();
    tables.table(&predictions);
    tables.table(&[1, 1]);
    tables.table(&[1, 0]);
    tables.table(&[1]);
    tables.put(1, 13);
    let slice = |added: [u32; 4]| {
        let mut slice = Bits::default();
        slice.put(0, 1);
        for bit in added {
            // Each block has a selector, too.
            slice.put(bit, 2);
        }
        slice.bytes()
    };
    let (color, alpha) = (slice([0, 1, 1, 1]), slice([1, 1, 0, 0]));
    let parts = [&endpoints, &selectors, &tables].map(Bits::bytes);
    let [color_len, alpha_len] = [color.len() as u32, alpha.len() as u32];
    let lengths = parts.each_ref().map(|part| part.len() as u32);
    let global = [
        words(&[2 | 1 << 16]),
        words(&lengths),
        words(&[0, 0, 0, color_len, color_len, alpha_len]),
        parts.concat(),
    ];
    file(
        [8, 8],
        ETC1S,
        1,
        2,
        &global.concat(),
        &[color, alpha].concat(),
    )
}

/// Returns a picture of UASTC of 6 x 5 pixels in four blocks, whose red is the number of the block,
/// packed with Zstandard or plain.
pub fn uastc(is_packed: bool) -> Vec<u8> {
    let block = |red: u32| {
        let mut bits = Bits::default();
        // A block of one colour.
        bits.put(0x17, 5);
        for channel in [red, 20, 30, 40] {
            bits.put(channel, 8);
        }
        bits.put(0, 128 - 5 - 32);
        bits.bytes()
    };
    let blocks = (0..4).flat_map(block).collect::<Vec<u8>>();
    match is_packed {
        false => file([6, 5], UASTC, 0, 1, &[], &blocks),
        true => {
            let packed = compress_to_vec(&blocks[..], CompressionLevel::Fastest);
            file([6, 5], UASTC, 2, 1, &[], &packed)
        }
    }
}
