//! OBJ meshes: `v` with colours, `vt`, `vn`, `f`, `o`, `g`, `usemtl` and `mtllib`, `l`, and the
//! colours and pictures of MTL files. Curves are ignored.
//!
//! `tobj` 4.0 is not used: it overflows on indices from hostile files.

#[cfg(test)]
mod tests;

use super::polygon::triangulate;
use glam::{Vec2, Vec3};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// The index of what a corner does not have.
pub const NONE: u32 = u32::MAX;

/// A corner of a face: the indices of its position, of its texture coordinates and of its normal; the
/// last two may be [`NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// An index into [`Obj::positions`].
    pub position: u32,
    /// An index into [`Obj::uvs`].
    pub uv: u32,
    /// An index into [`Obj::normals`].
    pub normal: u32,
}

/// Faces that share an object and a material.
#[derive(Debug, Default)]
pub struct Group {
    /// The name of the object or group.
    pub name: Rc<str>,
    /// The name of the material.
    pub material: Option<Rc<str>>,
    /// The triangles; polygons are cut.
    pub triangles: Vec<[Corner; 3]>,
}

/// The content of a file.
#[derive(Debug, Default)]
pub struct Obj {
    /// The positions of `v`.
    pub positions: Vec<Vec3>,
    /// The RGB colours that follow positions, 0 to 1, NaN where there is none; empty if none has one.
    pub colors: Vec<Vec3>,
    /// The texture coordinates, v up.
    pub uvs: Vec<Vec2>,
    /// The normals.
    pub normals: Vec<Vec3>,
    /// The faces, in the order of the file.
    pub groups: Vec<Group>,
    /// The lines: of each the number of its positions, then their indices.
    pub lines: Vec<u32>,
    /// The names of the material files.
    pub libraries: Vec<String>,
}

/// The material of an MTL file.
#[derive(Debug, Default)]
pub struct Material {
    /// The name, as `usemtl` has it.
    pub name: String,
    /// The diffuse colour (`Kd`), sRGB.
    pub color: Option<[f32; 3]>,
    /// The opacity (`d`, or 1 less `Tr`).
    pub opacity: Option<f32>,
    /// The name of the file of the diffuse picture (`map_Kd`).
    pub picture: Option<String>,
}

/// The positions, the normals, if any, and the triangles of a mesh.
pub type Mesh = (Vec<Vec3>, Option<Vec<Vec3>>, Vec<[u32; 3]>);

/// A problem in a line, counted from 1.
pub type Problem = (usize, &'static str);

/// Calls `take` with the number of each line, its keyword and the rest. A backslash at its end joins
/// a line with the next.
fn for_each_line(
    bytes: &[u8],
    mut take: impl FnMut(usize, &str, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut joined = String::new();
    // Old files end lines with a carriage return alone.
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    // The line at the end takes what the last line would be joined with.
    let lines = bytes.split(|&byte| byte == end).chain([&b""[..]]);
    for (nth, text) in lines.enumerate() {
        // Names may have any encoding; the rest is ASCII.
        let text = String::from_utf8_lossy(text);
        let is_comment = joined.is_empty() && text.trim_start().starts_with('#');
        if let Some(start) = text.trim_end().strip_suffix('\\')
            && !is_comment
        {
            joined.push_str(start);
            joined.push(' ');
            continue;
        }
        let whole = match joined.is_empty() {
            true => text,
            false => Cow::Owned(std::mem::take(&mut joined) + &text),
        };
        let line = whole.trim();
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        take(nth + 1, keyword, rest.trim_start())?;
    }
    Ok(())
}

/// Returns the words of a line that number vertices, which a comment may follow.
fn numbered(rest: &str) -> impl Iterator<Item = &str> {
    rest.split_whitespace()
        .take_while(|word| !word.starts_with('#'))
}

/// Returns the memory in bytes that [`read`] may take: lists that grow may be there twice.
pub fn memory(bytes: &[u8]) -> u64 {
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    let costs = lines.map(|line| {
        // Other bytes may be spaces of Unicode.
        let is_space = |byte: &&u8| **byte <= b' ' || !byte.is_ascii();
        let corners = line.iter().filter(is_space).count() as u64;
        match line.trim_ascii_start() {
            [b'v', ..] => 2 * 2 * size_of::<Vec3>() as u64,
            [b'l', ..] => 2 * 4 * (1 + corners),
            // Any other line may go on with a face.
            _ => {
                let of_faces = 2 * size_of::<[Corner; 3]>() as u64 * corners;
                of_faces + 2 * (size_of::<Group>() + line.len()) as u64
            }
        }
    });
    costs.sum()
}

/// Reads a file.
///
/// # Errors
///
/// The first line that cannot be read.
pub fn read(bytes: &[u8]) -> Result<Obj, Problem> {
    let mut obj = Obj::default();
    let (mut name, mut material): (Rc<str>, Option<Rc<str>>) = ("".into(), None);
    // Numbers of texts, so that each line with a name is compared only once. That of no name is 0,
    // and that of no material `usize::MAX`.
    let mut numbers_of: HashMap<Rc<str>, usize> = HashMap::from([("".into(), 0)]);
    // The groups by the numbers of name and material, the present numbers, and the group that faces
    // belong to.
    let (mut known, mut numbered_as, mut group) = (HashMap::new(), [0, usize::MAX], None);
    let (mut corners, mut places, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for_each_line(bytes, |line, keyword, rest| {
        let wrong = |problem| (line, problem);
        let mut parse = |least: usize, problem| {
            numbers.clear();
            let parsed = rest
                .split_whitespace()
                .map_while(|word| word.parse::<f32>().ok());
            numbers.extend(parsed.take(7));
            match numbers.len() >= least {
                true => Ok(()),
                false => Err(wrong(problem)),
            }
        };
        match keyword {
            "v" => {
                parse(3, "wants three numbers")?;
                obj.positions.push(Vec3::from_slice(&numbers));
                // Four numbers are a weight; seven are a weight and a colour.
                if numbers.len() >= 6 {
                    obj.colors.resize(obj.positions.len() - 1, Vec3::NAN);
                    obj.colors
                        .push(Vec3::from_slice(&numbers[numbers.len() - 3..]));
                }
            }
            "vt" => {
                parse(1, "wants two numbers")?;
                obj.uvs.push(Vec2::new(
                    numbers[0],
                    numbers.get(1).copied().unwrap_or(0.0),
                ));
            }
            "vn" => {
                parse(3, "wants three numbers")?;
                obj.normals.push(Vec3::from_slice(&numbers));
            }
            "f" => {
                corners.clear();
                places.clear();
                for word in numbered(rest) {
                    let corner = corner(word, &obj).map_err(wrong)?;
                    places.push(obj.positions[corner.position as usize]);
                    corners.push(corner);
                }
                let group = *group.get_or_insert_with(|| {
                    *known.entry(numbered_as).or_insert_with(|| {
                        obj.groups.push(Group {
                            name: name.clone(),
                            material: material.clone(),
                            triangles: Vec::new(),
                        });
                        obj.groups.len() - 1
                    })
                });
                let triangles = &mut obj.groups[group].triangles;
                triangulate(&places, |triangle| {
                    triangles.push(triangle.map(|corner| corners[corner]));
                });
            }
            "l" => {
                let place = obj.lines.len();
                obj.lines.push(0);
                for word in numbered(rest) {
                    let corner = corner(word, &obj).map_err(wrong)?;
                    obj.lines.push(corner.position);
                }
                obj.lines[place] = (obj.lines.len() - place - 1) as u32;
            }
            "o" | "g" | "usemtl" => {
                let (text, next) = (Rc::<str>::from(rest), numbers_of.len());
                let number = *numbers_of.entry(text.clone()).or_insert(next);
                match keyword {
                    "usemtl" => (material, numbered_as[1]) = (Some(text), number),
                    _ => (name, numbered_as[0]) = (text, number),
                }
                group = None;
            }
            "mtllib" => obj.libraries.push(rest.to_owned()),
            _ => {}
        }
        Ok(())
    })?;
    if !obj.colors.is_empty() {
        obj.colors.resize(obj.positions.len(), Vec3::NAN);
    }
    obj.groups.retain(|group| !group.triangles.is_empty());
    Ok(obj)
}

/// Reads the materials of an MTL file. What cannot be read is left out.
pub fn read_materials(bytes: &[u8]) -> Vec<Material> {
    let mut materials: Vec<Material> = Vec::new();
    let read = for_each_line(bytes, |_, keyword, rest| {
        if keyword == "newmtl" {
            let name = rest.to_owned();
            materials.push(Material {
                name,
                ..Material::default()
            });
        }
        let Some(material) = materials.last_mut() else {
            return Ok(());
        };
        let numbers = rest.split_whitespace().map_while(|word| word.parse().ok());
        let numbers: Vec<f32> = numbers.take(3).collect();
        match (keyword, &numbers[..]) {
            ("Kd", &[r, g, b]) => material.color = Some([r, g, b]),
            ("d", &[opacity, ..]) => material.opacity = Some(opacity),
            ("Tr", &[transparency, ..]) => material.opacity = Some(1.0 - transparency),
            ("map_Kd", _) => material.picture = Some(without_options(rest).to_owned()),
            _ => {}
        }
        Ok(())
    });
    debug_assert!(read.is_ok());
    materials
}

/// Returns the name of a picture, which may have spaces, without the options before it.
fn without_options(text: &str) -> &str {
    // The start of the second word.
    let next = |text: &str| {
        let end = text.find(char::is_whitespace)?;
        Some(end + text[end..].find(|c: char| !c.is_whitespace())?)
    };
    let mut rest = text;
    while rest.starts_with('-')
        && let Some(start) = next(rest)
    {
        let most = match rest.split_whitespace().next() {
            Some("-o" | "-s" | "-t") => 3,
            Some("-mm") => 2,
            _ => 1,
        };
        rest = &rest[start..];
        for nth in 0..most {
            let word = rest.split_whitespace().next().unwrap_or_default();
            // The second and the third number may be left out.
            match next(rest).filter(|_| nth == 0 || word.parse::<f32>().is_ok()) {
                Some(start) => rest = &rest[start..],
                None => break,
            }
        }
    }
    rest
}

impl Obj {
    /// Returns all faces as one mesh.
    ///
    /// Corners at one position with different normals become different vertices, which keeps
    /// creases. Normals are ignored unless every corner has one.
    pub fn welded(self) -> Mesh {
        let corners = || self.groups.iter().flat_map(|group| &group.triangles);
        if corners().flatten().any(|corner| corner.normal == NONE) {
            let corners = corners().map(|triangle| triangle.map(|corner| corner.position));
            let triangles = corners.collect();
            return (self.positions, None, triangles);
        }
        let mut known = HashMap::new();
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let mut vertex = |corner: Corner| {
            *known
                .entry((corner.position, corner.normal))
                .or_insert_with(|| {
                    positions.push(self.positions[corner.position as usize]);
                    let normal = corner.normal as usize;
                    normals.push(self.normals[normal]);
                    positions.len() as u32 - 1
                })
        };
        let triangles = corners().map(|t| t.map(&mut vertex)).collect();
        (positions, Some(normals), triangles)
    }
}

/// Returns a corner, `position/uv/normal`, all of whose indices exist.
fn corner(word: &str, obj: &Obj) -> Result<Corner, &'static str> {
    let mut numbers = word.split('/');
    let position = numbers.next().and_then(|n| index(n, obj.positions.len()));
    let uv = numbers.next().and_then(|n| index(n, obj.uvs.len()));
    let normal = numbers.next().filter(|n| !n.is_empty());
    let unknown = "names a normal that was not given before";
    let normal = normal.map(|n| index(n, obj.normals.len()).ok_or(unknown));
    Ok(Corner {
        position: position.ok_or_else(|| not_there(word))?,
        // A texture in the wrong place is no reason to refuse a head.
        uv: uv.unwrap_or(NONE),
        normal: normal.transpose()?.unwrap_or(NONE),
    })
}

/// Returns why a corner has no position.
fn not_there(word: &str) -> &'static str {
    let first = word.split('/').next().unwrap_or_default();
    match first.parse::<i64>() {
        Ok(_) => "names a vertex that was not given before",
        Err(_) => "has a word where a vertex is numbered",
    }
}

/// Returns an index from 0; the file counts from 1, or from the last with a minus.
fn index(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let start = if number < 0 { count } else { -1 };
    let index = start.checked_add(number)?;
    u32::try_from(index).ok().filter(|_| index < count)
}
