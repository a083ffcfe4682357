//! The segments of strands as they are, and their joints: the rest direction of each segment in the
//! frame of the one before, and the twist of strands.
//!
//! As in Bergou, Wardetzky, Robinson, Audoly, Grinspun (2008), frames are carried along the strand
//! without twist (Bishop's). Material frames are turned against them by angles φ, which minimise
//! the energy for the present centre line.

use super::linear::{ZERO_VECTOR, direction, sin_cos, to_double};
use crate::sim::hair::Hair;
use crate::sim::simd::{
    DLanes, DLanes3, LANES, Lanes3, cross3, dot3, get3, minus3, scaled3, set3, splat3, sum3, unit3,
};
use crate::sim::solvers::Step;
use crate::sim::solvers::chain::{Block, DOWN};
use glam::{DVec3, Vec3};

/// Segments shorter than this bend as if they were this long, decimetres.
pub(crate) const LEAST_LENGTH: f64 = 1e-4;
/// Keeps frames and twist finite where a strand is folded onto itself.
pub(crate) const FOLDED: f64 = 1e-6;
/// Joints bent by less than this, as a sine, are straight.
const STRAIGHT: f64 = 1e-5;
/// Rounds that bring twist angles to their minimum. Each leaves at most the share 1 − cos δ of the
/// error, where δ is the twist of a segment from where bending alone wants it.
const ROUNDS: usize = 4;
/// The twisting stiffness is at least this share of the bending stiffness: without any, angles
/// would be free to alternate from segment to segment.
const LEAST_TWISTING: f64 = 1e-3;

/// A segment of eight strands.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// Unit direction.
    pub(crate) along: DLanes3,
    pub(crate) length: DLanes,
    /// Half the rest length of the segments at the joint before it, over which bending and twist
    /// of that joint are spread.
    pub(crate) joint: DLanes,
}

/// Returns the segments of eight strands. The first entry is the clamp: the rest curve leaves the
/// root along its first segment, which the head turns.
#[inline(always)]
pub(crate) fn segments(block: &Block<'_>, step: &Step) -> Vec<Segment> {
    let m = block.state.len();
    let along = minus3(&block.rest[1], &block.rest[0]);
    let clamp = unit3(&step.motion.transform_vectors(&along), &splat3(DOWN));
    let mut segments = Vec::with_capacity(m);
    segments.push(Segment {
        along: to_double(&clamp),
        length: DLanes::ONE,
        joint: DLanes::ONE,
    });
    let mut before = DLanes::ZERO;
    for j in 1..m {
        let (from, to) = (&block.state[j - 1].position, &block.state[j].position);
        let edge = minus3(&to_double(to), &to_double(from));
        let (along, length) = direction(&edge, &segments[j - 1].along);
        let rest = DLanes::from_single(&block.segment[j]).at_least(LEAST_LENGTH);
        segments.push(Segment {
            along,
            length,
            joint: (before + rest) * DLanes::splat(0.5),
        });
        before = rest;
    }
    segments
}

/// The joints of curled strands at rest.
#[derive(Clone, Debug)]
pub(crate) struct Joints {
    /// For each block: an axis across the first segment, head space.
    axes: Vec<Lanes3>,
    /// For each particle: the rest direction of the segment that ends there, in the rest frame of
    /// the segment before: along it, along its axis, along the cross product of the two.
    pub(super) turns: Vec<Lanes3>,
}

impl Joints {
    /// Returns the joints of strands at rest, or `None` if all are straight.
    pub(crate) fn new(hair: &Hair) -> Option<Self> {
        let m = hair.particles();
        let mut joints = Self {
            axes: vec![Lanes3::default(); hair.rest.len() / m],
            turns: vec![Lanes3::default(); hair.rest.len()],
        };
        let mut curled = false;
        for (block, rest) in hair.rest.chunks_exact(m).enumerate() {
            for lane in 0..LANES {
                let edge = |j: usize| (get3(&rest[j], lane) - get3(&rest[j - 1], lane)).as_dvec3();
                let mut t = edge(1).normalize_or(DVec3::NEG_Y);
                let mut u = t.any_orthonormal_vector();
                set3(&mut joints.axes[block], lane, u.as_vec3());
                let turns = &mut joints.turns[block * m..(block + 1) * m];
                set3(&mut turns[1], lane, Vec3::X);
                for (j, of_joint) in turns.iter_mut().enumerate().skip(2) {
                    let next = edge(j).normalize_or(t);
                    let turn = DVec3::new(t.dot(next), u.dot(next), t.cross(u).dot(next));
                    curled |=
                        (turn.y * turn.y + turn.z * turn.z > STRAIGHT * STRAIGHT) || turn.x < 0.0;
                    set3(of_joint, lane, turn.as_vec3());
                    let half = t + next;
                    u -= half * (u.dot(next) / (1.0 + turn.x).max(FOLDED));
                    u = (u - next * u.dot(next)).normalize_or(next.any_orthonormal_vector());
                    t = next;
                }
            }
        }
        curled.then_some(joints)
    }
}

/// The effect of bending and twisting at a joint.
#[derive(Clone, Copy)]
pub(crate) struct Joint {
    /// Direction of the segment after it if the joint were at rest.
    pub(crate) aim: DLanes3,
    /// Moment about the strand that goes with the twist there.
    pub(crate) moment: DLanes,
}

/// Returns the joints of eight strands; joint j lies before segment j, and `segments[0]` is the
/// clamp. `stiffnesses` are B and C.
#[inline(always)]
pub(crate) fn joints(
    rest: &Joints,
    block: &Block<'_>,
    step: &Step,
    segments: &[Segment],
    stiffnesses: [DLanes; 2],
) -> Vec<Joint> {
    let m = segments.len();
    let axis = step.motion.transform_vectors(&rest.axes[block.index]);
    let mut u = carried(&to_double(&axis), &segments[0].along, &segments[0].along);

    // The aim of each joint: its part along the segment before, and its part across at ψ = 0 and a
    // quarter turn on.
    let mut aims = vec![[ZERO_VECTOR; 3]; m];
    let turns = &rest.turns[block.index * m..(block.index + 1) * m];
    for j in 1..m {
        let before = &segments[j - 1].along;
        let turn = to_double(&turns[j]);
        let v = cross3(before, &u);
        let across = sum3(&scaled3(&u, turn[1]), &scaled3(&v, turn[2]));
        aims[j] = [scaled3(before, turn[0]), across, cross3(before, &across)];
        u = carried(&u, before, &segments[j].along);
    }
    let twist = Twist::of(&aims, segments, stiffnesses);
    (0..m)
        .map(|j| {
            let (sin, cos) = sin_cos(twist.between(j));
            let across = sum3(&scaled3(&aims[j][1], cos), &scaled3(&aims[j][2], sin));
            Joint {
                aim: sum3(&aims[j][0], &across),
                moment: twist.moment(j, sin, cos),
            }
        })
        .collect()
}

/// Carries u, which is across t, by the shortest turn from t to the unit vector `to`, and returns
/// it as a unit vector across `to`.
#[inline(always)]
fn carried(u: &DLanes3, t: &DLanes3, to: &DLanes3) -> DLanes3 {
    let fold = (DLanes::ONE + dot3(t, to)).at_least(FOLDED);
    let turned = minus3(u, &scaled3(&sum3(t, to), dot3(u, to) / fold));
    let across = minus3(&turned, &scaled3(to, dot3(&turned, to)));
    direction(&across, u).0
}

/// Angles φ of the material frames against Bishop's, 0 at the clamp. They minimise
///
/// ```text
/// Σ B/l̄ (1 − t_j · aim_j(ψ_j)) + Σ C/(2 l̄) (φ_j − φ_(j−1))²,   ψ_j = (φ_(j−1) + φ_j) / 2
/// ```
///
/// ψ takes a joint's curvature from both its segments, so the discretisation is of second order.
struct Twist {
    /// φ of each segment.
    angles: Vec<DLanes>,
    /// C/l̄ of each joint.
    stiffness: Vec<DLanes>,
    /// Amplitudes of cosine and sine of ψ in B/l̄ t_j · aim_j.
    waves: Vec<[DLanes; 2]>,
}

impl Twist {
    /// A bending term is a cosine of ψ with amplitude R, so a parabola of curvature R that touches
    /// it lies above it everywhere. Each round goes to the minimum of those parabolas, so the
    /// energy never rises.
    #[inline(always)]
    fn of(aims: &[[DLanes3; 3]], segments: &[Segment], [bending, twisting]: [DLanes; 2]) -> Self {
        let m = segments.len();
        let over = |stiffness: DLanes, j: usize| stiffness / segments[j].joint;
        let stiffness = twisting.max(DLanes::splat(LEAST_TWISTING) * bending);
        let mut twist = Self {
            angles: vec![DLanes::ZERO; m],
            stiffness: (0..m).map(|j| over(stiffness, j)).collect(),
            waves: (0..m)
                .map(|j| [1, 2].map(|i| dot3(&aims[j][i], &segments[j].along) * over(bending, j)))
                .collect(),
        };
        let quarter = DLanes::splat(0.25);
        let curvature: Vec<DLanes> = (twist.waves.iter())
            .map(|[a, b]| (*a * *a + *b * *b).sqrt() * quarter)
            .collect();
        let (mut right, mut inverse) = (vec![DLanes::ZERO; m], vec![DLanes::ZERO; m]);
        for _ in 0..ROUNDS {
            // Moments of joint j on the segments before and after.
            let mut before = twist.moments(1);
            for j in 1..m {
                let after = if j + 1 < m {
                    twist.moments(j + 1)
                } else {
                    [DLanes::ZERO; 2]
                };
                right[j] = after[0] - before[1];
                let mut own = twist.stiffness[j] + curvature[j];
                if j + 1 < m {
                    own += twist.stiffness[j + 1] + curvature[j + 1];
                }
                // Elimination (Thomas).
                if j > 1 {
                    let coupling = curvature[j] - twist.stiffness[j];
                    let share = coupling * inverse[j - 1];
                    own = own - share * coupling;
                    right[j] = right[j] - share * right[j - 1];
                }
                // Without any stiffness there is nothing to turn.
                inverse[j] = own.above(1e-30, DLanes::ONE / own, DLanes::ZERO);
                before = after;
            }
            let mut next = DLanes::ZERO;
            for j in (1..m).rev() {
                if j + 1 < m {
                    right[j] = right[j] - (curvature[j + 1] - twist.stiffness[j + 1]) * next;
                }
                next = right[j] * inverse[j];
                twist.angles[j] += next;
            }
        }
        twist
    }

    /// Returns ψ of a joint.
    #[inline(always)]
    fn between(&self, j: usize) -> DLanes {
        let before = self.angles[j.saturating_sub(1)];
        (before + self.angles[j]) * DLanes::splat(0.5)
    }

    /// Returns the moments of joint j on the frames of the segments before and after, about their
    /// directions: minus the energy's derivative for that before, the derivative for that after.
    #[inline(always)]
    fn moments(&self, j: usize) -> [DLanes; 2] {
        let (sin, cos) = sin_cos(self.between(j));
        let moment = self.moment(j, sin, cos);
        let bending = self.waves[j][0] * sin - self.waves[j][1] * cos;
        [moment - bending, moment]
    }

    /// Returns the derivative by φ of the segment after joint j, at sine and cosine of ψ.
    #[inline(always)]
    fn moment(&self, j: usize, sin: DLanes, cos: DLanes) -> DLanes {
        if j == 0 {
            return DLanes::ZERO;
        }
        let twisting = self.stiffness[j] * (self.angles[j] - self.angles[j - 1]);
        let bending = self.waves[j][0] * sin - self.waves[j][1] * cos;
        twisting + bending * DLanes::splat(0.5)
    }
}
