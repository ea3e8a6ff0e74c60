//! JSON bodies. All missing and invalid fields are reported at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use base::Field;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use validator::Validate;

use crate::failure::Failure;

/// A JSON body. The handler parses it after the session was checked, so a client that is not signed
/// in learns that before anything about its fields.
pub struct Body<T> {
    bytes: Bytes,
    kind: PhantomData<T>,
}

impl<T> Body<T> {
    /// As sent, for verifying signatures.
    pub fn raw(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: DeserializeOwned> Body<T> {
    /// Parses without validating. A field of the wrong type is named, and null is one.
    pub fn fields(&self) -> Result<T, Failure> {
        fields_of(&self.bytes).map_err(Failure::fields)
    }
}

/// An object within a body. A list would be read as its fields in their order, as that of a whole body would.
#[derive(Debug, Default, Serialize, PartialEq)]
pub struct Object<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        serde_json::from_value(Value::Object(fields)).map(Self).map_err(D::Error::custom)
    }
}

/// The problem of each wrong field, by its name.
type WrongFields = BTreeMap<String, String>;

/// The bytes without the byte order mark that some programs write before a text, and that JSON parsers may ignore (RFC
/// 8259, section 8.1).
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Parses one JSON object without validating. A field of the wrong type is named, and null is one.
pub fn fields_of<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WrongFields> {
    let bytes = unmarked(bytes);
    // A list would be read as the fields in their order.
    let is_object = bytes.trim_ascii_start().starts_with(b"{");
    if let Ok(typed) = serde_json::from_slice(bytes)
        && is_object
    {
        return Ok(typed);
    }
    let Ok(Value::Object(given)) = serde_json::from_slice(bytes) else { return Err(unreadable()) };
    let mut wrong = WrongFields::new();
    let _: T = typed(given, &mut wrong)?;
    // A field that is there twice, for example.
    Err(if wrong.is_empty() { unreadable() } else { wrong })
}

fn unreadable() -> WrongFields {
    WrongFields::from([(Field::Body.name().to_owned(), "invalid".to_owned())])
}

impl<T: DeserializeOwned + Validate> Body<T> {
    /// Parses and validates. Unknown fields are ignored; a missing text is an empty one, which
    /// validation refuses as `required`.
    pub fn read(&self) -> Result<T, Failure> {
        read(&self.bytes, &[])
    }

    /// Like [`Body::read`], but null in these fields is kept apart from a field that is left out.
    pub fn read_with_nulls(&self, of: &[&str]) -> Result<T, Failure> {
        read(&self.bytes, of)
    }
}

impl<T: 'static> FromRequest for Body<T> {
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Failure>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = bytes.await.map_err(|error| too_large_or_unreadable(&error))?;
            Ok(Self { bytes, kind: PhantomData })
        })
    }
}

fn too_large_or_unreadable(error: &actix_web::Error) -> Failure {
    match error.as_response_error().status_code() {
        actix_web::http::StatusCode::PAYLOAD_TOO_LARGE => Failure::body_too_large(),
        _ => Failure::field(Field::Body, "invalid"),
    }
}

fn read<T: DeserializeOwned + Validate>(bytes: &[u8], nulls: &[&str]) -> Result<T, Failure> {
    let bytes = unmarked(bytes);
    // A missing body is an empty object.
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    let Ok(Value::Object(mut given)) = serde_json::from_slice(bytes) else {
        return Err(Failure::field(Field::Body, "invalid"));
    };
    let Ok(Twice(twice)) = serde_json::from_slice(bytes) else {
        return Err(Failure::field(Field::Body, "invalid"));
    };
    let mut wrong: WrongFields = twice.into_iter().map(|name| (name, "invalid".to_owned())).collect();
    given.retain(|name, value| {
        let has_nul = has_nul(value);
        if has_nul {
            wrong.insert(name.clone(), "invalid".to_owned());
        }
        // Anywhere else, null means the same as a missing field.
        !has_nul && (!value.is_null() || nulls.contains(&name.as_str()))
    });
    let typed: T = typed(given, &mut wrong).map_err(Failure::fields)?;
    for (name, problem) in problems(&typed) {
        // A field of the wrong type was removed and is missing now, which is not what is wrong with
        // it.
        wrong.entry(name).or_insert(problem);
    }
    if wrong.is_empty() { Ok(typed) } else { Err(Failure::fields(wrong)) }
}

/// The names of fields that occur twice, or that contain one that does. Readers disagree on their values: the map above
/// has the last one, other readers the first.
#[derive(Default)]
struct Twice(BTreeSet<String>);

impl<'de> Deserialize<'de> for Twice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TwiceVisitor)
    }
}

struct TwiceVisitor;

impl<'de> Visitor<'de> for TwiceVisitor {
    type Value = Twice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Twice, A::Error> {
        let (mut known, mut twice) = (BTreeSet::new(), BTreeSet::new());
        while let Some((name, Twice(within))) = object.next_entry::<String, Twice>()? {
            let is_again = !known.insert(name.clone());
            if is_again || !within.is_empty() {
                twice.insert(name);
            }
        }
        Ok(Twice(twice))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Twice, A::Error> {
        let mut twice = BTreeSet::new();
        while let Some(Twice(within)) = list.next_element::<Twice>()? {
            twice.extend(within);
        }
        Ok(Twice(twice))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Twice, E> {
        Ok(Twice::default())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Twice, E> {
        Ok(Twice::default())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Twice, E> {
        Ok(Twice::default())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Twice, E> {
        Ok(Twice::default())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Twice, E> {
        Ok(Twice::default())
    }

    fn visit_unit<E: Error>(self) -> Result<Twice, E> {
        Ok(Twice::default())
    }
}

/// Whether a text has U+0000, which PostgreSQL can neither keep nor look for.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(all) => all.iter().any(has_nul),
        Value::Object(all) => all.values().any(has_nul),
        _ => false,
    }
}

/// Parses the fields. A field of a wrong type is noted and removed, and parsing is tried again until it succeeds, so
/// that all wrong fields are reported.
fn typed<T: DeserializeOwned>(mut given: Map<String, Value>, wrong: &mut WrongFields) -> Result<T, WrongFields> {
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(Value::Object(given.clone())) {
            Ok(typed) => return Ok(typed),
            Err(error) => error.path().to_string(),
        };
        let name = error.split(['.', '[']).next().unwrap_or_default().to_owned();
        if given.remove(&name).is_none() {
            return Err(unreadable());
        }
        wrong.insert(name, "invalid_type".to_owned());
    }
}

/// The problems found by a type's declared validation.
fn problems<T: Validate>(typed: &T) -> Vec<(String, String)> {
    let Err(errors) = typed.validate() else { return Vec::new() };
    let first = errors.field_errors().into_iter().filter_map(|(name, problems)| {
        let problem = problems.first()?;
        Some((name.to_string(), problem.code.to_string()))
    });
    first.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, serde::Deserialize, Validate, PartialEq)]
    #[serde(default)]
    struct Typed {
        #[validate(length(min = 1, code = "required"))]
        name: String,
        #[validate(length(min = 1, code = "required"))]
        city: String,
        all: Option<bool>,
        ids: Vec<i64>,
        within: Option<Object<Within>>,
    }

    #[derive(Debug, Default, serde::Deserialize, PartialEq)]
    #[serde(default)]
    struct Within {
        from: String,
    }

    fn told(body: &str) -> String {
        read::<Typed>(body.as_bytes(), &[]).map(|typed| format!("{typed:?}")).unwrap_or_else(|failure| failure.told())
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        assert_eq!(
            told(r#"{"name": 7, "all": "yes", "ids": [1, "x"]}"#),
            "all=invalid_type city=required ids=invalid_type name=invalid_type"
        );
        assert_eq!(told(""), "city=required name=required");
        assert_eq!(told(r#"{"name": null, "city": "x"}"#), "name=required");
    }

    #[test]
    fn a_text_has_no_nul() {
        assert_eq!(told(r#"{"name": "a\u0000b", "city": "x"}"#), "name=invalid");
        assert_eq!(told(r#"{"name": "a", "city": [{"in": "\u0000"}]}"#), "city=invalid");
    }

    // The last one counted, and whoever had checked the first one was wrong.
    #[test]
    fn what_is_said_twice_is_said_by_nobody() {
        assert_eq!(told(r#"{"name": "a", "city": "x", "name": "b"}"#), "name=invalid");
        assert_eq!(told(r#"{"name": "a", "city": "x", "name": null, "n\u0061me": "a"}"#), "name=invalid");
        assert_eq!(told(r#"{"city": "x", "city": "x"}"#), "city=invalid name=required");
        assert_eq!(told(r#"{"name": "a", "city": "x", "more": [7, {"in": {"to": 1, "to": 2}}]}"#), "more=invalid");
        assert!(told(r#"{"name": "a", "city": "b", "more": [{"in": 1.5}, {"in": "name"}]}"#).starts_with("Typed"));
    }

    #[test]
    fn what_is_no_object_is_a_wrong_body() {
        for body in ["[]", "7", "{", "nonsense", "{} {}", r#"{"all": NaN}"#, &"[".repeat(20_000)] {
            assert_eq!(told(body), "body=invalid", "{body:.20}");
        }
    }

    #[test]
    fn what_is_no_object_within_is_a_wrong_field() {
        for within in [r#"["today"]"#, "[]", "7", r#"{"from": 7}"#] {
            let body = format!(r#"{{"name": "a", "city": "b", "within": {within}}}"#);
            assert_eq!(told(&body), "within=invalid_type", "{body}");
        }
        assert!(told(r#"{"name": "a", "city": "b", "within": {"from": "today"}}"#).contains("today"));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_it() {
        assert!(told("\u{feff}{\"name\": \"a\", \"city\": \"b\"}").starts_with("Typed"));
        assert_eq!(told("\u{feff}"), "city=required name=required");
        assert_eq!(told("{\u{feff}}"), "body=invalid");
        let typed: Typed = fields_of("\u{feff}{\"name\": \"a\"}".as_bytes()).expect("an object");
        assert_eq!(typed.name, "a");
    }

    #[test]
    fn unknown_fields_are_ignored() {
        assert!(told(r#"{"name": "a", "city": "b", "status": "admin"}"#).starts_with("Typed"));
    }
}
