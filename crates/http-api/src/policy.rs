//! Security headers: what browsers may do with an answer.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use foundation::App;
use foundation::shell_origins::ShellOrigins;
use i18n::Lang;

use crate::Shell;
use crate::edge::routed_path;

/// The policies of an installation, rebuilt whenever its contacts change.
pub struct Policies {
    /// The version of the content they were built from.
    pub version: i64,
    alone: HeaderValue,
    framed: HeaderValue,
    creative: HeaderValue,
}

impl Policies {
    pub fn new(app: &App) -> Self {
        // Read the version first: a change in between causes a rebuild at the next request.
        let version = app.content_version();
        // The addresses are the same in every language.
        Self::build(version, &app.contacts(Lang::default()).frame_origins(), &app.settings.shell_origins)
    }

    fn build(version: i64, frames: &[String], shells: &ShellOrigins) -> Self {
        let frames = listed(frames);
        // A page that frames the app could trick its user into clicks, so only configured origins may do so. Pages that
        // anybody may frame have no `frame-ancestors` at all: `*` would not match pages of apps and sandboxed ones,
        // which have no network origin.
        Self {
            version,
            alone: content(&frames, &format!("; frame-ancestors {}", listed(shells.list()))),
            framed: content(&frames, ""),
            creative: content(&frames, &format!("; sandbox {FRAME_RIGHTS}")),
        }
    }
}

fn listed(origins: &[String]) -> String {
    if origins.is_empty() { "'none'".to_owned() } else { origins.join(" ") }
}

/// `more` is behind what all have.
fn content(frames: &str, more: &str) -> HeaderValue {
    let text = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src {frames}; \
         base-uri 'none'; form-action 'none'{more}"
    );
    // If an origin cannot be put in a header, nothing is allowed.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"))
}

/// The rights of a creative in its frame, whatever the surrounding page allows: run the server's own script, and open a
/// page when somebody clicks. Its origin is opaque, so it has no access to anything else.
pub const FRAME_RIGHTS: &str = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// The policy for uploads, in case a browser treats one as a page.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// The page of the public log has no script, and shows nothing from elsewhere.
const PLAIN_PAGE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of one answer, determined before its handler consumes the request.
pub struct Policy {
    content: HeaderValue,
    https: bool,
}

impl Policy {
    pub async fn of(request: &HttpRequest, shell: &Shell) -> Self {
        let https = shell.is_https(request);
        let path = routed_path(request);
        if is_upload(path) {
            return Self { content: HeaderValue::from_static(NOTHING), https };
        }
        if path.starts_with("/log/") {
            return Self { content: HeaderValue::from_static(PLAIN_PAGE), https };
        }
        let policies = shell.policies().await;
        let content = match path {
            path if path.starts_with("/ads/frame/") => &policies.creative,
            path if may_be_framed(path) => &policies.framed,
            _ => &policies.alone,
        };
        Self { content: content.clone(), https }
    }

    pub fn apply(self, headers: &mut HeaderMap, request_id: &str) {
        let plain = HeaderValue::from_static;
        headers.insert(header::CONTENT_SECURITY_POLICY, self.content);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, plain("nosniff"));
        headers.insert(header::REFERRER_POLICY, plain("no-referrer"));
        // A page that opens one of ours, or is opened by it, has no window of the other.
        headers.insert(HeaderName::from_static("cross-origin-opener-policy"), plain("same-origin"));
        headers
            .insert(HeaderName::from_static("permissions-policy"), plain("camera=(), microphone=(), geolocation=()"));
        if let Ok(id) = HeaderValue::from_str(request_id) {
            headers.insert(HeaderName::from_static("x-request-id"), id);
        }
        // Plain HTTP, for example on a local machine, could not keep this promise.
        if self.https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, plain("max-age=31536000"));
        }
        if !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, plain("no-store"));
        }
    }
}

/// An upload can be viewed, but can do nothing.
fn is_upload(path: &str) -> bool {
    path.starts_with("/files/")
}

/// Creatives and landing pages are meant to be shown in other pages.
fn may_be_framed(path: &str) -> bool {
    path.starts_with("/ads/") || path.starts_with("/l/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ancestors(shells: &ShellOrigins) -> String {
        let policies = Policies::build(0, &[], shells);
        let text = policies.alone.to_str().expect("plain text");
        text.split("frame-ancestors ").nth(1).expect("it is named").to_owned()
    }

    #[test]
    fn no_page_frames_the_app_unless_it_is_named() {
        assert_eq!(ancestors(&ShellOrigins::default()), "'none'");
        let named = ShellOrigins::parse("https://shell.example.com,https://b.example").expect("origins");
        assert_eq!(ancestors(&named), "https://shell.example.com https://b.example");
    }
}
