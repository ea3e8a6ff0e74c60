//! Values from headers: the time zone, the idempotency key and the visitor.

use std::borrow::Cow;
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

/// What is not UTF-8 is replaced: one strange letter does not make the rest unreadable.
fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<Cow<'a, str>> {
    request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
}

/// The `User-Agent`, empty if there is none. Apps write their names in it in whatever script.
pub fn user_agent(request: &HttpRequest) -> String {
    text(request, header::USER_AGENT.as_str()).unwrap_or_default().into_owned()
}

/// The time zone of days and months; UTC if `X-TZ` is missing.
pub struct InZone(pub Zone);

impl FromRequest for InZone {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(text(request, "X-TZ").map_or(Zone::UTC, |named| Zone::from_header(&named)))))
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
        let ahead = PURPOSE_HEADERS.iter().any(|name| text(request, name).is_some_and(|purpose| is_ahead(&purpose)));
        ready(Ok(Self(track::EventRequest {
            address: client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            user_agent: user_agent(request),
            prefetched: ahead || request.method() == Method::HEAD,
            opted_out: says("DNT", "1") || says("Sec-GPC", "1"),
        })))
    }
}
