//! Reading PLY files of any writer: all three encodings, any properties in any order.
//!
//! The header's counts are claims of a stranger. Nothing is allocated or looped over before the
//! bytes that a claim needs have been seen to be there.

mod header;
mod source;

use header::{Element, Header, Kind};
use source::Source;

/// What is wrong with a PLY file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlyError {
    /// The header cannot be understood.
    #[error("line {line} of its header {problem}")]
    Header {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The header claims more than the file can hold.
    #[error("its header claims {count} of the element `{element}`, more than its bytes can hold")]
    Claim {
        /// The element's name.
        element: String,
        /// How many it claims.
        count: u64,
    },
    /// The file ends too early.
    #[error("it ends within `{element}` {row}")]
    Ends {
        /// The element's name.
        element: String,
        /// Its place, from 0.
        row: u64,
    },
    /// Something that should be a number, an index or a length is none.
    #[error("{at} is {found}")]
    Value {
        /// Which property of which row.
        at: String,
        /// What stands there, and what should.
        found: String,
    },
    /// No vertices with coordinates.
    #[error("it has no element `vertex` with the properties x, y and z")]
    NoVertices,
}

/// What was wanted of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents {
    /// One list per wanted property, as long as there are vertices; `None`: not in the file.
    pub(crate) columns: Vec<Option<Vec<f32>>>,
    /// Polygons as fans; corners are less than the number of vertices.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// Reads some scalar properties of the vertices, and the faces.
pub(crate) fn read(bytes: &[u8], wanted: &[&str]) -> Result<Contents, PlyError> {
    let (header, body) = Header::parse(bytes)?;
    let mut source = Source::new(header.encoding, body);
    let mut contents = Contents {
        columns: vec![None; wanted.len()],
        triangles: Vec::new(),
    };
    let vertices = header.elements.iter().find(|e| e.name == "vertex");
    let vertices = vertices.ok_or(PlyError::NoVertices)?.count;
    for element in &header.elements {
        if element.count > source.most_rows(element) {
            return Err(PlyError::Claim {
                element: element.name.clone(),
                count: element.count,
            });
        }
        match element.name.as_str() {
            "vertex" => read_vertices(&mut source, element, wanted, &mut contents.columns)?,
            "face" => read_faces(&mut source, element, vertices, &mut contents.triangles)?,
            _ => read_rows(&mut source, element, |_, _, _| Ok(()))?,
        }
    }
    Ok(contents)
}

fn read_vertices(
    source: &mut Source,
    element: &Element,
    wanted: &[&str],
    columns: &mut [Option<Vec<f32>>],
) -> Result<(), PlyError> {
    let place: Vec<Option<usize>> = (element.properties.iter())
        .map(|property| match property.kind {
            Kind::Scalar(_) => wanted.iter().position(|name| *name == property.name),
            Kind::List { .. } => None,
        })
        .collect();
    for &column in place.iter().flatten() {
        columns[column] = Some(Vec::with_capacity(element.count as usize));
    }
    read_rows(source, element, |_, property, values| {
        if let Some(column) = place[property]
            && let Some(column) = &mut columns[column]
        {
            column.extend(values.iter().map(|&value| value as f32));
        }
        Ok(())
    })
}

fn read_faces(
    source: &mut Source,
    element: &Element,
    vertices: u64,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), PlyError> {
    let corners = (element.properties.iter())
        .position(|p| ["vertex_indices", "vertex_index"].contains(&p.name.as_str()));
    let Some(corners) = corners else {
        return read_rows(source, element, |_, _, _| Ok(()));
    };
    read_rows(source, element, |row, property, values| {
        if property != corners {
            return Ok(());
        }
        let is_vertex = |&value: &f64| {
            value.fract() == 0.0 && (0.0..vertices as f64).contains(&value) && value < 4e9
        };
        if let Some(wrong) = values.iter().find(|value| !is_vertex(value)) {
            let found = wrong.to_string();
            let expected = format!("one of the {vertices} vertices");
            return Err(element.value_error(row, property, found, &expected));
        }
        if let [first, rest @ ..] = values {
            let fan = rest.windows(2);
            triangles.extend(fan.map(|edge| [*first, edge[0], edge[1]].map(|value| value as u32)));
        }
        Ok(())
    })
}

/// Calls `take` with the row, the property and its value or values, in the file's order.
fn read_rows(
    source: &mut Source,
    element: &Element,
    mut take: impl FnMut(u64, usize, &[f64]) -> Result<(), PlyError>,
) -> Result<(), PlyError> {
    // Rows of nothing take no bytes, so there may be any number of them.
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut values = Vec::new();
    for row in 0..element.count {
        for (number, property) in element.properties.iter().enumerate() {
            values.clear();
            let next = |source: &mut Source, scalar| {
                source.number(scalar).map_err(|found| match found {
                    Some(text) => element.value_error(row, number, text, "a number"),
                    None => PlyError::Ends {
                        element: element.name.clone(),
                        row,
                    },
                })
            };
            match property.kind {
                Kind::Scalar(scalar) => values.push(next(source, scalar)?),
                Kind::List { length, item } => {
                    let found = next(source, length)?;
                    // As many items as there are bytes would do; no float is that large.
                    if !(found.fract() == 0.0 && (0.0..=1e15).contains(&found)) {
                        let found = found.to_string();
                        return Err(element.value_error(row, number, found, "a number of items"));
                    }
                    for _ in 0..found as u64 {
                        values.push(next(source, item)?);
                    }
                }
            }
            take(row, number, &values)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
