//! Arithmetic on packets of eight points.

/// The number of points in a packet.
pub(crate) const LANES: usize = 8;
/// One number per point.
pub(crate) type Lanes = [f32; LANES];
/// Eight points as lanes of x, y and z.
pub(crate) type Points = [Lanes; 3];

/// Returns the smaller number, and `b` if one is not a number.
#[inline(always)]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Whether `a` is below `b` in any lane.
#[inline(always)]
pub(crate) fn any_below(a: &Lanes, b: &Lanes) -> bool {
    let mut any = 0;
    for lane in 0..LANES {
        any |= u32::from(a[lane] < b[lane]);
    }
    any != 0
}

/// Returns the sum, in a fixed order.
#[inline(always)]
pub(crate) fn sum(lanes: &Lanes) -> f32 {
    let four = [0, 1, 2, 3].map(|i| lanes[i] + lanes[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// Returns the dot products with one vector.
#[inline(always)]
pub(crate) fn dot_with(a: &Points, b: [f32; 3]) -> Lanes {
    let mut found = [0.0; LANES];
    for lane in 0..LANES {
        found[lane] = a[0][lane] * b[0] + a[1][lane] * b[1] + a[2][lane] * b[2];
    }
    found
}

/// Returns the dot products lane by lane.
#[inline(always)]
pub(crate) fn dot_lanes(a: &Points, b: &Points) -> Lanes {
    let mut found = [0.0; LANES];
    for lane in 0..LANES {
        let (x, y, z) = (
            a[0][lane] * b[0][lane],
            a[1][lane] * b[1][lane],
            a[2][lane] * b[2][lane],
        );
        found[lane] = x + y + z;
    }
    found
}
