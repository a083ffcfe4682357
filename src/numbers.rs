//! Formatting of numbers.

/// Formats 12914 as "12,914".
pub(crate) fn grouped(n: usize) -> String {
    let mut digits = n.to_string();
    for end in (1..digits.len()).rev().skip(2).step_by(3) {
        digits.insert(end, ',');
    }
    digits
}

/// Returns a count with its noun.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {noun}{end}", grouped(count))
}

/// Returns the smallest number that is at least `value` and one of `leads` times a power of ten; 1
/// if the value is not a positive number.
pub(crate) fn round_up(value: f64, leads: &[f64]) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let ten = 10.0_f64.powf(value.log10().floor());
    // The tolerance hides errors of rounding.
    let lead = leads.iter().find(|lead| *lead * ten * 1.000_01 >= value);
    lead.unwrap_or(&10.0) * ten
}

#[cfg(test)]
mod tests {
    #[test]
    fn ends_of_scales_are_round_numbers() {
        let values = [0.0011, 0.3, 1.0, 4.9, 5.0, 51.0, 0.0, f64::NAN];
        let expected = [0.002, 0.5, 1.0, 5.0, 5.0, 100.0, 1.0, 1.0];
        for (value, expected) in values.into_iter().zip(expected) {
            let end = super::round_up(value, &[1.0, 2.0, 5.0]);
            assert!((end / expected - 1.0).abs() < 1e-5, "{value}: {end}");
        }
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let written = [0, 999, 1000, 12_914, 1_000_000].map(super::grouped);
        assert_eq!(written, ["0", "999", "1,000", "12,914", "1,000,000"]);
    }
}
