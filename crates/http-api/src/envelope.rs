//! The envelope around every answer: `{"code":200,"msg":"","data":…}`.

use actix_web::body::BoxBody;
use actix_web::{HttpRequest, HttpResponse, Responder};
use serde::Serialize;
use usecases::Page;
use utoipa::ToSchema;

use crate::failure::Failure;

/// What a handler answers: its payload, which goes into the envelope.
pub struct Reply<T>(pub T);

/// What every handler returns.
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

/// An answer that says no more than that it was done.
#[derive(Serialize, ToSchema)]
pub struct Nothing {}

/// Part of a list; `next_cursor` asks for what follows, and is null at the end.
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
