//! The header of a PLY file: its elements and their properties.

use super::error::PlyError;

/// The encoding of the numbers after the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

/// A scalar type: its two names, its size in bytes, and its conversion from little endian.
pub struct Scalar {
    names: [&'static str; 2],
    pub size: usize,
    pub from_le: fn([u8; 8]) -> f64,
}

macro_rules! scalar {
    ($short:literal, $long:literal, $type:ty) => {
        Scalar {
            names: [$short, $long],
            size: size_of::<$type>(),
            from_le: |bytes| {
                let mut first = [0; size_of::<$type>()];
                first.copy_from_slice(&bytes[..size_of::<$type>()]);
                <$type>::from_le_bytes(first).into()
            },
        }
    };
}

static SCALARS: [Scalar; 8] = [
    scalar!("char", "int8", i8),
    scalar!("uchar", "uint8", u8),
    scalar!("short", "int16", i16),
    scalar!("ushort", "uint16", u16),
    scalar!("int", "int32", i32),
    scalar!("uint", "uint32", u32),
    scalar!("float", "float32", f32),
    scalar!("double", "float64", f64),
];

#[derive(Clone, Copy)]
pub enum PropertyType {
    Scalar(&'static Scalar),
    List {
        length: &'static Scalar,
        item: &'static Scalar,
    },
}

pub struct Property {
    pub name: String,
    pub kind: PropertyType,
}

pub struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

impl Element {
    pub fn value_error(
        &self,
        row: u64,
        property: usize,
        found: String,
        expected: &str,
    ) -> PlyError {
        PlyError::Value {
            at: format!(
                "`{}` of `{}` {row}",
                self.properties[property].name, self.name
            ),
            found: format!("{found}, not {expected}"),
        }
    }
}

pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
}

impl Header {
    /// Returns the header and the bytes after it.
    pub fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), PlyError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut rest = bytes;
        let mut line = 0;
        loop {
            line += 1;
            let wrong = |problem: &str| PlyError::Header {
                line,
                problem: problem.to_owned(),
            };
            let end = rest.iter().position(|&byte| byte == b'\n');
            let end = end.ok_or_else(|| wrong("is the last: there is no end_header"))?;
            // Comments may have any encoding; the rest is ASCII.
            let text = String::from_utf8_lossy(&rest[..end]);
            rest = &rest[end + 1..];
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                ["ply"] if line == 1 => {}
                _ if line == 1 => return Err(wrong("is not `ply`: this is no PLY file")),
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, _version] => {
                    encoding = Some(match name {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::Little,
                        "binary_big_endian" => Encoding::Big,
                        _ => return Err(wrong("names a format that does not exist")),
                    });
                }
                ["element", name, count] => {
                    let count = count.parse();
                    let count = count.map_err(|_| wrong("has a count that is no whole number"))?;
                    if elements.iter().any(|element| element.name == name) {
                        return Err(wrong("names an element a second time"));
                    }
                    elements.push(Element {
                        name: name.to_owned(),
                        count,
                        properties: Vec::new(),
                    });
                }
                ["property", ref kind @ .., name] => {
                    let scalar = |name| {
                        let scalar = SCALARS.iter().find(|scalar| scalar.names.contains(&name));
                        scalar.ok_or_else(|| wrong("names a type that does not exist"))
                    };
                    let kind = match *kind {
                        [kind] => PropertyType::Scalar(scalar(kind)?),
                        ["list", length, item] => PropertyType::List {
                            length: scalar(length)?,
                            item: scalar(item)?,
                        },
                        _ => return Err(wrong("is no property")),
                    };
                    let element = elements.last_mut();
                    let element = element.ok_or_else(|| wrong("has a property of no element"))?;
                    if element.properties.iter().any(|p| p.name == name) {
                        return Err(wrong("names a property a second time"));
                    }
                    element.properties.push(Property {
                        name: name.to_owned(),
                        kind,
                    });
                }
                ["end_header"] => {
                    let encoding = encoding.ok_or_else(|| wrong("comes before any format"))?;
                    return Ok((Header { encoding, elements }, rest));
                }
                _ => return Err(wrong("is neither format, element, property nor comment")),
            }
        }
    }
}
