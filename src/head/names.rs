//! Words in the names of nodes, meshes and materials.

/// Returns `true` if a name has a word, in small or large letters: `Hair_01` and `longHair` have the
/// word `hair`, and `Chair` does not. A name that is the word as a whole has it too.
pub fn has_word(name: &str, word: &str) -> bool {
    let mut start = 0;
    let mut last = ' ';
    let starts = name.char_indices().filter_map(|(at, c)| {
        let is_start =
            c.is_alphabetic() != last.is_alphabetic() || c.is_uppercase() && last.is_lowercase();
        last = c;
        is_start.then_some(at)
    });
    let ends: Vec<usize> = starts.chain([name.len()]).collect();
    let mut words = ends
        .into_iter()
        .map(|end| &name[std::mem::replace(&mut start, end)..end]);
    let is_same = |own: &str| own.eq_ignore_ascii_case(word);
    words.any(is_same) || is_same(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_at_capitals_and_after_what_is_no_letter() {
        for name in [
            "hair",
            "HAIR",
            "Hair_01",
            "N00_000_Hair_00_HAIR (Instance)",
            "longHair",
            "hair2",
        ] {
            assert!(has_word(name, "hair"), "{name}");
        }
        for name in ["Chair", "hairband", "eyebrow", "", "Ha ir"] {
            assert!(!has_word(name, "hair"), "{name}");
        }
        assert!(has_word("mixamorig:Neck", "neck") && !has_word("HeadTop_End", "neck"));
        assert!(has_word("Bip01 L Hand", "bip01 l hand") && has_word("Größe", "größe"));
    }
}
