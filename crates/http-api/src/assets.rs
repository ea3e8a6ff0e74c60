//! Serves the frontend, which is embedded in the program.

use std::borrow::Cow;

use actix_web::body::None as Nothing;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_RANGES, ACCESS_CONTROL_ALLOW_ORIGIN, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, Encoding, EntityTag, Header, HeaderValue, IfNoneMatch, LOCATION, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, route, web};
use i18n::Lang;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::byte_range::Wanted;
use crate::edge::language;
use crate::failure::Failure;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
struct Frontend;

/// The file's name contains a hash of its content, so it never changes.
const FOREVER: &str = "public, max-age=31536000, immutable";
const AN_HOUR: &str = "public, max-age=3600";
const NEVER: &str = "no-cache";

/// The only file that pages of other origins load.
const PUBLISHERS_TAG: &str = "tag.js";

#[route("/", method = "GET", method = "HEAD")]
pub async fn index(request: HttpRequest) -> Result<HttpResponse, Failure> {
    opening::<Frontend>(&request)
}

/// The page in the reader's language, for the text that it shows without scripts: `build/in-languages.ts`.
fn opening<F: RustEmbed>(request: &HttpRequest) -> Result<HttpResponse, Failure> {
    let mut response = match language(request) {
        Lang::En => file::<F>(request, "index.html"),
        lang => file::<F>(request, &format!("index.{}.html", lang.code())),
    }?;
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-language"));
    Ok(response)
}

/// A page of the app whose address was written without `#`: the app's addresses are in the part
/// that a browser does not send.
#[route(
    "/{path:(?:login|register|reset-password|entry|ad-welcome|publisher|claim|ad-center|notification|plan|report|wallet|me|customer)(?:/[a-z-]*)*}",
    method = "GET",
    method = "HEAD"
)]
pub async fn page(request: HttpRequest, path: web::Path<String>) -> HttpResponse {
    let query = request.query_string();
    let mark = if query.is_empty() { "" } else { "?" };
    let place = format!("/#/{}{mark}{query}", path.trim_end_matches('/'));
    HttpResponse::Found().insert_header((LOCATION, place)).insert_header((CACHE_CONTROL, NEVER)).finish()
}

/// Files other than the page: hashed assets, pictures, the icon. A missing one is a 404, never the
/// page.
#[route(
    "/{path:(?:assets|products|fonts)/[A-Za-z0-9._-]+|[a-z0-9-]+\\.(?:svg|png|ico|webmanifest|txt|js)}",
    method = "GET",
    method = "HEAD"
)]
pub async fn asset(request: HttpRequest, path: web::Path<String>) -> Result<HttpResponse, Failure> {
    file::<Frontend>(&request, &path)
}

fn file<F: RustEmbed>(request: &HttpRequest, path: &str) -> Result<HttpResponse, Failure> {
    let (found, brotli) = smallest::<F>(request, path).ok_or_else(Failure::unknown_path)?;
    let tag = tag(path, &found);
    let unchanged = has(request, &tag);
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag.clone()));
    response.insert_header((CACHE_CONTROL, HeaderValue::from_static(lifetime(path))));
    response.insert_header((VARY, HeaderValue::from_static("accept-encoding")));
    if path == PUBLISHERS_TAG {
        response.insert_header(("Cross-Origin-Resource-Policy", "cross-origin"));
        response.insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    }
    if unchanged {
        return Ok(response.body(Nothing::new()));
    }
    response.insert_header((CONTENT_TYPE, media_type(path)));
    if brotli {
        response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("br")));
    }
    let bytes = match found.data {
        Cow::Borrowed(data) => web::Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    };
    if is_video(path) { Ok(played(request, &tag, bytes, response)) } else { Ok(response.body(bytes)) }
}

/// A video as players load it: its beginning first, and then the part where the reader is. Some of them
/// play nothing that does not come in parts.
fn played(
    request: &HttpRequest,
    tag: &EntityTag,
    bytes: web::Bytes,
    mut response: HttpResponseBuilder,
) -> HttpResponse {
    response.insert_header((ACCEPT_RANGES, HeaderValue::from_static("bytes")));
    let length = bytes.len();
    let part = match Wanted::of(request, tag, u64::try_from(length).unwrap_or(u64::MAX)) {
        Wanted::All => return response.body(bytes),
        Wanted::Part(first, last) => {
            let places = usize::try_from(first).ok().zip(usize::try_from(last).ok());
            places.and_then(|(first, last)| Some((first, last, bytes.get(first..=last)?)))
        }
        Wanted::Beyond => None,
    };
    match part {
        Some((first, last, part)) => {
            response.status(StatusCode::PARTIAL_CONTENT);
            response.insert_header((CONTENT_RANGE, format!("bytes {first}-{last}/{length}")));
            response.body(bytes.slice_ref(part))
        }
        None => {
            response.status(StatusCode::RANGE_NOT_SATISFIABLE);
            response.insert_header((CONTENT_RANGE, format!("bytes */{length}")));
            response.insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")));
            response.body(Nothing::new())
        }
    }
}

/// The number of bytes of a product's file, by its address.
pub fn size(address: &str) -> Option<u64> {
    let path = address.strip_prefix('/').filter(|path| path.starts_with("products/"))?;
    Frontend::get(path).and_then(|found| u64::try_from(found.data.len()).ok())
}

/// The file, and whether it is the Brotli version made when the frontend was built, which
/// compresses better than there is time for during a request. If there is none, or the client does
/// not accept it, the middleware compresses with gzip.
fn smallest<F: RustEmbed>(request: &HttpRequest, path: &str) -> Option<(EmbeddedFile, bool)> {
    // No page refers to it, and without its encoding its content is meaningless.
    if path.ends_with(".br") {
        return None;
    }
    let brotli = if takes_brotli(request) { F::get(&format!("{path}.br")) } else { None };
    match brotli {
        Some(found) => Some((found, true)),
        None => F::get(path).map(|found| (found, false)),
    }
}

fn takes_brotli(request: &HttpRequest) -> bool {
    let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    AcceptEncoding::parse(request).is_ok_and(|wanted| wanted.negotiate(offered.iter()) == Some(Encoding::brotli()))
}

/// The entity tag of a file, different for Brotli versions. It is weak, because gzip later changes the bytes but not
/// the content; videos are not compressed, so theirs is strong.
fn tag(path: &str, found: &EmbeddedFile) -> EntityTag {
    let mut hash = base::hex::encode(&found.metadata.sha256_hash());
    hash.truncate(32);
    if is_video(path) { EntityTag::new_strong(hash) } else { EntityTag::new_weak(hash) }
}

fn is_video(path: &str) -> bool {
    media_type(path).starts_with("video/")
}

fn has(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|one| one.weak_eq(tag)),
        Err(_) => false,
    }
}

/// Files that name the others are revalidated each time.
fn lifetime(path: &str) -> &'static str {
    match path {
        "sw.js" => NEVER,
        named if named.ends_with(".html") || named.ends_with(".webmanifest") => NEVER,
        hashed if hashed.starts_with("assets/") => FOREVER,
        _ => AN_HOUR,
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "png" => "image/png",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
