//! Reading a bid request. An error names the field it is about, as a path:
//! `imp[0].banner.w`.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::native::NativeRequest;
use crate::request::{BidRequest, Imp};

/// The most impressions in one request.
const MOST_IMPS: usize = 100;
/// The most commas in one request. A value may take a hundred times as much memory as its text, and
/// between two values there is a comma. Requests of thirty impressions have some two thousand.
const MOST_COMMAS: usize = 8_192;

/// The request is not one of the standard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct Malformed {
    /// `.` for the whole request.
    pub path: String,
    pub problem: String,
}

impl Malformed {
    fn new(path: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self { path: path.into(), problem: problem.to_string() }
    }

    /// What is wrong is the whole request.
    pub fn whole(problem: impl fmt::Display) -> Self {
        Self::new(".", problem)
    }

    fn within(self, outer: &str) -> Self {
        let path = if self.path == "." { outer.to_owned() } else { format!("{outer}.{}", self.path) };
        Self { path, ..self }
    }
}

/// Reads a request. Fields that are not read are skipped, as the standard asks.
///
/// # Errors
/// The first field that is missing or not what the standard says.
pub fn read(body: &[u8]) -> Result<BidRequest, Malformed> {
    if memchr::memchr_iter(b',', body).count() > MOST_COMMAS {
        return Err(Malformed::whole(format_args!("has more than {MOST_COMMAS} values")));
    }
    let mut request: BidRequest = parse(body)?;
    check(&request)?;
    for (number, imp) in request.imp.iter_mut().enumerate() {
        if let Some(native) = &mut imp.native {
            let path = format!("imp[{number}].native.request");
            native.markup = embedded(&native.request).map_err(|error| error.within(&path))?;
        }
    }
    Ok(request)
}

/// Parses twice if it fails: only the second time keeps track of the path.
fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Malformed> {
    if let Ok(read) = serde_json::from_slice(body) {
        return Ok(read);
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| Malformed::new(known(&error.path().to_string()), error.inner()))?;
    json.end().map_err(|error| Malformed::new(".", error))?;
    Ok(read)
}

/// Where the name of a field cannot be read, the path ends with a question mark: the
/// object around it is what is wrong.
fn known(path: &str) -> &str {
    match path.strip_suffix('?').map(|known| known.trim_end_matches('.')) {
        Some("") => ".",
        Some(known) => known,
        None => path,
    }
}

/// A native request is JSON within a text; until version 1.1 within an object `native`.
fn embedded(text: &str) -> Result<NativeRequest, Malformed> {
    #[derive(Deserialize)]
    struct Outer {
        native: Option<NativeRequest>,
    }
    let outer: Outer = parse(text.as_bytes())?;
    outer.native.map_or_else(|| parse(text.as_bytes()), Ok)
}

/// What types cannot say.
fn check(request: &BidRequest) -> Result<(), Malformed> {
    let named = |id: &str, path: String| if id.is_empty() { Err(Malformed::new(path, "is empty")) } else { Ok(()) };
    named(&request.id, "id".to_owned())?;
    if request.imp.is_empty() {
        return Err(Malformed::new("imp", "is empty"));
    }
    let mut ids = BTreeSet::new();
    for (number, imp) in request.imp.iter().enumerate() {
        named(&imp.id, format!("imp[{number}].id"))?;
        if !ids.insert(imp.id.as_str()) {
            return Err(Malformed::new(format!("imp[{number}].id"), "is there twice"));
        }
        for (place, deal) in imp.deals().iter().enumerate() {
            named(&deal.id, format!("imp[{number}].pmp.deals[{place}].id"))?;
        }
        if imp.video.as_ref().is_some_and(|video| video.mimes.is_empty()) {
            return Err(Malformed::new(format!("imp[{number}].video.mimes"), "is empty"));
        }
    }
    Ok(())
}

/// Impressions, as many as there may be: what follows is not made room for.
pub(crate) fn read_imps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Imp>, D::Error> {
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
    }

    from.deserialize_seq(Imps)
}

/// A field that many exchanges send as `null` where they have nothing to say.
pub(crate) fn read_or_default<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

/// `tmaxmax` of the extensions, which may be anything else.
pub(crate) fn timeout<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    from.deserialize_any(TimeoutVisitor)
}

struct TimeoutVisitor;

impl<'de> Visitor<'de> for TimeoutVisitor {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("extensions")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut ext: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(name) = ext.next_key::<String>()? {
            if name == "tmaxmax" {
                found = ext.next_value::<Millis>()?.0;
            } else {
                ext.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| None)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(u32::try_from(number).ok())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// A number, or something else, which is none.
struct Millis(Option<u32>);

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TimeoutVisitor).map(Self)
    }
}

/// 0 or 1, as the standard writes what is so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FlagVisitor)
    }
}

struct FlagVisitor;

impl Visitor<'_> for FlagVisitor {
    type Value = Flag;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0 or 1")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Flag, E> {
        match number {
            0 => Ok(Flag(false)),
            1 => Ok(Flag(true)),
            other => Err(E::invalid_value(Unexpected::Unsigned(other), &self)),
        }
    }
}
