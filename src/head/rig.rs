//! The rig of a head: how its file moves it, by nodes, skins and morph targets.
//!
//! `read` reads the animations, `curve` has their values over time, `limb` is a part and what moves it,
//! `fit` finds how the head as a whole moves, and `vertices` where some vertices are.

mod animation;
mod curve;
mod fit;
mod limb;
mod read;
mod vertices;

pub use animation::Animation;
pub(super) use animation::chosen;
pub(super) use limb::{Limb, pose};

use super::error::{Result, Warnings};
use super::gltf::buffers::Buffers;
use super::mesh::nodes::{Local, Shown, in_order, parents};
use super::mesh::pose::{PartShape, Skin, Skins, Target, bend, morph};
use super::model::Part;
use super::units::Units;
use curve::{Curve, Property, between, rotation, vector};
use glam::{DMat4, DQuat, DVec3, Vec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The most points by which the motion of the whole head is found.
const ANCHORS: usize = 48;
/// The time in which a head returns to the start of an animation that does not end there, seconds.
const RETURN_SECS: f64 = 0.5;

/// The nodes, skins and morph targets that move the parts of a head, and its animations.
#[derive(Debug)]
pub struct Rig {
    /// Nodes and their parents, in an order in which parents come first.
    order: Vec<(usize, Option<usize>)>,
    /// The transforms of all nodes in the default scene.
    locals: Vec<Local>,
    skins: BTreeMap<usize, Skin>,
    /// One for each part of the head.
    limbs: Vec<Limb>,
    head_from_scene: DMat4,
    anchors: Vec<Anchor>,
    animations: Vec<Animation>,
}

/// A head in the default scene.
pub(super) struct AtRest<'a> {
    pub parts: &'a [Part],
    pub units: &'a Units,
    pub scalp_part: Option<usize>,
    /// The height at which the head begins, head space.
    pub lowest: f32,
}

/// A point of the head that tells how it moves as a whole.
#[derive(Debug)]
struct Anchor {
    limb: usize,
    vertex: usize,
    /// Mesh space, morph targets added as in the default scene.
    modelled: DVec3,
    /// Head space, in the default scene.
    at_rest: DVec3,
}

/// The state of the nodes at a moment.
struct Moment {
    /// The maps from nodes to head space, of a head that has not moved as a whole.
    head_from_node: Vec<Option<DMat4>>,
    weights: HashMap<usize, Vec<f32>>,
}

/// Marks all nodes above those that are marked.
fn mark_above(marked: &mut [bool], order: &[(usize, Option<usize>)]) {
    for &(node, parent) in order.iter().rev() {
        if let (true, Some(parent)) = (marked[node], parent) {
            marked[parent] = true;
        }
    }
}

impl Rig {
    /// Returns the rig of a head whose file has animations that move it, of limbs that are those of its
    /// parts; `None` if there are none.
    pub(super) fn new(
        buffers: &Buffers,
        shown: &Shown,
        limbs: Vec<Limb>,
        skins: Skins,
        head: &AtRest,
        warnings: &mut Warnings,
    ) -> Result<Option<Self>> {
        let document = &buffers.document;
        let count = document.nodes.len();
        let each = size_of::<Local>() + size_of::<[usize; 8]>() + 2 * size_of::<Option<DMat4>>();
        (buffers.budget).take(count as u64, each as u64, "the animated nodes")?;
        let parents = parents(document);
        let order = in_order(&parents, |node| shown.file_from_node(node).is_some());
        let skins: BTreeMap<usize, Skin> = (skins.into_iter())
            .map(|(number, (skin, _))| (number, skin))
            .collect();
        // Nodes that move a part: its own, the joints of its skin, and all above.
        let mut moving = vec![false; count];
        let nodes = limbs.iter().map(|limb| limb.node);
        let joints = skins.values().flat_map(Skin::joints);
        nodes.chain(joints).for_each(|node| moving[node] = true);
        mark_above(&mut moving, &order);
        let moves = |node: usize| moving.get(node).copied().unwrap_or_default();
        let animations = read::animations(buffers, moves, warnings);
        if animations.is_empty() {
            return Ok(None);
        }
        let mut rig = Self {
            order,
            locals: document.nodes.iter().map(Local::of).collect(),
            skins,
            limbs,
            head_from_scene: head.units.matrix(),
            anchors: Vec::new(),
            animations,
        };
        rig.anchors = rig.anchored(head);
        let carries = rig.carriers(count);
        for animation in &mut rig.animations {
            let mut curves = animation.curves.iter();
            let is_loop =
                |curve: &Curve| curve.is_loop(animation.duration_secs, carries[curve.node]);
            if !curves.all(is_loop) {
                animation.return_secs = RETURN_SECS;
            }
        }
        Ok(Some(rig))
    }

    /// Returns which of the nodes carry the head as a whole: those that its anchors follow, and all
    /// above them.
    fn carriers(&self, nodes: usize) -> Vec<bool> {
        let mut carries = vec![false; nodes];
        for &Anchor { limb, vertex, .. } in &self.anchors {
            let limb = &self.limbs[limb];
            let Some(influences) = &limb.influences else {
                carries[limb.node] = true;
                continue;
            };
            let joints: Vec<usize> = self.skins[&influences.skin].joints().collect();
            (influences.joints_of(vertex)).for_each(|joint| carries[joints[joint]] = true);
        }
        mark_above(&mut carries, &self.order);
        carries
    }

    /// Returns the animations, at least one.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Returns points spread over the part that hair grows on, or else over all parts of the head.
    fn anchored(&self, head: &AtRest) -> Vec<Anchor> {
        let is_of_head = |part: &Part, vertex: usize| match (&part.paint, head.scalp_part) {
            (Some(paint), Some(_)) => paint.density[vertex] > 0.0,
            _ => part.positions[vertex].y >= head.lowest,
        };
        let parts = head.parts.iter().enumerate();
        let parts = parts.filter(|(i, _)| head.scalp_part.is_none_or(|scalp| scalp == *i));
        let all: Vec<(usize, usize)> = parts
            .flat_map(|(i, part)| {
                let vertices = 0..part.positions.len();
                let of_head = vertices.filter(move |&vertex| is_of_head(part, vertex));
                of_head.map(move |vertex| (i, vertex))
            })
            .collect();
        let every = all.len().div_ceil(ANCHORS).max(1);
        let anchors = all.into_iter().step_by(every);
        let anchors = anchors.map(|(limb, vertex)| {
            let Limb {
                vectors,
                targets,
                weights,
                ..
            } = &self.limbs[limb];
            let moved = morphed(targets, weights, vertex);
            Anchor {
                limb,
                vertex,
                modelled: (vectors.positions[vertex] + moved).as_dvec3(),
                at_rest: head.parts[limb].positions[vertex].as_dvec3(),
            }
        });
        anchors.collect()
    }

    /// Returns how the head as a whole has moved at a time of an animation, seconds: its rotation about
    /// the origin of head space, and its translation after that, decimetres.
    pub fn rigid_motion(&self, animation: usize, secs: f64) -> (DQuat, DVec3) {
        self.rigid(&self.moment(animation, secs))
    }

    fn rigid(&self, moment: &Moment) -> (DQuat, DVec3) {
        let mut of_skins = BTreeMap::new();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for anchor in &self.anchors {
            let limb = &self.limbs[anchor.limb];
            let matrix = match &limb.influences {
                None => moment.of_node(limb.node),
                Some(influences) => {
                    let joints = of_skins.entry(influences.skin);
                    let joints = joints.or_insert_with(|| {
                        moment.of_joints(&self.skins, influences.skin, DMat4::IDENTITY)
                    });
                    influences.blend(anchor.vertex, joints)
                }
            };
            from.push(anchor.at_rest);
            to.push(matrix.transform_point3(anchor.modelled));
        }
        fit::rigid(&from, &to)
    }

    /// Returns the shapes of the parts of the head at a time of an animation, seconds, without the
    /// [`rigid_motion`](Self::rigid_motion) of the whole.
    pub fn shapes(&self, animation: usize, secs: f64) -> Vec<PartShape> {
        let moment = self.moment(animation, secs);
        let back = self.back(&moment);
        let joints: BTreeMap<usize, Vec<DMat4>> = (self.skins.keys())
            .map(|&skin| (skin, moment.of_joints(&self.skins, skin, back)))
            .collect();
        let shapes = self.limbs.par_iter().map(|limb| {
            let mut vectors = limb.vectors.clone();
            morph(&limb.targets, moment.weights_of(limb), &mut vectors);
            match &limb.influences {
                None => {
                    let matrix = back * moment.of_node(limb.node);
                    bend(|_| matrix, &mut vectors);
                }
                Some(influences) => {
                    let joints = &joints[&influences.skin];
                    bend(|vertex| influences.blend(vertex, joints), &mut vectors);
                }
            }
            vectors
        });
        shapes.collect()
    }

    /// Returns the map that takes the motion of the whole head back.
    fn back(&self, moment: &Moment) -> DMat4 {
        let (rotation, translation) = self.rigid(moment);
        DMat4::from_rotation_translation(rotation, translation).inverse()
    }

    /// Returns the state of the nodes at a time of an animation.
    fn moment(&self, animation: usize, secs: f64) -> Moment {
        let mut locals = self.locals.clone();
        let mut weights = HashMap::new();
        if let Some(animation) = self.animations.get(animation) {
            let (mut value, mut start) = (Vec::new(), Vec::new());
            let secs = secs.max(0.0) % animation.period_secs();
            let past = (secs - animation.duration_secs) / animation.return_secs.max(f64::EPSILON);
            for curve in &animation.curves {
                curve.sample(secs, &mut value);
                if past > 0.0 {
                    curve.sample(0.0, &mut start);
                    value = between(curve.property, &value, &start, past.min(1.0));
                }
                let local = &mut locals[curve.node];
                match (local, curve.property) {
                    (_, Property::Weights) => {
                        let numbers = value.iter().map(|&number| number as f32);
                        weights.insert(curve.node, numbers.collect());
                    }
                    (Local::Parts(translation, ..), Property::Translation) => {
                        *translation = vector(&value);
                    }
                    (Local::Parts(_, turn, _), Property::Rotation) => *turn = rotation(&value),
                    (Local::Parts(.., scale), Property::Scale) => *scale = vector(&value),
                    (Local::Matrix(_), _) => {}
                }
            }
        }
        let mut head_from_node: Vec<Option<DMat4>> = vec![None; locals.len()];
        for &(node, parent) in &self.order {
            let above = parent.map_or(Some(self.head_from_scene), |parent| head_from_node[parent]);
            head_from_node[node] = above.map(|above| above * locals[node].matrix());
        }
        Moment {
            head_from_node,
            weights,
        }
    }
}

impl Moment {
    /// Returns the weights of the morph targets of a limb.
    fn weights_of<'a>(&'a self, limb: &'a Limb) -> &'a [f32] {
        self.weights.get(&limb.node).unwrap_or(&limb.weights)
    }

    fn of_node(&self, node: usize) -> DMat4 {
        let known = self.head_from_node.get(node).copied();
        known.flatten().unwrap_or_default()
    }

    /// Returns the maps of the joints of a skin from mesh space to head space, and from there by `then`.
    fn of_joints(&self, skins: &BTreeMap<usize, Skin>, skin: usize, then: DMat4) -> Vec<DMat4> {
        let of_node = |node| Some(then * self.of_node(node));
        let matrices = skins
            .get(&skin)
            .and_then(|skin| skin.matrices(of_node).ok());
        matrices.unwrap_or_default()
    }
}

/// Returns by how much morph targets move a vertex.
fn morphed(targets: &[Target], weights: &[f32], vertex: usize) -> Vec3 {
    let moves = targets
        .iter()
        .zip(weights)
        .filter(|(_, weight)| **weight != 0.0);
    let moves = moves.map(|(target, &weight)| target.of(vertex) * weight);
    moves.sum()
}
