//! Readers of single fields, for `deserialize_with`. There are two kinds. A field that nothing else depends on is
//! read **if it can be**: if it is unreadable, it counts as missing. Every other field **must** be readable: if it is
//! not, the object that it belongs to is lost.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::sent::{Rounding, Sent, Unreadable, is_blank};
use super::{Flag, MOST_IMPS};
use crate::price::Cpm;
use crate::request::Imp;

type Read<T, E> = Result<Option<T>, E>;

// If it can be read -----------------------------------------------------------

pub fn maybe_text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Ok(Sent::deserialize(from)?.text().unwrap_or_default())
}

/// A count. Many exchanges send zero or -1 for one that they do not know, so these count as missing.
pub fn maybe_count<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    Ok(most_of(&Sent::deserialize(from)?).unwrap_or_default())
}

pub fn maybe_number<'de, D: Deserializer<'de>>(from: D) -> Read<i32, D::Error> {
    Ok(number_of(&Sent::deserialize(from)?).unwrap_or_default())
}

/// An object; anything else is none.
pub fn maybe_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Read<T, D::Error> {
    from.deserialize_any(ObjectVisitor { must: false, of: PhantomData })
}

/// A version, which may be written as a number.
pub fn maybe_version<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    let sent = Sent::deserialize(from)?;
    let number = if let Sent::Float(number) = &sent { Some(number.to_string()) } else { None };
    Ok(number.or_else(|| sent.listed_text().unwrap_or_default()))
}

/// A number that is an id.
pub fn maybe_id<'de, D: Deserializer<'de>>(from: D) -> Read<i64, D::Error> {
    Ok(Sent::deserialize(from)?.whole(Rounding::Never).unwrap_or_default())
}

// It must be readable -----------------------------------------------------------

pub fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(text(from)?.unwrap_or_default())
}

pub fn text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Sent::deserialize(from)?.text().map_err(D::Error::custom)
}

/// A text that is never a number, such as a consent string, a country or a currency.
pub fn only_text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Sent::deserialize(from)?.only_text().map_err(D::Error::custom)
}

pub fn flag<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    Sent::deserialize(from)?.flag().map_err(D::Error::custom)
}

/// Whether a law applies. Some exchanges send a number of their own if they do not know. Then the law may apply, so it
/// counts as if it does.
pub fn applies<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    let sent = Sent::deserialize(from)?;
    match sent.whole(Rounding::Never) {
        Ok(Some(number)) => Ok(Some(Flag(number != 0))),
        _ => sent.flag().map_err(D::Error::custom),
    }
}

pub fn number<'de, D: Deserializer<'de>>(from: D) -> Read<i32, D::Error> {
    number_of(&Sent::deserialize(from)?).map_err(D::Error::custom)
}

/// A maximum or a size. Nothing fits into zero, so zero counts as missing, like -1.
pub fn count<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    most_of(&Sent::deserialize(from)?).map_err(D::Error::custom)
}

/// The least of something.
pub fn least<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    count_of(&Sent::deserialize(from)?, Rounding::Up).map_err(D::Error::custom)
}

pub fn price<'de, D: Deserializer<'de>>(from: D) -> Result<Cpm, D::Error> {
    Ok(Sent::deserialize(from)?.price().map_err(D::Error::custom)?.unwrap_or_default())
}

/// Whether it is a number other than one, which is what an impression counts as.
pub fn is_not_one<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(!matches!(Sent::deserialize(from)?.whole(Rounding::Never), Ok(None | Some(1))))
}

/// An object. An empty list or text counts as missing: some languages write an object without fields like that.
pub fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Read<T, D::Error> {
    from.deserialize_any(ObjectVisitor { must: true, of: PhantomData })
}

pub fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    from.deserialize_any(ListVisitor(|sent: Sent<'_>| sent.listed_text()))
}

pub fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<i32>, D::Error> {
    from.deserialize_any(ListVisitor(|sent: Sent<'_>| number_of(&sent)))
}

pub fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    from.deserialize_any(ListVisitor(|sent: Sent<'_>| {
        let number = sent.whole(Rounding::Never)?;
        number.map(|number| u32::try_from(number).map_err(|_| Unreadable("zero or more"))).transpose()
    }))
}

/// A list of objects. A single object counts as a list with it.
pub fn objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(ObjectsVisitor { must: true, of: PhantomData })
}

/// The objects of a list, without what is none.
pub fn maybe_objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(ObjectsVisitor { must: false, of: PhantomData })
}

fn most_of(sent: &Sent<'_>) -> Result<Option<u32>, Unreadable> {
    Ok(count_of(sent, Rounding::Down)?.filter(|most| *most > 0))
}

fn count_of(sent: &Sent<'_>, rounding: Rounding) -> Result<Option<u32>, Unreadable> {
    let number = sent.whole(rounding)?.filter(|number| *number >= 0);
    number.map(|number| u32::try_from(number).map_err(|_| Unreadable("a number of that size"))).transpose()
}

fn number_of(sent: &Sent<'_>) -> Result<Option<i32>, Unreadable> {
    let number = sent.whole(Rounding::Never)?;
    number.map(|number| i32::try_from(number).map_err(|_| Unreadable("a number of a list"))).transpose()
}

struct ObjectVisitor<T> {
    must: bool,
    of: PhantomData<T>,
}

impl<T> ObjectVisitor<T> {
    fn other<E: Error>(&self) -> Read<T, E> {
        if self.must { Err(E::custom(Unreadable("an object"))) } else { Ok(None) }
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

/// A list of objects. An entry of another type is an error, or is left out. Empty entries are always left out.
struct ObjectsVisitor<T> {
    must: bool,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for ObjectsVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(object) = list.next_element_seed(ObjectVisitor { must: self.must, of: PhantomData })? {
            all.extend(object);
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(|one| vec![one])
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        if is_blank(text) { Ok(Vec::new()) } else { Err(E::invalid_type(Unexpected::Str(text), &self)) }
    }
}

/// Adds the index of an object to the path of its error.
impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for ObjectVisitor<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_any(self)
    }
}

/// A list of values. A single value counts as a list with it, and empty values are left out.
struct ListVisitor<F>(F);

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

/// Impressions. Those beyond the limit take no memory. A single object counts as a list with it.
pub fn imps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Imp>, D::Error> {
    struct Imps;

    impl<'de> Visitor<'de> for Imps {
        type Value = Vec<Imp>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Imp>, A::Error> {
            let mut imps = Vec::new();
            while imps.len() < MOST_IMPS {
                match list.next_element()? {
                    Some(imp) => imps.push(imp),
                    None => return Ok(imps),
                }
            }
            match list.next_element::<IgnoredAny>()? {
                Some(_) => Err(A::Error::custom(format_args!("has more than {MOST_IMPS}"))),
                None => Ok(imps),
            }
        }

        fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Vec<Imp>, A::Error> {
            let imp = Imp::deserialize(MapAccessDeserializer::new(object))?;
            // An empty object is no impression.
            Ok(if imp == Imp::default() { Vec::new() } else { vec![imp] })
        }
    }

    from.deserialize_any(Imps)
}
