//! JSON bodies. All missing and invalid fields are reported at once.

use std::collections::BTreeMap;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use base::Field;
use serde::de::DeserializeOwned;
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

/// What is wrong with each field, by its name.
type WrongFields = BTreeMap<String, String>;

/// Parses one JSON object without validating. A field of the wrong type is named, and null is one.
pub fn fields_of<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WrongFields> {
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

    /// The same, where null says something else than nothing in these fields.
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
    // A missing body is an empty object.
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    let Ok(Value::Object(mut given)) = serde_json::from_slice(bytes) else {
        return Err(Failure::field(Field::Body, "invalid"));
    };
    let mut wrong = WrongFields::new();
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

/// Whether a text has U+0000, which PostgreSQL can neither keep nor look for.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(all) => all.iter().any(has_nul),
        Value::Object(all) => all.values().any(has_nul),
        _ => false,
    }
}

/// Parses the fields. One of a wrong type is noted and removed, and parsing is tried again until it
/// succeeds, so that all of them are reported.
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

    #[test]
    fn what_is_no_object_is_a_wrong_body() {
        for body in ["[]", "7", "{", "nonsense", "{} {}", r#"{"all": NaN}"#, &"[".repeat(20_000)] {
            assert_eq!(told(body), "body=invalid", "{body:.20}");
        }
    }

    #[test]
    fn unknown_fields_are_ignored() {
        assert!(told(r#"{"name": "a", "city": "b", "status": "admin"}"#).starts_with("Typed"));
    }
}
