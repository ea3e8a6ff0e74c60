//! Requests that match no route: an unknown path, or a wrong method.

use actix_web::{HttpRequest, HttpResponse};

use crate::failure::Failure;
use crate::openapi::DOCUMENT;

pub async fn fallback(request: HttpRequest) -> Result<HttpResponse, Failure> {
    let known = DOCUMENT.paths.paths.keys().any(|template| matches(template, request.path()));
    Err(if known { Failure::wrong_method() } else { Failure::unknown_path() })
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
    fn templates_fit_whole_paths() {
        assert!(matches("/t/c/{token}", "/t/c/abc"));
        assert!(matches("/t/i/{token}.gif", "/t/i/abc.gif"));
        for path in ["/t/c", "/t/c/", "/t/c/a/b", "/x/c/abc"] {
            assert!(!matches("/t/c/{token}", path), "{path}");
        }
        assert!(!matches("/t/i/{token}.gif", "/t/i/abc.png"));
    }
}
