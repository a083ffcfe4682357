//! The node hierarchy: which meshes the default scene shows, and their transforms.

use crate::head::error::{LoadErrorKind, Result, label, limit_hint, truncated};
use crate::head::gltf::document::{Document, Index, Node, Whole};
use crate::head::limits::Budget;
use glam::{DMat4, DQuat, DVec3, DVec4};
use std::borrow::Cow;
use std::slice;

/// A level of the path to the current node; the scene has no index.
struct Level<'a> {
    node: Option<usize>,
    file_from_node: DMat4,
    /// Children that are still to be visited.
    children: slice::Iter<'a, Index>,
}

/// Joints that are searched for a neck.
const MOST_JOINTS: usize = 4096;

/// The nodes that the default scene shows.
pub struct Shown {
    /// In the order of the hierarchy: a node with a mesh, and that mesh.
    pub meshes: Vec<(usize, usize)>,
    /// The transforms of all nodes that are shown, by their numbers; with skins, of all others too.
    transforms: Vec<Option<DMat4>>,
}

impl Shown {
    /// Returns the joints of the skin of a node, or else of all skins of the file, by name, with their
    /// heights in file space.
    pub fn joints(&self, document: &Document, node: Option<usize>) -> Vec<(String, f64)> {
        let own = node.and_then(|node| document.nodes.get(node)?.skin.as_ref());
        let own = own.and_then(|skin| document.skins.get(skin.index()));
        let skins = own.map_or(&document.skins[..], std::slice::from_ref);
        let joints = skins.iter().flat_map(|skin| &skin.joints);
        let joints = joints.filter_map(|joint| {
            let node = document.nodes.get(joint.index())?;
            let place = self.file_from_node(joint.index())?.w_axis;
            Some((truncated(node.name.as_ref()?), place.y))
        });
        joints.take(MOST_JOINTS).collect()
    }

    /// Returns the map from the space of a node to that of the file; `None` if it has none.
    pub fn file_from_node(&self, node: usize) -> Option<DMat4> {
        *self.transforms.get(node)?
    }
}

/// Returns the nodes of the default scene, the roots of which are turned first.
///
/// The walk keeps only the current path. It refuses a node that is reached twice: glTF
/// hierarchies are trees, and a file that breaks this could ask for 2^40 nodes.
pub fn shown(document: &Document, budget: &Budget, file_from_scene: DMat4) -> Result<Shown> {
    let max_depth = budget.limits.node_depth;
    let nodes = &document.nodes;
    let mut meshes = Vec::new();
    let each = size_of::<Option<DMat4>>() + size_of::<Option<Option<usize>>>();
    budget.take(nodes.len() as u64, each as u64, "the nodes")?;
    let mut transforms: Vec<Option<DMat4>> = vec![None; nodes.len()];
    let mut parents: Vec<Option<Option<usize>>> = vec![None; nodes.len()];
    let roots = roots(document)?;
    let mut path = vec![Level {
        node: None,
        file_from_node: file_from_scene,
        children: roots.iter(),
    }];
    while let Some(level) = path.last_mut() {
        let (parent, file_from_parent) = (level.node, level.file_from_node);
        let Some(index) = level.children.next().map(|child| child.index()) else {
            path.pop();
            continue;
        };
        let Some(node) = nodes.get(index) else {
            let at = parent.map(|parent| node_label(document, parent));
            let at = at.unwrap_or_else(|| "the default scene".to_owned());
            return Err(LoadErrorKind::missing(at, "node", index, nodes.len()));
        };
        let at = || node_label(document, index);
        if let Some(first) = parents[index] {
            let problem = match path.iter().any(|level| level.node == Some(index)) {
                true => "it is its own ancestor; the hierarchy is a cycle".to_owned(),
                false => {
                    let [one, other] = [first, parent].map(|parent| match parent {
                        Some(parent) => node_label(document, parent),
                        None => "the scene".to_owned(),
                    });
                    format!("it is a child of both {one} and {other}")
                }
            };
            let advice = "glTF allows a node one parent; share the mesh between nodes instead.";
            return Err(LoadErrorKind::advised(at(), problem, advice));
        }
        parents[index] = Some(parent);
        if path.len() as u64 > max_depth {
            let hint = limit_hint("node-depth");
            let problem = format!("it lies more than {max_depth} nodes deep {hint}");
            let advice = "Flatten the hierarchy (Blender: Alt+P > Clear and Keep Transformation).";
            return Err(LoadErrorKind::advised(at(), problem, advice));
        }
        let file_from_node = file_from_parent * Local::of(node).matrix();
        if !file_from_node.is_finite() {
            return Err(LoadErrorKind::invalid(at(), "its transform is not finite"));
        }
        transforms[index] = Some(file_from_node);
        if let Some(mesh) = node.mesh {
            let (mesh, count) = (mesh.index(), document.meshes.len());
            if mesh >= count {
                return Err(LoadErrorKind::missing(at(), "mesh", mesh, count));
            }
            meshes.push((index, mesh));
        }
        path.push(Level {
            node: Some(index),
            file_from_node,
            children: node.children.as_deref().unwrap_or_default().iter(),
        });
    }
    if !document.skins.is_empty() {
        place_others(document, file_from_scene, &mut transforms, budget)?;
    }
    Ok(Shown { meshes, transforms })
}

/// Adds the transforms of nodes that are not shown: joints may be among them. Nodes in a cycle have
/// none.
fn place_others(
    document: &Document,
    file_from_scene: DMat4,
    transforms: &mut [Option<DMat4>],
    budget: &Budget,
) -> Result<()> {
    let nodes = &document.nodes;
    let each = size_of::<(usize, Option<usize>)>()
        + size_of::<Option<usize>>()
        + size_of::<usize>()
        + size_of::<bool>();
    budget.take(nodes.len() as u64, each as u64, "the nodes")?;
    for (node, parent) in in_order(&parents(document), |node| transforms[node].is_none()) {
        let above = parent.map_or(Some(file_from_scene), |parent| transforms[parent]);
        let placed = above.map(|above| above * Local::of(&nodes[node]).matrix());
        transforms[node] = placed.filter(|placed| placed.is_finite());
    }
    Ok(())
}

/// Returns nodes with their parents, parents first: those for which `is_placed` is true.
pub fn in_order(
    parents: &[Option<usize>],
    is_placed: impl Fn(usize) -> bool,
) -> Vec<(usize, Option<usize>)> {
    let mut order = Vec::with_capacity(parents.len());
    let mut seen = vec![false; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut above = Some(start);
        // Nodes in a cycle are not placed.
        while let Some(node) = above.filter(|&node| !seen[node] && is_placed(node)) {
            seen[node] = true;
            path.push(node);
            above = parents[node];
        }
        while let Some(node) = path.pop() {
            order.push((node, parents[node]));
        }
    }
    order
}

/// Returns the roots of the default scene, else of the first scene, else every node without a
/// parent.
fn roots(document: &Document) -> Result<Cow<'_, [Index]>> {
    let scene = match document.scene {
        Some(scene) => Some(document.scenes.get(scene.index()).ok_or_else(|| {
            let count = document.scenes.len();
            let problem = format!("it is the default, but there are only {count} scenes");
            LoadErrorKind::invalid(format!("scene {}", scene.0), problem)
        })?),
        None => document.scenes.first(),
    };
    if let Some(scene) = scene {
        return Ok(Cow::Borrowed(&scene.nodes));
    }
    let mut is_root = vec![true; document.nodes.len()];
    let children = document.nodes.iter().flat_map(|node| &node.children);
    for child in children.flatten() {
        if let Some(is_root) = is_root.get_mut(child.index()) {
            *is_root = false;
        }
    }
    let roots = is_root.iter().zip(0..).filter(|(is_root, _)| **is_root);
    let roots: Vec<_> = roots.map(|(_, node)| Whole(node)).collect();
    if roots.is_empty() && !document.nodes.is_empty() {
        let problem = "every node is the child of another; the hierarchy is a cycle";
        return Err(LoadErrorKind::invalid(node_label(document, 0), problem));
    }
    Ok(Cow::Owned(roots))
}

/// Returns the label of a node: `node 3 "head"`.
fn node_label(document: &Document, index: usize) -> String {
    let node = document.nodes.get(index);
    label("node", index, node.and_then(|node| node.name.as_deref()))
}

/// The transform from the space of a node to that of its parent.
#[derive(Clone, Copy, Debug)]
pub enum Local {
    /// A translation, a unit rotation and a scale, which animations change one by one.
    Parts(DVec3, DQuat, DVec3),
    /// An affine matrix, which animations leave as it is.
    Matrix(DMat4),
}

/// Returns a matrix of glTF without its projective row, which is noise.
pub fn affine(mut matrix: DMat4) -> DMat4 {
    let DMat4 {
        x_axis,
        y_axis,
        z_axis,
        w_axis,
    } = &mut matrix;
    (x_axis.w, y_axis.w, z_axis.w, w_axis.w) = (0.0, 0.0, 0.0, 1.0);
    matrix
}

impl Local {
    pub fn of(node: &Node) -> Self {
        if let Some(matrix) = &node.matrix {
            return Self::Matrix(affine(DMat4::from_cols_array(matrix)));
        }
        Self::Parts(
            node.translation.map_or(DVec3::ZERO, DVec3::from),
            unit(node.rotation.map_or(DVec4::W, DVec4::from)),
            node.scale.map_or(DVec3::ONE, DVec3::from),
        )
    }

    pub fn matrix(&self) -> DMat4 {
        match *self {
            Self::Parts(translation, rotation, scale) => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// Returns the rotation of a quaternion of any length; none for one without a direction.
pub fn unit(rotation: DVec4) -> DQuat {
    let length = rotation.length();
    match length.is_finite() && length > 0.0 {
        true => DQuat::from_vec4(rotation / length),
        false => DQuat::IDENTITY,
    }
}

/// Returns the parent of each node; `None` for a root. Nodes of several parents have the first.
pub fn parents(document: &Document) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; document.nodes.len()];
    for (parent, node) in document.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            if let Some(of_child) = parents.get_mut(child.index()) {
                of_child.get_or_insert(parent);
            }
        }
    }
    parents
}
