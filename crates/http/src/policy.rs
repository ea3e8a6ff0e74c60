//! What every answer tells the browser to allow.

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::Shell;

/// For what was uploaded, should it ever be taken for a page.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// The headers of one answer, settled before its handler takes the request.
pub struct Policy {
    content: String,
    https: bool,
}

impl Policy {
    pub fn of(request: &ServiceRequest, shell: &Shell) -> Self {
        let content = if is_upload(request.path()) { NOTHING.to_owned() } else { page(request.path(), shell) };
        Self { content, https: shell.is_https(request.request()) }
    }

    pub fn apply(&self, headers: &mut HeaderMap, request_id: &str) {
        let mut set = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        set(header::CONTENT_SECURITY_POLICY, &self.content);
        set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        set(header::REFERRER_POLICY, "no-referrer");
        set(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
        set(HeaderName::from_static("x-request-id"), request_id);
        // A promise that plain HTTP, as on one's own machine, could not keep.
        if self.https {
            set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
        }
        if !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }
}

/// What our own pages may do.
fn page(path: &str, shell: &Shell) -> String {
    let origins = shell.app.settings.contacts.frame_origins().join(" ");
    let frames = if origins.is_empty() { "'none'" } else { &origins };
    let ancestors = if may_be_framed(path) { "*" } else { "'none'" };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src {frames}; \
         base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
    )
}

/// What a stranger uploaded is looked at and does nothing.
fn is_upload(path: &str) -> bool {
    path.starts_with("/files/")
}

/// Creatives and landing pages are made to be shown on other pages.
fn may_be_framed(path: &str) -> bool {
    path.starts_with("/ads/") || path.starts_with("/l/")
}
