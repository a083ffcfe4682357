//! COLLADA: what the nodes of the scene show, in metres and with Y up; skins in their bind pose.

mod material;
mod mesh;
mod xml;

use super::broken;
use super::builder::Builder;
use crate::head::error::{LoadErrorKind, Result};
use crate::head::units::{NativeUnits, Up};
use glam::{DMat4, DVec3};
use material::Materials;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;
use xml::{Document, Node, unescaped};

/// Elements that may be looked at again where nodes are instanced.
const MOST_STEPS: usize = 4_000_000;
/// Memory of the table of elements for each that has a name.
const BYTES_PER_ID: u64 = 64;
/// Materials of an instance that are looked at.
const MOST_BOUND: usize = 10_000;
/// Controllers from a skin to its mesh.
const MOST_CONTROLLERS: usize = 4;
/// The purpose of the memory that is taken.
const WHAT: &str = "its COLLADA";

/// Elements by their `id`.
type Ids<'d> = HashMap<&'d str, Node<'d>>;
/// Primitives as JSON, with the names of their materials.
type Primitives<'d> = Vec<(Value, Option<&'d str>)>;

fn refused(problem: impl std::fmt::Display) -> LoadErrorKind {
    broken("COLLADA", problem)
}

/// Adds every mesh that a node of the scene shows.
pub fn convert(bytes: &[u8], builder: &mut Builder) -> Result<()> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            // Names may have any encoding; the rest is ASCII.
            let each = "\u{fffd}".len() as u64;
            builder.budget.take(bytes.len() as u64, 2 * each, WHAT)?;
            String::from_utf8_lossy(bytes)
        }
    };
    let document = Document::parse(&text, builder.budget)?;
    let count = with_ids(document.nodes()).count() as u64;
    builder.budget.take(count, BYTES_PER_ID, WHAT)?;
    let mut ids = HashMap::new();
    for (id, node) in with_ids(document.nodes()) {
        ids.entry(id).or_insert(node);
    }
    let Some(root) = document.nodes().next() else {
        return Ok(());
    };
    builder.native = Some(native(root));
    let mut scene = Scene {
        steps: MOST_STEPS + document.nodes().count(),
        ids: &ids,
        builder,
        materials: Materials::default(),
        primitives: HashMap::new(),
        meshes: HashMap::new(),
    };
    scene.add(root)
}

/// Returns the elements that have an `id`, with it.
fn with_ids<'d>(
    nodes: impl Iterator<Item = Node<'d>>,
) -> impl Iterator<Item = (&'d str, Node<'d>)> {
    nodes.filter_map(|node| Some((node.attribute("id")?, node)))
}

/// Returns the element that a URL of this file names.
fn target<'d>(ids: &Ids<'d>, url: Option<&str>) -> Option<Node<'d>> {
    ids.get(url?.strip_prefix('#')?).copied()
}

/// Returns the first numbers of an element; what it lacks is 0.
fn numbers<const N: usize>(node: Node) -> [f64; N] {
    let words = node.text().split_ascii_whitespace();
    let mut numbers = words.map(|word| f64::from_str(word).unwrap_or(0.0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
}

/// Returns a matrix, whose rows the file has one after the other.
fn matrix(node: Node) -> DMat4 {
    DMat4::from_cols_array(&numbers(node)).transpose()
}

/// Returns the unit and the axis of the file.
fn native(root: Node) -> NativeUnits {
    let axis = root.at(&["asset", "up_axis"]);
    let unit = root.at(&["asset", "unit"]);
    let unit = unit.and_then(|unit| unit.attribute("meter")?.trim().parse::<f64>().ok());
    let unit = unit.filter(|unit| unit.is_normal() && *unit > 0.0);
    NativeUnits {
        metres: unit.unwrap_or(1.0),
        up: match axis.map_or("", |axis| axis.text().trim()) {
            "Z_UP" => Up::Z,
            "X_UP" => Up::X,
            _ => Up::Y,
        },
    }
}

/// The scene under construction.
struct Scene<'s, 'b, 'd> {
    /// The number of elements that may still be looked at.
    steps: usize,
    ids: &'s Ids<'d>,
    builder: &'s mut Builder<'b>,
    materials: Materials,
    /// The primitives of geometries.
    primitives: HashMap<u32, Primitives<'d>>,
    /// The meshes of geometries with the materials of their instances.
    meshes: HashMap<(u32, Vec<Option<usize>>), usize>,
}

impl<'d> Scene<'_, '_, 'd> {
    fn add(&mut self, root: Node<'d>) -> Result<()> {
        let matrix = native(root).matrix();
        let scene = root.at(&["scene", "instance_visual_scene"]);
        let scene = scene.and_then(|scene| target(self.ids, scene.attribute("url")));
        let scene = scene.or_else(|| root.at(&["library_visual_scenes", "visual_scene"]));
        let Some(scene) = scene else {
            // A file of geometries alone.
            let is_library = |child: &Node| child.name() == "library_geometries";
            for geometry in root
                .children()
                .filter(is_library)
                .flat_map(|it| it.children())
            {
                self.builder.charge()?;
                self.show(geometry, geometry, matrix, label(geometry))?;
            }
            return Ok(());
        };
        let mut open = vec![(scene, matrix, 0)];
        while let Some((node, parent, depth)) = open.pop() {
            self.builder.charge()?;
            if depth > self.builder.budget.limits.node_depth {
                let nested = "has nodes within each other beyond the limit `node-depth`, or within themselves";
                return Err(refused(nested));
            }
            let matrix = parent * self.local(node)?;
            if node.attribute("type") == Some("JOINT") {
                let place = matrix.w_axis.truncate().to_array();
                self.builder.joint(&unescaped(label(node)), place)?;
            }
            let from = open.len();
            for child in node.children() {
                let named = || target(self.ids, child.attribute("url"));
                match child.name() {
                    "node" => open.push((child, matrix, depth + 1)),
                    "instance_node" => open.extend(named().map(|node| (node, matrix, depth + 1))),
                    "instance_geometry" => {
                        if let Some(geometry) = named() {
                            self.show(geometry, child, matrix, label(node))?;
                        }
                    }
                    "instance_controller" => {
                        if let Some(controller) = named() {
                            let root = native(root).matrix();
                            self.show_controller(controller, child, (root, matrix), label(node))?;
                        }
                    }
                    _ => {}
                }
            }
            open[from..].reverse();
        }
        Ok(())
    }

    /// Counts elements that are looked at.
    fn step(&mut self, count: usize) -> Result<()> {
        let left = self.steps.checked_sub(count);
        self.steps = left.ok_or_else(|| refused("instances its nodes too often"))?;
        Ok(())
    }

    /// Returns the transform of a node.
    fn local(&mut self, node: Node) -> Result<DMat4> {
        let mut local = DMat4::IDENTITY;
        for child in node.children() {
            self.step(1)?;
            local *= match child.name() {
                "matrix" => matrix(child),
                "translate" => DMat4::from_translation(numbers(child).into()),
                "scale" => DMat4::from_scale(numbers(child).into()),
                "rotate" => {
                    let [x, y, z, degrees] = numbers(child);
                    let axis = DVec3::new(x, y, z).try_normalize();
                    axis.map_or(DMat4::IDENTITY, |axis| {
                        DMat4::from_axis_angle(axis, f64::to_radians(degrees))
                    })
                }
                _ => continue,
            };
        }
        Ok(local)
    }

    /// Shows the mesh of a skin, which its bind shape puts in the space of the file, or of morph targets.
    fn show_controller(
        &mut self,
        mut controller: Node<'d>,
        instance: Node<'d>,
        (file, mut matrix): (DMat4, DMat4),
        name: &str,
    ) -> Result<()> {
        for _ in 0..MOST_CONTROLLERS {
            let skin = controller.child("skin");
            let source = skin.or_else(|| controller.child("morph"));
            let source = source.and_then(|it| it.attribute("source"));
            if let Some(skin) = skin {
                let bind = skin.child("bind_shape_matrix");
                matrix = file * bind.map_or(DMat4::IDENTITY, self::matrix);
            }
            match target(self.ids, source) {
                Some(geometry) if geometry.name() == "geometry" => {
                    return self.show(geometry, instance, matrix, name);
                }
                Some(next) => controller = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Adds a node with a geometry; the instance has its materials.
    fn show(
        &mut self,
        geometry: Node<'d>,
        instance: Node<'d>,
        matrix: DMat4,
        name: &str,
    ) -> Result<()> {
        let key = geometry.index;
        if !self.primitives.contains_key(&key) {
            let primitives = mesh::primitives(geometry, self.builder)?;
            self.primitives.insert(key, primitives);
        }
        let primitives = &self.primitives[&key];
        let count = primitives.len();
        if count == 0 {
            return Ok(());
        }
        let bound = instance.at(&["bind_material", "technique_common"]);
        let bound = bound.map_or(Vec::new(), |bound| {
            bound.children().take(MOST_BOUND).collect()
        });
        self.step(bound.len() + count)?;
        let bound = bound.iter().filter_map(|bound| {
            let material = target(self.ids, bound.attribute("target"))?;
            Some((bound.attribute("symbol")?, material))
        });
        let bound: HashMap<&str, Node> = bound.collect();
        let mut materials = Vec::new();
        for (_, symbol) in &self.primitives[&key] {
            // Some programs bind nothing, and name materials themselves.
            let material = symbol.and_then(|symbol| {
                let bound = bound.get(symbol).or_else(|| self.ids.get(symbol));
                bound.filter(|node| node.name() == "material").copied()
            });
            materials.push(match material {
                Some(material) => Some(self.materials.index(material, self.ids, self.builder)?),
                None => None,
            });
        }
        let mesh = match self.meshes.get(&(key, materials.clone())) {
            Some(&mesh) => mesh,
            None => {
                let mut own = Vec::with_capacity(count);
                for ((primitive, _), material) in self.primitives[&key].iter().zip(&materials) {
                    self.builder.charge()?;
                    let mut primitive = primitive.clone();
                    if let Some(material) = material {
                        primitive["material"] = json!(material);
                    }
                    own.push(primitive);
                }
                let mesh = self.builder.mesh(&unescaped(label(geometry)), own)?;
                self.meshes.insert((key, materials), mesh);
                mesh
            }
        };
        self.builder
            .node(&unescaped(name), mesh, Some(matrix.to_cols_array()))
    }
}

/// Returns the name of an element for people, or else its `id`.
fn label<'d>(node: Node<'d>) -> &'d str {
    let name = node.attribute("name").filter(|name| !name.is_empty());
    name.or_else(|| node.attribute("id")).unwrap_or("model")
}
