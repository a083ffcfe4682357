//! The address of a page says what it shows: `#preset=fan&solver=rod&strands=3000&scene=swing`, and
//! any setting by its key in a settings file, such as `groom.length=1.2`.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

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

/// The parts of an address, as they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Address {
    pub(crate) preset: Option<String>,
    pub(crate) scene: Option<String>,
    /// The solver in a view beside.
    pub(crate) split: Option<String>,
    pub(crate) graphs: bool,
    /// Keys and values.
    pub(crate) settings: Vec<(String, String)>,
}

impl Address {
    /// Reads an address. Of parts that are there twice, the last one counts.
    pub(crate) fn read(text: &str) -> Self {
        let mut address = Self::default();
        let parts = text.trim_start_matches('#').split('&');
        for part in parts.filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
            match key {
                "preset" => address.preset = Some(value),
                "scene" => address.scene = Some(value),
                "split" => address.split = Some(value),
                "graphs" => address.graphs = true,
                key => {
                    let short = SHORT.iter().find(|(short, _)| *short == key);
                    let key = short.map_or(key, |(_, whole)| whole);
                    address.settings.push((key.to_owned(), value));
                }
            }
        }
        address
    }

    /// Returns the text of the address.
    pub(crate) fn text(&self) -> String {
        let named = |key, value: &Option<String>| Some((key, value.clone()?));
        let settings = self.settings.iter().map(|(key, value)| {
            let short = SHORT.iter().find(|(_, whole)| whole == key);
            (
                short.map_or(key.as_str(), |(short, _)| short),
                value.clone(),
            )
        });
        let parts = (named("preset", &self.preset).into_iter())
            .chain(settings)
            .chain(named("scene", &self.scene))
            .chain(named("split", &self.split))
            .map(|(key, value)| format!("{key}={}", utf8_percent_encode(&value, ESCAPED)));
        let graphs = self.graphs.then(|| "graphs".to_owned());
        format!("#{}", parts.chain(graphs).collect::<Vec<_>>().join("&"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_address_is_read_again() {
        let whole = Address {
            preset: Some("fan".to_owned()),
            scene: Some("swing".to_owned()),
            split: Some("ftl".to_owned()),
            graphs: true,
            settings: vec![
                ("sim.solver".to_owned(), "rod".to_owned()),
                (
                    "look.hair.tip_color".to_owned(),
                    "[0.5, 1.0, 0.0]".to_owned(),
                ),
                ("head.mask".to_owned(), "a&b=c#50 %".to_owned()),
            ],
        };
        let text = whole.text();
        assert!(
            text.starts_with("#preset=fan&solver=rod&look.hair."),
            "{text}"
        );
        assert!(!text[1..].contains([' ', '#']), "{text}");
        assert_eq!(Address::read(&text), whole);
        assert_eq!(Address::read(""), Address::default());
        assert_eq!(Address::read("#&&").text(), "#");
    }
}
