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
use objects::testing::FakeS3;
use objects::{ObjectLocation, Objects};

/// A complete object, with the size reported before.
async fn read(objects: &Objects, name: &str) -> Option<(u64, Vec<u8>)> {
    let found = objects.get(name).await.expect("an answer")?;
    let bytes = found.bytes.try_fold(Vec::new(), |mut all, chunk| async move {
        all.extend(chunk);
        Ok(all)
    });
    Some((found.size, bytes.await.expect("the bytes")))
}

/// Two that have read the same: the second to replace it is told so, and reads anew.
async fn only_what_was_read_is_replaced(objects: &Objects) {
    assert_eq!(objects.read_version("log/end").await, Ok(None));
    assert_eq!(objects.replace("log/end", None, b"one".to_vec()).await, Ok(true));
    assert_eq!(objects.replace("log/end", None, b"other".to_vec()).await, Ok(false), "one is there");
    let (bytes, first) = objects.read_version("log/end").await.expect("read").expect("there");
    assert_eq!(bytes, b"one");
    assert_eq!(objects.replace("log/end", Some(&first), b"two".to_vec()).await, Ok(true));
    assert_eq!(objects.replace("log/end", Some(&first), b"late".to_vec()).await, Ok(false), "it was replaced");
    let (bytes, second) = objects.read_version("log/end").await.expect("read").expect("there");
    assert_eq!((bytes.as_slice(), first == second), (&b"two"[..], false));
    objects.delete("log/end").await.expect("removed");
    assert_eq!(objects.replace("log/end", Some(&second), b"late".to_vec()).await, Ok(false), "it is gone");
    assert_eq!(objects.whole("log/end").await, Ok(None));
}

/// Of many that count at once, none undoes another's step.
async fn none_is_undone(objects: &Objects) {
    const STEPS: usize = 5;
    let counting = (0..4).map(|_| {
        let objects = objects.clone();
        tokio::spawn(async move {
            let mut done = 0;
            while done < STEPS {
                let read = objects.read_version("count").await.expect("read");
                let (bytes, version) = read.map_or((Vec::new(), None), |(bytes, version)| (bytes, Some(version)));
                let next = [bytes, vec![1]].concat();
                done += usize::from(objects.replace("count", version.as_ref(), next).await.expect("asked"));
            }
        })
    });
    for counted in counting.collect::<Vec<_>>() {
        counted.await.expect("counts");
    }
    assert_eq!(objects.whole("count").await.expect("read").map(|bytes| bytes.len()), Some(4 * STEPS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_replaced_meanwhile_is_not_undone_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    only_what_was_read_is_replaced(&objects).await;
    none_is_undone(&objects).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_replaced_meanwhile_is_not_undone_in_a_bucket() {
    let fake = FakeS3::start();
    let objects = fake.open("s3://placard/files");
    only_what_was_read_is_replaced(&objects).await;
    none_is_undone(&objects).await;
}

/// Some buckets know no conditions. The last one wins there.
#[tokio::test]
async fn a_bucket_that_is_asked_without_conditions_takes_everything() {
    let fake = FakeS3::start();
    let mut environment = fake.environment().to_vec();
    environment.push(("AWS_CONDITIONAL_PUT", "disabled".to_owned()));
    let environment = environment.iter().map(|(name, value)| (*name, value.as_str()));
    let place = ObjectLocation::parse("s3://placard", environment).expect("an address");
    let objects = Objects::open(&place).expect("opens");
    assert_eq!(objects.replace("one", None, b"first".to_vec()).await, Ok(true));
    assert_eq!(objects.replace("one", None, b"second".to_vec()).await, Ok(true));
    assert_eq!(objects.whole("one").await, Ok(Some(b"second".to_vec())));
}
