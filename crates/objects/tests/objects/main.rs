//! Files in a folder and in a bucket.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod bucket;
mod folder;

use futures_util::TryStreamExt;
use objects::Objects;

/// A complete object, with the size reported before.
async fn read(objects: &Objects, name: &str) -> Option<(u64, Vec<u8>)> {
    let found = objects.get(name).await.expect("an answer")?;
    let bytes = found.bytes.try_fold(Vec::new(), |mut all, chunk| async move {
        all.extend(chunk);
        Ok(all)
    });
    Some((found.size, bytes.await.expect("the bytes")))
}
