//! USD as binary: a "crate" of version 0.8. Values come first, then tables of names, fields, paths and
//! specs, packed with LZ4.

use super::{Curves, Numbers, PRIM};
use crate::files::Output;
use crate::strands::{Motion, Strands, box_around};
use std::io::{self, SeekFrom};

const MAGIC: &[u8] = b"PXR-USDC";
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];
/// The size of the start of a file, with room for what later versions add.
const START: usize = 88;
/// The end of a run of fields.
const END: u32 = u32::MAX;

/// Types of values.
#[derive(Clone, Copy)]
enum Kind {
    Int = 3,
    Float = 8,
    Double = 9,
    Token = 11,
    Vec2f = 20,
    Vec3f = 24,
    TokenVector = 41,
    Specifier = 42,
    Variability = 44,
    TimeSamples = 46,
    DoubleVector = 48,
}

const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const DEFINED: u64 = 0;
const UNIFORM: u64 = 1;

/// Kinds of specs.
const ATTRIBUTE: u32 = 1;
const PRIM_SPEC: u32 = 6;
const ROOT: u32 = 7;

/// A file under construction.
struct Writer<'a> {
    out: &'a mut dyn Output,
    tokens: Vec<String>,
    /// Names and values.
    fields: Vec<(u32, u64)>,
    runs: Vec<u32>,
    /// The start of the run of each spec, and its kind; the number of a path is that of its spec.
    specs: Vec<(u32, u32)>,
    /// The name of each path: negative for properties.
    elements: Vec<i32>,
}

/// Writes a file. Colours of strands must be linear. Frames of a motion are written one after the
/// other.
pub fn write(out: &mut dyn Output, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let curves = &Curves::of(strands);
    out.write_all(&[0; START])?;
    let mut writer = Writer {
        out,
        // Properties have negative numbers, so that no name may have the number 0.
        tokens: vec![String::new()],
        fields: Vec::new(),
        runs: Vec::new(),
        specs: Vec::new(),
        elements: Vec::new(),
    };
    let mut stage = vec![
        ("defaultPrim", writer.inlined_token(PRIM)),
        ("metersPerUnit", writer.double(curves.unit_metres)?),
        ("upAxis", writer.inlined_token(curves.up)),
        ("primChildren", writer.token_vector(&[PRIM])?),
    ];
    if let Some(motion) = &motion {
        let last = motion.frames.saturating_sub(1) as f64;
        stage.push(("startTimeCode", writer.double(0.0)?));
        stage.push(("endTimeCode", writer.double(last)?));
        stage.push(("timeCodesPerSecond", writer.double(motion.fps)?));
        stage.push(("framesPerSecond", writer.double(motion.fps)?));
    }
    writer.spec("", false, ROOT, &stage);

    let mut names = vec!["type", "wrap"];
    names.extend(curves.attributes.iter().map(|attribute| attribute.name));
    names.extend(["points", "extent"]);
    let prim = [
        ("specifier", inlined(Kind::Specifier, DEFINED)),
        ("typeName", writer.inlined_token("BasisCurves")),
        ("properties", writer.token_vector(&names)?),
    ];
    writer.spec(PRIM, false, PRIM_SPEC, &prim);
    for (name, word) in [("type", "linear"), ("wrap", "nonperiodic")] {
        let word = writer.inlined_token(word);
        writer.attribute(name, "token", true, "", ("default", word));
    }
    for attribute in &curves.attributes {
        let value = match &attribute.numbers {
            Numbers::Ints(numbers) => writer.ints(numbers)?,
            Numbers::Floats(numbers, lanes) => writer.floats(numbers, *lanes)?,
        };
        let (name, kind) = (attribute.name, attribute.kind);
        writer.attribute(
            name,
            kind,
            false,
            attribute.interpolation,
            ("default", value),
        );
    }
    let mut points = curves.strands.points.clone();
    let (key, points, extent) = match motion {
        None => {
            let extent = writer.floats(box_around(&points).as_flattened(), 3)?;
            ("default", writer.floats(points.as_flattened(), 3)?, extent)
        }
        Some(motion) => {
            let (mut frames, mut extents) = (Vec::new(), Vec::new());
            for nth in 0..motion.frames {
                (motion.frame)(nth, &mut points)?;
                frames.push(writer.floats(points.as_flattened(), 3)?);
                extents.push(writer.floats(box_around(&points).as_flattened(), 3)?);
            }
            let extent = writer.samples(&extents)?;
            ("timeSamples", writer.samples(&frames)?, extent)
        }
    };
    writer.attribute("points", "point3f[]", false, "", (key, points));
    writer.attribute("extent", "float3[]", false, "", (key, extent));
    writer.finish()
}

/// Returns the word of a value within itself.
fn inlined(kind: Kind, value: u64) -> u64 {
    INLINED | (kind as u64) << 48 | value
}

impl Writer<'_> {
    /// Returns the number of a name.
    fn token(&mut self, name: &str) -> u32 {
        let known = self.tokens.iter().position(|token| token == name);
        known.unwrap_or_else(|| {
            self.tokens.push(name.to_owned());
            self.tokens.len() - 1
        }) as u32
    }

    fn inlined_token(&mut self, name: &str) -> u64 {
        inlined(Kind::Token, self.token(name).into())
    }

    /// Returns the word of a value that is written next.
    fn here(&mut self, kind: Kind) -> io::Result<u64> {
        // Values are aligned, so that they can be used where they lie.
        let place = self.out.stream_position()?;
        let aligned = place.next_multiple_of(8);
        self.out.write_all(&[0; 8][..(aligned - place) as usize])?;
        Ok((kind as u64) << 48 | aligned)
    }

    fn number(&mut self, number: u64) -> io::Result<()> {
        self.out.write_all(&number.to_le_bytes())
    }

    fn double(&mut self, number: f64) -> io::Result<u64> {
        let single = number as f32;
        if f64::from(single) == number {
            return Ok(inlined(Kind::Double, single.to_bits().into()));
        }
        let word = self.here(Kind::Double)?;
        self.number(number.to_bits())?;
        Ok(word)
    }

    fn token_vector(&mut self, names: &[&str]) -> io::Result<u64> {
        let word = self.here(Kind::TokenVector)?;
        self.number(names.len() as u64)?;
        for name in names {
            let token = self.token(name);
            self.out.write_all(&token.to_le_bytes())?;
        }
        Ok(word)
    }

    fn ints(&mut self, numbers: &[i32]) -> io::Result<u64> {
        let word = self.here(Kind::Int)?;
        self.number(numbers.len() as u64)?;
        let mut numbers = numbers.iter();
        numbers.try_for_each(|number| self.out.write_all(&number.to_le_bytes()))?;
        Ok(ARRAY | word)
    }

    fn floats(&mut self, numbers: &[f32], lanes: usize) -> io::Result<u64> {
        let word = self.here(match lanes {
            2 => Kind::Vec2f,
            3 => Kind::Vec3f,
            _ => Kind::Float,
        })?;
        self.number((numbers.len() / lanes) as u64)?;
        let mut numbers = numbers.iter();
        numbers.try_for_each(|number| self.out.write_all(&number.to_le_bytes()))?;
        Ok(ARRAY | word)
    }

    /// Writes the times and places of the values of all frames, which are written before.
    fn samples(&mut self, frames: &[u64]) -> io::Result<u64> {
        let times = self.here(Kind::DoubleVector)?;
        self.number(frames.len() as u64)?;
        (0..frames.len()).try_for_each(|nth| self.number((nth as f64).to_bits()))?;
        let word = self.here(Kind::TimeSamples)?;
        // Each part begins with the distance to its words; what they name is before.
        self.number(8)?;
        self.number(times)?;
        self.number(8)?;
        self.number(frames.len() as u64)?;
        frames.iter().try_for_each(|frame| self.number(*frame))?;
        Ok(word)
    }

    /// Adds a spec, and its path below the one before it or beside that.
    fn spec(&mut self, name: &str, is_property: bool, kind: u32, fields: &[(&str, u64)]) {
        let run = self.runs.len() as u32;
        for (name, value) in fields {
            let name = self.token(name);
            self.runs.push(self.fields.len() as u32);
            self.fields.push((name, *value));
        }
        self.runs.push(END);
        self.specs.push((run, kind));
        let token = self.token(name) as i32;
        self.elements.push(if is_property { -token } else { token });
    }

    fn attribute(
        &mut self,
        name: &str,
        kind: &str,
        is_uniform: bool,
        interpolation: &str,
        value: (&str, u64),
    ) {
        let mut fields = vec![("typeName", self.inlined_token(kind)), value];
        if is_uniform {
            fields.push(("variability", inlined(Kind::Variability, UNIFORM)));
        }
        if !interpolation.is_empty() {
            fields.push(("interpolation", self.inlined_token(interpolation)));
        }
        self.spec(name, true, ATTRIBUTE, &fields);
    }

    /// Writes the tables and their places.
    fn finish(mut self) -> io::Result<()> {
        let mut sections: Vec<(&str, u64, u64)> = Vec::new();
        let specs = std::mem::take(&mut self.specs);
        let count = specs.len() as u64;
        let names = ["TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"];
        for name in names {
            let start = self.out.stream_position()?;
            match name {
                "TOKENS" => {
                    let text: String = self.tokens.iter().flat_map(|name| [name, "\0"]).collect();
                    self.number(self.tokens.len() as u64)?;
                    self.number(text.len() as u64)?;
                    self.packed(text.as_bytes())?;
                }
                "STRINGS" => self.number(0)?,
                "FIELDS" => {
                    let fields = std::mem::take(&mut self.fields);
                    self.number(fields.len() as u64)?;
                    self.integers(fields.iter().map(|(name, _)| *name))?;
                    let values: Vec<[u8; 8]> = fields
                        .iter()
                        .map(|(_, value)| value.to_le_bytes())
                        .collect();
                    self.packed(values.as_flattened())?;
                }
                "FIELDSETS" => {
                    let runs = std::mem::take(&mut self.runs);
                    self.number(runs.len() as u64)?;
                    self.integers(runs.into_iter())?;
                }
                "PATHS" => {
                    let elements = std::mem::take(&mut self.elements);
                    self.number(count)?;
                    self.number(count)?;
                    self.integers(0..count as u32)?;
                    self.integers(elements.iter().map(|&name| name as u32))?;
                    // The root and the prim have a path below them; of the properties, each has one
                    // beside it but the last.
                    let last = count - 1;
                    let jump = |path: u64| match path {
                        path if path == last => -2_i32,
                        0 | 1 => -1,
                        _ => 0,
                    };
                    self.integers((0..count as u32).map(|path| jump(path.into()) as u32))?;
                }
                _ => {
                    self.number(count)?;
                    self.integers(0..count as u32)?;
                    self.integers(specs.iter().map(|(run, _)| *run))?;
                    self.integers(specs.iter().map(|(_, kind)| *kind))?;
                }
            }
            sections.push((name, start, self.out.stream_position()? - start));
        }
        let contents = self.out.stream_position()?;
        self.number(sections.len() as u64)?;
        for (name, start, size) in sections {
            let mut padded = [0; 16];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            self.out.write_all(&padded)?;
            self.number(start)?;
            self.number(size)?;
        }
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(MAGIC)?;
        self.out.write_all(&VERSION)?;
        self.number(contents)?;
        self.out.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// Writes bytes, packed as one piece.
    fn packed(&mut self, bytes: &[u8]) -> io::Result<()> {
        let packed = lz4_flex::block::compress(bytes);
        self.number(packed.len() as u64 + 1)?;
        self.out.write_all(&[0])?;
        self.out.write_all(&packed)
    }

    /// Writes whole numbers as differences of 32 bits, packed.
    fn integers(&mut self, numbers: impl ExactSizeIterator<Item = u32>) -> io::Result<()> {
        /// Two bits for each number say that all of its bits follow.
        const ALL_BITS: u8 = 0xff;
        let count = numbers.len();
        let mut bytes = vec![0; 4];
        bytes.resize(4 + (2 * count).div_ceil(8), ALL_BITS);
        let mut before = 0_u32;
        for number in numbers {
            bytes.extend(number.wrapping_sub(before).to_le_bytes());
            before = number;
        }
        self.packed(&bytes)
    }
}
