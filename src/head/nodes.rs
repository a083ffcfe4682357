//! The node hierarchy: which meshes are shown, and where.

use super::error::{LoadErrorKind, Result, thing};
use super::limits::way_past;
use glam::{DMat4, DQuat, DVec3, DVec4};
use gltf::json::{Index, Node, Root};
use std::borrow::Cow;
use std::slice;

/// A node that shows a mesh.
pub struct Shown {
    pub node: usize,
    pub mesh: usize,
    /// File space from mesh space.
    pub world: DMat4,
    pub skinned: bool,
}

/// A node on the way to where the walk is; the scene has no index.
struct Level<'a> {
    node: Option<usize>,
    world: DMat4,
    /// Those still to be walked.
    children: slice::Iter<'a, Index<Node>>,
}

/// The meshes of the default scene in the order of the file's hierarchy, at most
/// `most_depth` nodes deep.
///
/// The walk keeps only the path to where it is, and refuses a node that is reached twice: glTF
/// hierarchies are trees, and a file that breaks this could ask for 2^40 nodes.
pub fn shown(document: &Root, most_depth: u64) -> Result<Vec<Shown>> {
    let nodes = &document.nodes;
    let mut shown = Vec::new();
    let mut parents: Vec<Option<Option<usize>>> = vec![None; nodes.len()];
    let roots = roots(document)?;
    let mut path = vec![Level {
        node: None,
        world: DMat4::IDENTITY,
        children: roots.iter(),
    }];
    while let Some(level) = path.last_mut() {
        let (parent, above) = (level.node, level.world);
        let Some(index) = level.children.next().map(Index::value) else {
            path.pop();
            continue;
        };
        let Some(node) = nodes.get(index) else {
            let at = match parent {
                Some(parent) => name(document, parent),
                None => "the default scene".to_owned(),
            };
            let problem = format!("it names node {index}, but there are only {}", nodes.len());
            return Err(LoadErrorKind::invalid(at, problem));
        };
        if let Some(first) = parents[index] {
            return Err(reached_twice(document, &parents, index, first, parent));
        }
        parents[index] = Some(parent);
        if path.len() as u64 > most_depth {
            return Err(LoadErrorKind::advised(
                name(document, index),
                format!(
                    "it lies more than {most_depth} nodes deep {}",
                    way_past("node-depth")
                ),
                "Flatten the hierarchy (Blender: Alt+P > Clear and Keep Transformation).",
            ));
        }
        let world = above * local(node);
        if !world.is_finite() {
            let problem = "its transform is not finite";
            return Err(LoadErrorKind::invalid(name(document, index), problem));
        }
        if let Some(mesh) = node.mesh {
            let mesh = mesh.value();
            if mesh >= document.meshes.len() {
                let problem = format!(
                    "it names mesh {mesh}, but there are only {}",
                    document.meshes.len()
                );
                return Err(LoadErrorKind::invalid(name(document, index), problem));
            }
            let skinned = node.skin.is_some();
            shown.push(Shown {
                node: index,
                mesh,
                world,
                skinned,
            });
        }
        path.push(Level {
            node: Some(index),
            world,
            children: node.children.as_deref().unwrap_or_default().iter(),
        });
    }
    Ok(shown)
}

/// The roots of `scene`, else of the first scene, else every node without a parent.
fn roots(document: &Root) -> Result<Cow<'_, [Index<Node>]>> {
    let scene = match document.scene {
        Some(scene) => Some(document.scenes.get(scene.value()).ok_or_else(|| {
            let count = document.scenes.len();
            let problem = format!("it is the default, but there are only {count} scenes");
            LoadErrorKind::invalid(format!("scene {scene}"), problem)
        })?),
        None => document.scenes.first(),
    };
    if let Some(scene) = scene {
        return Ok(Cow::Borrowed(&scene.nodes));
    }
    let mut is_root = vec![true; document.nodes.len()];
    let children = document
        .nodes
        .iter()
        .filter_map(|node| node.children.as_ref());
    for child in children.flatten() {
        if let Some(is_root) = is_root.get_mut(child.value()) {
            *is_root = false;
        }
    }
    let roots = is_root.iter().zip(0..).filter(|(is_root, _)| **is_root);
    let roots: Vec<_> = roots.map(|(_, node)| Index::new(node)).collect();
    if roots.is_empty() && !document.nodes.is_empty() {
        let problem = "every node is the child of another; the hierarchy is a cycle";
        return Err(LoadErrorKind::invalid(name(document, 0), problem));
    }
    Ok(Cow::Owned(roots))
}

fn reached_twice(
    document: &Root,
    parents: &[Option<Option<usize>>],
    index: usize,
    first: Option<usize>,
    second: Option<usize>,
) -> LoadErrorKind {
    // Is the node its own ancestor? Depth is capped, so this ends.
    let mut above = second;
    while let Some(node) = above.filter(|&node| node != index) {
        above = parents[node].flatten();
    }
    let parent = |parent: Option<usize>| match parent {
        Some(parent) => name(document, parent),
        None => "the scene".to_owned(),
    };
    let problem = match above {
        Some(_) => "it is its own ancestor; the hierarchy is a cycle".to_owned(),
        None => format!(
            "it is a child of both {} and {}",
            parent(first),
            parent(second)
        ),
    };
    LoadErrorKind::advised(
        name(document, index),
        problem,
        "glTF allows a node one parent; share the mesh between nodes instead.",
    )
}

/// `node 3 "head"`.
pub fn name(document: &Root, index: usize) -> String {
    let node = document.nodes.get(index);
    thing("node", index, node.and_then(|node| node.name.as_deref()))
}

fn local(node: &Node) -> DMat4 {
    if let Some(m) = &node.matrix {
        let mut matrix = DMat4::from_cols_array(&m.map(f64::from));
        // glTF matrices are affine; a projective row is noise.
        matrix.x_axis.w = 0.0;
        matrix.y_axis.w = 0.0;
        matrix.z_axis.w = 0.0;
        matrix.w_axis = DVec4::new(matrix.w_axis.x, matrix.w_axis.y, matrix.w_axis.z, 1.0);
        return matrix;
    }
    let vector = |lanes: [f32; 3]| DVec3::from(lanes.map(f64::from));
    let translation = node.translation.map_or(DVec3::ZERO, vector);
    let scale = node.scale.map_or(DVec3::ONE, vector);
    let [x, y, z, w] = node.rotation.unwrap_or_default().0.map(f64::from);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let rotation = if length.is_finite() && length > 0.0 {
        DQuat::from_xyzw(x / length, y / length, z / length, w / length)
    } else {
        DQuat::IDENTITY
    };
    DMat4::from_scale_rotation_translation(scale, rotation, translation)
}
