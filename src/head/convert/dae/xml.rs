//! XML as a list of elements that point into its text. Nothing is expanded: there are no entities but
//! those of characters, and a document that declares others is refused.
//!
//! `roxmltree` is not used: it keeps a list of namespaces for each element within others, which a small
//! file can make very long, and a node for each piece of space between elements.

use crate::head::error::Result;
use crate::head::limits::Budget;
use std::borrow::Cow;

/// The largest number of elements within each other.
const MOST_NESTED: usize = 4096;
/// The bytes of a start tag that are searched for attributes.
const MOST_ATTRIBUTES: usize = 2048;
/// Children among which one is looked for by its name: some are looked for very often.
const MOST_SEARCHED: usize = 1024;
/// The index of what there is not.
const NONE: u32 = u32::MAX;

struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    /// The text between its tags; empty if it has elements.
    text: &'a str,
    first: u32,
    next: u32,
}

/// The elements of a text.
pub struct Document<'a>(Vec<Element<'a>>);

/// An element of a document.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    /// The number of the element in the order of the text.
    pub index: u32,
}

impl<'a> Document<'a> {
    /// Reads the elements of a text.
    pub fn parse(text: &'a str, budget: &Budget) -> Result<Self> {
        let starts = text.as_bytes().windows(2);
        let starts =
            starts.filter(|pair| pair[0] == b'<' && !matches!(pair[1], b'/' | b'!' | b'?'));
        let count = starts.count();
        let each = size_of::<Element>() as u64;
        budget.take(count as u64, each, "its COLLADA")?;
        let mut elements = Vec::with_capacity(count);
        parse(text, &mut elements).map_err(|(at, problem)| {
            let line = 1 + text.as_bytes()[..at]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            super::refused(format!("line {line} {problem}"))
        })?;
        Ok(Document(elements))
    }

    /// Returns the elements, in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.0.len() as u32).map(|index| Node {
            document: self,
            index,
        })
    }
}

/// An element whose end was not found yet.
struct Open {
    index: u32,
    last_child: u32,
    content: usize,
}

/// Adds the elements of a text; an error is a place and what is wrong there.
fn parse<'a>(
    text: &'a str,
    elements: &mut Vec<Element<'a>>,
) -> std::result::Result<(), (usize, &'static str)> {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let past = |end: &str| rest.find(end).map(|length| start + length + end.len());
        let unfinished = (start, "begins what does not end");
        at = if rest.starts_with("<!--") {
            past("-->").ok_or(unfinished)?
        } else if rest.starts_with("<![CDATA[") {
            past("]]>").ok_or(unfinished)?
        } else if rest.starts_with("<?") {
            past("?>").ok_or(unfinished)?
        } else if rest.starts_with("<!") {
            let end = past(">").ok_or(unfinished)?;
            if text[start..end].contains('[') {
                return Err((start, "declares entities, which are not read"));
            }
            end
        } else if rest.starts_with("</") {
            let end = past(">").ok_or(unfinished)?;
            let closed = open.pop().ok_or((start, "closes what is not open"))?;
            let element = &mut elements[closed.index as usize];
            if text[start + 2..end - 1].trim_end() != element.name {
                return Err((start, "closes another element than the last"));
            }
            if element.first == NONE {
                element.text = &text[closed.content..start];
            }
            end
        } else {
            let mut quote = None;
            let end = rest.bytes().position(|byte| match (quote, byte) {
                (None, b'>') => true,
                (None, b'"' | b'\'') => {
                    quote = Some(byte);
                    false
                }
                (Some(mark), _) if mark == byte => {
                    quote = None;
                    false
                }
                _ => false,
            });
            let end = start + end.ok_or(unfinished)?;
            let tag = &text[start + 1..end];
            let (tag, is_empty) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let parts = tag.split_once(|c: char| c.is_ascii_whitespace());
            let (name, attributes) = parts.unwrap_or((tag, ""));
            let attributes = &attributes[..attributes.floor_char_boundary(MOST_ATTRIBUTES)];
            let index = elements.len() as u32;
            elements.push(Element {
                name,
                attributes,
                text: "",
                first: NONE,
                next: NONE,
            });
            if let Some(parent) = open.last_mut() {
                match parent.last_child {
                    NONE => elements[parent.index as usize].first = index,
                    last => elements[last as usize].next = index,
                }
                parent.last_child = index;
            } else if index > 0 {
                return Err((start, "begins a second root element"));
            }
            if !is_empty {
                if open.len() == MOST_NESTED {
                    return Err((start, "is nested too deep"));
                }
                open.push(Open {
                    index,
                    last_child: NONE,
                    content: end + 1,
                });
            }
            end + 1
        };
    }
    match (open.last(), elements.is_empty()) {
        (None, false) => Ok(()),
        (None, true) => Err((0, "begins no element")),
        (Some(_), _) => Err((
            text.len(),
            "ends the file within an element; the file may be cut",
        )),
    }
}

impl<'d> Node<'d> {
    fn element(&self) -> &'d Element<'d> {
        &self.document.0[self.index as usize]
    }

    /// Returns the name without its namespace.
    pub fn name(&self) -> &'d str {
        let name = self.element().name;
        name.rsplit(':').next().unwrap_or(name)
    }

    /// Returns the raw text; empty if it has elements.
    pub fn text(&self) -> &'d str {
        self.element().text
    }

    /// Returns the raw value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'d str> {
        let mut rest = self.element().attributes;
        loop {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next();
            let quote = quote.filter(|mark| matches!(mark, '"' | '\''))?;
            let (value, after) = after[1..].split_once(quote)?;
            if key.trim() == name {
                return Some(value);
            }
            rest = after;
        }
    }

    /// Returns the elements within this one.
    pub fn children(&self) -> impl Iterator<Item = Node<'d>> + use<'d> {
        let document = self.document;
        let node = move |index| (index != NONE).then_some(Node { document, index });
        let first = node(self.element().first);
        std::iter::successors(first, move |last| node(last.element().next))
    }

    /// Returns the first of the first elements within this one that is as wanted.
    pub fn find(&self, is_wanted: impl Fn(&Node) -> bool) -> Option<Node<'d>> {
        self.children().take(MOST_SEARCHED).find(is_wanted)
    }

    /// Returns the first element of a name, as [`Node::find`] does.
    pub fn child(&self, name: &str) -> Option<Node<'d>> {
        self.find(|child| child.name() == name)
    }

    /// Returns what is found by the names of elements, each within the one before.
    pub fn at(&self, path: &[&str]) -> Option<Node<'d>> {
        path.iter().try_fold(*self, |node, name| node.child(name))
    }
}

/// Returns a text with its characters in place of their entities.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let entity = piece.split_once(';').and_then(|(name, rest)| {
            let number = name.strip_prefix('#');
            let code = number.and_then(|number| match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            });
            let character = match name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => char::from_u32(code?)?,
            };
            Some((character, rest))
        });
        let (character, rest) = entity.unwrap_or(('&', piece));
        plain.push(character);
        plain.push_str(rest);
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::limits::Limits;

    #[test]
    fn elements_have_names_attributes_and_texts() {
        let budget = Budget::new(&Limits::default(), 0);
        let text = "<?xml version=\"1.0\"?><!-- <no> --><c:a x='1>0' y = \"T&amp;&#x41;\"><b>1 2</b>\n<b/></c:a>";
        let document = Document::parse(text, &budget).unwrap();
        let root = document.nodes().next().unwrap();
        assert_eq!((root.name(), root.attribute("x")), ("a", Some("1>0")));
        assert_eq!(unescaped(root.attribute("y").unwrap()), "T&A");
        let texts: Vec<&str> = root.children().map(|child| child.text()).collect();
        assert_eq!(texts, ["1 2", ""]);
        for broken in [
            "",
            "<a>",
            "<a></b>",
            "</a>",
            "<a/><b/>",
            "<a",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        ] {
            assert!(Document::parse(broken, &budget).is_err(), "{broken}");
        }
        let deep = "<a>".repeat(100_000);
        assert!(Document::parse(&deep, &budget).is_err());
    }
}
