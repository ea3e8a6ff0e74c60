//! Reads objects and lists, which many languages write in more than one way.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};

use super::sent::{Sent, Unreadable, is_blank};

type Read<T, E> = Result<Option<T>, E>;

pub const NO_OBJECT: Unreadable = Unreadable("an object");

/// An object.
pub struct ObjectVisitor<T> {
    /// What anything else counts as.
    pub otherwise: fn() -> Result<Option<T>, Unreadable>,
}

impl<T> ObjectVisitor<T> {
    fn other<E: Error>(&self) -> Read<T, E> {
        (self.otherwise)().map_err(E::custom)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for ObjectVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut is_empty = true;
        while list.next_element::<IgnoredAny>()?.is_some() {
            is_empty = false;
        }
        if is_empty { Ok(None) } else { self.other() }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        if is_blank(text) { Ok(None) } else { self.other() }
    }
}

/// A list of objects. `otherwise` decides about an entry that is no object, and about anything in place of the list.
/// Empty entries are left out.
pub struct ObjectsVisitor<T> {
    pub otherwise: fn() -> Result<Option<T>, Unreadable>,
}

impl<T> ObjectsVisitor<T> {
    fn other<E: Error>(&self) -> Result<Vec<T>, E> {
        Ok((self.otherwise)().map_err(E::custom)?.into_iter().collect())
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for ObjectsVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(object) = list.next_element_seed(ObjectVisitor { otherwise: self.otherwise })? {
            all.extend(object);
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let Some(first) = object.next_key()? else { return Ok(Vec::new()) };
        let object = Begun { first: Some(first), rest: object };
        T::deserialize(MapAccessDeserializer::new(object)).map(|one| vec![one])
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        self.other()
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        if is_blank(text) { Ok(Vec::new()) } else { self.other() }
    }
}

/// An object the name of whose first field was read already.
struct Begun<A> {
    first: Option<String>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Begun<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let Some(first) = self.first.take() else { return self.rest.next_key_seed(seed) };
        let first: StringDeserializer<A::Error> = first.into_deserializer();
        seed.deserialize(first).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }
}

/// Adds the index of an object to the path of its error.
impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for ObjectVisitor<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_any(self)
    }
}

/// A list of values. A single value counts as a list with it, an empty object as an empty list, and empty values are
/// left out.
pub struct ListVisitor<F>(pub F);

impl<F> ListVisitor<F> {
    fn single<T, E>(&self, sent: Sent<'_>) -> Result<Vec<T>, E>
    where
        F: Fn(Sent<'_>) -> Result<Option<T>, Unreadable>,
        E: Error,
    {
        if matches!(&sent, Sent::Text(text) if is_blank(text)) {
            return Ok(Vec::new());
        }
        Ok((self.0)(sent).map_err(E::custom)?.into_iter().collect())
    }
}

impl<'de, T, F: Fn(Sent<'_>) -> Result<Option<T>, Unreadable>> Visitor<'de> for ListVisitor<F> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = list.next_element_seed(ValueSeed(&self.0))? {
            all.extend(value);
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut is_empty = true;
        while let Some((IgnoredAny, IgnoredAny)) = object.next_entry()? {
            is_empty = false;
        }
        if is_empty { Ok(Vec::new()) } else { self.single(Sent::Other) }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        self.single(Sent::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.single(Sent::Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.single(Sent::of_unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        self.single(Sent::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.single(Sent::Text(text.into()))
    }
}

/// Adds the index of a value to the path of its error.
struct ValueSeed<'f, F>(&'f F);

impl<'de, T, F: Fn(Sent<'_>) -> Result<Option<T>, Unreadable>> DeserializeSeed<'de> for ValueSeed<'_, F> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        (self.0)(Sent::deserialize(from)?).map_err(D::Error::custom)
    }
}
