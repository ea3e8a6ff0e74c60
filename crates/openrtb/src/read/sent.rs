//! A value as somebody sent it, and what it means as a number, a text or a flag. Many exchanges write
//! whole numbers as decimals or texts, flags as words, and ids as numbers.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Flag;
use crate::price::Cpm;

/// Whether a text is blank. Some exchanges send such a text for a missing value.
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// A value other than a list or an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent<'de> {
    Nothing,
    Flag(bool),
    Whole(i64),
    Float(f64),
    Text(Cow<'de, str>),
    /// A list or an object.
    Other,
}

/// The value cannot be read as what it should be, which is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not {0}")]
pub struct Unreadable(pub &'static str);

/// How a number that should be whole is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Down,
    /// Rounds up, for a minimum.
    Up,
    /// Never rounds: the number is a code, and there is none between two codes.
    Never,
}

impl Sent<'_> {
    /// A whole number; as a text if it is too large for one, since it may still be an id.
    pub fn of_unsigned(number: u64) -> Self {
        i64::try_from(number).map_or_else(|_| Self::Text(Cow::Owned(number.to_string())), Self::Whole)
    }

    /// A text; a number is not one. A blank text counts as missing.
    pub fn only_text(self) -> Result<Option<String>, Unreadable> {
        match self {
            Self::Nothing => Ok(None),
            Self::Text(text) if is_blank(&text) => Ok(None),
            Self::Text(text) => Ok(Some(text.trim().to_owned())),
            Self::Flag(_) | Self::Whole(_) | Self::Float(_) | Self::Other => Err(Unreadable("a text")),
        }
    }

    /// A text; numbers are ids as well.
    pub fn text(self) -> Result<Option<String>, Unreadable> {
        match self {
            Self::Nothing => Ok(None),
            Self::Text(text) => Ok(Some(text.into_owned())),
            Self::Whole(number) => Ok(Some(number.to_string())),
            Self::Flag(_) | Self::Float(_) | Self::Other => Err(Unreadable("a text")),
        }
    }

    /// A text that is compared with others, without blanks around it. Some languages write every number as a decimal,
    /// even if it is an id.
    pub fn listed_text(self) -> Result<Option<String>, Unreadable> {
        let text = match self {
            Self::Float(number) => {
                Some(rounded(number, Rounding::Never).map_err(|_| Unreadable("a text"))?.to_string())
            }
            other => other.text()?,
        };
        Ok(text.filter(|text| !is_blank(text)).map(|text| text.trim().to_owned()))
    }

    pub fn whole(&self, rounding: Rounding) -> Result<Option<i64>, Unreadable> {
        match self {
            Self::Nothing => Ok(None),
            Self::Whole(number) => Ok(Some(*number)),
            Self::Float(number) => rounded(*number, rounding).map(Some),
            Self::Text(text) => match text.trim() {
                "" => Ok(None),
                text => whole_of(text, rounding).map(Some),
            },
            Self::Flag(_) | Self::Other => Err(Unreadable("a whole number")),
        }
    }

    pub fn flag(&self) -> Result<Option<Flag>, Unreadable> {
        let wrong = Err(Unreadable("0 or 1"));
        let said = match self {
            Self::Nothing => return Ok(None),
            Self::Flag(flag) => Some(*flag),
            Self::Whole(number) => zero_or_one(*number),
            Self::Float(number) => rounded(*number, Rounding::Never).ok().and_then(zero_or_one),
            Self::Text(text) if is_blank(text) => return Ok(None),
            Self::Text(text) => match text.trim() {
                "0" => Some(false),
                "1" => Some(true),
                word if word.eq_ignore_ascii_case("false") => Some(false),
                word if word.eq_ignore_ascii_case("true") => Some(true),
                _ => None,
            },
            Self::Other => None,
        };
        said.map_or(wrong, |flag| Ok(Some(Flag(flag))))
    }

    pub fn price(&self) -> Result<Option<Cpm>, Unreadable> {
        let wrong = Unreadable("a price, zero or more");
        match self {
            Self::Nothing => Ok(None),
            Self::Whole(number) => Cpm::of_whole(*number).map(Some).map_err(|_| wrong),
            Self::Float(number) => Cpm::of_float(*number).map(Some).map_err(|_| wrong),
            Self::Text(text) if is_blank(text) => Ok(None),
            Self::Text(text) => Cpm::of_number(text.trim()).map(Some).map_err(|_| wrong),
            Self::Flag(_) | Self::Other => Err(wrong),
        }
    }
}

const fn zero_or_one(number: i64) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn whole_of(text: &str, rounding: Rounding) -> Result<i64, Unreadable> {
    let number = || text.parse::<f64>().map_err(|_| Unreadable("a whole number"));
    text.parse().or_else(|_| rounded(number()?, rounding))
}

fn rounded(number: f64, rounding: Rounding) -> Result<i64, Unreadable> {
    // Whole numbers up to here are exact in a float.
    const MOST: f64 = 9_007_199_254_740_992.0;
    let whole = match rounding {
        Rounding::Down => number.floor(),
        Rounding::Up => number.ceil(),
        Rounding::Never => number,
    };
    let fits = whole.fract() == 0.0 && whole.abs() <= MOST;
    if fits { Ok(whole as i64) } else { Err(Unreadable("a whole number")) }
}

impl<'de> Deserialize<'de> for Sent<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(SentVisitor)
    }
}

struct SentVisitor;

impl<'de> Visitor<'de> for SentVisitor {
    type Value = Sent<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Sent::Nothing)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Sent::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Sent::Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Sent::of_unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Sent::Float(number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Sent::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Sent::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(list).map(|_| Sent::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_map(object).map(|_| Sent::Other)
    }
}
