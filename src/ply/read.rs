//! Reading PLY files: all three encodings, any properties in any order.
//!
//! The counts of the header are not trusted: nothing is allocated or looped over before the bytes
//! that a count needs are known to exist.

mod error;
mod header;
mod numbers;

pub use error::PlyError;

use header::{Element, Header, PropertyType};
use numbers::NumberReader;

/// The contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents {
    /// The values of each wanted vertex property; `None` if the file does not have it.
    pub(crate) columns: Vec<Option<Vec<f32>>>,
    /// The faces as triangle fans; all corners are below the number of vertices.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// Reads the `wanted` scalar properties of the vertices, and the faces.
pub(crate) fn read(bytes: &[u8], wanted: &[&str]) -> Result<Contents, PlyError> {
    let (header, body) = Header::parse(bytes)?;
    let mut numbers = NumberReader::new(header.encoding, body);
    let mut contents = Contents {
        columns: vec![None; wanted.len()],
        triangles: Vec::new(),
    };
    let vertices = header.elements.iter().find(|e| e.name == "vertex");
    let vertices = vertices.ok_or(PlyError::NoVertices)?.count;
    for element in &header.elements {
        if element.count > numbers.max_rows(element) {
            return Err(PlyError::Claim {
                element: element.name.clone(),
                count: element.count,
            });
        }
        match element.name.as_str() {
            "vertex" => read_vertices(&mut numbers, element, wanted, &mut contents.columns)?,
            "face" => read_faces(&mut numbers, element, vertices, &mut contents.triangles)?,
            _ => read_rows(&mut numbers, element, |_, _, _| Ok(()))?,
        }
    }
    Ok(contents)
}

fn read_vertices(
    numbers: &mut NumberReader,
    element: &Element,
    wanted: &[&str],
    columns: &mut [Option<Vec<f32>>],
) -> Result<(), PlyError> {
    let place: Vec<Option<usize>> = (element.properties.iter())
        .map(|property| match property.kind {
            PropertyType::Scalar(_) => wanted.iter().position(|name| *name == property.name),
            PropertyType::List { .. } => None,
        })
        .collect();
    for &column in place.iter().flatten() {
        columns[column] = Some(Vec::with_capacity(element.count as usize));
    }
    read_rows(numbers, element, |_, property, values| {
        if let Some(column) = place[property]
            && let Some(column) = &mut columns[column]
        {
            column.extend(values.iter().map(|&value| value as f32));
        }
        Ok(())
    })
}

fn read_faces(
    numbers: &mut NumberReader,
    element: &Element,
    vertices: u64,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), PlyError> {
    let corners = (element.properties.iter())
        .position(|p| ["vertex_indices", "vertex_index"].contains(&p.name.as_str()));
    let Some(corners) = corners else {
        return read_rows(numbers, element, |_, _, _| Ok(()));
    };
    read_rows(numbers, element, |row, property, values| {
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

/// Calls `take` with the row, the property and its values, in the order of the file.
fn read_rows(
    numbers: &mut NumberReader,
    element: &Element,
    mut take: impl FnMut(u64, usize, &[f64]) -> Result<(), PlyError>,
) -> Result<(), PlyError> {
    // Rows without properties take no bytes, so their number is unlimited.
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut values = Vec::new();
    for row in 0..element.count {
        for (number, property) in element.properties.iter().enumerate() {
            values.clear();
            let next = |numbers: &mut NumberReader, scalar| {
                numbers.number(scalar).map_err(|found| match found {
                    Some(text) => element.value_error(row, number, text, "a number"),
                    None => PlyError::Ends {
                        element: element.name.clone(),
                        row,
                    },
                })
            };
            match property.kind {
                PropertyType::Scalar(scalar) => values.push(next(numbers, scalar)?),
                PropertyType::List { length, item } => {
                    let found = next(numbers, length)?;
                    // The loop ends at the end of the file.
                    if !(found.fract() == 0.0 && (0.0..=1e15).contains(&found)) {
                        let found = found.to_string();
                        return Err(element.value_error(row, number, found, "a number of items"));
                    }
                    for _ in 0..found as u64 {
                        values.push(next(numbers, item)?);
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
