//! Users' pictures: uploading them, and showing them to everybody who has the address, or,
//! if they are private, to their user and to staff.

use base::{Field, Timestamp, UserId, refuse_if};
use images::{MediaType, Picture};
use objects::{Object, Objects};
use serde::Serialize;
use store::people::files::{self, File, Owner};
use store::people::users;
use utoipa::ToSchema;

pub use store::people::files::Visibility;

use crate::people::uploads::UploadPermit;
use crate::{App, Error, Refusal, random};

/// The most a user may upload in an hour.
const PER_HOUR: usize = 60;
const HOUR: i64 = 3_600;

/// A stored picture. Width and height in pixels, size in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = File)]
pub struct FileView {
    pub id: String,
    /// Its path on this server.
    pub url: String,
    /// `image/jpeg` or `image/png`.
    pub mime: MediaType,
    pub width: i32,
    pub height: i32,
    pub size: i64,
}

/// An upload in progress. Above the maximum size, nothing is kept.
pub struct Upload {
    app: App,
    user: UserId,
    shown: Visibility,
    bytes: Vec<u8>,
    too_large: bool,
    _place: UploadPermit,
}

/// # Errors
/// `Overloaded` while too many are received; `TooManyRequests` if the user uploaded too
/// many.
pub async fn begin_upload(app: &App, user: UserId, shown: Visibility) -> Result<Upload, Error> {
    let place = app.uploads.permit(user).await?;
    let now = app.now();
    let recent = app.db.read(move |conn| files::uploads_since(conn, user, now.plus_seconds(-HOUR))).await?;
    match retry_after(&recent, now) {
        Some(retry_after) => Err(Error::TooManyRequests { retry_after }),
        None => Ok(Upload { app: app.clone(), user, shown, bytes: Vec::new(), too_large: false, _place: place }),
    }
}

/// Seconds until the oldest of these uploads is an hour old; `None` if there is no need
/// to wait.
fn retry_after(recent: &[Timestamp], now: Timestamp) -> Option<i64> {
    let over = recent.len().checked_sub(PER_HOUR)?;
    let first = recent.get(over)?;
    Some(HOUR.saturating_sub(now.seconds().saturating_sub(first.seconds())).max(1))
}

impl Upload {
    pub fn add(&mut self, chunk: &[u8]) {
        self.too_large |= self.bytes.len().saturating_add(chunk.len()) > images::LARGEST;
        if self.too_large {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(chunk);
        }
    }

    /// Saves the picture: first its bytes, then its row, so that every row has its bytes.
    ///
    /// # Errors
    /// `file` as `required`, `image_too_large`, `image_too_complex`, `image_kind_not_taken`,
    /// `image_coding_not_taken`, `image_damaged`, `not_an_image`; `Barred` if the account was cancelled meanwhile.
    pub async fn finish(self) -> Result<FileView, Error> {
        refuse_if(self.too_large, Refusal::ImageTooLarge)?;
        Error::field_if(self.bytes.is_empty(), Field::File, "required")?;
        let (app, user, shown) = (self.app, self.user, self.shown);
        let picture = app.uploads.clean(self.bytes).await?;
        let file = store_bytes(&app, new_id()?, picture).await?;
        let id = file.id.clone();
        let kept = app.db.write(move |tx| {
            // Somebody who has closed the account meanwhile leaves nothing.
            users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?.may_ask()?;
            files::insert(tx, Owner::User(user), &file, shown)?;
            view(file.clone(), shown)
        });
        let kept = kept.await;
        if matches!(kept, Err(Error::Barred(_))) {
            remove(&app, &[id]).await;
        }
        kept
    }
}

/// Stores a picture's bytes, and returns the row to insert.
pub async fn store_bytes(app: &App, id: String, picture: Picture) -> Result<File, Error> {
    let file = File {
        id,
        mime: picture.mime.name().to_owned(),
        width: whole(picture.width)?,
        height: whole(picture.height)?,
        size: whole(picture.bytes.len())?,
    };
    storage(app)?.put(&file.id, picture.bytes).await?;
    Ok(file)
}

/// A public file's data; `None` if there is none with this id.
pub async fn find_file(app: &App, id: &str) -> Result<Option<FileView>, Error> {
    if !is_id(id) {
        return Ok(None);
    }
    let id = id.to_owned();
    let found = app.db.read(move |conn| files::find(conn, &id)).await?;
    found.map(|file| view(file, Visibility::Public)).transpose()
}

/// A private file's data: for its user, or with `None` for staff.
pub async fn find_private(app: &App, user: Option<UserId>, id: &str) -> Result<Option<FileView>, Error> {
    if !is_id(id) {
        return Ok(None);
    }
    let id = id.to_owned();
    let found = app.db.read(move |conn| files::find_private(conn, user, &id)).await?;
    found.map(|file| view(file, Visibility::Private)).transpose()
}

/// Whether the user uploaded it, as a public file.
pub(crate) async fn is_of(app: &App, user: UserId, id: &str) -> Result<bool, Error> {
    if !is_id(id) {
        return Ok(false);
    }
    let id = id.to_owned();
    Ok(app.db.read(move |conn| files::is_of(conn, user, &id)).await?)
}

/// Whether the user uploaded all of these files, to be shown like this.
pub(crate) async fn are_of(app: &App, user: UserId, ids: &[String], shown: Visibility) -> Result<bool, Error> {
    if ids.is_empty() {
        return Ok(true);
    }
    if !ids.iter().all(|id| is_id(id)) {
        return Ok(false);
    }
    let ids = ids.to_vec();
    Ok(app.db.read(move |conn| files::are_of(conn, user, &ids, shown)).await?)
}

/// Its bytes from the storage.
///
/// # Errors
/// The storage does not answer, or has lost it.
pub async fn open_file(app: &App, id: &str) -> Result<Object, Error> {
    let found = storage(app)?.get(id).await?;
    found.ok_or_else(|| Error::Internal(format!("the storage of files has lost {id}")))
}

/// Removes files whose rows are gone. If one cannot be removed, that is only logged: no request can reach it any more.
pub(crate) async fn remove(app: &App, ids: &[String]) {
    let Some(objects) = &app.objects else { return };
    for id in ids {
        if let Err(error) = objects.delete(id).await {
            tracing::warn!(%error, "an unused file was not removed");
        }
    }
}

/// The path of a public file on this server.
pub fn url(id: &str) -> String {
    format!("/files/{id}")
}

pub fn storage(app: &App) -> Result<&Objects, Error> {
    app.objects.as_ref().ok_or_else(|| Error::Internal("no storage of files was opened".into()))
}

pub fn view(file: File, shown: Visibility) -> Result<FileView, Error> {
    let File { id, mime, width, height, size } = file;
    let mime =
        MediaType::from_name(&mime).ok_or_else(|| Error::Internal(format!("file {id} is of the type {mime}")))?;
    let url = match shown {
        Visibility::Public => url(&id),
        Visibility::Private => format!("/api/customer/pictures/{id}"),
    };
    Ok(FileView { url, id, mime, width, height, size })
}

fn new_id() -> Result<String, Error> {
    let bytes: [u8; 16] = random()?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// A user's file or one that staff have added.
fn is_id(text: &str) -> bool {
    matches!(text.len(), 32 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn whole<N>(number: impl TryInto<N>) -> Result<N, Error> {
    number.try_into().map_err(|_| Error::Internal("a picture without measure".into()))
}

impl From<objects::Error> for Error {
    fn from(error: objects::Error) -> Self {
        of_storage(error.to_string())
    }
}

/// Where the disk is full, the same may succeed later, as in the database.
fn of_storage(problem: String) -> Error {
    let unstored = store::Error::NotCommitted(problem.clone());
    if unstored.is_full() { unstored.into() } else { Error::Internal(problem) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_long_and_differ() {
        let (one, two) = (new_id().expect("an id"), new_id().expect("an id"));
        assert!(is_id(&one) && is_id(&two) && one != two);
        for odd in ["", "../secret", &one[1..], &one.to_uppercase().replace(|c: char| c.is_ascii_digit(), "A")] {
            assert!(!is_id(odd), "{odd}");
        }
    }

    #[test]
    fn what_a_full_disk_does_not_take_may_be_sent_again() {
        let key = |problem: &str| of_storage(problem.to_owned()).key();
        assert_eq!(key("the storage of files: No space left on device (os error 28)"), "overloaded");
        assert_eq!(key("the storage of files: Permission denied (os error 13)"), "server_error");
    }

    #[test]
    fn an_hour_has_its_measure() {
        let now = Timestamp::from_seconds(10_000);
        let uploads = |count| vec![now.plus_seconds(-600); count];
        assert_eq!(retry_after(&uploads(PER_HOUR - 1), now), None);
        assert_eq!(retry_after(&uploads(PER_HOUR), now), Some(3_000));
    }
}
