//! Requests that match no route: an unknown path, or a wrong method.

use actix_web::{HttpRequest, HttpResponse};
use utoipa::openapi::PathItem;

use crate::edge::routed_path;
use crate::failure::Failure;
use crate::openapi::DOCUMENT;

/// What is read and is no call: the app, and the probes.
const READ: [&str; 3] = ["/", "/healthz", "/readyz"];

pub async fn fallback(request: HttpRequest) -> Result<HttpResponse, Failure> {
    let path = routed_path(&request);
    if READ.contains(&path) {
        return Err(Failure::wrong_method("GET, HEAD"));
    }
    let known = DOCUMENT.paths.paths.iter().find(|(template, _)| matches(template, path));
    Err(known.map_or_else(Failure::unknown_path, |(_, item)| Failure::wrong_method(allowed(item))))
}

/// The methods of a path.
const fn allowed(item: &PathItem) -> &'static str {
    match (item.get.is_some(), item.post.is_some()) {
        (true, true) => "GET, POST",
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
        let of = |path: &str| DOCUMENT.paths.paths.get(path).map(allowed);
        assert_eq!((of("/api/user/info"), of("/api/user/withdraw")), (Some("GET"), Some("POST")));
        assert_eq!(of("/api/conversation"), Some("GET, POST"));
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
