//! The envelope around every answer: `{"code":200,"msg":"","data":…}`.

use std::fmt::Display;

use actix_web::body::BoxBody;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};
use foundation::Page;
use serde::Serialize;
use utoipa::ToSchema;

use crate::failure::Failure;

/// A handler's answer: the payload that goes into the envelope.
pub struct Reply<T>(pub T);

/// The return type of every handler.
pub type Handled<T> = Result<Reply<T>, Failure>;

#[derive(Serialize)]
struct Envelope<T> {
    code: u16,
    msg: &'static str,
    data: T,
}

impl<T: Serialize> Responder for Reply<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok().json(Envelope { code: 200, msg: "", data: self.0 })
    }
}

/// Begins an answer without an envelope: a file to be kept under this name.
pub fn attachment(name: impl Display) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response.insert_header((CACHE_CONTROL, "private, no-store"));
    response
}

/// An answer without data: it was done.
#[derive(Serialize, ToSchema)]
pub struct Nothing {}

/// A page of a list. `next_cursor` requests the next page, and is null on the last.
#[derive(Serialize, ToSchema)]
pub struct List<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

impl<T> From<Page<T>> for List<T> {
    fn from(page: Page<T>) -> Self {
        Self { items: page.items, next_cursor: page.next.map(|id| id.to_string()) }
    }
}
