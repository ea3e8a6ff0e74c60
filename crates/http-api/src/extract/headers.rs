//! Values from headers: the time zone, the idempotency key and the visitor.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};

use actix_web::dev::Payload;
use actix_web::http::{Method, header};
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use calendar::Zone;
use campaigns::delivery::track;
use delivery::{PURPOSE_HEADERS, is_ahead};
use foundation::idempotent::Key;

use crate::Shell;
use crate::failure::Failure;

fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// The time zone of days and months; UTC if `X-TZ` is missing.
pub struct InZone(pub Zone);

impl FromRequest for InZone {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(text(request, "X-TZ").map_or(Zone::UTC, Zone::from_header))))
    }
}

/// The `Idempotency-Key`, which every call that moves money accepts.
pub struct Idempotency(pub Option<Key>);

/// In the extensions of a request that takes one.
pub struct TakesKey;

impl FromRequest for Idempotency {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        request.extensions_mut().insert(TakesKey);
        let key = match request.headers().get("Idempotency-Key") {
            None => Ok(None),
            Some(value) => Key::parse(value.to_str().unwrap_or_default()).map(Some),
        };
        ready(key.map(Self).map_err(Failure::from))
    }
}

/// Who requested a creative, saw it or clicked it.
pub struct Visitor(pub track::EventRequest);

impl FromRequest for Visitor {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let client = request.app_data::<web::Data<Shell>>().and_then(|shell| shell.client(request));
        let says = |name: &str, word: &str| text(request, name).is_some_and(|value| value.eq_ignore_ascii_case(word));
        let ahead = PURPOSE_HEADERS.iter().any(|name| text(request, name).is_some_and(is_ahead));
        ready(Ok(Self(track::EventRequest {
            address: client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            user_agent: text(request, header::USER_AGENT.as_str()).unwrap_or_default().to_owned(),
            prefetched: ahead || request.method() == Method::HEAD,
            opted_out: says("DNT", "1") || says("Sec-GPC", "1"),
        })))
    }
}
