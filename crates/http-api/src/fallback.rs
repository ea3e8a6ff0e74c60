//! Requests that match no route: an unknown path, or a wrong method.

use actix_web::{HttpRequest, HttpResponse};
use utoipa::openapi::PathItem;

use crate::edge::{routed_path, takes_head};
use crate::failure::Failure;
use crate::openapi::DOCUMENT;

/// The paths that are read, but are not API calls: the app, and the probes.
const READ: [&str; 3] = ["/", "/healthz", "/readyz"];

pub async fn fallback(request: HttpRequest) -> Result<HttpResponse, Failure> {
    Err(unanswered(&request))
}

/// Why nothing answers a request.
pub fn unanswered(request: &HttpRequest) -> Failure {
    let path = routed_path(request);
    if READ.contains(&path) {
        return Failure::wrong_method("GET, HEAD");
    }
    let known = DOCUMENT.paths.paths.iter().find(|(template, _)| matches(template, path));
    known.map_or_else(Failure::unknown_path, |(template, item)| Failure::wrong_method(allowed(template, item)))
}

/// The methods of a path.
fn allowed(path: &str, item: &PathItem) -> &'static str {
    match (item.get.is_some(), item.post.is_some()) {
        (true, true) => "GET, HEAD, POST",
        (true, false) if takes_head(path) => "GET, HEAD",
        (true, false) => "GET",
        (false, _) => "POST",
    }
}

/// Whether a path matches a template such as `/t/c/{token}`.
fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(w), Some(g)) if fits(w, g) => {}
            _ => return false,
        }
    }
}

/// A segment may contain a name in braces and a fixed ending.
fn fits(wanted: &str, given: &str) -> bool {
    match wanted.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((_, ending)) => given.len() > ending.len() && given.ends_with(ending),
        None => wanted == given,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_are_those_of_the_path() {
        let of = |path: &str| DOCUMENT.paths.paths.get(path).map(|item| allowed(path, item));
        assert_eq!((of("/api/user/info"), of("/api/user/withdraw")), (Some("GET, HEAD"), Some("POST")));
        assert_eq!((of("/api/conversation"), of("/files/{id}")), (Some("GET, HEAD, POST"), Some("GET, HEAD")));
        assert_eq!((of("/ads/slot/{key}"), of("/t/v/{token}.gif")), (Some("GET"), Some("GET")));
        let others = |item: &PathItem| {
            [&item.put, &item.delete, &item.patch, &item.options, &item.trace].iter().any(|other| other.is_some())
        };
        assert!(!DOCUMENT.paths.paths.values().any(others));
    }

    #[test]
    fn templates_fit_whole_paths() {
        assert!(matches("/t/c/{token}", "/t/c/abc"));
        assert!(matches("/t/i/{token}.gif", "/t/i/abc.gif"));
        for path in ["/t/c", "/t/c/", "/t/c/a/b", "/x/c/abc"] {
            assert!(!matches("/t/c/{token}", path), "{path}");
        }
        assert!(!matches("/t/i/{token}.gif", "/t/i/abc.png"));
    }
}
