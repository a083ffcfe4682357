//! An archive as it is stored: objects within each other, and their properties.
//!
//! A group is the number of its children and their places; data is a size and bytes. The group of an
//! object has its properties, its children, and data with the headers of the children. The group of a
//! compound property has its properties, and data with their headers. Those of the others have their
//! samples: data that begins with a digest; behind each sample of an array come its dimensions.

use super::super::bytes::{Bytes, take_memory};
use super::MAGIC;
use crate::head::Budget;
use crate::told::short;

/// The bit of a place that has data instead of a group.
pub const IS_DATA: u64 = 1 << 63;
/// The bytes of a digest before a sample. Two of them end the headers of objects.
const DIGEST_BYTES: usize = 16;
/// The byte that follows [`MAGIC`] in a file that was written to its end.
pub const IS_COMPLETE: u8 = 0xff;
/// The number of metadata that stands beside a header instead of in the table of the archive.
const OWN_METADATA: u64 = 255;

// Children of the group of an archive.
const TOP: usize = 2;
const TIMES: usize = 4;
const METADATA: usize = 5;

// The bits of the header of a property.
const KIND: u32 = 3;
pub const HAS_TIMES: u32 = 0x100;
const HAS_CHANGES: u32 = 0x200;
pub const IS_CONSTANT: u32 = 0x800;

/// The seconds between the samples of a list of times that names each.
const UNEVEN: f64 = f64::MAX / 32.0;

/// A file that is read.
pub struct Archive<'a> {
    bytes: &'a [u8],
    pub budget: &'a Budget,
    metadata: Vec<&'a [u8]>,
    /// The number of the sample that is read of each property.
    sample: usize,
    /// The samples per second of each list of times.
    rates: Vec<f64>,
}

/// The places of the children of a group.
#[derive(Clone, Copy, Default)]
pub struct Group<'a>(&'a [[u8; 8]]);

/// An object in an archive.
pub struct Object<'a> {
    name: &'a [u8],
    pub metadata: &'a [u8],
    pub group: Group<'a>,
}

/// A property of an object.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    pub name: &'a [u8],
    pub is_compound: bool,
    is_array: bool,
    /// The type of its numbers.
    pub kind: usize,
    /// The numbers that are one value.
    pub extent: usize,
    /// The number of samples.
    pub samples: usize,
    /// The first and the last sample that differ from the ones before them.
    changes: [usize; 2],
    /// The number of its list of times.
    times: usize,
    pub group: Group<'a>,
}

impl Property<'_> {
    /// Returns the number of samples; 1 if they are all the same, as such a file needs to hold only
    /// one.
    pub fn moments(&self) -> usize {
        match self.changes {
            [0, 0] => self.samples.min(1),
            _ => self.samples,
        }
    }
}

/// Returns the next number, of `size` bytes.
fn number(bytes: &mut Bytes, size: usize) -> Result<u64, String> {
    Ok(number_of(bytes.take(size)?))
}

fn number_of(bytes: &[u8]) -> u64 {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, &digit| number << 8 | u64::from(digit))
}

/// Returns the next bytes, behind their number.
fn counted<'a>(bytes: &mut Bytes<'a>, size: usize) -> Result<&'a [u8], String> {
    let count = number(bytes, size)?;
    bytes.take(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Returns a value of metadata, which are `key=value;key=value`; an empty text without it.
pub fn value<'a>(metadata: &'a [u8], key: &str) -> &'a str {
    let mut pairs = metadata.split(|&byte| byte == b';');
    let value = pairs.find_map(|pair| pair.strip_prefix(key.as_bytes())?.strip_prefix(b"="));
    value.map_or("", |value| str::from_utf8(value).unwrap_or_default())
}

impl Object<'_> {
    /// Returns the start of a message on the object.
    pub fn label(&self) -> String {
        format!("object `{}`", short(&String::from_utf8_lossy(self.name)))
    }
}

impl<'a> Archive<'a> {
    /// Returns an archive as it is in a sample, and the group of the object that has all others.
    pub fn open(
        bytes: &'a [u8],
        sample: usize,
        budget: &'a Budget,
    ) -> Result<(Self, Group<'a>), String> {
        let mut header = Bytes { rest: bytes };
        if header.take(MAGIC.len())? != MAGIC {
            let problem = match bytes.starts_with(b"\x89HDF") {
                true => "it is an archive in HDF5; export it with Ogawa, which replaced that",
                false => "it does not begin as an archive in Ogawa",
            };
            return Err(problem.to_owned());
        }
        if header.take(3)?[0] != IS_COMPLETE {
            return Err("it was not written to its end".to_owned());
        }
        let mut archive = Archive {
            bytes,
            budget,
            metadata: vec![b""],
            sample,
            rates: Vec::new(),
        };
        let root = archive.group_at(number(&mut header, 8)?)?;
        let mut table = Bytes {
            rest: archive.data(root, METADATA)?,
        };
        while !table.rest.is_empty() && (archive.metadata.len() as u64) < OWN_METADATA {
            archive.metadata.push(counted(&mut table, 1)?);
        }
        archive.read_rates(root)?;
        let top = archive.group(root, TOP)?;
        Ok((archive, top))
    }

    /// Reads the lists of times: each has a number of samples, the seconds of a cycle, and the seconds of
    /// the samples in one.
    fn read_rates(&mut self, root: Group<'a>) -> Result<(), String> {
        let mut times = Bytes {
            rest: self.data(root, TIMES)?,
        };
        while !times.rest.is_empty() {
            times.take(4)?;
            let float = |bytes: &[u8]| f64::from_bits(number_of(bytes));
            let cycle = float(times.take(8)?);
            let count = times.u32()? as usize;
            let seconds = times.take(count.saturating_mul(8))?.as_chunks::<8>().0;
            let rate = match (seconds, cycle >= UNEVEN) {
                ([first, .., last], true) => (count - 1) as f64 / (float(last) - float(first)),
                _ => count as f64 / cycle,
            };
            take_memory(self.budget, 2, 8)?;
            self.rates.push(rate);
        }
        Ok(())
    }

    /// Returns the samples per second of a property; 24 if the file does not tell.
    pub fn rate(&self, property: &Property) -> f64 {
        let rate = self.rates.get(property.times).copied();
        rate.filter(|rate| rate.is_normal() && *rate > 0.0)
            .unwrap_or(24.0)
    }

    fn at(&self, place: u64) -> Result<Bytes<'a>, String> {
        let rest = usize::try_from(place)
            .ok()
            .and_then(|place| self.bytes.get(place..));
        let rest = rest.ok_or("it is cut off, or names a place beyond its end")?;
        Ok(Bytes { rest })
    }

    fn group_at(&self, place: u64) -> Result<Group<'a>, String> {
        if place == 0 {
            return Ok(Group::default());
        }
        let mut bytes = self.at(place)?;
        let size = number(&mut bytes, 8)?.saturating_mul(8);
        let children = bytes.take(usize::try_from(size).unwrap_or(usize::MAX))?;
        Ok(Group(children.as_chunks().0))
    }

    fn child(group: Group, nth: usize, is_data: bool) -> Result<u64, String> {
        let place = group.0.get(nth).map(|place| u64::from_le_bytes(*place));
        let fits = place.filter(|place| (place & IS_DATA != 0) == is_data);
        fits.map(|place| place & !IS_DATA)
            .ok_or_else(|| "one of its groups lacks what its header names".to_owned())
    }

    /// Returns a group in a group.
    pub fn group(&self, group: Group<'a>, nth: usize) -> Result<Group<'a>, String> {
        self.group_at(Self::child(group, nth, false)?)
    }

    /// Returns data in a group. Data may be read many times, so that its size is charged each time.
    fn data(&self, group: Group<'a>, nth: usize) -> Result<&'a [u8], String> {
        let place = Self::child(group, nth, true)?;
        if place == 0 {
            return Ok(&[]);
        }
        let data = counted(&mut self.at(place)?, 8)?;
        take_memory(self.budget, data.len() as u64, 1)?;
        Ok(data)
    }

    /// Returns the data at the end of a group, if it has some.
    fn headers(&self, group: Group<'a>) -> Result<&'a [u8], String> {
        match group.0.split_last() {
            Some((&last, before)) if u64::from_le_bytes(last) & IS_DATA != 0 => {
                self.data(group, before.len())
            }
            _ => Ok(&[]),
        }
    }

    fn metadata(&self, index: u64, bytes: &mut Bytes<'a>, size: usize) -> Result<&'a [u8], String> {
        if index == OWN_METADATA {
            return counted(bytes, size);
        }
        let metadata = self.metadata.get(index as usize).copied();
        metadata.ok_or_else(|| format!("it names metadata {index}, which it lacks"))
    }

    /// Returns the objects in an object.
    pub fn objects(&self, parent: Group<'a>) -> Result<Vec<Object<'a>>, String> {
        let headers = self.headers(parent)?;
        let end = headers.len().saturating_sub(2 * DIGEST_BYTES);
        let mut headers = Bytes {
            rest: &headers[..end],
        };
        let mut objects = Vec::new();
        while !headers.rest.is_empty() {
            // Lists grow, and of each object its transform is kept.
            take_memory(self.budget, 512, 1)?;
            let name = counted(&mut headers, 4)?;
            let index = number(&mut headers, 1)?;
            objects.push(Object {
                name,
                metadata: self.metadata(index, &mut headers, 4)?,
                group: self.group(parent, objects.len() + 1)?,
            });
        }
        Ok(objects)
    }

    /// Returns the properties of an object.
    pub fn properties_of(&self, object: &Object<'a>) -> Result<Vec<Property<'a>>, String> {
        self.properties(self.group(object.group, 0)?)
    }

    /// Returns the properties in the group of a compound.
    pub fn properties(&self, compound: Group<'a>) -> Result<Vec<Property<'a>>, String> {
        let mut headers = Bytes {
            rest: self.headers(compound)?,
        };
        let mut properties = Vec::new();
        while !headers.rest.is_empty() {
            take_memory(self.budget, 2, size_of::<Property>() as u64)?;
            let info = headers.u32()?;
            let size = match info >> 2 & 3 {
                power @ 0..3 => 1 << power,
                _ => return Err("a property has a damaged header".to_owned()),
            };
            let is_compound = info & KIND == 0;
            let (mut samples, mut changes, mut times) = (0, [0; 2], 0);
            if !is_compound {
                let mut next = || Ok::<_, String>(number(&mut headers, size)? as usize);
                samples = next()?;
                changes = match info {
                    _ if info & HAS_CHANGES != 0 => [next()?, next()?],
                    _ if info & IS_CONSTANT != 0 => [0; 2],
                    _ => [1, samples.saturating_sub(1)],
                };
                if info & HAS_TIMES != 0 {
                    times = next()?;
                }
            }
            let name = counted(&mut headers, size)?;
            self.metadata(u64::from(info >> 20 & 255), &mut headers, size)?;
            properties.push(Property {
                name,
                is_compound,
                is_array: info & KIND > 1,
                kind: (info >> 4 & 15) as usize,
                extent: (info >> 12 & 255) as usize,
                samples,
                changes,
                times,
                group: self.group(compound, properties.len())?,
            });
        }
        Ok(properties)
    }

    /// Returns the properties in the compound of this name, and none without it.
    pub fn within(
        &self,
        properties: &[Property<'a>],
        name: &str,
    ) -> Result<Vec<Property<'a>>, String> {
        match find(properties, name) {
            Some(compound) if compound.is_compound => self.properties(compound.group),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the bytes of the sample of a property, or of its last one; none without samples.
    pub fn sample(&self, property: &Property<'a>) -> Result<&'a [u8], String> {
        if property.group.0.is_empty() {
            return Ok(&[]);
        }
        // Samples that are equal to the ones before them at both ends are not stored.
        let [first, last] = property.changes;
        let nth = match self.sample.min(property.samples.saturating_sub(1)) {
            nth if nth < first || last == 0 => 0,
            nth => match nth.min(last).checked_sub(first) {
                Some(nth) => nth + 1,
                None => return Err("its samples change before they begin".to_owned()),
            },
        };
        // Behind each sample of an array come its dimensions.
        let place = if property.is_array { 2 * nth } else { nth };
        let data = self.data(property.group, place)?;
        Ok(data.get(DIGEST_BYTES..).unwrap_or_default())
    }
}

/// Returns the property of a name.
pub fn find<'p, 'a>(properties: &'p [Property<'a>], name: &str) -> Option<&'p Property<'a>> {
    properties
        .iter()
        .find(|property| property.name == name.as_bytes())
}
