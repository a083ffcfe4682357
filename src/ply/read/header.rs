//! The header: which elements follow, how many, and what each consists of.

use super::PlyError;

/// How the numbers after the header are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Scalar::I8,
            "uchar" | "uint8" => Scalar::U8,
            "short" | "int16" => Scalar::I16,
            "ushort" | "uint16" => Scalar::U16,
            "int" | "int32" => Scalar::I32,
            "uint" | "uint32" => Scalar::U32,
            "float" | "float32" => Scalar::F32,
            "double" | "float64" => Scalar::F64,
            _ => return None,
        })
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { length: Scalar, item: Scalar },
}

pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

impl Element {
    pub(super) fn value_error(
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

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
}

impl Header {
    /// The header, and the bytes after it.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), PlyError> {
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
            // Comments may be in any encoding; what matters is ASCII.
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
                        Scalar::named(name).ok_or_else(|| wrong("names a type that does not exist"))
                    };
                    let kind = match *kind {
                        [kind] => Kind::Scalar(scalar(kind)?),
                        ["list", length, item] => Kind::List {
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
