//! JSON bodies: all fields that are missing or wrong are named at once.

use std::collections::BTreeMap;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use validator::Validate;

use crate::failure::Failure;

/// A body of JSON. It is read only when the handler asks for it, so that who is
/// not signed in is told that before anything about their fields.
pub struct Body<T> {
    bytes: Bytes,
    kind: PhantomData<T>,
}

impl<T: DeserializeOwned + Validate> Body<T> {
    /// Reads and checks it. Unknown fields are ignored; a missing text is an
    /// empty one, which the checks then refuse as `required`.
    pub fn read(&self) -> Result<T, Failure> {
        read(&self.bytes)
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
        _ => Failure::field("body", "invalid"),
    }
}

fn read<T: DeserializeOwned + Validate>(bytes: &[u8]) -> Result<T, Failure> {
    // A call without a body is one without fields.
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value: T = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let syntax = !matches!(error.inner().classify(), serde_json::error::Category::Data);
        if syntax || path == "." { Failure::field("body", "invalid") } else { Failure::field(&path, "invalid_type") }
    })?;
    json.end().map_err(|_| Failure::field("body", "invalid"))?;
    checked(value)
}

/// Runs the checks that are declared on a type.
fn checked<T: Validate>(value: T) -> Result<T, Failure> {
    let Err(errors) = value.validate() else { return Ok(value) };
    let fields: BTreeMap<String, String> = errors
        .field_errors()
        .into_iter()
        .filter_map(|(name, problems)| problems.first().map(|p| (name.to_string(), p.code.to_string())))
        .collect();
    Err(Failure::fields(fields))
}
