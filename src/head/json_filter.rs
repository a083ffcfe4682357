//! Between the JSON and the types of the `gltf` crate: what lets every legal file
//! through and no hostile one.
//!
//! Those types alone are too strict for some legal files (`5126.0`, `extras` that
//! are no object, a scene without nodes), stop at damage in what a head does not
//! need, cut indices to 32 bits, and turn 3 bytes of JSON into hundreds of memory.
//! So a [`Sieve`] wraps the JSON parser and
//!
//! * skips what is not needed unread, and fills in what may be left out;
//! * takes whole numbers however they are written, and refuses those that would be cut;
//! * charges all memory to a [`Meter`] before it is allocated.

use super::limits::{Budget, LIST_FACTOR, MAP_BYTES, MAP_ENTRY_BYTES, STRING_BYTES};
use serde::Deserialize;
use serde::de::value::CowStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// Properties that no head needs, wherever they are.
const SKIPPED: [&str; 18] = [
    "animations",
    "camera",
    "cameras",
    "copyright",
    "extensionsUsed",
    "extras",
    "generator",
    "max",
    "mimeType",
    "min",
    "minFilter",
    "normalized",
    "occlusionTexture",
    "skins",
    "strength",
    "target",
    "targets",
    "weights",
];

/// The extensions that are looked at.
const READ_EXTENSIONS: [&str; 3] = [
    "EXT_meshopt_compression",
    "KHR_draco_mesh_compression",
    "KHR_texture_transform",
];

/// What may be missing though the types of `gltf` want it. A missing asset becomes
/// one without a version.
fn default_of(structure: &str) -> Option<(&'static str, Value)> {
    Some(match structure {
        "Root" => ("asset", json!({"version": ""})),
        "Scene" => ("nodes", json!([])),
        "Mesh" => ("primitives", json!([])),
        "Primitive" => ("attributes", json!({})),
        _ => return None,
    })
}

/// Counts the memory of a document against the budget of its file.
pub struct Meter<'b> {
    pub budget: &'b Budget,
    /// Whether the budget was not enough.
    pub refused: Cell<bool>,
}

impl Meter<'_> {
    fn charge<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let charged = self.budget.take(bytes as u64, 1, String::new);
        charged.map_err(|_| {
            self.refused.set(true);
            E::custom("it needs too much memory")
        })
    }
}

/// What is special about a value.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    /// A struct of this name.
    Struct(&'static str),
    /// The value of a property `extensions`.
    Extensions,
    /// A struct of one field: offsets and sizes, but no index, are in one.
    Newtype,
    /// A whole number up to this.
    Whole(u64),
}

/// A deserializer that sieves what the one within gives.
pub struct Sieve<'m, D> {
    inner: D,
    meter: &'m Meter<'m>,
    kind: Kind,
}

impl<'m, D> Sieve<'m, D> {
    pub fn new(inner: D, meter: &'m Meter<'m>) -> Self {
        let kind = Kind::Plain;
        Sieve { inner, meter, kind }
    }

    fn with<T>(&self, inner: T, kind: Kind) -> Sieve<'m, T> {
        let meter = self.meter;
        Sieve { inner, meter, kind }
    }

    /// `kind`, unless more is known already.
    fn or(&self, kind: Kind) -> Kind {
        match self.kind {
            Kind::Extensions => Kind::Extensions,
            _ => kind,
        }
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Sieve<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor, self.kind);
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor, self.kind);
        self.inner.deserialize_option(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor, self.or(Kind::Struct(name)));
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let kind = self.or(Kind::Newtype);
        visitor.visit_newtype_struct(Sieve { kind, ..self })
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let most = match self.kind {
            Kind::Newtype => u64::MAX,
            // An index or a code, which `gltf` cuts to 32 bits; u32::MAX is its "none".
            _ => u64::from(u32::MAX - 1),
        };
        let visitor = self.with(visitor, Kind::Whole(most));
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.with(visitor, Kind::Whole(u64::from(u32::MAX)));
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map enum identifier
    }
}

impl<'de, V: Visitor<'de>> Sieve<'_, V> {
    /// Refuses what is no number where one is wanted, in our words.
    fn unless_whole<E: Error>(&self, found: Unexpected) -> Result<(), E> {
        match self.kind {
            Kind::Whole(_) => Err(E::invalid_type(found, self)),
            _ => Ok(()),
        }
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Sieve<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind {
            Kind::Whole(most) if most < u64::MAX => {
                write!(f, "a whole number that is not negative, up to {most}")
            }
            Kind::Whole(_) => f.write_str("a whole number that is not negative"),
            _ => self.inner.expecting(f),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        self.unless_whole(Unexpected::Bool(value))?;
        self.inner.visit_bool(value)
    }

    /// Of negative numbers only.
    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        match self.kind {
            Kind::Whole(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
            _ => self.inner.visit_i64(value),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        match self.kind {
            Kind::Whole(most) if value > most => {
                Err(E::invalid_value(Unexpected::Unsigned(value), &self))
            }
            _ => self.inner.visit_u64(value),
        }
    }

    /// Whole numbers may be written `5126.0`.
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.fract() == 0.0 && (0.0..9.0e15).contains(&value) {
            return self.visit_u64(value as u64);
        }
        match self.kind {
            Kind::Whole(_) => Err(E::invalid_value(Unexpected::Float(value), &self)),
            _ => self.inner.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.unless_whole(Unexpected::Str(value))?;
        self.meter.charge(value.len() + STRING_BYTES)?;
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.unless_whole(Unexpected::Str(value))?;
        self.meter.charge(value.len() + STRING_BYTES)?;
        self.inner.visit_borrowed_str(value)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.unless_whole(Unexpected::Unit)?;
        self.inner.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, some: D) -> Result<V::Value, D::Error> {
        let some = self.with(some, self.kind);
        self.inner.visit_some(some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.unless_whole(Unexpected::Seq)?;
        let list = self.with(list, Kind::Plain);
        self.inner.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.unless_whole(Unexpected::Map)?;
        let missing = match self.kind {
            Kind::Struct(name) => default_of(name),
            _ => {
                self.meter.charge(MAP_BYTES)?;
                None
            }
        };
        self.inner.visit_map(Entries {
            inner,
            meter: self.meter,
            kind: self.kind,
            missing,
            filled_in: None,
            is_extensions: false,
        })
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Sieve<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.meter.charge(size_of::<T::Value>() * LIST_FACTOR)?;
        let seed = self.with(seed, Kind::Plain);
        self.inner.next_element_seed(seed)
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Sieve<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<T::Value, D::Error> {
        let inner = self.with(inner, self.kind);
        self.inner.deserialize(inner)
    }
}

/// The entries of an object, without those that are skipped and with what is missing.
struct Entries<'m, A> {
    inner: A,
    meter: &'m Meter<'m>,
    kind: Kind,
    /// The default that is still to come unless the object has its own.
    missing: Option<(&'static str, Value)>,
    /// The default whose key was just given.
    filled_in: Option<Value>,
    /// Whether the key that was just given was `extensions`.
    is_extensions: bool,
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(Key(key)) = self.inner.next_key()? {
            let is_read = match self.kind {
                Kind::Extensions => READ_EXTENSIONS.contains(&&*key),
                _ => !SKIPPED.contains(&&*key),
            };
            if !is_read {
                self.inner.next_value::<IgnoredAny>()?;
                continue;
            }
            if !matches!(self.kind, Kind::Struct(_)) {
                self.meter.charge(key.len() + MAP_ENTRY_BYTES)?;
            }
            self.missing.take_if(|missing| missing.0 == key);
            self.is_extensions = key == "extensions";
            return seed.deserialize(CowStrDeserializer::new(key)).map(Some);
        }
        let Some((key, value)) = self.missing.take() else {
            return Ok(None);
        };
        self.filled_in = Some(value);
        seed.deserialize(CowStrDeserializer::new(key.into()))
            .map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        if let Some(value) = self.filled_in.take() {
            return seed.deserialize(value).map_err(A::Error::custom);
        }
        let kind = match self.is_extensions {
            true => Kind::Extensions,
            false => Kind::Plain,
        };
        let meter = self.meter;
        let inner = seed;
        self.inner.next_value_seed(Sieve { inner, meter, kind })
    }
}
