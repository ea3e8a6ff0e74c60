//! Numbers and durations of requests, for a registry of Prometheus.

use std::time::Instant;

use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Seconds. A slot is answered in less than the first, and no request takes longer than the last
/// but an upload.
const BUCKETS: [f64; 12] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// The route of a path that is none of ours, so that strangers cannot make up labels.
const UNKNOWN: &str = "unknown";

/// The request metrics since the start. Clones share them.
#[derive(Clone, Debug)]
pub struct Figures {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RequestLabels, Histogram, fn() -> Histogram>,
    under_way: Gauge,
}

/// Which requests, and how they were answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    /// The pattern of the path, such as `/t/c/{token}`.
    route: String,
    code: u16,
}

/// A request in progress.
pub struct RequestInProgress {
    figures: Figures,
    method: &'static str,
    route: String,
    begun: Instant,
}

impl Default for Figures {
    fn default() -> Self {
        let durations: fn() -> Histogram = || Histogram::new(BUCKETS);
        Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            under_way: Gauge::default(),
        }
    }
}

impl Figures {
    pub(crate) fn begin(&self, request: &ServiceRequest) -> RequestInProgress {
        self.under_way.inc();
        RequestInProgress {
            figures: self.clone(),
            method: name(request.method()),
            route: request.match_pattern().unwrap_or_else(|| UNKNOWN.to_owned()),
            begun: Instant::now(),
        }
    }

    pub fn register(&self, registry: &mut Registry) {
        registry.register("http_requests", "Answered requests", self.requests.clone());
        let durations = "Time from the head of a request to its answer, without sending the body";
        registry.register_with_unit("http_request_duration", durations, Unit::Seconds, self.durations.clone());
        registry.register("http_requests_under_way", "Requests that are being answered", self.under_way.clone());
    }
}

impl RequestInProgress {
    pub(crate) fn end(mut self, status: StatusCode) {
        let route = std::mem::take(&mut self.route);
        let answered = RequestLabels { method: self.method, route, code: status.as_u16() };
        self.figures.requests.get_or_create(&answered).inc();
        let seconds = self.begun.elapsed().as_secs_f64();
        self.figures.durations.get_or_create(&answered).observe(seconds);
    }
}

/// Requests whose client left before the answer are over, too.
impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.figures.under_way.dec();
    }
}

/// Clients choose methods, so only known ones are told apart.
fn name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use prometheus_client::encoding::text::encode;

    use super::*;

    fn begin(figures: &Figures, method: Method) -> RequestInProgress {
        figures.begin(&TestRequest::with_uri("/made/up").method(method).to_srv_request())
    }

    fn text(figures: &Figures) -> String {
        let mut registry = Registry::with_prefix("placard");
        figures.register(&mut registry);
        let mut text = String::new();
        encode(&mut text, &registry).expect("encoded");
        text
    }

    #[test]
    fn every_answer_is_counted_and_timed_once() {
        let figures = Figures::default();
        begin(&figures, Method::GET).end(StatusCode::OK);
        begin(&figures, Method::GET).end(StatusCode::NOT_FOUND);
        drop(begin(&figures, Method::GET));
        let open = begin(&figures, Method::GET);
        let text = text(&figures);
        for line in [
            r#"placard_http_requests_total{method="GET",route="unknown",code="200"} 1"#,
            r#"placard_http_requests_total{method="GET",route="unknown",code="404"} 1"#,
            r#"placard_http_request_duration_seconds_count{method="GET",route="unknown",code="200"} 1"#,
            r#"placard_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="unknown",code="404"} 1"#,
            "placard_http_requests_under_way 1",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line} is not in\n{text}");
        }
        drop(open);
        assert_eq!(figures.under_way.get(), 0);
    }

    #[test]
    fn strangers_make_up_no_labels() {
        let figures = Figures::default();
        let method = Method::from_bytes(b"INVENTED").expect("a method");
        begin(&figures, method).end(StatusCode::NOT_FOUND);
        assert!(text(&figures).contains(r#"{method="other",route="unknown",code="404"} 1"#));
    }
}
