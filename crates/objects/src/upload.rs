//! An object that is stored in parts.

use bytes::{Bytes, BytesMut};
use futures_util::stream::{BoxStream, TryStreamExt};
use object_store::{MultipartUpload, PutPayload};

use crate::{Error, PUT_PATIENCE, within};

/// An upload of an object, which exists once it is finished. If it is dropped before, there is no object at all.
#[derive(Debug)]
pub struct Upload(Box<dyn MultipartUpload>);

impl Upload {
    /// The size of all parts but the last. S3 takes none below five megabytes.
    pub const PART: usize = 8 * 1024 * 1024;

    pub(crate) fn new(upload: Box<dyn MultipartUpload>) -> Self {
        Self(upload)
    }

    /// Adds the next part.
    pub async fn part(&mut self, bytes: Bytes) -> Result<(), Error> {
        within(PUT_PATIENCE, self.0.put_part(PutPayload::from(bytes))).await
    }

    /// Adds all of these bytes.
    pub(crate) async fn fill(&mut self, bytes: &mut BoxStream<'static, Result<Bytes, Error>>) -> Result<(), Error> {
        let mut part = BytesMut::new();
        while let Some(chunk) = bytes.try_next().await? {
            part.extend_from_slice(&chunk);
            while part.len() >= Self::PART {
                self.part(part.split_to(Self::PART).freeze()).await?;
            }
        }
        if part.is_empty() { Ok(()) } else { self.part(part.freeze()).await }
    }

    /// Finishes the upload. In a folder, the file is on disk afterwards.
    pub async fn finish(mut self) -> Result<(), Error> {
        within(PUT_PATIENCE, self.0.complete()).await.map(|_| ())
    }

    /// Removes the parts, which a bucket would keep.
    pub async fn abort(mut self) -> Result<(), Error> {
        within(PUT_PATIENCE, self.0.abort()).await
    }
}
