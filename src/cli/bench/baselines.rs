//! The baselines that kernels are measured against: naive implementations, and moving as many bytes
//! through memory.
//!
//! The naive implementations are arrays of structures, one strand after the other. Each function
//! returns nanoseconds per element on the present threads.

use super::harness::{best_ns, slanted_strands};
use glam::{Mat3, Vec3};
use mohawk::Groom;
use mohawk::sim::{FtlSettings, HairSettings, STEP_SECS, Scene, SpringSettings};
use rayon::prelude::*;

/// Numbers of an element that are read and written: offset and velocity.
const STATE: usize = 6;
/// Numbers that are written (and read before that, as caches work): the offset before the step.
const PREVIOUS: usize = 3;
/// Elements that a thread takes at a time.
const CHUNK: usize = 1024;
/// The length of a step, in seconds.
const DT: f32 = STEP_SECS as f32;

/// Returns the bytes that a step moves for each element that is clear of the skin and has `rest`
/// numbers that are only read.
pub const fn step_bytes(rest: usize) -> usize {
    4 * (2 * STATE + rest + 2 * PREVIOUS)
}

/// Moves the bytes of [`step_bytes`] with no other work.
pub fn memory_of_step(elements: usize, rest: usize) -> f64 {
    let numbers = |each: usize| vec![1.0_f32; elements * each];
    let (mut state, mut previous, rest_numbers) =
        (numbers(STATE), numbers(PREVIOUS), numbers(rest));
    best_ns(elements, || {
        let state = state.par_chunks_mut(CHUNK * STATE);
        let previous = previous.par_chunks_mut(CHUNK * PREVIOUS);
        let rest = rest_numbers.par_chunks(CHUNK * rest);
        let all = (state, previous, rest).into_par_iter();
        all.for_each(|(state, previous, rest)| {
            previous.copy_from_slice(&state[..previous.len()]);
            // One addition each, so that nothing can be left out.
            for part in state.chunks_mut(rest.len()) {
                for (number, add) in part.iter_mut().zip(rest) {
                    *number += add;
                }
            }
        });
    })
}

/// Writes four numbers for each element, and reads nothing.
pub fn memory_of_points(elements: usize) -> f64 {
    let mut out = vec![[0.0_f32; 4]; elements];
    let mut turn = 0.0;
    best_ns(elements, || {
        turn += 1.0;
        let chunks = out.par_chunks_mut(CHUNK);
        chunks.for_each(|chunk| chunk.fill([turn; 4]));
    })
}

/// One strand as the reference program stores it: 48 bytes.
struct Strand {
    /// The simulated tip, world space.
    pos: Vec3,
    velocity: Vec3,
    /// Root and rest direction, head space.
    spawn_pt: Vec3,
    spawn_dir: Vec3,
}

/// Takes steps of the spring as the reference program does, under a swinging head: explicit Euler
/// steps, a product with the head's 4×4 matrix for every point, and its dot-product collision.
pub fn spring(count: usize) -> f64 {
    const LENGTH: f32 = 0.75;
    let settings = SpringSettings::default();
    let (stiffness, damping) = (settings.stiffness, settings.damping);
    let mut strands: Vec<Strand> = (slanted_strands(count).roots.into_iter())
        .map(|root| Strand {
            pos: root + Vec3::Y * LENGTH,
            velocity: Vec3::ZERO,
            spawn_pt: root,
            spawn_dir: Vec3::Y,
        })
        .collect();
    let mut step = 0;
    best_ns(count, || {
        step += 1;
        let world_from_head = Scene::Swing.pose(f64::from(step) * STEP_SECS).to_mat4();
        let update = |strands: &mut [Strand]| {
            for hair in strands {
                let hair_end = hair.spawn_pt + hair.spawn_dir * LENGTH;
                let anchor = world_from_head.transform_point3(hair_end);
                let accel = (anchor - hair.pos) * stiffness;
                hair.velocity += (-hair.velocity * damping + accel) * DT;
                let mut new_pos = hair.pos + hair.velocity * DT;

                let normal = (Mat3::from_mat4(world_from_head) * hair.spawn_dir).normalize();
                let root = world_from_head.transform_point3(hair.spawn_pt);
                let d = (new_pos - root).dot(normal);
                if d < 0.0 {
                    new_pos += -d * normal;
                }
                hair.pos = new_pos;
            }
        };
        if rayon::current_num_threads() == 1 {
            update(&mut strands);
        } else {
            strands.par_chunks_mut(CHUNK).for_each(update);
        }
    })
}

/// A particle of a strand: 28 bytes.
struct Particle {
    /// World space.
    pos: Vec3,
    velocity: Vec3,
    /// Length of the segment that ends here.
    length: f32,
}

/// Returns the particles of upright strands on these roots, from the one with number `first` to the
/// one before `end`.
fn upright(roots: &[Vec3], first: usize, end: usize, segment: f32) -> Vec<Particle> {
    let strand = |root: &Vec3| {
        let root = *root;
        (first..end).map(move |j| Particle {
            pos: root + Vec3::Y * segment * j as f32,
            velocity: Vec3::ZERO,
            length: if j > 0 { segment } else { 0.0 },
        })
    };
    roots.iter().flat_map(strand).collect()
}

/// Takes steps of dynamic Follow-The-Leader as it was published (Müller, Kim, Chentanez 2012,
/// section 3.3), under a swinging head.
pub fn ftl(strands: usize, each: usize) -> f64 {
    const STRANDS_AT_A_TIME: usize = 256;
    let settings = FtlSettings::default();
    let decay = 1.0 - settings.damping * DT;
    let gravity = Vec3::new(0.0, -98.1, 0.0);
    let update = |strand: &mut [Particle], root: Vec3| {
        strand[0].velocity = (root - strand[0].pos) / DT;
        strand[0].pos = root;
        for i in 1..strand.len() {
            let leader = strand[i - 1].pos;
            let follower = &mut strand[i];
            let free = follower.pos + (follower.velocity * decay + gravity * DT) * DT;
            let moved = leader + (free - leader).normalize() * follower.length;
            follower.velocity = (moved - follower.pos) / DT;
            follower.pos = moved;
            if i > 1 {
                strand[i - 1].velocity -= (moved - free) * (settings.correction / DT);
            }
        }
    };
    let groom = slanted_strands(strands);
    let mut particles = upright(&groom.roots, 0, each, 0.75 / (each - 1) as f32);
    let mut step = 0;
    best_ns(strands * each, || {
        step += 1;
        let head = Scene::Swing.pose(f64::from(step) * STEP_SECS).to_mat4();
        let roots = groom.roots.par_chunks(STRANDS_AT_A_TIME);
        let all = roots.zip(particles.par_chunks_mut(STRANDS_AT_A_TIME * each));
        all.for_each(|(roots, particles)| {
            for (&root, strand) in roots.iter().zip(particles.chunks_exact_mut(each)) {
                update(strand, head.transform_point3(root));
            }
        });
    })
}

/// A hair that follows another.
struct Follower {
    guide: usize,
    /// Head space.
    root: Vec3,
    direction: Vec3,
    length: f32,
    /// The rotation from the guide's normal to its own.
    turn: glam::Quat,
    /// Length over that of the guide.
    scale: f32,
}

/// Computes the points of followers, `each` per strand, from the points of `guides` other strands
/// and their points at rest.
pub fn followers(strands: usize, each: usize, guides: usize) -> f64 {
    const STRANDS_AT_A_TIME: usize = 512;
    let groom = slanted_strands(strands);
    let followers: Vec<Follower> = (0..strands)
        .map(|i| Follower {
            guide: i * guides / strands,
            root: groom.roots[i],
            direction: groom.directions[i],
            length: groom.lengths[i],
            turn: glam::Quat::IDENTITY,
            scale: 1.0,
        })
        .collect();
    let at_rest: Vec<Vec3> = (0..guides * each)
        .map(|i| Vec3::Y * (i % each) as f32)
        .collect();
    let moved: Vec<Vec3> = at_rest.iter().map(|p| *p * 0.9).collect();
    let mut out = vec![Vec3::ZERO; strands * each];
    let head = Scene::Swing.pose(0.3).to_mat4();
    let follow = |follower: &Follower, out: &mut [Vec3]| {
        for (j, out) in out.iter_mut().enumerate() {
            let at = follower.guide * each + j;
            let way = follower.turn * (moved[at] - at_rest[at]) * follower.scale;
            let along = follower.length * j as f32 / (each - 1) as f32;
            *out = head.transform_point3(follower.root + follower.direction * along + way);
        }
    };
    best_ns(strands * each, || {
        let followers = followers.par_chunks(STRANDS_AT_A_TIME);
        let all = followers.zip(out.par_chunks_mut(STRANDS_AT_A_TIME * each));
        all.for_each(|(followers, out)| {
            let each = followers.iter().zip(out.chunks_exact_mut(each));
            each.for_each(|(follower, out)| follow(follower, out));
        });
    })
}

/// A node of the grid on which hair feels hair.
#[derive(Clone, Default)]
struct Node {
    density: f32,
    momentum: Vec3,
}

/// Applies friction and repulsion on a grid with `side` nodes along each side (Petrovic, Henne,
/// Anderson 2005) to upright strands of `each` particles and their roots.
pub fn grid(groom: &Groom, each: usize, side: usize, settings: &HairSettings) -> f64 {
    let cell = settings.cell;
    let corners = |point: Vec3| {
        let place = (point - Vec3::splat(-cell)) / cell;
        let base = place.floor().max(Vec3::ZERO);
        let base = base.min(Vec3::splat((side - 2) as f32));
        let t = place - base;
        (0..8).map(move |corner| {
            let bit = |axis: usize| corner >> axis & 1;
            let at = |axis: usize| base[axis] as usize + bit(axis);
            let factor = |axis: usize| match bit(axis) {
                1 => t[axis],
                _ => 1.0 - t[axis],
            };
            let slope = |axis: usize| if bit(axis) == 1 { 1.0 } else { -1.0 } / cell;
            let (x, y, z) = (factor(0), factor(1), factor(2));
            let gradient = Vec3::new(slope(0) * y * z, slope(1) * x * z, slope(2) * x * y);
            ((at(2) * side + at(1)) * side + at(0), x * y * z, gradient)
        })
    };
    let mut nodes = vec![Node::default(); side * side * side];
    let mut particles = upright(&groom.roots, 1, each + 1, groom.lengths[0] / each as f32);
    best_ns(particles.len(), || {
        nodes.fill(Node::default());
        for particle in &particles {
            for (node, weight, _) in corners(particle.pos) {
                nodes[node].density += weight;
                nodes[node].momentum += particle.velocity * weight;
            }
        }
        for particle in &mut particles {
            let (mut density, mut momentum, mut gradient) = (0.0, Vec3::ZERO, Vec3::ZERO);
            for (node, weight, slope) in corners(particle.pos) {
                density += nodes[node].density * weight;
                momentum += nodes[node].momentum * weight;
                gradient += slope * nodes[node].density;
            }
            let around = momentum / density;
            particle.velocity += (around - particle.velocity) * settings.friction * DT;
            let push = settings.repulsion * DT / (gradient.length() + 1.0 / cell);
            particle.velocity -= gradient * push;
        }
    })
}
