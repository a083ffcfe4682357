//! Rest shapes that gravity bends into the groomed ones.
//!
//! As in Hsu, Wang, Pan, Gao, Yuksel, Wu: Sag-Free Initialization for Strand-Based Hybrid Hair
//! Simulation (SIGGRAPH 2023), joints rest where bending them to the groomed shape gives the moments
//! that balance gravity there. In a strand these follow from the tip on, one joint after the other.

use super::joints::{Bend, Joint, Joints, carried, firm_twisting};
use super::linear::{ZERO_VECTOR, direction, to_double};
use super::{DOWN, LEAST_LENGTH};
use crate::sim::hair::Hair;
use crate::sim::simd::{
    DLanes, DLanes3, Lanes, add_scaled3, cross3, dot3, minus3, scaled3, splat3, sum3,
};
use glam::Vec3;

/// The largest sum of the bends that joints need to carry a strand, about radians. A strand that
/// would need more is too limp, carries only as much of its weight as this, and sags: otherwise it
/// would snap from one shape to another, as nothing of its kind does.
const MOST_BEND: f64 = 2.0;

/// What strands carry at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// Gravity, head space, dm/s².
    pub(super) gravity: Vec3,
    /// Stiffness against bending and twist over the mass per length, dm⁴/s².
    pub(super) bending: f32,
    pub(super) twisting: f32,
}

impl Load {
    /// Returns `true` if there is a load, and something that can carry it.
    pub(super) fn can_be_carried(&self) -> bool {
        self.gravity != Vec3::ZERO && self.bending > 0.0
    }
}

impl Joints {
    /// Lets the joints rest so that strands under a load have the groomed shape.
    pub(super) fn carry(&mut self, hair: &Hair, load: &Load) {
        let m = hair.particles();
        let gravity = to_double(&splat3(load.gravity));
        for block in 0..hair.rest.len() / m {
            let own = hair.stiffness.get(block).copied().unwrap_or(Lanes::ONE);
            let [bending, twisting] = [load.bending, load.twisting]
                .map(|all| DLanes::from_single(&own) * DLanes::splat(f64::from(all)));
            let twisting = firm_twisting(twisting, bending);
            let at = |j: usize| block * m + j;
            let axis = to_double(&self.axes[block]);
            let lengths: Vec<DLanes> = (hair.segment[at(0)..at(m)].iter())
                .map(|length| DLanes::from_single(length).at_least(LEAST_LENGTH))
                .collect();
            let mut before = to_double(&splat3(DOWN));
            let mut along = vec![before; m];
            for (along, pair) in along[1..]
                .iter_mut()
                .zip(hair.rest[at(0)..at(m)].windows(2))
            {
                let [from, to] = [0, 1].map(|end| to_double(&pair[end]));
                before = direction(&minus3(&to, &from), &before);
                *along = before;
            }
            along[0] = along[1];
            let mut u = carried(&axis, &along[0], &along[0]);
            let joints = (1..m).map(|j| {
                let (t0, t) = (&along[j - 1], &along[j]);
                let joint = Joint::new(u, cross3(t0, &u), [t0, t], j == 1);
                u = carried(&u, t0, t);
                joint.scaled(to_double(&self.turns[at(j)])[2])
            });
            let joints: Vec<Joint> = joints.collect();

            // The weight that hangs on a segment, the moment from the joint after it, and what turns
            // its frame.
            let (mut weight, mut from_after) = (ZERO_VECTOR, ZERO_VECTOR);
            let (mut after, mut twist) = (DLanes::ZERO, DLanes::ZERO);
            let half = DLanes::splat(0.5);
            // The changes of both components of the bend at rest, and of the twist.
            let mut needed = vec![ZERO_VECTOR; m];
            let mut bend_in_all = DLanes::ZERO;
            for j in (1..m).rev() {
                let (joint, t) = (&joints[j - 1], &along[j]);
                weight = add_scaled3(&weight, &gravity, (lengths[j] + after) * half);
                after = lengths[j];
                let twisted = scaled3(&joint.binormal(), twist * half);
                let moment = scaled3(&weight, lengths[j]);
                let moment = minus3(&minus3(&moment, &from_after), &twisted);
                let bend = joint.derivatives(&along[j - 1], t);
                let force = balanced(&bend, &moment, t);
                from_after = sum3(&weighted(&bend.before, &force), &twisted);
                let before = if j > 1 { lengths[j - 1] } else { DLanes::ZERO };
                let spread = (before + lengths[j]) * half;
                let beta = bending / spread;
                let softness = DLanes::ONE / (beta * joint.scale).at_least(1e-30);
                let [r, s] = joint.bend;
                let [p, q] = force.map(|force| force * softness);
                bend_in_all += (p * p + q * q).sqrt();
                // How the energy of bending grows as both frames of the joint turn.
                let turning = (s * force[0] - r * force[1]) * joint.scale;
                let untwisted = (turning * half - twist) * spread / twisting.at_least(1e-30);
                needed[j] = [p, q, untwisted];
                twist = twist - turning;
            }
            let most = DLanes::splat(MOST_BEND);
            let share = most / bend_in_all.max(most);
            for (j, needed) in needed.iter().enumerate().skip(1) {
                let turn = &mut self.turns[at(j)];
                for i in 0..2 {
                    let rest = joints[j - 1].bend[i] - needed[i] * share;
                    turn[i] = Lanes::from_fn(|lane| rest.0[lane] as f32);
                }
                let twist = needed[2] * share;
                self.twists[at(j)] = Lanes::from_fn(|lane| twist.0[lane] as f32);
            }
        }
    }
}

/// Returns the forces on both components of a joint's bend that give a moment across t.
fn balanced(bend: &Bend, moment: &DLanes3, t: &DLanes3) -> [DLanes; 2] {
    let across = add_scaled3(moment, t, -dot3(moment, t));
    let [a, b] = &bend.after;
    let (aa, ab, bb) = (dot3(a, a), dot3(a, b), dot3(b, b));
    let [on_a, on_b] = [dot3(a, &across), dot3(b, &across)];
    let determinant = (aa * bb - ab * ab).at_least(1e-30);
    [
        (on_a * bb - on_b * ab) / determinant,
        (on_b * aa - on_a * ab) / determinant,
    ]
}

/// Returns the sum of two vectors times their weights.
fn weighted(v: &[DLanes3; 2], by: &[DLanes; 2]) -> DLanes3 {
    sum3(&scaled3(&v[0], by[0]), &scaled3(&v[1], by[1]))
}
