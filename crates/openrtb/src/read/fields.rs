//! Readers of single fields, for `deserialize_with`. There are three kinds. A field that nothing else depends on is
//! read **if it can be**: if it is unreadable, it counts as missing. A field that restricts something counts **as the
//! strictest** value if it is unreadable. Every other field **must** be readable: if it is not, the object that it
//! belongs to is lost. What is about the reader must be readable as well, but is replaced by the strictest (`salvage`),
//! so that the exchange is told.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::sent::{Rounding, Sent, Unreadable};
use super::visitors::{ListVisitor, NO_OBJECT, ObjectVisitor, ObjectsVisitor};
use super::{Flag, MOST_IMPS};
use crate::price::Cpm;
use crate::request::Imp;

type Read<T, E> = Result<Option<T>, E>;

// If it can be read -----------------------------------------------------------

pub fn maybe_text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Ok(Sent::deserialize(from)?.listed_text().unwrap_or_default())
}

/// A count. Many exchanges send zero or -1 for one that they do not know, so these count as missing.
pub fn maybe_count<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    Ok(most_of(&Sent::deserialize(from)?).unwrap_or_default())
}

pub fn maybe_least<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    Ok(count_of(&Sent::deserialize(from)?, Rounding::Up).unwrap_or_default())
}

pub fn maybe_flag<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    Ok(Sent::deserialize(from)?.flag().unwrap_or_default())
}

pub fn maybe_number<'de, D: Deserializer<'de>>(from: D) -> Read<i32, D::Error> {
    Ok(number_of(&Sent::deserialize(from)?).unwrap_or_default())
}

/// An object; anything else is none.
pub fn maybe_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Read<T, D::Error> {
    from.deserialize_any(ObjectVisitor { otherwise: || Ok(None) })
}

/// The numbers of a list, without what is none.
pub fn maybe_numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<i32>, D::Error> {
    list(from, |sent| Ok(number_of(&sent).unwrap_or_default()))
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

// As the strictest --------------------------------------------------------------

/// What an unreadable text about the reader counts as: something was said, but nobody knows what.
pub const UNKNOWN_TEXT: &str = "?";
/// What an unreadable number of a list counts as: none that is in it.
pub const UNKNOWN_NUMBER: i32 = i32::MAX;

/// An object that restricts something.
pub trait Unknown {
    /// What it counts as if it cannot be read.
    fn unknown() -> Self;
}

/// Whether somebody asks for something.
pub fn applies<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    Ok(not_zero(&Sent::deserialize(from)?).unwrap_or(Some(Flag(true))))
}

/// A text that is never a number, such as a currency.
pub fn text_or_unknown<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Ok(Sent::deserialize(from)?.only_text().unwrap_or_else(|_| Some(UNKNOWN_TEXT.to_owned())))
}

pub fn number_or_unknown<'de, D: Deserializer<'de>>(from: D) -> Read<i32, D::Error> {
    Ok(known(&Sent::deserialize(from)?))
}

/// The most of something. Nothing fits into what cannot be read.
pub fn most_or_none<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    Ok(most_of(&Sent::deserialize(from)?).unwrap_or(Some(0)))
}

/// A size, or the least of one. Nothing has one that cannot be read.
pub fn size_or_unknown<'de, D: Deserializer<'de>>(from: D) -> Read<u32, D::Error> {
    Ok(count_of(&Sent::deserialize(from)?, Rounding::Up).unwrap_or(Some(u32::MAX)).filter(|size| *size > 0))
}

pub fn texts_or_unknown<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let unknown = || Some(UNKNOWN_TEXT.to_owned());
    list(from, |sent| Ok(sent.listed_text().unwrap_or_else(|_| unknown())))
}

pub fn object_or_unknown<'de, D, T>(from: D) -> Read<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Unknown,
{
    from.deserialize_any(ObjectVisitor { otherwise: || Ok(Some(T::unknown())) })
}

/// The texts of a list of what is allowed. Without one that cannot be read, it allows less; without any, it would
/// allow everything.
pub fn allowed_texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    readable(list(from, |sent| Ok(sent.listed_text().transpose()))?)
}

pub fn allowed_numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<i32>, D::Error> {
    readable(list(from, |sent| Ok(number_of(&sent).transpose()))?)
}

pub fn allowed_counts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    readable(list(from, |sent| Ok(length_of(&sent).transpose()))?)
}

/// A number of a list; false is none of its numbers but zero.
fn known(sent: &Sent<'_>) -> Option<i32> {
    if *sent == Sent::Flag(false) { Some(0) } else { number_of(sent).unwrap_or(Some(UNKNOWN_NUMBER)) }
}

fn readable<T, E: Error>(listed: Vec<Result<T, Unreadable>>) -> Result<Vec<T>, E> {
    let unread = listed.iter().find_map(|one| one.as_ref().err().copied());
    let read: Vec<T> = listed.into_iter().flatten().collect();
    match unread {
        Some(why) if read.is_empty() => Err(E::custom(why)),
        _ => Ok(read),
    }
}

// It must be readable -----------------------------------------------------------

pub fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(text(from)?.unwrap_or_default())
}

pub fn text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Sent::deserialize(from)?.text().map_err(D::Error::custom)
}

/// A text that is never a number, such as a consent string or a country.
pub fn only_text<'de, D: Deserializer<'de>>(from: D) -> Read<String, D::Error> {
    Sent::deserialize(from)?.only_text().map_err(D::Error::custom)
}

/// Whether a law applies, or a reader refuses something.
pub fn law<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    not_zero(&Sent::deserialize(from)?).map_err(D::Error::custom)
}

pub fn flag<'de, D: Deserializer<'de>>(from: D) -> Read<Flag, D::Error> {
    Sent::deserialize(from)?.flag().map_err(D::Error::custom)
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
    from.deserialize_any(ObjectVisitor { otherwise: || Err(NO_OBJECT) })
}

pub fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    list(from, |sent| sent.listed_text())
}

pub fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<i32>, D::Error> {
    list(from, |sent| number_of(&sent))
}

/// A list of objects. A single object counts as a list with it; an empty one as an empty list, because some languages
/// write it like that.
pub fn objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(ObjectsVisitor { otherwise: || Err(NO_OBJECT) })
}

/// The objects of a list, without what is none.
pub fn maybe_objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(ObjectsVisitor { otherwise: || Ok(None) })
}

fn list<'de, D: Deserializer<'de>, T>(
    from: D,
    read: impl Fn(Sent<'_>) -> Result<Option<T>, Unreadable>,
) -> Result<Vec<T>, D::Error> {
    from.deserialize_any(ListVisitor(read))
}

/// Some exchanges send a number of their own if they do not know whether it is so. Then it may be.
fn not_zero(sent: &Sent<'_>) -> Result<Option<Flag>, Unreadable> {
    match sent.whole(Rounding::Never) {
        Ok(Some(number)) => Ok(Some(Flag(number != 0))),
        _ => sent.flag(),
    }
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

fn length_of(sent: &Sent<'_>) -> Result<Option<u32>, Unreadable> {
    let number = sent.whole(Rounding::Never)?;
    number.map(|number| u32::try_from(number).map_err(|_| Unreadable("zero or more"))).transpose()
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
