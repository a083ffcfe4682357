//! The linear equations of a step of Newton's method.

use super::joints::{Bend, Joint};
use super::linear::{Row, ZERO_VECTOR, add_outer, add_outers, add_scaled, negative3, outer};
use super::strand::{Shape, Stiffness, Strands};
use crate::sim::simd::{DLanes, DLanes3, dot3, minus3, scaled3, sum3};

/// Stiffness of segments against stretch, in units of the least mass over h². Segments stretch by a
/// few parts in ten million, and the solution still has nine digits.
const STRETCH: f64 = 1e6;

/// Assembles the equations for the displacements d of the particles from a shape, times h²:
/// (M + h² H) d = M (free − way to the shape) − h² g, with gradient g and Gauss-Newton Hessian H of
/// the elastic energy in that shape. `bent` are the joints of curled strands.
#[inline(always)]
pub(crate) fn assemble(
    strands: &Strands<'_>,
    shape: &Shape,
    bent: Option<&[Joint]>,
    rows: &mut [Row],
) {
    let particles = &strands.particles;
    let Stiffness { bending, twisting } = strands.stiffness;
    let m = particles.len();
    let one = DLanes::ONE;

    let mut least_mass = DLanes::splat(f64::MAX);
    // A segment carries all particles after it: the sum of m (free displacement).
    let mut hanging = vec![ZERO_VECTOR; m];
    let mut sum = ZERO_VECTOR;
    for j in (1..m).rev() {
        let particle = &particles[j];
        least_mass = least_mass.min(particle.mass);
        let left = minus3(&particle.free, &minus3(&shape.at[j], &particle.from));
        let rhs = scaled3(&left, particle.mass);
        sum = sum3(&sum, &rhs);
        hanging[j] = sum;
        rows[j] = Row {
            diagonal: outer(&ZERO_VECTOR, DLanes::ZERO, particle.mass),
            rhs,
            ..Row::ZERO
        };
    }
    let stretching = least_mass * DLanes::splat(STRETCH);

    for j in 1..m {
        let (t, t0) = (&shape.along[j], &shape.along[j - 1]);
        let inverse_length = one / particles[j].length;
        let inverse_length_before = one / particles[j - 1].length;

        // A segment resists stretch along itself. Across, a tension T resists turning by T / l.
        // Pressure is left out: it would help turning, and the matrix would not stay positive
        // definite.
        let tension = dot3(&hanging[j], t).at_least(0.0) * inverse_length;
        let along = outer(t, stretching - tension, tension);
        add_scaled(&mut rows[j].diagonal, &along, one);
        if j > 1 {
            add_scaled(&mut rows[j].before, &along, -one);
            add_scaled(&mut rows[j - 1].diagonal, &along, one);
        }

        // Bending: β/2 |r|² with β = B over half the length of both segments; the clamp has one.
        let beta = bending / particles[j].joint;
        let joint = match bent {
            None => Joint::straight(t0, t, j == 1),
            Some(bent) => bent[j],
        };
        let Bend { after, before } = joint.derivatives(t0, t);
        // a, b and c are the derivatives by particles j, j − 1 and j − 2. The clamp does not turn,
        // so there c is 0.
        let a = both(&after, inverse_length);
        let c = if j > 1 {
            both(&before, -inverse_length_before)
        } else {
            [ZERO_VECTOR; 2]
        };
        let b = [
            negative3(&sum3(&a[0], &c[0])),
            negative3(&sum3(&a[1], &c[1])),
        ];
        let (ba, bb) = (both(&a, beta), both(&b, beta));
        let pull = [joint.bend[0] * beta, joint.bend[1] * beta];
        add_outers(&mut rows[j].diagonal, &ba, &a);
        rows[j].rhs = minus3(&rows[j].rhs, &weighted(&a, &pull));
        if j > 1 {
            add_outers(&mut rows[j].before, &ba, &b);
            add_outers(&mut rows[j - 1].diagonal, &bb, &b);
            rows[j - 1].rhs = minus3(&rows[j - 1].rhs, &weighted(&b, &pull));
        }
        if j > 2 {
            add_outers(&mut rows[j].second_before, &ba, &c);
            add_outers(&mut rows[j - 1].before, &bb, &c);
            add_outers(&mut rows[j - 2].diagonal, &both(&c, beta), &c);
            rows[j - 2].rhs = minus3(&rows[j - 2].rhs, &weighted(&c, &pull));
        }
        if bent.is_some() {
            let gamma = twisting / particles[j].joint;
            add_twist(
                rows,
                j,
                &joint,
                [inverse_length_before, inverse_length],
                gamma,
            );
        }
    }
}

/// Returns both vectors times s.
#[inline(always)]
fn both(v: &[DLanes3; 2], s: DLanes) -> [DLanes3; 2] {
    [scaled3(&v[0], s), scaled3(&v[1], s)]
}

/// Returns the sum of the vectors times their weights.
#[inline(always)]
fn weighted(v: &[DLanes3; 2], by: &[DLanes; 2]) -> DLanes3 {
    sum3(&scaled3(&v[0], by[0]), &scaled3(&v[1], by[1]))
}

/// Adds the forces and stiffnesses of the twist of joint j, of twisting stiffness γ, at its
/// particles. Takes one over the lengths of the segments before and after.
///
/// The derivatives of the twist by the positions of the particles (Bergou and others 2008, section
/// 6) are κb / (2 |e|) by the end of the segment after, −κb / (2 |e|) by that of the segment
/// before.
#[inline(always)]
fn add_twist(
    rows: &mut [Row],
    j: usize,
    joint: &Joint,
    [inverse_length_before, inverse_length]: [DLanes; 2],
    gamma: DLanes,
) {
    let half = scaled3(&joint.binormal(), DLanes::splat(0.5));
    let after = &scaled3(&half, inverse_length);
    add_outer(&mut rows[j].diagonal, after, after, gamma);
    rows[j].rhs = minus3(&rows[j].rhs, &scaled3(after, joint.moment));
    if j == 1 {
        return; // The root does not move, nor does the clamp turn.
    }
    let before = &scaled3(&half, -inverse_length_before);
    let middle = &negative3(&sum3(after, before));
    add_outer(&mut rows[j].before, after, middle, gamma);
    add_outer(&mut rows[j - 1].diagonal, middle, middle, gamma);
    rows[j - 1].rhs = minus3(&rows[j - 1].rhs, &scaled3(middle, joint.moment));
    if j > 2 {
        add_outer(&mut rows[j].second_before, after, before, gamma);
        add_outer(&mut rows[j - 1].before, middle, before, gamma);
        add_outer(&mut rows[j - 2].diagonal, before, before, gamma);
        rows[j - 2].rhs = minus3(&rows[j - 2].rhs, &scaled3(before, joint.moment));
    }
}
