//! The parts of an FBX that move: nodes, skins, shapes and their animations.

use crate::head::convert::builder::{Bends, Builder, Track};
use crate::head::error::Result;
use fbx_rs::{BakeOptions, BakedKey, BlendChannel, Mesh, Scene};
use serde_json::json;
use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};

/// Joints that bend a vertex.
const INFLUENCES: usize = 4;
/// Takes that are read.
const MOST_TAKES: usize = 64;
/// Keys of a take, before those that a straight line replaces are left out; and weights of shapes in
/// all takes.
const MOST_KEYS: usize = 1 << 21;

/// Adds every node, with its place in the one it hangs on. Their indices are those of the scene.
pub fn add_nodes(scene: &Scene, builder: &mut Builder) -> Result<()> {
    for node in scene.nodes() {
        let place = node.local_transform();
        let (at, turn, scale) = (place.translation, place.rotation, place.scale);
        let lanes = at.iter().chain(&turn).chain(&scale);
        let mut added = json!({"name": node.name(), "children": node.children()});
        if node.children().is_empty() {
            added = json!({"name": node.name()});
        }
        if lanes.into_iter().all(|lane| lane.is_finite()) {
            added["translation"] = json!(at);
            added["rotation"] = json!(turn);
            added["scale"] = json!(scale);
        }
        let index = builder.plain_node(added)?;
        if node.bone().is_some() {
            builder.mark_joint(index);
        }
    }
    Ok(())
}

/// A skin of a mesh.
pub struct Skin {
    /// The index in the new file.
    pub index: usize,
    /// The joint of the skin for each cluster of the deformer.
    joints: Vec<Option<u16>>,
    /// The joint of vertices that none bends.
    still: u16,
    deformer: usize,
}

/// Adds the skin of a mesh that a node shows, if it has one.
pub fn add_skin(
    scene: &Scene,
    node: usize,
    mesh: &Mesh,
    builder: &mut Builder,
) -> Result<Option<Skin>> {
    let deformer = mesh.skin_deformers().first().copied();
    let Some(number) = deformer else {
        return Ok(None);
    };
    let Some(skin) = scene.skin_deformers().get(number) else {
        return Ok(None);
    };
    let (mut joints, mut bones, mut maps) = (Vec::new(), Vec::new(), Vec::new());
    for &cluster in &skin.clusters {
        let cluster = scene.skin_clusters().get(cluster);
        let bone = cluster.and_then(|cluster| Some((cluster.bone_node?, columns(cluster))));
        let joint = bone.filter(|(_, map)| map.iter().all(|lane| lane.is_finite()));
        let fits = bones.len() < usize::from(u16::MAX);
        joints.push(joint.filter(|_| fits).map(|(bone, map)| {
            bones.push(bone);
            maps.push(map);
            bones.len() as u16 - 1
        }));
    }
    if bones.is_empty() {
        return Ok(None);
    }
    // Vertices that no bone bends stay with the node.
    bones.push(node);
    maps.push(glam::Mat4::IDENTITY.to_cols_array());
    Ok(Some(Skin {
        index: builder.skin(&bones, &maps)?,
        joints,
        still: bones.len() as u16 - 1,
        deformer: number,
    }))
}

fn columns(cluster: &fbx_rs::SkinCluster) -> [f32; 16] {
    super::columns(&cluster.geometry_to_bone).map(|lane| lane as f32)
}

/// Returns the channels of a mesh that have a shape to blend in.
pub fn channels<'a>(scene: &'a Scene, mesh: &'a Mesh) -> impl Iterator<Item = &'a BlendChannel> {
    let deformers = mesh.blend_deformers().iter();
    let deformers = deformers.filter_map(|&deformer| scene.blend_deformers().get(deformer));
    let channels = deformers.flat_map(|deformer| &deformer.channels);
    let channels = channels.filter_map(|&channel| scene.blend_channels().get(channel));
    channels.filter(|channel| channel.target_shape.is_some() && channel.weight.is_finite())
}

/// Returns how vertices bend that are made of these control points of a mesh.
pub fn bends(scene: &Scene, mesh: &Mesh, skin: Option<&Skin>, points: &[u32]) -> Bends {
    let mut bends = Bends::default();
    if let Some(skin) = skin {
        let influences = points.iter().map(|&point| influences(scene, skin, point));
        (bends.joints, bends.weights) = influences.unzip();
    }
    for channel in channels(scene, mesh) {
        let shape = channel
            .target_shape
            .and_then(|shape| scene.blend_shapes().get(shape));
        let mut moves = vec![[0.0; 3]; mesh.num_vertices()];
        for (nth, &point) in shape
            .iter()
            .flat_map(|shape| shape.offset_vertices.iter().enumerate())
        {
            let shape_of = shape.map(|shape| {
                (
                    shape.position_offsets.get(nth),
                    shape.offset_weights.get(nth),
                )
            });
            if let (Some((Some(offset), weight)), Some(own)) =
                (shape_of, moves.get_mut(point as usize))
            {
                let weight = weight.copied().unwrap_or(1.0);
                *own = offset.map(|lane| (lane * weight) as f32);
            }
        }
        let of_vertex = |&point: &u32| moves.get(point as usize).copied().unwrap_or_default();
        bends.targets.push(points.iter().map(of_vertex).collect());
    }
    bends
}

/// Returns the joints of a control point and their weights, the greatest first.
fn influences(scene: &Scene, skin: &Skin, point: u32) -> ([u16; INFLUENCES], [f32; INFLUENCES]) {
    let deformer = &scene.skin_deformers()[skin.deformer];
    let vertex = deformer.vertices.get(point as usize);
    let of_vertex = vertex.and_then(|vertex| {
        let end = vertex.weight_begin.checked_add(vertex.num_weights)?;
        deformer.weights.get(vertex.weight_begin..end)
    });
    let known = of_vertex.unwrap_or_default().iter().filter_map(|weight| {
        let joint = skin.joints.get(weight.cluster_index).copied()??;
        (weight.weight > 0.0 && weight.weight.is_finite()).then_some((joint, weight.weight))
    });
    let (mut joints, mut weights) = ([skin.still; INFLUENCES], [0.0; INFLUENCES]);
    let mut sum = 0.0;
    for (nth, (joint, weight)) in known.take(INFLUENCES).enumerate() {
        (joints[nth], weights[nth]) = (joint, weight);
        sum += weight;
    }
    if sum == 0.0 {
        (weights[0], sum) = (1.0, 1.0);
    }
    (joints, weights.map(|weight| (weight / sum) as f32))
}

/// Adds the takes. Those that cannot be read are left out with a warning.
pub fn add_animations(scene: &Scene, builder: &mut Builder) -> Result<()> {
    let mut left = MOST_KEYS;
    for (number, take) in scene.animation_stacks().iter().enumerate().take(MOST_TAKES) {
        let room = usize::try_from(builder.budget.left()).unwrap_or(usize::MAX);
        let mut options = BakeOptions::default();
        options.trim_start_time = true;
        options.max_keys = MOST_KEYS;
        options.max_allocation = options.max_allocation.min(room / 4);
        let bake = || scene.bake_animation(Some(number), &options);
        let baked = match panic::catch_unwind(AssertUnwindSafe(bake)) {
            Ok(Ok(baked)) => baked,
            Ok(Err(error)) => {
                builder.leave_out_animation(&take.name, error);
                continue;
            }
            Err(_) => {
                builder.leave_out_animation(&take.name, "makes its reader fail");
                continue;
            }
        };
        let start = baked.key_time_min.min(0.0);
        let mut tracks = Vec::new();
        for moved in &baked.nodes {
            let node = moved.node;
            let keys = [
                track(node, "translation", &moved.translation_keys, start),
                track(node, "rotation", &moved.rotation_keys, start),
                track(node, "scale", &moved.scale_keys, start),
            ];
            tracks.extend(keys.into_iter().flatten());
        }
        let percents = baked.properties.iter();
        let percents = percents.filter(|property| property.name == b"DeformPercent");
        let percents = percents.map(|property| (property.source_id, &property.keys[..]));
        let percents: HashMap<i64, &[BakedKey<3>]> = percents.collect();
        let nodes = scene.nodes().iter().enumerate();
        let mut nodes = nodes.filter_map(|(number, node)| Some((number, node.mesh()?)));
        while let Some((node, mesh)) = nodes.next().filter(|_| !percents.is_empty() && left > 0) {
            let mesh = scene.meshes().get(mesh);
            tracks.extend(
                mesh.and_then(|mesh| weights(scene, node, mesh, &percents, start, &mut left)),
            );
        }
        if !tracks.is_empty() {
            builder.animation(&take.name, &tracks)?;
        }
    }
    Ok(())
}

/// Returns the track of keys; `None` without any.
fn track<const N: usize>(
    node: usize,
    path: &'static str,
    keys: &[BakedKey<N>],
    start: f64,
) -> Option<Track> {
    let (mut times, mut values): (Vec<f32>, Vec<f32>) = Default::default();
    for key in keys {
        let time = (key.time - start) as f32;
        let is_later = times.last().is_none_or(|&last| time > last);
        if is_later && time.is_finite() && key.value.iter().all(|lane| lane.is_finite()) {
            times.push(time);
            values.extend(key.value.map(|lane| lane as f32));
        }
    }
    (!times.is_empty()).then_some(Track {
        node,
        path,
        times,
        values,
    })
}

/// Returns the track of the weights of the shapes of a node's mesh, if one of them changes. `left` is
/// the number of weights that all tracks may still have.
fn weights(
    scene: &Scene,
    node: usize,
    mesh: &Mesh,
    percents: &HashMap<i64, &[BakedKey<3>]>,
    start: f64,
    left: &mut usize,
) -> Option<Track> {
    let keys_of = |channel: &BlendChannel| {
        let keys = channel.source_id.and_then(|id| percents.get(&id).copied());
        (channel.weight as f32, keys.unwrap_or_default())
    };
    let channels: Vec<(f32, &[BakedKey<3>])> = channels(scene, mesh).map(keys_of).collect();
    let all = channels.iter().flat_map(|(_, keys)| keys.iter());
    let mut times: Vec<f32> = all.map(|key| (key.time - start) as f32).collect();
    times.retain(|time| time.is_finite());
    times.sort_by(f32::total_cmp);
    times.dedup();
    let count = (times.len() + 1).saturating_mul(channels.len());
    *left = left.saturating_sub(count);
    if times.is_empty() || *left == 0 {
        return None;
    }
    let weight = |time: f32, (rest, keys): &(f32, &[BakedKey<3>])| {
        let at = |key: &BakedKey<3>| ((key.time - start) as f32, (key.value[0] * 0.01) as f32);
        let next = keys.partition_point(|key| at(key).0 <= time);
        let weight = match (
            next.checked_sub(1).map(|i| at(&keys[i])),
            keys.get(next).map(at),
        ) {
            (None, None) => *rest,
            (Some((_, only)), None) | (None, Some((_, only))) => only,
            (Some((from, a)), Some((to, b))) => a + (b - a) * (time - from) / (to - from),
        };
        if weight.is_finite() { weight } else { *rest }
    };
    let values = times.iter();
    let values = values.flat_map(|&time| channels.iter().map(move |channel| weight(time, channel)));
    Some(Track {
        node,
        path: "weights",
        values: values.collect(),
        times,
    })
}
