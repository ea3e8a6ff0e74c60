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
use utoipa::IntoParams;

use crate::Shell;
use crate::failure::Failure;

/// The value of a header. Bytes that are not UTF-8 are replaced, so that one strange letter does not make the rest
/// unreadable.
fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<Cow<'a, str>> {
    request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
}

/// The `User-Agent`, empty if there is none. Apps write their names in it in whatever script.
pub fn user_agent(request: &HttpRequest) -> String {
    text(request, header::USER_AGENT.as_str()).unwrap_or_default().into_owned()
}

/// The time zone of days and months; UTC if `X-TZ` is missing.
#[derive(IntoParams)]
#[into_params(names("X-TZ"), parameter_in = Header)]
pub struct InZone(
    /// The time zone of days and months, such as `Asia/Shanghai GMT+08:00`; UTC by default.
    #[param(value_type = String, required = false)]
    pub Zone,
);

impl FromRequest for InZone {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(text(request, "X-TZ").map_or(Zone::UTC, |named| Zone::from_header(&named)))))
    }
}

/// The `Idempotency-Key`, which every call that moves money accepts.
#[derive(IntoParams)]
#[into_params(names("Idempotency-Key"), parameter_in = Header)]
pub struct Idempotency(
    /// 1 to 64 visible ASCII characters. A repeat with the same key does nothing.
    #[param(value_type = String, required = false)]
    pub Option<Key>,
);

/// Marks, in its extensions, a request that takes an idempotency key.
pub struct TakesKey;

impl FromRequest for Idempotency {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        request.extensions_mut().insert(TakesKey);
        let mut keys = request.headers().get_all("Idempotency-Key");
        let key = match (keys.next(), keys.next()) {
            (None, _) => Ok(None),
            (Some(only), None) => Key::parse(only.to_str().unwrap_or_default()).map(Some),
            // Nobody knows by which of them a repeat would be known again. Joined to one line, they are no key either.
            (Some(_), Some(_)) => Key::parse("").map(Some),
        };
        ready(key.map(Self).map_err(Failure::from))
    }
}

/// The reader who requested, saw or clicked a creative.
pub struct Visitor(pub track::EventRequest);

impl FromRequest for Visitor {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let client = request.app_data::<web::Data<Shell>>().and_then(|shell| shell.client(request));
        // A header may have several lines, such as one that a proxy added; all of them count (RFC 9110, section 5.3).
        let lines = |name: &str| request.headers().get_all(name).map(|line| String::from_utf8_lossy(line.as_bytes()));
        let says = |name: &str| lines(name).any(|said| said.split(',').any(|word| word.trim() == "1"));
        let ahead = PURPOSE_HEADERS.iter().any(|name| lines(name).any(|purpose| is_ahead(&purpose)));
        ready(Ok(Self(track::EventRequest {
            address: client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            user_agent: user_agent(request),
            prefetched: ahead || request.method() == Method::HEAD,
            opted_out: says("DNT") || says("Sec-GPC"),
        })))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    /// Whether the request loads ahead, and whether the reader does not want to be recognized.
    fn told(headers: &[(&'static str, &'static str)]) -> (bool, bool) {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        let visitor = Visitor::from_request(&request.to_http_request(), &mut Payload::None).into_inner();
        let Visitor(told) = visitor.expect("a visitor");
        (told.prefetched, told.opted_out)
    }

    #[test]
    fn a_request_has_one_idempotency_key_or_none() {
        let read = |keys: &[&'static str]| {
            let with = |request: TestRequest, key: &&'static str| request.append_header(("Idempotency-Key", *key));
            let request = keys.iter().fold(TestRequest::default(), with).to_http_request();
            let key = Idempotency::from_request(&request, &mut Payload::None).into_inner();
            key.map(|read| read.0.map(|key| key.as_str().to_owned())).map_err(|refused| refused.to_string())
        };
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&["one"]), Ok(Some("one".to_owned())));
        for wrong in [&[""][..], &["one, two"], &["one", "two"], &["one", "one"]] {
            assert_eq!(read(wrong), Err("params".to_owned()), "{wrong:?}");
        }
    }

    #[test]
    fn every_line_of_a_header_counts() {
        for (headers, expected) in [
            (&[][..], (false, false)),
            (&[("DNT", "0"), ("Purpose", "navigate")], (false, false)),
            (&[("DNT", "0"), ("DNT", "1")], (false, true)),
            (&[("Sec-GPC", "1"), ("Sec-GPC", "0")], (false, true)),
            (&[("Sec-GPC", "1, 1")], (false, true)),
            (&[("Purpose", "navigate"), ("Purpose", "prefetch")], (true, false)),
            (&[("Sec-Purpose", "prefetch;prerender"), ("X-Purpose", "")], (true, false)),
        ] {
            assert_eq!(told(headers), expected, "{headers:?}");
        }
    }
}
