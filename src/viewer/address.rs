//! The address of a page says what it shows: `#preset=fan&solver=rod&strands=3000&scene=swing`, and
//! any setting by its key in a settings file, such as `groom.length=1.2`.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Parts that are no settings.
const NAMES: [&str; 9] = [
    "preset", "scene", "split", "graphs", "overlays", "panel", "view", "speed", "do",
];

/// Settings that have a short name in an address.
const SHORT: [(&str, &str); 2] = [("solver", "sim.solver"), ("strands", "roots.strands")];

/// Signs that are escaped in a value.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'<');

/// The names and values of an address, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Address(Vec<(String, String)>);

impl Address {
    /// Reads an address.
    pub(crate) fn read(text: &str) -> Self {
        let parts = text.trim_start_matches('#').split('&');
        let read = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let short = SHORT.iter().find(|(short, _)| *short == name);
            let name = short.map_or(name, |(_, whole)| whole);
            let value = percent_decode_str(value).decode_utf8_lossy();
            (name.to_owned(), value.into_owned())
        };
        Self(parts.filter(|part| !part.is_empty()).map(read).collect())
    }

    /// Adds a part.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the text of the address.
    pub(crate) fn text(&self) -> String {
        let parts = self.0.iter().map(|(name, value)| {
            let short = SHORT.iter().find(|(_, whole)| whole == name);
            let name = short.map_or(name.as_str(), |(short, _)| short);
            match value.as_str() {
                "" => name.to_owned(),
                value => format!("{name}={}", utf8_percent_encode(value, ESCAPED)),
            }
        });
        format!("#{}", parts.collect::<Vec<_>>().join("&"))
    }

    /// Returns the value of a part. Of parts that are there twice, the last one counts.
    pub(crate) fn part(&self, name: &str) -> Option<&str> {
        let part = self.0.iter().rfind(|(own, _)| own == name);
        part.map(|(_, value)| value.as_str())
    }

    /// Takes all parts of a name out. Returns the value of the last one.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let taken = self.0.extract_if(.., |(own, _)| own == name).last();
        taken.map(|(_, value)| value)
    }

    /// Returns whether a part switches something on or off; `None`: it is not there.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        self.part(name)
            .map(|value| !["off", "false"].contains(&value))
    }

    /// Returns the keys and values of settings.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let settings = self
            .0
            .iter()
            .filter(|(name, _)| !NAMES.contains(&name.as_str()));
        settings.map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// Returns what a part names, if it is there and right. An error is added to `problems`.
pub(crate) fn asked<T, E: ToString>(
    part: Option<&str>,
    problems: &mut Vec<String>,
    find: impl FnOnce(&str) -> Result<T, E>,
) -> Option<T> {
    let found = find(part?);
    found.map_err(|error| problems.push(error.to_string())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_address_is_read_again() {
        let settings = [
            ("sim.solver", "rod"),
            ("look.hair.tip_color", "[0.5, 1.0, 0.0]"),
            ("head.mask", "a&b=c#50 %"),
        ];
        let mut whole = Address::default();
        whole.add("preset", "fan");
        settings
            .iter()
            .for_each(|(key, value)| whole.add(key, value));
        whole.add("graphs", "");
        let text = whole.text();
        assert!(
            text.starts_with("#preset=fan&solver=rod&look.hair."),
            "{text}"
        );
        assert!(!text[1..].contains([' ', '#']), "{text}");
        let read = Address::read(&text);
        assert_eq!(read, whole);
        assert_eq!(read.settings().collect::<Vec<_>>(), settings);
        assert_eq!(
            (read.part("preset"), read.part("scene")),
            (Some("fan"), None)
        );
        assert_eq!(
            (read.switch("graphs"), read.switch("panel")),
            (Some(true), None)
        );
    }

    #[test]
    fn the_last_of_two_parts_counts_and_empty_ones_do_not() {
        let read = Address::read("#&scene=swing&&panel&scene=turn&panel=off&graphs=false&");
        assert_eq!(
            (read.part("scene"), read.switch("panel")),
            (Some("turn"), Some(false))
        );
        assert_eq!(read.switch("graphs"), Some(false), "as a script says it");
        assert_eq!(Address::read("#&&").text(), "#");
    }

    #[test]
    fn a_part_that_is_wrong_is_told() {
        let mut problems = Vec::new();
        assert_eq!(asked(Some("7"), &mut problems, str::parse), Some(7));
        assert_eq!(asked(None, &mut problems, str::parse::<u32>), None);
        assert!(problems.is_empty());
        assert_eq!(asked(Some("x"), &mut problems, str::parse::<u32>), None);
        assert_eq!(problems.len(), 1);
    }
}
