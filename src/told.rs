//! Texts from files in messages: short, and without characters that a terminal obeys.

/// The largest number of characters of a name or value.
const MAX_PART: usize = 160;
/// The largest number of characters of a line of a file that an error shows, and of a message.
const MAX_SHOWN: usize = 200;
const MAX_MESSAGE: usize = 1200;

/// Returns a name or value from a file for a message.
pub(crate) fn short(text: &str) -> String {
    cut(text, MAX_PART)
}

/// Returns the text of the error of a parser, which may show the line of the file. A line that is
/// too long is left out.
pub(crate) fn parser_text(error: impl ToString) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let is_margin = |c: char| c == ' ' || c.is_ascii_digit();
    let is_shown = |line: &&str| line.trim_start_matches(is_margin).starts_with('|');
    let is_long = |line: &&str| is_shown(line) && line.chars().count() > MAX_SHOWN;
    let leaves_out = lines.iter().any(is_long);
    let kept = lines.iter().filter(|line| !(leaves_out && is_shown(line)));
    let kept = kept.map(|line| match is_shown(line) {
        true => cut(line, MAX_MESSAGE),
        false => in_words(&cut(line, MAX_MESSAGE)),
    });
    let kept: Vec<String> = kept.collect();
    kept.join(if leaves_out { ": " } else { "\n" })
}

/// Returns the message of a parser with the names of types in words.
fn in_words(message: &str) -> String {
    let words = [
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        (
            "expected u64",
            "expected a whole number from 0 to 18446744073709551615",
        ),
    ];
    // The names of types of sections.
    let message = match message.split_once("expected struct ") {
        Some((before, name)) => {
            let rest = name.trim_start_matches(char::is_alphanumeric);
            format!("{before}expected a section with keys of its own{rest}")
        }
        None => message.to_owned(),
    };
    (words.iter()).fold(message, |message, (name, words)| {
        message.replace(name, words)
    })
}

/// Returns a text on one line, without its middle if it has more characters than `max`.
fn cut(text: &str, max: usize) -> String {
    let safe = |c: char| match c {
        // Directions of text can hide what is written.
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let count = text.chars().count();
    if count <= max {
        return text.chars().map(safe).collect();
    }
    let end = max / 3;
    let start = max - end - 1;
    let start = text.chars().take(start).map(safe);
    let end = text.chars().skip(count - end).map(safe);
    start.chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_short_and_printable() {
        assert_eq!(
            short("head \u{1b}[31m\u{202e}é"),
            "head \u{fffd}[31m\u{fffd}é"
        );
        let long = short(&"é".repeat(500));
        assert_eq!(long.chars().count(), MAX_PART);
        let shown = "error at line 3\n  |\n3 | a\tb\n  |  ^\nexpected c\n";
        let told = "error at line 3\n  |\n3 | a\u{fffd}b\n  |  ^\nexpected c";
        assert_eq!(parser_text(shown), told);
        let wrong = "3 | expected f32\ninvalid type: string, expected f32";
        let told = "3 | expected f32\ninvalid type: string, expected a number";
        assert_eq!(parser_text(wrong), told);
        let shown = shown.replace("a\tb", &"a".repeat(9000));
        assert_eq!(parser_text(shown), "error at line 3: expected c");
        let long = format!("unknown field `{}` at line 1", "x".repeat(5000));
        let told = parser_text(long);
        assert!(told.len() < 1300 && told.ends_with("at line 1"), "{told}");
    }
}
