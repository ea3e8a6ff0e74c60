//! The span of a request, which its log lines name, and in which OpenTelemetry sees a part of a
//! trace.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context, trace::Status};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing::field::{Empty, display};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::Shell;

/// Continues the trace that a trusted proxy names in `traceparent` (W3C Trace Context, section 3.2).
/// From anybody else, it could make us keep traces.
pub fn of_request(request: &HttpRequest, shell: &Shell, id: &str) -> Span {
    let span = tracing::info_span!("request", request_id = id, trace_id = Empty, otel.name = Empty);
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    let parent = match peer.filter(|peer| peer.is_loopback() || shell.proxies.trusts(*peer)) {
        Some(_) => TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(request.headers())),
        None => Context::new(),
    };
    let named = parent.span().span_context().trace_id();
    // This fails if traces are not collected.
    if span.set_parent(parent).is_ok() {
        describe(&span, request);
    }
    let traced = span.context().span().span_context().trace_id();
    for trace in [named, traced] {
        if trace != opentelemetry::TraceId::INVALID {
            span.record("trace_id", display(trace));
        }
    }
    span
}

/// Attributes by OpenTelemetry's semantic conventions for HTTP servers.
fn describe(span: &Span, request: &HttpRequest) {
    let (method, route) = (request.method().to_string(), request.match_pattern());
    let name = route.as_ref().map_or_else(|| method.clone(), |route| format!("{method} {route}"));
    span.record("otel.name", name);
    span.set_attribute("otel.kind", "server");
    span.set_attribute("http.request.method", method);
    if let Some(route) = route {
        span.set_attribute("http.route", route);
    }
}

pub fn record_answer(span: &Span, status: StatusCode) {
    span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.set_status(Status::error(""));
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}
