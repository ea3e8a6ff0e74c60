//! The frontend, which the program carries inside.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, get, web};
use rust_embed::RustEmbed;

use crate::failure::Failure;

#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
struct Frontend;

/// A file's name holds a hash of its content, so it never changes.
const FOREVER: &str = "public, max-age=31536000, immutable";
const AN_HOUR: &str = "public, max-age=3600";
const NEVER: &str = "no-cache";

#[get("/")]
pub async fn index() -> Result<HttpResponse, Failure> {
    file("index.html", NEVER)
}

/// What lies beside the page: hashed assets, pictures, the icon. What is
/// missing is a 404 and never the page.
#[get("/{path:(?:assets|products|fonts)/[A-Za-z0-9._-]+|[a-z0-9-]+\\.(?:svg|png|ico|webmanifest|txt|js)}")]
pub async fn asset(path: web::Path<String>) -> Result<HttpResponse, Failure> {
    let lifetime = if path.starts_with("assets/") { FOREVER } else { AN_HOUR };
    file(&path, lifetime)
}

fn file(path: &str, lifetime: &'static str) -> Result<HttpResponse, Failure> {
    let found = Frontend::get(path).ok_or_else(Failure::unknown_path)?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, HeaderValue::from_static(lifetime)));
    response.insert_header((CONTENT_TYPE, media_type(path)));
    Ok(response.body(found.data.into_owned()))
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
