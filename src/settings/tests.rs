//! A section with settings of all kinds.

use super::{Editor, MOST_ELEMENTS};
use crate::settings;

settings! {
    /// Numbers of all kinds.
    pub struct Numbers in "numbers" {
        /// A length.
        length: f32 = 0.5, 0.01..=10.0 "decimetres" => "Length" 0.1..=2.0 log;
        /// A share,
        /// which has no unit.
        share: f32 = 1.0, 0.0..=1.0 => "Share";
        /// A vector.
        wind: [f32; 3] = [0.0; 3], -10.0..=10.0;
        /// A count.
        count: u32 = 4, 2..=64;
        /// A list.
        line: Vec<[f32; 3]> = vec![[0.0, 1.0, 2.0]], -10.0..=10.0;
        /// A ramp.
        stops: Vec<[f32; 4]> = Vec::new(), 0.0..=1.0;
        /// Lines.
        lines: Vec<Vec<[f32; 3]>> = Vec::new(), 0.0..=1.0;
        /// A switch.
        on: bool = true;
    }
}

#[test]
fn a_declaration_holds_all_that_is_said_of_a_setting() {
    let meanings: Vec<String> = (Numbers::SECTION.fields.iter())
        .map(|field| field.meaning_with_range())
        .collect();
    let expected = [
        "A length (0.01 to 10 decimetres)",
        "A share, which has no unit (0 to 1)",
        "A vector (-10 to 10)",
        "A count (2 to 64)",
        "A list (-10 to 10)",
        "A ramp (0 to 1)",
        "Lines (0 to 1)",
        "A switch",
    ];
    assert_eq!(meanings, expected);
    let length = &Numbers::length;
    assert_eq!((length.key, length.label), ("numbers.length", "Length"));
    assert_eq!(length.slider, Some([0.1, 2.0]));
    assert!(length.is_logarithmic);
    let facts: Vec<String> = (Numbers::SECTION.fields.iter())
        .map(|field| format!("{}: {}", field.name(), field.range_and_default()))
        .collect();
    let expected = [
        "Length: 0.01 to 10 decimetres, by default 0.5",
        "Share: 0 to 1, by default 1",
        "Wind: -10 to 10, by default 0, 0, 0",
        "Count: 2 to 64, by default 4",
        "Line: -10 to 10, by default 0, 1, 2",
        "Stops: 0 to 1, by default none",
        "Lines: 0 to 1, by default none",
        "On: By default on",
    ];
    assert_eq!(facts, expected);
}

#[test]
fn a_visitor_edits_and_resets_every_setting() {
    let was = Numbers::default();
    let mut now = was.clone();
    let mut seen = Vec::new();
    now.visit(&was, &mut |section, field, editor| {
        assert_eq!(section.key, "numbers");
        seen.push(field.key);
        match editor {
            Editor::Number(value, _) => *value += 0.25,
            Editor::Count(value, _) => *value += 1,
            Editor::Switch(value, _) => *value = !*value,
            Editor::Vector(value, _) => value[1] = 2.0,
            Editor::Points(value, _) => value.clear(),
            Editor::Stops(value, _) => value.push([0.5; 4]),
            Editor::Curves(value, _) => value.push(vec![[0.5; 3]]),
            Editor::Choice(..) => unreachable!("there is none"),
        }
    });
    let keys: Vec<&str> = Numbers::SECTION.fields.iter().map(|f| f.key).collect();
    assert_eq!(seen, keys);
    assert_eq!((now.length, now.count, now.on), (0.75, 5, false));
    assert_eq!(now.wind, [0.0, 2.0, 0.0]);
    now.visit(&was, &mut |_, field, mut editor| {
        assert!(editor.is_changed(), "{}", field.key);
        editor.reset();
    });
    assert_eq!(now, was);
}

#[test]
fn values_out_of_range_are_named_and_clamped() {
    Numbers::default().validate().unwrap();
    let length = "expected 0.01 to 10 (decimetres)";
    for (text, told) in [
        ("length = -1.0", &format!("length = -1: {length}")[..]),
        ("length = nan", &format!("length = NaN: {length}")),
        ("share = inf", "share = inf: expected 0 to 1"),
        ("wind = [0, 0, -11]", "wind = -11: expected -10 to 10"),
        ("count = 65", "count = 65: expected 2 to 64"),
        ("line = [[1, 2, nan]]", "line = NaN: expected -10 to 10"),
        (
            "stops = [[0, 0, 0, 0], [1, 0, 0, 2]]",
            "stops = 2: expected 0 to 1",
        ),
        ("lines = [[], [[0, 3, 0]]]", "lines = 3: expected 0 to 1"),
    ] {
        let numbers: Numbers = toml::from_str(text).unwrap();
        let error = numbers.validate().unwrap_err().to_string();
        assert_eq!(error, format!("numbers.{told}"));
        numbers.clamped().validate().unwrap();
    }
    let long = vec![[0.0; 3]; MOST_ELEMENTS + 1];
    for (name, long) in [
        (
            "line",
            Numbers {
                line: long.clone(),
                ..Numbers::default()
            },
        ),
        (
            "lines",
            Numbers {
                lines: vec![Vec::new(), long],
                ..Numbers::default()
            },
        ),
    ] {
        let error = long.validate().unwrap_err().to_string();
        let expected = format!("number of numbers.{name} = 257: expected at most 256");
        assert_eq!(error, expected);
        long.clamped().validate().unwrap();
    }
}
