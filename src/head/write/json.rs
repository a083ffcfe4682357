//! JSON changed in places. What is not changed keeps its very text: numbers keep all
//! their digits, objects the order of their keys.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Error, Result};
use std::borrow::Cow;
use std::fmt;

/// The values of some keys of an object; of a key that is there twice, the last.
pub fn find<'a, const N: usize>(object: &'a str, keys: [&str; N]) -> Result<[Option<&'a str>; N]> {
    let mut found = [None; N];
    entries(object, &mut |key, _, value| {
        if let Some(nth) = keys.iter().position(|wanted| *wanted == key) {
            found[nth] = Some(value);
        }
    })?;
    Ok(found)
}

/// The object with some values set, new keys at its end, and without some keys.
pub fn with(object: &str, sets: &[(&str, &str)], drops: &[&str]) -> Result<String> {
    let mut out = List::begin('{', object.len());
    let mut done = vec![false; sets.len()];
    entries(object, &mut |key, text, value| {
        if drops.contains(&key) {
            return;
        }
        let value = match sets.iter().position(|(set, _)| *set == key) {
            // Only once, should the key be there twice.
            Some(nth) if done[nth] => return,
            Some(nth) => {
                done[nth] = true;
                sets[nth].1
            }
            None => value,
        };
        out.push(&[text, ":", value]);
    })?;
    for ((key, value), _) in sets.iter().zip(done).filter(|(_, done)| !done) {
        out.push(&[&serde_json::to_string(key)?, ":", value]);
    }
    Ok(out.end('}'))
}

/// The list, each item as `change` wants it, with more at its end.
pub fn list<'a, E: From<Error>>(
    list: &'a str,
    change: &mut dyn FnMut(usize, &'a str) -> std::result::Result<Cow<'a, str>, E>,
    more: &[String],
) -> std::result::Result<String, E> {
    let mut out = List::begin('[', list.len());
    let mut changed = Ok(());
    let mut nth = 0;
    items(list, &mut |item| {
        if changed.is_ok() {
            changed = change(nth, item).map(|item| out.push(&[&item]));
        }
        nth += 1;
    })?;
    changed?;
    for item in more {
        out.push(&[item]);
    }
    Ok(out.end(']'))
}

/// Whether an object has other keys than these.
pub fn has_more_than(object: &str, known: &[&str]) -> Result<bool> {
    let mut more = false;
    entries(object, &mut |key, _, _| more |= !known.contains(&key))?;
    Ok(more)
}

/// Text with commas in between.
struct List {
    text: String,
    is_empty: bool,
}

impl List {
    fn begin(bracket: char, capacity: usize) -> Self {
        let mut text = String::with_capacity(capacity);
        text.push(bracket);
        List {
            text,
            is_empty: true,
        }
    }

    fn push(&mut self, pieces: &[&str]) {
        if !self.is_empty {
            self.text.push(',');
        }
        self.is_empty = false;
        self.text.extend(pieces.iter().copied());
    }

    fn end(mut self, bracket: char) -> String {
        self.text.push(bracket);
        self.text
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Calls `each` with the key, its text and the text of the value of every entry.
fn entries<'a>(object: &'a str, each: &mut dyn FnMut(&str, &'a str, &'a str)) -> Result<()> {
    struct Entries<'f, 'a>(&'f mut dyn FnMut(&str, &'a str, &'a str));
    impl<'a> Visitor<'a> for Entries<'_, 'a> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> std::result::Result<(), A::Error> {
            while let Some(text) = map.next_key::<&RawValue>()? {
                let Key(key) =
                    serde_json::from_str(text.get()).map_err(serde::de::Error::custom)?;
                (self.0)(&key, text.get(), map.next_value::<&RawValue>()?.get());
            }
            Ok(())
        }
    }
    let mut parser = serde_json::Deserializer::from_str(object);
    parser.deserialize_map(Entries(each))
}

/// Calls `each` with the text of every item.
fn items<'a>(list: &'a str, each: &mut dyn FnMut(&'a str)) -> Result<()> {
    struct Items<'f, 'a>(&'f mut dyn FnMut(&'a str));
    impl<'a> Visitor<'a> for Items<'_, 'a> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> std::result::Result<(), A::Error> {
            while let Some(item) = list.next_element::<&RawValue>()? {
                (self.0)(item.get());
            }
            Ok(())
        }
    }
    let mut parser = serde_json::Deserializer::from_str(list);
    parser.deserialize_seq(Items(each))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    const OBJECT: &str =
        r#" { "b\u0061": 1.10000000000000000001e5 ,"deep":[ {"x" : "}\"" } ], "z":null } "#;

    #[test]
    fn values_are_found_by_what_their_key_says() {
        let found = find(OBJECT, ["ba", "deep", "none"]).unwrap();
        let deep = r#"[ {"x" : "}\"" } ]"#;
        assert_eq!(found, [Some("1.10000000000000000001e5"), Some(deep), None]);
        assert_eq!(find(r#"{"a":1,"a":2}"#, ["a"]).unwrap(), [Some("2")]);
        find("[]", ["a"]).unwrap_err();
    }

    #[test]
    fn what_is_not_set_keeps_its_text() {
        let changed = with(OBJECT, &[("z", "7"), ("new\n", "[]")], &["deep"]).unwrap();
        let expected = r#"{"b\u0061":1.10000000000000000001e5,"z":7,"new\n":[]}"#;
        assert_eq!(changed, expected);
        assert_eq!(with("{}", &[("a", "1")], &[]).unwrap(), r#"{"a":1}"#);
        assert_eq!(with("{\"a\":1}", &[], &["a"]).unwrap(), "{}");
        let twice = r#"{"a":1,"b":0,"a":2}"#;
        assert_eq!(with(twice, &[("a", "3")], &[]).unwrap(), r#"{"a":3,"b":0}"#);
    }

    #[test]
    fn lists_change_item_by_item() {
        let second =
            |nth, item| -> Result<Cow<str>> { Ok(if nth == 1 { "true".into() } else { item }) };
        let second = &mut |nth, item| second(nth, Cow::Borrowed(item));
        let more = ["{}".to_owned()];
        assert_eq!(
            list("[ 1e400 , 2]", second, &more).unwrap(),
            "[1e400,true,{}]"
        );
        assert_eq!(list("[]", second, &more).unwrap(), "[{}]");
        assert_eq!(list("[]", second, &[]).unwrap(), "[]");
        let refuse = &mut |_, _| Err(serde::de::Error::custom("no"));
        assert_eq!(
            list::<Error>("[0]", refuse, &[]).unwrap_err().to_string(),
            "no"
        );
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[ -~\u{e4}\u{1F600}]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-d\"\\\\]{0,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Setting and dropping do to the text what they do to the value.
        #[test]
        fn text_changes_as_values_do(
            object in prop::collection::btree_map("[a-d\"\\\\]{0,2}", value(), 0..6),
            key in "[a-d\"\\\\]{0,2}",
            dropped in "[a-d]",
            new in value(),
            is_pretty in any::<bool>(),
        ) {
            prop_assume!(key != dropped);
            let mut object: serde_json::Map<_, _> = object.into_iter().collect();
            let text = match is_pretty {
                true => serde_json::to_string_pretty(&object),
                false => serde_json::to_string(&object),
            };
            let changed = with(&text.unwrap(), &[(&key, &new.to_string())], &[&dropped]).unwrap();
            object.remove(&dropped);
            object.insert(key, new);
            let changed: Value = serde_json::from_str(&changed).unwrap();
            prop_assert_eq!(changed, Value::Object(object));
        }
    }
}
