//! The log goes to standard error, one line per event. Each names the request it belongs to.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::traces::Traces;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Text,
}

/// Without `RUST_LOG`: nothing that strangers can cause at will. actix_http calls whatever it cannot
/// parse an error; it is answered with 400, and counted.
const USUAL: &str = "info,actix_server=warn,actix_http::h1=off,actix_http::h2=off";

/// `RUST_LOG` sets the level; `info` by default.
pub fn begin(format: Format, traces: Option<&Traces>) {
    let (filter, problem) = filter();
    // A failing standard error must not end the server: without this, a line that cannot
    // be written is reported by a print that panics.
    let log = tracing_subscriber::fmt::layer().log_internal_errors(false).with_writer(std::io::stderr);
    let log = match format {
        Format::Json => log.json().with_filter(filter).boxed(),
        Format::Text => log.with_ansi(false).with_filter(filter).boxed(),
    };
    // Requests, and what they wait for.
    let ours = Targets::new().with_target("http_api", LevelFilter::DEBUG).with_target("db", LevelFilter::DEBUG);
    let traces = traces.map(|traces| {
        let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer());
        layer.with_location(false).with_threads(false).with_filter(ours)
    });
    tracing_subscriber::registry().with(traces).with(log).init();
    if let Some(problem) = problem {
        tracing::warn!(problem, "RUST_LOG is not followed");
    }
}

/// What is logged, and why that is not what `RUST_LOG` says. Empty is as if it were not there, and not silence.
fn filter() -> (EnvFilter, Option<String>) {
    let usual = || EnvFilter::new(USUAL);
    if std::env::var_os(EnvFilter::DEFAULT_ENV).is_none_or(|text| text.is_empty()) {
        return (usual(), None);
    }
    match EnvFilter::try_from_default_env() {
        Ok(filter) => (filter, None),
        Err(error) => (usual(), Some(error.to_string())),
    }
}
