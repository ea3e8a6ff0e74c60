//! Reads a file from `multipart/form-data` in chunks, as they arrive.

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::web::Bytes;
use futures_util::TryStreamExt;

/// Why there is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    #[error("not a form")]
    NotAForm,
    #[error("a form that breaks off or cannot be read")]
    Unreadable,
    #[error("more bytes than are read")]
    TooLarge,
}

/// Passes the first field `file` to `take`, and skips everything else. At most
/// `read_at_most` bytes of all fields are read.
///
/// # Errors
/// Chunks passed on before are then worthless.
pub async fn first_file(mut form: Multipart, read_at_most: usize, mut take: impl FnMut(&[u8])) -> Result<(), NoFile> {
    let (mut room, mut found) = (read_at_most, false);
    while let Some(mut field) = form.try_next().await.map_err(|error| why(&error))? {
        let wanted = !found && field.name() == Some("file");
        found |= wanted;
        while let Some(piece) = next_piece(&mut field, &mut room).await? {
            if wanted {
                take(&piece);
            }
        }
    }
    Ok(())
}

async fn next_piece(field: &mut Field, room: &mut usize) -> Result<Option<Bytes>, NoFile> {
    let piece = field.try_next().await.map_err(|error| why(&error))?;
    *room = room.checked_sub(piece.as_ref().map_or(0, Bytes::len)).ok_or(NoFile::TooLarge)?;
    Ok(piece)
}

/// A body that is not a form contains no file.
fn why(error: &MultipartError) -> NoFile {
    use MultipartError::{BoundaryMissing, ContentTypeIncompatible, ContentTypeMissing, ContentTypeParse};
    match error {
        BoundaryMissing | ContentTypeIncompatible | ContentTypeMissing | ContentTypeParse => NoFile::NotAForm,
        _ => NoFile::Unreadable,
    }
}
