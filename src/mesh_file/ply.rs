//! PLY: all three encodings, any properties in any order.

#[cfg(test)]
mod tests;

use super::polygon::triangulate;
use glam::Vec3;

use crate::binary_number::NumberType;
use crate::told::short;

/// The values of each wanted vertex property; `None` if the file does not have it.
pub type Columns = Vec<Option<Vec<f32>>>;

type Result<T, E = String> = std::result::Result<T, E>;

/// The content of a file.
#[derive(Debug, Default, PartialEq)]
pub struct Ply {
    /// The wanted properties of the vertices.
    pub columns: Columns,
    /// The faces, cut into triangles. All corners are below the number of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The edges, likewise.
    pub edges: Vec<[u32; 2]>,
}

/// Reads the `wanted` scalar properties of the vertices, the faces and the edges. The first three
/// properties are the coordinates, which must exist. Colours that are whole numbers are made shares,
/// 0 to 1.
pub fn read(bytes: &[u8], wanted: &[&str]) -> Result<Ply> {
    let (elements, mut numbers) = header(bytes)?;
    let mut columns: Columns = vec![None; wanted.len()];
    // The number of corners of each face, then the corners.
    let mut faces: Vec<u32> = Vec::new();
    let mut edges = Vec::new();
    let no_vertices = "it has no element `vertex` with the properties x, y and z";
    let vertices = elements.iter().find(|element| element.name == "vertex");
    let vertices = vertices.ok_or(no_vertices)?.count;
    let is_vertex = |&value: &f64| {
        value.fract() == 0.0 && (0.0..vertices as f64).contains(&value) && value < 4e9
    };
    for element in &elements {
        let (name, count, properties) = (&element.name, element.count, &element.properties);
        if count > numbers.max_rows(element) {
            return Err(format!(
                "its header claims {count} of the element `{}`, more than its bytes can hold",
                short(name)
            ));
        }
        let column = |property: &Property| {
            let is_scalar = name == "vertex" && property.length.is_none();
            let column = wanted.iter().position(|name| *name == property.name);
            column.filter(|_| is_scalar)
        };
        let place: Vec<Option<usize>> = properties.iter().map(column).collect();
        for &column in place.iter().flatten() {
            columns[column] = Some(Vec::with_capacity(count as usize));
        }
        let shares = properties.iter().map(|property| property.largest_color());
        let shares: Vec<f64> = shares.collect();
        let names = ["vertex_indices", "vertex_index"];
        let corners = properties.iter().position(|p| names.contains(&&*p.name));
        let corners = corners.filter(|_| name == "face");
        let ends = ["vertex1", "vertex2"].map(|end| {
            let is_end = |p: &Property| p.name == end && p.length.is_none();
            properties
                .iter()
                .position(is_end)
                .filter(|_| name == "edge")
        });
        // One end alone is no edge.
        let ends = if ends.contains(&None) {
            [None; 2]
        } else {
            ends
        };
        let mut edge = [0; 2];
        numbers.rows(element, |row, property, values| {
            if let Some(column) = place[property]
                && let Some(column) = &mut columns[column]
            {
                let largest = shares[property];
                column.extend(values.iter().map(|&value| (value / largest) as f32));
                return Ok(());
            }
            let end = ends.iter().position(|&end| end == Some(property));
            if end.is_none() && Some(property) != corners {
                return Ok(());
            }
            if let Some(wrong) = values.iter().find(|value| !is_vertex(value)) {
                let expected = format!("one of the {vertices} vertices");
                return Err(element.wrong(row, property, wrong, &expected));
            }
            if let Some(end) = end {
                edge[end] = values[0] as u32;
                if ends.iter().flatten().max() == Some(&property) {
                    edges.push(edge);
                }
            } else if values.len() > 2 {
                faces.push(values.len() as u32);
                faces.extend(values.iter().map(|&value| value as u32));
            }
            Ok(())
        })?;
    }
    let [Some(x), Some(y), Some(z), ..] = &columns[..] else {
        return Err(no_vertices.to_owned());
    };
    let place = |corner: u32| Vec3::from([x, y, z].map(|axis| axis[corner as usize]));
    let (mut triangles, mut places) = (Vec::new(), Vec::<Vec3>::new());
    let mut rest = &faces[..];
    while let [count, after @ ..] = rest {
        let face = &after[..*count as usize];
        rest = &after[*count as usize..];
        places.clear();
        places.extend(face.iter().map(|&corner| place(corner)));
        triangulate(&places, |triangle| {
            triangles.push(triangle.map(|corner| face[corner]))
        });
    }
    Ok(Ply {
        columns,
        triangles,
        edges,
    })
}

/// Returns `true` if a file has elements of this name.
pub fn has(bytes: &[u8], name: &str) -> bool {
    let elements = header(bytes).map(|(elements, _)| elements);
    elements.is_ok_and(|all| {
        all.iter()
            .any(|element| element.name == name && element.count > 0)
    })
}

/// Returns the memory in bytes that [`read`] may take: lists that grow may be there twice.
pub fn memory(bytes: &[u8], wanted: &[&str]) -> Result<u64> {
    let (elements, numbers) = header(bytes)?;
    let vertex = elements.iter().find(|element| element.name == "vertex");
    let vertices = vertex.map_or(0, |element| element.count.min(numbers.max_rows(element)));
    let columns = vertices.saturating_mul(4 * wanted.len() as u64);
    let element = |name| elements.iter().find(|element| element.name == name);
    // Corners become triangles, and two ends an edge.
    let (of_faces, each) = match element("face") {
        Some(faces) => (Some(faces), 2 * (4 + 12)),
        None => (element("edge"), 2 * 4),
    };
    let items = of_faces.iter().flat_map(|face| &face.properties);
    let least = items.map(|it| it.item.size()).min().unwrap_or(1) as u64;
    let corners = match numbers.encoding {
        Encoding::Ascii => numbers
            .rest
            .iter()
            .filter(|byte| byte.is_ascii_whitespace())
            .count() as u64,
        _ => {
            let of_vertices = vertex.iter().flat_map(|vertex| &vertex.properties);
            // A list may have no items.
            let least_size = |property: &Property| property.length.unwrap_or(property.item).size();
            let row: usize = of_vertices.map(least_size).sum();
            let rest = numbers.rest.len() as u64;
            rest.saturating_sub(vertices.saturating_mul(row as u64)) / least
        }
    };
    Ok(columns.saturating_add(corners.saturating_mul(each)))
}

/// The encoding of the numbers after the header.
#[derive(Clone, Copy)]
enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// The types of numbers, with their two names.
const TYPES: [([&str; 2], NumberType); 8] = [
    (["char", "int8"], NumberType::I8),
    (["uchar", "uint8"], NumberType::U8),
    (["short", "int16"], NumberType::I16),
    (["ushort", "uint16"], NumberType::U16),
    (["int", "int32"], NumberType::I32),
    (["uint", "uint32"], NumberType::U32),
    (["float", "float32"], NumberType::F32),
    (["double", "float64"], NumberType::F64),
];

struct Property {
    name: String,
    /// The type of the number of items, for a list.
    length: Option<NumberType>,
    item: NumberType,
}

impl Property {
    /// Returns the largest value of a colour that is a whole number, and 1 of anything else.
    fn largest_color(&self) -> f64 {
        let is_color = ["red", "green", "blue", "alpha"].contains(&&*self.name);
        match self.item {
            NumberType::U8 if is_color => 255.0,
            NumberType::U16 if is_color => 65535.0,
            _ => 1.0,
        }
    }
}

/// The largest number of elements and properties: each is compared with all.
const MOST_NAMES: u32 = 4096;

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

impl Element {
    fn wrong(&self, row: u64, property: usize, found: impl ToString, expected: &str) -> String {
        let (name, property) = (short(&self.name), short(&self.properties[property].name));
        let found = found.to_string();
        format!("`{property}` of `{name}` {row} is {found}, not {expected}")
    }
}

/// Returns the elements that the header names, and the numbers after it.
fn header(bytes: &[u8]) -> Result<(Vec<Element>, Numbers<'_>)> {
    let mut names = 0;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut rest = bytes;
    let mut line = 0;
    loop {
        line += 1;
        let wrong = |problem: &str| format!("line {line} of its header {problem}");
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
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => return Err(wrong("names a format that does not exist")),
                });
            }
            ["element" | "property", ..] if names == MOST_NAMES => {
                return Err(wrong("names too many elements and properties"));
            }
            ["element", name, count] => {
                names += 1;
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
                names += 1;
                let scalar = |name| {
                    let found = TYPES.iter().find(|(names, _)| names.contains(&name));
                    let found = found.map(|(_, number)| *number);
                    found.ok_or_else(|| wrong("names a type that does not exist"))
                };
                let (length, item) = match *kind {
                    [item] => (None, scalar(item)?),
                    ["list", length, item] => (Some(scalar(length)?), scalar(item)?),
                    _ => return Err(wrong("is no property")),
                };
                let element = elements.last_mut();
                let element = element.ok_or_else(|| wrong("has a property of no element"))?;
                if element.properties.iter().any(|p| p.name == name) {
                    return Err(wrong("names a property a second time"));
                }
                let name = name.to_owned();
                element.properties.push(Property { name, length, item });
            }
            ["end_header"] => {
                let encoding = encoding.ok_or_else(|| wrong("comes before any format"))?;
                return Ok((elements, Numbers { encoding, rest }));
            }
            _ => return Err(wrong("is neither format, element, property nor comment")),
        }
    }
}

/// Reads one number after the other, in any encoding.
struct Numbers<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl Numbers<'_> {
    /// Returns the largest number of rows of an element that the rest can hold.
    fn max_rows(&self, element: &Element) -> u64 {
        let min_bytes = |property: &Property| match self.encoding {
            // A digit and a separator.
            Encoding::Ascii => 2,
            _ => property.length.unwrap_or(property.item).size(),
        };
        let row: usize = element.properties.iter().map(min_bytes).sum();
        // The last number needs no separator.
        let most = (self.rest.len() as u64 + 1).checked_div(row as u64);
        most.unwrap_or(u64::MAX)
    }

    /// Calls `take` with the row, the property and its values, in the order of the file.
    fn rows(
        &mut self,
        element: &Element,
        mut take: impl FnMut(u64, usize, &[f64]) -> Result<()>,
    ) -> Result<()> {
        // Rows without properties take no bytes, so their number is unlimited.
        if element.properties.is_empty() {
            return Ok(());
        }
        let mut values = Vec::new();
        for row in 0..element.count {
            for (nth, property) in element.properties.iter().enumerate() {
                values.clear();
                let mut next = |scalar| {
                    self.number(scalar).map_err(|found| match found {
                        Some(text) => element.wrong(row, nth, text, "a number"),
                        None => format!("it ends within `{}` {row}", short(&element.name)),
                    })
                };
                let count = property.length.map_or(Ok(1.0), &mut next)?;
                // The loop ends at the end of the file.
                if !(count.fract() == 0.0 && (0.0..=1e15).contains(&count)) {
                    return Err(element.wrong(row, nth, count, "a number of items"));
                }
                for _ in 0..count as u64 {
                    values.push(next(property.item)?);
                }
                take(row, nth, &values)?;
            }
        }
        Ok(())
    }

    /// Returns the next number. The error is the text that is no number, or `None` at the end of
    /// the file.
    fn number(&mut self, scalar: NumberType) -> Result<f64, Option<String>> {
        if let Encoding::Ascii = self.encoding {
            let rest = self.rest.trim_ascii_start();
            let end = rest.iter().position(u8::is_ascii_whitespace);
            let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
            self.rest = rest;
            let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
            let start = &word[..word.len().min(40)];
            let text = || format!("{:?}", String::from_utf8_lossy(start));
            return number.ok_or_else(|| (!word.is_empty()).then(text));
        }
        let (bytes, rest) = self.rest.split_at_checked(scalar.size()).ok_or(None)?;
        self.rest = rest;
        let mut little = [0; 8];
        little[..bytes.len()].copy_from_slice(bytes);
        if let Encoding::BigEndian = self.encoding {
            little[..bytes.len()].reverse();
        }
        Ok(scalar.of(&little[..bytes.len()]))
    }
}
