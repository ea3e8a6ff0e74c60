//! The API's OpenAPI 3.1 description, from the server's own types.

use std::sync::LazyLock;

use actix_web::{App, HttpResponse, Responder, get};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, InfoBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};
use utoipa_actix_web::AppExt;

use crate::router;

mod answers;
mod texts;

/// The document, generated once: it depends only on the program.
pub static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(document);

fn document() -> OpenApi {
    let (_, mut document) = App::new().into_utoipa_app().configure(router::api).split_for_parts();
    document.info = InfoBuilder::new()
        .title("Placard")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Every answer below /api is an envelope at HTTP 200: `code` 200 carries `data`; any other code is one \
             of the error catalogue and carries `msg` in the user's language and `data.error`, a stable key. \
             HTTP itself says something else only where no handler answered for the user.",
        ))
        .build();
    answers::require(&mut document);
    texts::inline(&mut document);
    let components = document.components.get_or_insert_default();
    components.schemas.insert(REFUSAL.to_owned(), refusal().into());
    components.responses.extend(turned_away());
    let token = ApiKeyValue::with_description("X-CT", "The `token` of a sign-in");
    components.add_security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Header(token)));
    components.add_security_scheme(PUBLISHER, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in [("get", &mut item.get), ("post", &mut item.post)] {
            let Some(operation) = operation else { continue };
            // The names of handlers are not unique.
            operation.operation_id = Some(id_of(method, path));
            operation.security = shown_by(path).map(|scheme| vec![SecurityRequirement::new(scheme, [""; 0])]);
            complete(operation, path.starts_with("/api") && !FILES.contains(&path.as_str()));
        }
    }
    document
}

/// Below `/api`, and JSON without an envelope.
const FILES: [&str; 2] = ["/api/openapi.json", "/api/user/export"];
const REFUSAL: &str = "Refusal";
/// The schemes by which callers are known.
const SESSION: &str = "session";
const PUBLISHER: &str = "publisher";
/// How the calls below `/api` begin that need no session.
const OPEN: [&str; 4] = ["/api/auth/", "/api/basic_config", "/api/claim/", "/api/openapi.json"];
/// The codes of failures.
const CODES: [u16; 12] = [400, 401, 402, 403, 404, 405, 413, 415, 429, 500, 503, 4001];
/// The failures with which any call may be answered before its handler runs.
const TURNED_AWAY: [(&str, &str); 7] = [
    ("404", "There is nothing at this address"),
    ("405", "The address does not allow this method"),
    ("408", "The request took too long"),
    ("413", "The body is too large"),
    ("415", "The body has a `Content-Encoding`; none is accepted"),
    ("429", "Too many attempts; `Retry-After` says after how many seconds to try again"),
    (
        "503",
        "Overloaded, stopping, or without its database; `outcome_unknown` if the database's answer was lost or took too long. `Retry-After` says after how many seconds to try again",
    ),
];

/// The scheme by which a call's sender is known, if there is one.
fn shown_by(path: &str) -> Option<&'static str> {
    match path {
        "/api/auth/logout" => Some(SESSION),
        _ if path.starts_with("/api/publisher/") => Some(PUBLISHER),
        _ if !path.starts_with("/api/") || OPEN.iter().any(|open| path.starts_with(open)) => None,
        _ => Some(SESSION),
    }
}

/// `get_api_plan_order_list`.
fn id_of(method: &str, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

/// Adds what all calls have in common, so that no handler can forget it: the envelope and the
/// refusals.
fn complete(operation: &mut Operation, in_envelope: bool) {
    let responses = &mut operation.responses.responses;
    // A refusal has HTTP status 200, even in place of a file or a picture.
    if let RefOr::T(response) = responses.entry("200".to_owned()).or_insert_with(|| Response::new("A refusal").into()) {
        let granted = response.content.get_mut(JSON).and_then(|content| content_of(content)?.schema.take());
        let granted = granted.map(|payload| if in_envelope { envelope(payload).into() } else { payload });
        let refused = Ref::from_schema_name(REFUSAL);
        let schema: RefOr<Schema> = match granted {
            Some(granted) => AnyOfBuilder::new().item(granted).item(refused).into(),
            None => refused.into(),
        };
        response.content.insert(JSON.to_owned(), Content::new(Some(schema)).into());
    }
    for (status, _) in TURNED_AWAY {
        let shared = || Ref::from_response_name(format!("TurnedAway{status}")).into();
        responses.entry(status.to_owned()).or_insert_with(shared);
    }
}

const JSON: &str = "application/json";

fn content_of(content: &mut RefOr<Content>) -> Option<&mut Content> {
    match content {
        RefOr::T(content) => Some(content),
        RefOr::Ref(_) => None,
    }
}

fn of(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(kind))
}

/// The handler's declared payload, in the envelope.
fn envelope(payload: RefOr<Schema>) -> Schema {
    ObjectBuilder::new()
        .property("code", of(Type::Integer).enum_values(Some([200])))
        .property("msg", of(Type::String))
        .property("data", payload)
        .required("code")
        .required("msg")
        .required("data")
        .into()
}

fn refusal() -> Schema {
    let fields = of(Type::Object)
        .description(Some("With code 400: each wrong field with the key of its problem"))
        .additional_properties(Some(Schema::from(of(Type::String))));
    let data = ObjectBuilder::new()
        .description(Some("Besides these fields, the figures that the text of the key contains"))
        .property("error", of(Type::String).description(Some("The key of the refusal, the same in every language")))
        .property("lang", of(Type::String).description(Some("The language of `msg`")))
        .property("fields", fields)
        .required("error")
        .required("lang");
    ObjectBuilder::new()
        .description(Some("The envelope of a refusal"))
        .property("code", of(Type::Integer).enum_values(Some(CODES)))
        .property("msg", of(Type::String).description(Some("In the user's language")))
        .property("data", data)
        .required("code")
        .required("msg")
        .required("data")
        .into()
}

fn turned_away() -> impl Iterator<Item = (String, RefOr<Response>)> {
    TURNED_AWAY.into_iter().map(|(status, why)| {
        let content = Content::new(Some(Ref::from_schema_name(REFUSAL)));
        let response = ResponseBuilder::new().description(why).content(JSON, content).build();
        (format!("TurnedAway{status}"), response.into())
    })
}

/// The document as indented JSON, as stored beside the frontend.
pub fn text() -> String {
    DOCUMENT.to_pretty_json().unwrap_or_default()
}

#[utoipa::path(tag = "meta", responses((status = 200, description = "This document", body = Object)))]
#[get("/openapi.json")]
pub async fn openapi() -> impl Responder {
    HttpResponse::Ok().content_type("application/json").body(text())
}
