//! Arithmetic in fields for numbers: `0.75*2`, `(1 + 2) / 3`, `50%`, `12,000`, `1e6`.
//!
//! ```text
//! sum     = product  { ("+" | "-") product }
//! product = factor   { ("*" | "/") factor }
//! factor  = ("-" | "+") factor | "(" sum ")" | number ["%"]
//! ```
//!
//! Spaces mean nothing. A comma before three digits groups them, and others stand for the decimal
//! point, as in `0,5`. The unit that is shown may stand at the end; lengths, and what is measured by
//! them, may be in millimetres, centimetres or metres there.

/// The largest depth of brackets and signs.
const MAX_DEPTH: u32 = 32;

/// Lengths, and how many of them are a decimetre.
const LENGTHS: [(&str, f64); 4] = [("mm", 100.0), ("cm", 10.0), ("dm", 1.0), ("m", 0.1)];

/// Returns the value of an expression in the `unit` that a field shows; `None` if it is none, or has
/// no finite value.
pub(crate) fn evaluate(text: &str, unit: &str) -> Option<f64> {
    let text = text.replace('−', "-").replace(['×', '·'], "*");
    let signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    let mut rest = Rest(&signs);
    let value = rest.sum(0)?;
    let own: String = rest.0.iter().collect();
    let own = match own.as_str() {
        "deg" | "degree" | "degrees" => "°".to_owned(),
        _ => own.replace("^2", "²"),
    };
    let per_unit = match (own.as_str(), unit.trim()) {
        ("", _) => 1.0,
        (own, unit) if own == unit => 1.0,
        (own, unit) => {
            let per = unit
                .strip_prefix("dm")
                .filter(|per| !per.starts_with('⁴'))?;
            let length = own.strip_suffix(per)?;
            LENGTHS.iter().find(|(name, _)| *name == length)?.1
        }
    };
    value.is_finite().then_some(value / per_unit)
}

/// Returns the parser of a box that holds a number, shows it as a text and reads others. The number
/// stays as it is if the text was not changed.
pub(crate) fn parser(
    now: f64,
    text: impl Fn(f64) -> String,
    read: impl Fn(&str) -> Option<f64>,
) -> impl Fn(&str) -> Option<f64> {
    move |typed| match typed == text(now) {
        true => Some(now),
        false => read(typed),
    }
}

/// What is left of an expression.
struct Rest<'a>(&'a [char]);

impl Rest<'_> {
    /// Takes the next sign if it is this one.
    fn take(&mut self, sign: char) -> bool {
        let found = self.0.first() == Some(&sign);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    fn sum(&mut self, depth: u32) -> Option<f64> {
        let mut value = self.product(depth)?;
        loop {
            if self.take('+') {
                value += self.product(depth)?;
            } else if self.take('-') {
                value -= self.product(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self, depth: u32) -> Option<f64> {
        let mut value = self.factor(depth)?;
        loop {
            // A slash before a letter belongs to a unit: `3 /s`.
            let divides = self.0.get(1).is_some_and(|next| !next.is_alphabetic());
            if self.take('*') {
                value *= self.factor(depth)?;
            } else if divides && self.take('/') {
                value /= self.factor(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self, depth: u32) -> Option<f64> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.take('-') {
            return Some(-self.factor(depth + 1)?);
        }
        if self.take('+') {
            return self.factor(depth + 1);
        }
        let value = match self.take('(') {
            true => self.sum(depth + 1).filter(|_| self.take(')'))?,
            false => self.number()?,
        };
        Some(if self.take('%') { value / 100.0 } else { value })
    }

    fn number(&mut self) -> Option<f64> {
        let signs = self.0;
        let digits = |from: usize| {
            let rest = signs[from..].iter();
            rest.take_while(|sign| sign.is_ascii_digit()).count()
        };
        let mut length = digits(0);
        let ends_group = |at: usize| signs.get(at) == Some(&',') && digits(at + 1) == 3;
        let is_grouped = (1..=3).contains(&length) && signs[0] != '0' && ends_group(length);
        while is_grouped && ends_group(length) {
            length += 4;
        }
        let is_point = |&sign: &char| sign == '.' || (sign == ',' && !is_grouped);
        if signs.get(length).is_some_and(is_point) {
            length += 1 + digits(length + 1);
        }
        if let Some('e' | 'E') = signs.get(length) {
            let signed = matches!(signs.get(length + 1), Some('+' | '-'));
            let begin = length + 1 + usize::from(signed);
            let exponent = digits(begin.min(signs.len()));
            if exponent > 0 {
                length = begin + exponent;
            }
        }
        let (number, rest) = signs.split_at(length);
        self.0 = rest;
        let number: String = number.iter().collect();
        let number = number.replace(',', if is_grouped { "" } else { "." });
        number.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    fn evaluate(text: &str) -> Option<f64> {
        super::evaluate(text, "")
    }

    #[test]
    fn lengths_may_have_other_units() {
        let in_decimetres = |text| super::evaluate(text, " dm");
        assert_eq!(in_decimetres("8 cm"), Some(0.8));
        assert_eq!(in_decimetres("25mm*2"), None, "a unit is last");
        assert_eq!(in_decimetres("(2+3) mm"), Some(0.05));
        assert_eq!(in_decimetres("0.1 m"), Some(1.0));
        assert_eq!(in_decimetres("3 dm"), Some(3.0));
        assert_eq!(in_decimetres("3"), Some(3.0));
        assert_eq!(in_decimetres("3 feet"), None);
        assert_eq!(super::evaluate("5 m/s", " dm/s"), Some(50.0));
        assert_eq!(super::evaluate("981 cm/s^2", " dm/s²"), Some(98.1));
        for (text, unit) in [
            ("500 ms", " s"),
            ("1 rad", "°"),
            ("3 m/s²", " dm/s"),
            ("2 m", ""),
        ] {
            assert_eq!(super::evaluate(text, unit), None, "{text}");
        }
    }

    #[test]
    fn expressions_have_their_value() {
        for (text, value) in [
            ("0.75*2", 1.5),
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8/2/2", 2.0),
            ("7 - 2 - 1", 4.0),
            ("-(2 - 5) × 2", 6.0),
            ("−.5", -0.5),
            ("--2", 2.0),
            ("50%", 0.5),
            ("10*50%", 5.0),
            ("12,000", 12_000.0),
            ("1,234,567.5", 1_234_567.5),
            ("0,2", 0.2),
            ("0,125", 0.125),
            ("50,5 + 1,25", 51.75),
            (",5", 0.5),
            ("1e6", 1e6),
            ("2.5E-3", 0.0025),
            ("1e2+1", 101.0),
        ] {
            assert_eq!(evaluate(text), Some(value), "{text}");
        }
    }

    #[test]
    fn the_unit_that_is_shown_may_stay() {
        for (text, unit, value) in [
            ("0.75 dm", " dm", 0.75),
            ("90°", "°", 90.0),
            ("90 deg", "°", 90.0),
            ("12 /s", " /s", 12.0),
            ("1e6 /s²", " /s²", 1e6),
            ("9 dm⁴/s²", " dm⁴/s²", 9.0),
            ("3/2 dm/s", " dm/s", 1.5),
            ("2 Hz", " Hz", 2.0),
        ] {
            assert_eq!(super::evaluate(text, unit), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_has_no_value() {
        let deep = format!("{}1{}", "(".repeat(1000), ")".repeat(1000));
        let signs = format!("{}1", "-".repeat(100_000));
        let none = [
            "", " ", "dm", "1 +", "*2", "(1", "1)", "1/0", "0/0", "1..2", "1e999", "2 3 +", "()",
            ".", ",", "1,2,3", "1,234,5", &deep, &signs,
        ];
        for text in none {
            assert_eq!(evaluate(text), None, "{text:.20}");
        }
    }
}
