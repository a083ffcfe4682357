//! The joints of strands: how far they are bent, and for strands that are curled at rest from which
//! shape, and the twist of strands.
//!
//! As in Bergou, Wardetzky, Robinson, Audoly, Grinspun (2008), frames are carried along the strand
//! without twist (Bishop's). Material frames are turned against them by angles φ, which minimise
//! the energy for the present centre line.

use super::linear::{direction, sin_cos, to_double};
use super::strand::{Curled, FOLDED, Particle, Shape, Stiffness, Strands};
use crate::sim::hair::Hair;
use crate::sim::simd::{
    DLanes, DLanes3, Kernel, LANES, Lanes3, Transpose, cross3, dispatch, dot3, get3, minus3,
    scaled3, set3, sum3,
};
use glam::{DVec3, Vec3};

/// Joints bent by less than this, as a sine, are straight.
const STRAIGHT: f64 = 1e-5;
/// Rounds that bring twist angles to their minimum. Each leaves at most the share 1 − cos δ of the
/// error, where δ is the twist of a segment from where bending alone wants it.
const ROUNDS: usize = 4;
/// The twisting stiffness is at least this share of the bending stiffness: without any, angles
/// would be free to alternate from segment to segment.
const LEAST_TWISTING: f64 = 1e-3;

/// The joints of curled strands at rest.
#[derive(Clone, Debug)]
pub(crate) struct Joints {
    /// An axis across the first segment of each block, head space.
    pub(super) axes: Vec<Lanes3>,
    /// The r of the joint before each particle at rest, and [`Joint::scale`].
    pub(super) turns: Vec<Lanes3>,
}

impl Joints {
    /// Returns the joints of strands at rest, or `None` if all are straight.
    pub(super) fn new(hair: &Hair) -> Option<Self> {
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
                set3(&mut turns[1], lane, Vec3::Z);
                for (j, of_joint) in turns.iter_mut().enumerate().skip(2) {
                    let next = edge(j).normalize_or(t);
                    let turn = DVec3::new(t.dot(next), u.dot(next), t.cross(u).dot(next));
                    curled |=
                        (turn.y * turn.y + turn.z * turn.z > STRAIGHT * STRAIGHT) || turn.x < 0.0;
                    let fold = (1.0 + turn.x).max(FOLDED);
                    let cos = (0.5 * fold).sqrt();
                    let bent = turn * (2.0 * cos.sqrt() / fold);
                    // Out of the curve's plane r changes by cos^-3/2 of the segment's turn, in it by
                    // half of 1 + cos² as much.
                    let scale = cos * cos.sqrt();
                    let bent = DVec3::new(bent.y, bent.z, scale);
                    set3(of_joint, lane, bent.as_vec3());
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

/// A joint and what bends and twists it.
///
/// With u and v across the segment before, the next segment t is bent by the point
///
/// ```text
/// p = 2 (t · u, t · v) / (1 + t0 · t)
/// ```
///
/// of length 2 tan φ/2: the curvature of Bergou and others (2008), turned by a quarter. The clamp
/// has its energy, B / (2 l̄) |p|². Between segments its moment would be 1.5
/// times that of the angle at 60 degrees. There r = p √(cos φ/2) is in its place: 1.1 times, and not
/// bounded either.
#[derive(Clone, Copy)]
pub(crate) struct Joint {
    u: DLanes3,
    v: DLanes3,
    point: [DLanes; 2],
    /// √(cos φ/2), or 1 at the clamp, and the exponent of 1 + t0 · t in it.
    shrink: DLanes,
    power: DLanes,
    /// r of the energy of bending, B / (2 l̄) |r|²; for curls its way from where it rests, times the
    /// scale.
    pub(crate) bend: [DLanes; 2],
    /// Makes joints as stiff near their rest shape as if they were straight.
    scale: DLanes,
    /// Moment about the strand that goes with the twist there, times h².
    pub(crate) moment: DLanes,
}

/// Derivatives of [`Joint::bend`] by the directions of the segments, across these.
pub(crate) struct Bend {
    pub(crate) before: [DLanes3; 2],
    pub(crate) after: [DLanes3; 2],
}

impl Joint {
    /// Returns a joint that is straight at rest, between unit directions.
    #[inline(always)]
    pub(crate) fn straight(t0: &DLanes3, t: &DLanes3, clamp: bool) -> Self {
        // Any axes across t0 do (Duff and others: Building an Orthonormal Basis, Revisited, 2017).
        let one = DLanes::ONE;
        let [x, y, z] = *t0;
        let sign = z.above(0.0, one, -one);
        let a = -one / (sign + z);
        let b = x * y * a;
        let u = [one + sign * x * x * a, sign * b, -sign * x];
        let v = [b, sign + y * y * a, -y];
        Self::new(u, v, [t0, t], clamp)
    }

    /// Returns a joint that rests straight, with these axes across t0.
    #[inline(always)]
    fn new(u: DLanes3, v: DLanes3, [t0, t]: [&DLanes3; 2], clamp: bool) -> Self {
        let fold = fold(t0, t);
        let twice = DLanes::splat(2.0) / fold;
        let point = [dot3(t, &u) * twice, dot3(t, &v) * twice];
        let (shrink, power) = if clamp {
            (DLanes::ONE, DLanes::ZERO)
        } else {
            let cos = (fold * DLanes::splat(0.5)).sqrt();
            (cos.sqrt(), DLanes::splat(0.25))
        };
        Self {
            u,
            v,
            point,
            shrink,
            power,
            bend: [point[0] * shrink, point[1] * shrink],
            scale: DLanes::ONE,
            moment: DLanes::ZERO,
        }
    }

    #[inline(always)]
    pub(crate) fn derivatives(&self, t0: &DLanes3, t: &DLanes3) -> Bend {
        let [p, q] = self.point;
        let (one, half, quarter) = (DLanes::ONE, DLanes::splat(0.5), DLanes::splat(0.25));
        let fold = fold(t0, t);
        let scale = self.scale * self.shrink;
        let left = one - self.power;
        // For p itself 2 u − p (t0 + t), and (|p|²/4 − 1) u − p/2 (p u + q v).
        let both = sum3(&scaled3(&sum3(t0, t), left), &scaled3(t, fold * self.power));
        let bent = sum3(&scaled3(&self.u, p), &scaled3(&self.v, q));
        let bent = scaled3(&bent, left * half);
        let after = scale / fold;
        let before = (p * p + q * q) * quarter - one;
        let of_after = |axis: &DLanes3, point: DLanes| {
            scaled3(&minus3(&sum3(axis, axis), &scaled3(&both, point)), after)
        };
        let of_before = |axis: &DLanes3, point: DLanes| {
            scaled3(
                &minus3(&scaled3(axis, before), &scaled3(&bent, point)),
                scale,
            )
        };
        Bend {
            before: [of_before(&self.u, p), of_before(&self.v, q)],
            after: [of_after(&self.u, p), of_after(&self.v, q)],
        }
    }

    /// Returns the curvature binormal, 2 t0 × t / (1 + t0 · t).
    #[inline(always)]
    pub(crate) fn binormal(&self) -> DLanes3 {
        let [p, q] = self.point;
        minus3(&scaled3(&self.v, p), &scaled3(&self.u, q))
    }
}

/// 1 + t0 · t
#[inline(always)]
fn fold(t0: &DLanes3, t: &DLanes3) -> DLanes {
    (DLanes::ONE + dot3(t0, t)).at_least(FOLDED)
}

/// Returns the joints of curled strands in a shape, and their elastic energy times h². Joint j lies
/// before segment j.
#[inline(always)]
pub(crate) fn joints(strands: &Strands<'_>, shape: &Shape) -> (Vec<Joint>, DLanes) {
    dispatch(InShape(strands, shape))
}

/// A kernel of its own, though it is called from kernels: they are too long for compilers as it is.
struct InShape<'a>(&'a Strands<'a>, &'a Shape);

impl Kernel<(Vec<Joint>, DLanes)> for InShape<'_> {
    const AVX512: bool = true;

    #[inline(always)]
    fn run(self, _: impl Transpose) -> (Vec<Joint>, DLanes) {
        let Self(strands, shape) = self;
        joints_in(strands, shape)
    }
}

#[inline(always)]
fn joints_in(strands: &Strands<'_>, shape: &Shape) -> (Vec<Joint>, DLanes) {
    let Some(Curled { turns, axis }) = &strands.curled else {
        return (Vec::new(), DLanes::ZERO);
    };
    let m = strands.particles.len();
    let clamp = &shape.along[0];
    let mut u = carried(&to_double(axis), clamp, clamp);
    let mut joints = vec![Joint::new(u, u, [clamp, clamp], true); m];
    // The rest places of points without twist.
    let mut points = vec![[DLanes::ZERO; 2]; m];
    for j in 1..m {
        let (before, along) = (&shape.along[j - 1], &shape.along[j]);
        joints[j] = Joint::new(u, cross3(before, &u), [before, along], j == 1);
        let [p, q, scale] = to_double(&turns[j]);
        joints[j].scale = scale;
        points[j] = [p, q];
        u = carried(&u, before, along);
    }
    let twist = Twist::of(&joints, &points, strands);
    let mut energy = DLanes::ZERO;
    let half = DLanes::splat(0.5);
    for j in 1..m {
        let (sin, cos) = sin_cos(twist.between(j));
        let joint = &mut joints[j];
        let [p, q] = points[j];
        let bent = [
            joint.bend[0] - (p * cos - q * sin),
            joint.bend[1] - (q * cos + p * sin),
        ];
        joint.bend = [bent[0] * joint.scale, bent[1] * joint.scale];
        joint.moment = twist.moment(j, sin, cos);
        let [r, s] = joint.bend;
        let turn = twist.angles[j] - twist.angles[j - 1];
        let beta = strands.stiffness.bending / strands.particles[j].joint;
        energy += half * (beta * (r * r + s * s) + twist.stiffness[j] * turn * turn);
    }
    (joints, energy)
}

/// Carries u, which is across t, by the shortest turn from t to the unit vector `to`, and returns
/// it as a unit vector across `to`.
#[inline(always)]
fn carried(u: &DLanes3, t: &DLanes3, to: &DLanes3) -> DLanes3 {
    let turned = minus3(u, &scaled3(&sum3(t, to), dot3(u, to) / fold(t, to)));
    let across = minus3(&turned, &scaled3(to, dot3(&turned, to)));
    direction(&across, u)
}

/// Angles φ of the material frames against Bishop's, 0 at the clamp. They minimise
///
/// ```text
/// Σ B/(2 l̄) s² |r_j − r̄_j(ψ_j)|² + Σ C/(2 l̄) (φ_j − φ_(j−1))²,   ψ_j = (φ_(j−1) + φ_j) / 2
/// ```
///
/// where r̄(ψ) is where a joint's r rests, turned by ψ, and s its scale. ψ takes a
/// joint's curvature from both its segments, so the discretisation is of second order.
struct Twist {
    /// φ of each segment.
    angles: Vec<DLanes>,
    /// C/l̄ of each joint.
    stiffness: Vec<DLanes>,
    /// Amplitudes of cosine and sine of ψ in B/l̄ s² r · r̄(ψ), on which alone the energy depends.
    waves: Vec<[DLanes; 2]>,
}

impl Twist {
    /// A bending term is a cosine of ψ with amplitude R, so a parabola of curvature R that touches
    /// it lies above it everywhere. Each round goes to the minimum of those parabolas, so the
    /// energy never rises.
    #[inline(always)]
    fn of(joints: &[Joint], points: &[[DLanes; 2]], strands: &Strands<'_>) -> Self {
        let m = joints.len();
        let Stiffness { bending, twisting } = strands.stiffness;
        let twisting = twisting.max(DLanes::splat(LEAST_TWISTING) * bending);
        let mut twist = Self {
            angles: vec![DLanes::ZERO; m],
            stiffness: (strands.particles.iter())
                .map(|particle: &Particle| twisting / particle.joint)
                .collect(),
            waves: vec![[DLanes::ZERO; 2]; m],
        };
        for j in 1..m {
            let (point, rest, scale) = (&joints[j].bend, &points[j], joints[j].scale);
            let beta = bending * scale * scale / strands.particles[j].joint;
            twist.waves[j] = [
                beta * (point[0] * rest[0] + point[1] * rest[1]),
                beta * (point[1] * rest[0] - point[0] * rest[1]),
            ];
        }
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
