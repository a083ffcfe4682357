//! The scalp by a name (`head.mask`): a vertex attribute, a part by its node or material, the
//! weights of a joint, or a picture beside the model.

use super::error::{LoadErrorKind, Result, Warnings, quoted, truncated};
use super::gltf::buffers::Buffers;
use super::gltf::document::{Document, Mesh, Node, Primitive};
use super::limits::Budget;
use super::material::decode;
use super::mesh::attributes::{Attributes, MOST_SETS, TEXCOORD};
use super::mesh::nodes::Shown;
use super::mesh::paint::{density, visible};
use super::mesh::primitive::first_free;
use super::model::{Paint, Part, Texture};
use super::names::has_word;
use crate::told::short;
use glam::Vec2;
use std::collections::BTreeSet;

/// The names of a primitive: of its node, its mesh and its material.
pub type Names<'a> = [Option<&'a str>; 3];

/// The kinds of these names.
const KINDS: [&str; 3] = ["node", "mesh", "material"];
/// Words in the names of the parts that a picture is for, if there are such.
const FACES: [&str; 4] = ["head", "face", "scalp", "skull"];
/// Endings of the names of pictures.
const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
/// Joints of a skin that are searched for a name.
const MOST_JOINTS: usize = 4096;
/// Names of each kind that a message lists.
const SHOWN: usize = 5;

/// The scalp by a name.
pub struct Mask<'a> {
    name: &'a str,
    kind: Kind,
}

/// The kind of thing that has the name: the first of these that is in the model.
enum Kind {
    /// A picture, and whether it is only for parts whose names have one of [`FACES`].
    Picture(Texture, bool),
    Attribute,
    Part,
    Joint,
}

/// Returns `true` if a mask may be the name of a picture.
pub fn is_picture(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    let mut pictures = PICTURES.iter();
    pictures.any(|picture| end.eq_ignore_ascii_case(picture))
}

impl<'a> Mask<'a> {
    /// Finds what the name stands for. `None` for an empty name, and with a warning if nothing in the
    /// model has it: the model may be another than the mask was meant for.
    pub fn of(
        name: &'a str,
        buffers: &Buffers,
        shown: &Shown,
        warnings: &mut Warnings,
    ) -> Option<Self> {
        if name.is_empty() {
            return None;
        }
        let document = &buffers.document;
        let read = is_picture(name).then(|| picture(name, buffers));
        let (read, unread) = match read {
            Some(Ok(picture)) => (Some(picture), None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, None),
        };
        let mut names = all_names(document, shown).flatten().map(|(_, name)| name);
        let kind = match read {
            Some(picture) => Kind::Picture(picture, names.any(is_face)),
            None if roles(document, shown).any(|role| is_role(role, name)) => Kind::Attribute,
            None if names.any(|own| has_word(own, name)) => Kind::Part,
            None if joints(document, shown).any(|joint| joint.eq_ignore_ascii_case(name)) => {
                Kind::Joint
            }
            None => {
                let problem = unread.unwrap_or_else(|| nothing(document, shown));
                let name = quoted(name);
                warnings.push(format!("--mask {name}: {problem}; paint counts instead"));
                return None;
            }
        };
        Some(Mask { name, kind })
    }

    /// Returns the density of a part that was read from a primitive in mesh space, with the
    /// coordinates of a set.
    pub fn paint(
        &self,
        attributes: &Attributes,
        names: Names,
        node: &Node,
        (part, uv_set): (&Part, u64),
        warnings: &mut Warnings,
    ) -> Result<Option<Paint>> {
        if part.triangles.is_empty() {
            return Ok(None);
        }
        let is_hair = names.iter().flatten().any(|name| has_word(name, "hair"));
        let found = match &self.kind {
            Kind::Attribute => self.by_attribute(attributes, part, warnings),
            Kind::Part => self.by_name(attributes, names, part)?,
            // These cover hair that the model has, too.
            _ if is_hair => None,
            Kind::Picture(_, true) if !names.iter().flatten().any(|name| is_face(name)) => None,
            Kind::Picture(picture, _) => self.by_picture(picture, attributes, (part, uv_set))?,
            Kind::Joint => self.by_joint(attributes, node, part)?,
        };
        let painted = found.filter(|(_, density)| density.iter().any(|&density| density > 0.0));
        Ok(painted.map(|(what, density)| Paint {
            set: first_free(attributes.primitive),
            why: format!("{what} (--mask)"),
            density,
            is_own: false,
        }))
    }

    /// Drops the picture, and its memory may be used for others.
    pub fn give_back(self, budget: &Budget) {
        if let Kind::Picture(picture, _) = self.kind {
            budget.give_back(u64::from(picture.width) * u64::from(picture.height), 4);
        }
    }

    fn by_attribute(
        &self,
        attributes: &Attributes,
        part: &Part,
        warnings: &mut Warnings,
    ) -> Option<(String, Vec<f32>)> {
        let mut roles = attributes.primitive.attributes.keys();
        let role = roles.find(|role| is_role(role, self.name))?;
        let density = density(attributes, role, part.positions.len(), warnings)?;
        Some((truncated(role), density))
    }

    fn by_name(
        &self,
        attributes: &Attributes,
        names: Names,
        part: &Part,
    ) -> Result<Option<(String, Vec<f32>)>> {
        let mut named = KINDS.iter().zip(names);
        let named = named.find(|(_, name)| name.is_some_and(|name| has_word(name, self.name)));
        let Some((kind, Some(name))) = named else {
            return Ok(None);
        };
        let density = uniform(attributes, part)?;
        Ok(Some((format!("{kind} {}", quoted(name)), density)))
    }

    /// Returns the weights of a joint of this name.
    fn by_joint(
        &self,
        attributes: &Attributes,
        node: &Node,
        part: &Part,
    ) -> Result<Option<(String, Vec<f32>)>> {
        let document = &attributes.buffers.document;
        let skin = node.skin.and_then(|skin| document.skins.get(skin.index()));
        let joints = skin.map_or(&[][..], |skin| &skin.joints);
        let name_of = |joint: usize| document.nodes.get(joint)?.name.as_deref();
        let joint = joints.iter().take(MOST_JOINTS).position(|joint| {
            name_of(joint.index()).is_some_and(|name| name.eq_ignore_ascii_case(self.name))
        });
        let Some(joint) = joint else {
            return Ok(None);
        };
        let mut density = uniform(attributes, part)?;
        density.fill(0.0);
        for set in 0..MOST_SETS {
            let Some([joints, weights]) = attributes.joints(set, density.len())? else {
                break;
            };
            let (joints, weights) = (joints.whole::<4>(), weights.floats::<4>(0.0));
            let pairs = joints.iter().flatten().zip(weights.iter().flatten());
            for (nth, (&of, &weight)) in pairs.enumerate() {
                if of as usize == joint && weight > 0.0 {
                    density[nth / 4] += weight;
                }
            }
            let budget = &attributes.buffers.budget;
            budget.give_back(density.len() as u64, 32);
        }
        for density in &mut density {
            *density = visible(*density);
        }
        let what = format!("the weights of joint {}", quoted(self.name));
        Ok(Some((what, density)))
    }

    /// Returns the brightness of the picture at the vertices.
    fn by_picture(
        &self,
        picture: &Texture,
        attributes: &Attributes,
        (part, uv_set): (&Part, u64),
    ) -> Result<Option<(String, Vec<f32>)>> {
        let mut density = uniform(attributes, part)?;
        let mut fill = |uvs: &mut dyn Iterator<Item = Vec2>| {
            for (density, uv) in density.iter_mut().zip(uvs) {
                *density = visible(brightness(picture, uv));
            }
        };
        match &part.uvs {
            // As the surface has them, transformed.
            Some(uvs) if uv_set == 0 => fill(&mut uvs.iter().copied()),
            _ => {
                let count = part.positions.len();
                let Some(uvs) = attributes.of_vertices("TEXCOORD_0", &TEXCOORD, count)? else {
                    return Ok(None);
                };
                fill(&mut uvs.floats::<2>(0.0).into_iter().map(Vec2::from));
                attributes.buffers.budget.give_back(count as u64, 8);
            }
        }
        Ok(Some((format!("picture {}", quoted(self.name)), density)))
    }

    /// Returns why no part is painted.
    pub fn problem(&self) -> String {
        let name = quoted(self.name);
        format!("--mask {name} covers no vertex of a triangle")
    }
}

/// Returns that nothing has the name of a mask, with the names that would do.
fn nothing(document: &Document, shown: &Shown) -> String {
    let mut lists: [BTreeSet<&str>; 4] = Default::default();
    for (kind, name) in all_names(document, shown).flatten() {
        // The name of a mesh is often that of its node.
        lists[if kind == 2 { 1 } else { 0 }].insert(name);
    }
    lists[2].extend(roles(document, shown).filter(|role| role.starts_with('_')));
    lists[3].extend(joints(document, shown));
    let kinds = ["nodes", "materials", "attributes", "joints"];
    let lists = kinds
        .iter()
        .zip(&lists)
        .filter(|(_, names)| !names.is_empty());
    let lists = lists.map(|(kind, names)| {
        let rest = match names.len().saturating_sub(SHOWN) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let names: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
        format!("{kind} {}{rest}", names.join(", "))
    });
    let lists: Vec<String> = lists.collect();
    match lists.is_empty() {
        true => "nothing in the model has a name".to_owned(),
        false => format!("nothing is called so; there are {}", lists.join("; ")),
    }
}

fn is_face(name: &str) -> bool {
    FACES.iter().any(|word| has_word(name, word))
}

/// Returns the attributes of all primitives.
fn roles<'a>(document: &'a Document, shown: &'a Shown) -> impl Iterator<Item = &'a str> {
    let meshes = shown.meshes.iter().map(|&(_, mesh)| &document.meshes[mesh]);
    let primitives = meshes.flat_map(|mesh| &mesh.primitives);
    let roles = primitives.flat_map(|primitive| primitive.attributes.keys());
    roles.map(String::as_str)
}

/// Returns `true` if an attribute has this name, with the underscore of its own or without.
fn is_role(role: &str, name: &str) -> bool {
    let own = role.strip_prefix('_');
    own.is_some_and(|own| own.eq_ignore_ascii_case(name.strip_prefix('_').unwrap_or(name)))
}

/// Returns the names of the joints of the skins that are shown.
fn joints<'a>(document: &'a Document, shown: &'a Shown) -> impl Iterator<Item = &'a str> {
    let nodes = shown.meshes.iter().map(|&(node, _)| &document.nodes[node]);
    let skins = nodes.filter_map(|node| Some(node.skin?.index()));
    let skins: BTreeSet<usize> = skins.collect();
    let skins = skins
        .into_iter()
        .filter_map(|skin| document.skins.get(skin));
    let joints = skins.flat_map(|skin| skin.joints.iter().take(MOST_JOINTS));
    let joints = joints.filter_map(|joint| document.nodes.get(joint.index()));
    joints.filter_map(|joint| joint.name.as_deref())
}

/// Returns the names of a primitive.
pub fn names_of<'a>(
    document: &'a Document,
    node: usize,
    mesh: &'a Mesh,
    primitive: &Primitive,
) -> Names<'a> {
    let material = primitive.material;
    let material = material.and_then(|it| document.materials.get(it.index()));
    let material = material.and_then(|material| material.name.as_deref());
    [
        document.nodes[node].name.as_deref(),
        mesh.name.as_deref(),
        material,
    ]
}

/// Returns the names that each primitive has, with the index of their kind.
fn all_names<'a>(
    document: &'a Document,
    shown: &'a Shown,
) -> impl Iterator<Item = impl Iterator<Item = (usize, &'a str)>> {
    shown.meshes.iter().flat_map(move |&(node, mesh)| {
        let mesh = &document.meshes[mesh];
        mesh.primitives.iter().map(move |primitive| {
            let names = names_of(document, node, mesh, primitive)
                .into_iter()
                .enumerate();
            names.filter_map(|(kind, name)| Some((kind, name.filter(|name| !name.is_empty())?)))
        })
    })
}

/// Reads a picture in the folder of the model. The error is a sentence.
fn picture(name: &str, buffers: &Buffers) -> std::result::Result<Texture, String> {
    let fetched = (buffers.folder).fetch_picture(name, "the picture", &buffers.budget);
    let bytes = fetched.map_err(|error| match error {
        LoadErrorKind::Uri { problem, .. } => {
            format!("{problem}; a picture is looked for in the folder of the head")
        }
        error => short(&error.to_string()),
    })?;
    let decoded = decode(&bytes, &buffers.budget);
    let (picture, _) = decoded.map_err(|problem| format!("the picture {problem}"))?;
    Ok(picture)
}

/// Returns full density at all vertices of a part.
fn uniform(attributes: &Attributes, part: &Part) -> Result<Vec<f32>> {
    let count = part.positions.len();
    let what = format_args!("{}: its density", attributes.place);
    attributes.buffers.budget.take(count as u64, 4, what)?;
    Ok(vec![1.0; count])
}

/// Returns the brightness of a picture, 0 to 1, between the middles of its pixels; 0 where it is
/// transparent. It repeats beyond 0 to 1.
fn brightness(picture: &Texture, uv: Vec2) -> f32 {
    if !uv.is_finite() {
        return 0.0;
    }
    let (size, pixels) = (
        Vec2::new(picture.width as f32, picture.height as f32),
        picture.pixels.get(),
    );
    let at = (uv - uv.floor()) * size - 0.5;
    let (low, part) = (at.floor(), at - at.floor());
    let pixel = |x: f32, y: f32| {
        let wrap =
            |place: f32, side: u32| (place.rem_euclid(side as f32) as usize).min(side as usize - 1);
        let (x, y) = (wrap(x, picture.width), wrap(y, picture.height));
        let [r, g, b, a] = pixels[y * picture.width as usize + x].map(f32::from);
        (r + g + b) / 3.0 * a / (255.0 * 255.0)
    };
    let row = |y: f32| pixel(low.x, y) * (1.0 - part.x) + pixel(low.x + 1.0, y) * part.x;
    row(low.y) * (1.0 - part.y) + row(low.y + 1.0) * part.y
}
