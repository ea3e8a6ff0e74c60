//! The conversation with customer service. An account that may do nothing else may write here, because
//! it is told to turn to customer service.

use actix_multipart::Multipart;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use base::Field;
use foundation::notifications::conversation::{self, ConversationView, MessageView, UnreadMessages, Write};
use foundation::people::files::{FileView, Visibility, find_private};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, Idempotency, Paging, ServiceSession};
use crate::failure::Failure;
use crate::routes::people::files::{self, UploadForm};

/// The messages, newest first, and whether each was read.
#[utoipa::path(tag = "customer", params(Paging), responses((status = 200, body = ConversationView)))]
#[get("/conversation")]
pub async fn show(
    shell: web::Data<Shell>,
    session: ServiceSession,
    paging: web::Query<Paging>,
) -> Handled<ConversationView> {
    page(&shell, &session, &paging).await
}

/// The same as `GET /conversation`.
#[utoipa::path(tag = "customer", params(Paging), responses((status = 200, body = ConversationView)))]
#[get("/customer/messages")]
pub async fn list_messages(
    shell: web::Data<Shell>,
    session: ServiceSession,
    paging: web::Query<Paging>,
) -> Handled<ConversationView> {
    page(&shell, &session, &paging).await
}

async fn page(shell: &Shell, session: &ServiceSession, paging: &Paging) -> Handled<ConversationView> {
    Ok(Reply(conversation::conversation(&shell.app, session.user, paging.request()?).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct MessageRequest {
    /// Not needed with pictures.
    #[schema(max_length = 2000)]
    pub text: String,
    /// Ids of pictures from `/customer/pictures`.
    #[schema(max_items = 4)]
    pub pictures: Vec<String>,
}

/// Sends a message. With an `Idempotency-Key` it is kept once, however often it is sent.
#[utoipa::path(tag = "customer", params(Idempotency), request_body = MessageRequest,
    responses((status = 200, body = MessageView)))]
#[post("/conversation")]
pub async fn send(
    shell: web::Data<Shell>,
    session: ServiceSession,
    key: Idempotency,
    body: Body<MessageRequest>,
) -> Handled<MessageView> {
    write(&shell, &session, key, &body).await
}

/// The same as `POST /conversation`.
#[utoipa::path(tag = "customer", params(Idempotency), request_body = MessageRequest,
    responses((status = 200, body = MessageView)))]
#[post("/customer/messages")]
pub async fn send_message(
    shell: web::Data<Shell>,
    session: ServiceSession,
    key: Idempotency,
    body: Body<MessageRequest>,
) -> Handled<MessageView> {
    write(&shell, &session, key, &body).await
}

async fn write(
    shell: &Shell,
    session: &ServiceSession,
    key: Idempotency,
    body: &Body<MessageRequest>,
) -> Handled<MessageView> {
    let MessageRequest { text, pictures } = body.read()?;
    let command = Write { text, pictures, key: key.0 };
    Ok(Reply(conversation::write(&shell.app, session.user, command).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct MessagesReadRequest {
    /// The id of the last message that was read.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub until: String,
}

#[utoipa::path(tag = "customer", request_body = MessagesReadRequest, responses((status = 200, body = UnreadMessages)))]
#[post("/customer/messages/read")]
pub async fn mark_read(
    shell: web::Data<Shell>,
    session: ServiceSession,
    body: Body<MessagesReadRequest>,
) -> Handled<UnreadMessages> {
    let until = body.read()?.until.parse().map_err(|_| Failure::field(Field::Until, "invalid"))?;
    Ok(Reply(conversation::mark_read(&shell.app, session.user, until).await?))
}

/// A picture for a message. It is shown to its user and to staff.
#[utoipa::path(tag = "customer", request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FileView)))]
#[post("/customer/pictures")]
pub async fn upload(
    shell: web::Data<Shell>,
    session: ServiceSession,
    request: HttpRequest,
    form: Multipart,
) -> Handled<FileView> {
    Ok(Reply(files::receive(&shell, session.user, Visibility::Private, &request, form).await?))
}

#[utoipa::path(tag = "customer", params(("id" = String, Path, description = "The id of a picture")),
    responses((status = 200, description = "The picture", content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png")))))]
#[get("/customer/pictures/{id}")]
pub async fn show_picture(
    shell: web::Data<Shell>,
    session: ServiceSession,
    id: web::Path<String>,
) -> Result<HttpResponse, Failure> {
    let found = find_private(&shell.app, Some(session.user), &id).await?;
    files::deliver_private(&shell, found.ok_or_else(Failure::unknown_path)?).await
}
