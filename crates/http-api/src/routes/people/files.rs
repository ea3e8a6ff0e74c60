//! Pictures: uploaded by signed-in users, visible to everybody who has the address.

use actix_multipart::Multipart;
use actix_web::body::SizedStream;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, EntityTag, Header, IfNoneMatch,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get, post, web};
use base::{Field, UserId};
use forms::{NoFile, first_file};
use foundation::people::files::{FileView, Visibility, begin_upload, find_file, open_file};
use futures_util::TryStreamExt;
use utoipa::ToSchema;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::FreshSession;
use crate::failure::Failure;

/// The most that is read. A picture that is too large is read to its end and discarded, because few
/// clients read a refusal before they have sent everything.
const READ_AT_MOST: usize = 32 * 1024 * 1024;
/// The caching of a public picture: nobody can guess its address, and its content never changes.
const FOREVER: &str = "private, max-age=31536000, immutable";
/// The caching of a private picture: the next user of the device must not find it.
const NOT_STORED: &str = "no-store";

#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the form")]
pub struct UploadForm {
    /// A JPEG, PNG, WebP or GIF of at most 5 MB. Of a moving picture only the first frame is kept.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

#[utoipa::path(tag = "files", request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, body = FileView)))]
#[post("/files/upload")]
pub async fn upload(
    shell: web::Data<Shell>,
    session: FreshSession,
    request: HttpRequest,
    form: Multipart,
) -> Handled<FileView> {
    Ok(Reply(receive(&shell, session.user, Visibility::Public, &request, form).await?))
}

/// Receives one picture. All uploads share their limits.
pub(crate) async fn receive(
    shell: &Shell,
    user: UserId,
    shown: Visibility,
    request: &HttpRequest,
    form: Multipart,
) -> Result<FileView, Failure> {
    let told = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if told.is_some_and(|length: usize| length > READ_AT_MOST) {
        return Err(Failure::body_too_large());
    }
    let mut picture = begin_upload(&shell.app, user, shown).await?;
    first_file(form, READ_AT_MOST, |piece| picture.add(piece)).await.map_err(unreadable)?;
    Ok(picture.finish().await?)
}

/// A body that is not a form contains no file.
fn unreadable(why: NoFile) -> Failure {
    match why {
        NoFile::NotAForm => Failure::field(Field::File, "required"),
        NoFile::Unreadable => Failure::field(Field::Body, "invalid"),
        NoFile::TooLarge => Failure::body_too_large(),
    }
}

#[utoipa::path(tag = "files", params(("id" = String, Path, description = "The id of a file")),
    responses((status = 200, description = "The picture", content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"))),
        (status = 304, description = "The client has it already")))]
#[get("/files/{id}")]
pub async fn show(
    shell: web::Data<Shell>,
    id: web::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let Some(file) = find_file(&shell.app, &id).await? else { return Err(Failure::unknown_path()) };
    let tag = EntityTag::new_strong(file.id.clone());
    if is_known(&request, &tag) {
        return Ok(lasting(HttpResponse::NotModified(), &tag).finish());
    }
    deliver(&shell, file, lasting(HttpResponse::Ok(), &tag)).await
}

/// Sends a private picture.
pub(crate) async fn deliver_private(shell: &Shell, file: FileView) -> Result<HttpResponse, Failure> {
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, NOT_STORED));
    deliver(shell, file, response).await
}

async fn deliver(shell: &Shell, file: FileView, mut response: HttpResponseBuilder) -> Result<HttpResponse, Failure> {
    let object = open_file(&shell.app, &file.id).await?;
    response.insert_header((CONTENT_TYPE, file.mime.name())).insert_header((CONTENT_DISPOSITION, "inline"));
    let bytes = object.bytes.inspect_err(|error| tracing::error!(%error, "a picture was sent only in part"));
    Ok(response.body(SizedStream::new(object.size, bytes)))
}

fn lasting(mut response: HttpResponseBuilder, tag: &EntityTag) -> HttpResponseBuilder {
    response.insert_header((CACHE_CONTROL, FOREVER)).insert_header((ETAG, tag.to_string()));
    response
}

/// Whether the client has it already: its content never changes.
fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}
