//! The contract as OpenAPI 3.1, from the server's own types.

use std::sync::LazyLock;

use actix_web::{App, HttpResponse, Responder, get};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{InfoBuilder, OpenApi, RefOr};
use utoipa_actix_web::AppExt;

use crate::router;

/// The document, made once: it depends on nothing but the program.
pub static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(document);

fn document() -> OpenApi {
    let (_, mut document) = App::new().into_utoipa_app().configure(router::api).split_for_parts();
    document.info = InfoBuilder::new()
        .title("Placard")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Every answer below /api is an envelope at HTTP 200: `code` 200 carries `data`; any other code is one \
             of the error catalogue and carries `msg` in the user's language and `data.error`, a stable key.",
        ))
        .build();
    for (path, item) in &mut document.paths.paths {
        if !path.starts_with("/api") {
            continue;
        }
        let operations = [&mut item.get, &mut item.post];
        for operation in operations.into_iter().flatten() {
            wrap(operation);
        }
    }
    document
}

/// Puts what a handler declares into the envelope, so that none can forget it.
fn wrap(operation: &mut utoipa::openapi::path::Operation) {
    let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") else { return };
    let Some(RefOr::T(content)) = response.content.get_mut("application/json") else { return };
    if let Some(payload) = content.schema.take() {
        content.schema = Some(RefOr::T(envelope(payload)));
    }
}

fn envelope(payload: RefOr<Schema>) -> Schema {
    let of = |kind| ObjectBuilder::new().schema_type(SchemaType::new(kind));
    ObjectBuilder::new()
        .property("code", of(Type::Integer))
        .property("msg", of(Type::String))
        .property("data", payload)
        .required("code")
        .required("msg")
        .required("data")
        .into()
}

/// The document as JSON, indented, as it is also kept beside the frontend.
pub fn text() -> String {
    DOCUMENT.to_pretty_json().unwrap_or_default()
}

#[utoipa::path(tag = "meta", responses((status = 200, description = "This document")))]
#[get("/openapi.json")]
pub async fn openapi() -> impl Responder {
    HttpResponse::Ok().content_type("application/json").body(text())
}
