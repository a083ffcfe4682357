//! The transfer function between sRGB and linear colours, IEC 61966-2-1.

/// Returns a linear channel of an sRGB one, 0 to 1.
pub fn linear_from_srgb(channel: f32) -> f32 {
    match channel <= 0.04045 {
        true => channel / 12.92,
        false => ((channel + 0.055) / 1.055).powf(2.4),
    }
}

/// Returns an sRGB channel of a linear one, 0 to 1.
pub fn srgb_from_linear(linear: f32) -> f32 {
    match linear <= 0.003_130_8 {
        true => 12.92 * linear,
        false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    }
}
