//! An archive as it is written: pieces one after the other, each behind those that it names.

use super::MAGIC;
use super::archive::{HAS_TIMES, IS_COMPLETE, IS_CONSTANT, IS_DATA};
use crate::files::Output;
use mur3::Hasher128;
use std::hash::Hasher;
use std::io::{self, SeekFrom};

// The bits of the header of a property.
const SCALAR: u32 = 1;
const ARRAY: u32 = 2;
const FOUR_BYTES: u32 = 2 << 2;
const EQUAL_SIZES: u32 = 0x400;

/// Returns the kind of a property of one value: the type of its numbers, and how many it has.
pub const fn scalar(number: u32, extent: u32) -> u32 {
    SCALAR | number << 4 | extent << 12
}

/// Returns the kind of a property of many values.
pub const fn array(number: u32, extent: u32) -> u32 {
    ARRAY | EQUAL_SIZES | number << 4 | extent << 12
}

/// The group of an object that was written, and its digest.
type Written = (u64, [u8; 16]);

/// A sample that was written.
#[derive(Clone, Copy)]
pub struct Sample {
    place: u64,
    digest: [u8; 16],
}

/// A file that is written.
pub struct Writer<'o> {
    out: &'o mut dyn Output,
    place: u64,
    metadata: Vec<String>,
}

impl<'o> Writer<'o> {
    /// Begins a file.
    pub fn begin(out: &'o mut dyn Output) -> io::Result<Self> {
        let metadata = Vec::new();
        let mut writer = Writer {
            out,
            place: 0,
            metadata,
        };
        writer.put(MAGIC)?;
        // The file is not complete until it is finished; then come the version and the place of the top
        // group.
        writer.put(&[0, 0, 1])?;
        writer.put(&[0; 8])?;
        Ok(writer)
    }

    /// Ends a file whose objects are in `top`.
    pub fn end(&mut self, (top, _): Written, metadata: &str, times: &[u8]) -> io::Result<()> {
        let mut table = Vec::new();
        for metadata in &self.metadata {
            table.push(metadata.len() as u8);
            table.extend(metadata.bytes());
        }
        let mut data = |bytes: &[u8]| self.data(bytes);
        // The version of the layout, and that of the library whose layout it is.
        let (layout, library) = (data(&[0; 4])?, data(&10_803_u32.to_le_bytes())?);
        let (metadata, times, table) = (data(metadata.as_bytes())?, data(times)?, data(&table)?);
        let root = self.group(&[layout, library, top, metadata, times, table])?;
        self.out.seek(SeekFrom::Start(MAGIC.len() as u64 + 3))?;
        self.out.write_all(&root.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        self.out.write_all(&[IS_COMPLETE])?;
        self.out.seek(SeekFrom::Start(self.place))?;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.place += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn data(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let place = self.place;
        self.put(&(bytes.len() as u64).to_le_bytes())?;
        self.put(bytes)?;
        Ok(place | IS_DATA)
    }

    fn group(&mut self, children: &[u64]) -> io::Result<u64> {
        if children.is_empty() {
            return Ok(0);
        }
        let place = self.place;
        self.put(&(children.len() as u64).to_le_bytes())?;
        for child in children {
            self.put(&child.to_le_bytes())?;
        }
        Ok(place)
    }

    /// Writes a sample of values of `N` numbers of `B` bytes, which are gone through twice.
    pub fn sample<const B: usize, const N: usize>(
        &mut self,
        values: impl Iterator<Item = [[u8; B]; N]> + Clone,
    ) -> io::Result<Sample> {
        let mut hasher = Hasher128::with_seed(0);
        let mut bytes = 16;
        for value in values.clone() {
            hasher.write(value.as_flattened());
            bytes += (B * N) as u64;
        }
        let sample = Sample {
            place: self.place | IS_DATA,
            digest: digest(&hasher),
        };
        self.put(&bytes.to_le_bytes())?;
        self.put(&sample.digest)?;
        for value in values {
            self.put(value.as_flattened())?;
        }
        Ok(sample)
    }

    fn metadata(&mut self, metadata: &str) -> u32 {
        if metadata.is_empty() {
            return 0;
        }
        let known = self.metadata.iter().position(|known| known == metadata);
        let index = known.unwrap_or_else(|| {
            self.metadata.push(metadata.to_owned());
            self.metadata.len() - 1
        });
        index as u32 + 1
    }

    /// Writes an object of properties. It has a child or none, given by name and metadata.
    pub fn object(
        &mut self,
        properties: Compound,
        child: Option<(&str, &str, Written)>,
    ) -> io::Result<Written> {
        let mut digests = digest_of(&properties.digests).to_vec();
        let mut places = vec![properties.end(self)?];
        let mut headers = Vec::new();
        if let Some((name, metadata, (group, digest))) = child {
            headers.extend((name.len() as u32).to_le_bytes());
            headers.extend(name.bytes());
            headers.push(self.metadata(metadata) as u8);
            places.push(group);
            digests.extend(digest_of(&digest));
        } else {
            digests.extend([0; 16]);
        }
        headers.extend(&digests);
        places.push(self.data(&headers)?);
        Ok((self.group(&places)?, digest_of(&digests)))
    }
}

/// Properties that are written.
#[derive(Default)]
pub struct Compound {
    headers: Vec<u8>,
    places: Vec<u64>,
    digests: Vec<u8>,
}

impl Compound {
    /// Adds a property of a sample, or of several at the times of the file.
    pub fn add(
        &mut self,
        writer: &mut Writer,
        names: (&str, &str),
        kind: u32,
        samples: &[Sample],
    ) -> io::Result<()> {
        let (mut places, mut digests) = (Vec::new(), Vec::new());
        for sample in samples {
            places.push(sample.place);
            if kind & ARRAY != 0 {
                // The dimensions are the number of values.
                places.push(IS_DATA);
            }
            digests.extend(sample.digest);
        }
        let group = writer.group(&places)?;
        let count = samples.len() as u32;
        let info: (u32, &[u32]) = match count {
            1 => (kind | IS_CONSTANT, &[count]),
            _ => (kind | HAS_TIMES, &[count, 1]),
        };
        self.push(writer, names, info, group, &digests);
        Ok(())
    }

    /// Adds properties within a property.
    pub fn add_compound(
        &mut self,
        writer: &mut Writer,
        names: (&str, &str),
        mut compound: Compound,
    ) -> io::Result<()> {
        let digests = std::mem::take(&mut compound.digests);
        let group = compound.end(writer)?;
        self.push(writer, names, (0, &[]), group, &digests);
        Ok(())
    }

    /// Adds a property by its name and metadata, the start of its header, its group and its digests.
    fn push(
        &mut self,
        writer: &mut Writer,
        (name, metadata): (&str, &str),
        (info, numbers): (u32, &[u32]),
        group: u64,
        digests: &[u8],
    ) {
        let info = info | FOUR_BYTES | writer.metadata(metadata) << 20;
        let numbers = [&[info], numbers, &[name.len() as u32]].concat();
        self.headers
            .extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        self.headers.extend(name.bytes());
        self.places.push(group);
        self.digests
            .extend(digest_of(&[digests, name.as_bytes()].concat()));
    }

    fn end(mut self, writer: &mut Writer) -> io::Result<u64> {
        if !self.headers.is_empty() {
            self.places.push(writer.data(&self.headers)?);
        }
        writer.group(&self.places)
    }
}

/// Returns the digest of bytes.
pub fn digest_of(bytes: &[u8]) -> [u8; 16] {
    let mut hasher = Hasher128::with_seed(0);
    hasher.write(bytes);
    digest(&hasher)
}

fn digest(hasher: &Hasher128) -> [u8; 16] {
    let (low, high) = hasher.finish128();
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}
