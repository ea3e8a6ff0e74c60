//! The log goes to standard error, one line per event.

use tracing_subscriber::EnvFilter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Text,
}

/// `RUST_LOG` sets the level; `info` by default.
pub fn begin(format: Format) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    // A failing standard error must not end the server: without this, a line that cannot
    // be written is reported by a print that panics.
    let log = tracing_subscriber::fmt().with_env_filter(filter).log_internal_errors(false).with_writer(std::io::stderr);
    match format {
        Format::Json => log.json().init(),
        Format::Text => log.with_ansi(false).init(),
    }
}
