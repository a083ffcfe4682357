//! Formatting of numbers.

/// Formats 12914 as "12,914".
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_grouped_by_thousands() {
        let written = [0, 999, 1000, 12_914, 1_000_000].map(super::grouped);
        assert_eq!(written, ["0", "999", "1,000", "12,914", "1,000,000"]);
    }
}
