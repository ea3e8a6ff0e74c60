//! What outsiders see of the public log is not lost with a machine, and no server puts an older end of it in place of a newer
//! one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use auth::Secrets;
use foundation::{App, Settings};
use money::wallet::public_log::{CopyProgress, LogError, Sealer, checkpoint};
use objects::testing::FakeS3;
use store::on_both;
use store::testing::{TestDb, sqlite as a_file};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::public_log::{Outsider, holds_everything, recharge, round, server};
use crate::support::funded;

/// Copies of the database that this test makes, or does not make.
#[derive(Debug, Default)]
struct Copies {
    begun: AtomicU64,
    whole: AtomicU64,
}

impl CopyProgress for Copies {
    fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    fn whole(&self) -> u64 {
        self.whole.load(Ordering::SeqCst)
    }
}

impl Copies {
    fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn end(&self, pass: u64) {
        self.whole.store(pass, Ordering::SeqCst);
    }
}

on_both!(what_is_not_copied_is_not_published, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let (app, copies) = (server(&w.test, &folder), Arc::new(Copies::default()));
    let mut sealer = Sealer::default().copied(copies.clone());
    let early = copies.begin();
    recharge(&w, 0..3).await;
    let refused = sealer.round(&app).await.expect_err("nothing is copied");
    assert!(matches!(refused, LogError::NotCopied), "{refused}");
    // It began before what was signed was committed.
    copies.end(early);
    recharge(&w, 3..5).await;
    let refused = sealer.round(&app).await.expect_err("that is not copied");
    assert!(matches!(refused, LogError::NotCopied), "{refused}");
    assert_eq!(checkpoint(&app).await.expect("read"), None);
    assert!(!folder.path().join("log").exists(), "no tile is shown either");
    // Copies that are slower than what is added do not stop the log: what was signed first is in this one.
    copies.end(copies.begin());
    sealer.round(&app).await.expect("published");
    let first = Outsider::at(&app).await;
    let copying = tokio::spawn({
        let copies = copies.clone();
        async move {
            loop {
                copies.end(copies.begin());
                sleep(Duration::from_millis(20)).await;
            }
        }
    });
    sealer.round(&app).await.expect("published");
    copying.abort();
    let all = Outsider::at(&app).await;
    assert_eq!((all.head.size, all.goes_on(&first.head)), (first.head.size + 2, true));
    holds_everything(&app, &all).await;
    // What is there already waits for no copy.
    sealer.round(&app).await.expect("nothing new");
    Sealer::default().copied(Arc::new(Copies::default())).round(&app).await.expect("another server, and nothing new");
});

/// A server whose files are in a bucket.
fn at_bucket(test: &TestDb, bucket: &FakeS3) -> App {
    let domain = Some("ads.example.com".parse().expect("a domain"));
    let settings = Settings { domain, ..Settings::default() };
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    App::new(test.db.clone(), secrets, settings).with_objects(bucket.open("s3://placard/files"))
}

/// It has seen what is published, and its checkpoint is on the way.
async fn begin_to_publish(app: &App, bucket: &FakeS3) -> (Sender<()>, JoinHandle<Result<(), LogError>>) {
    let way = bucket.hold("PUT /placard/files/log/checkpoint");
    let app = app.clone();
    let publishing = tokio::spawn(async move { round(&app).await });
    for _ in 0..500 {
        if bucket.is_held() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert!(bucket.is_held(), "it publishes");
    (way, publishing)
}

on_both!(an_older_checkpoint_never_replaces_a_newer_one, |test| {
    let (w, bucket) = (funded(test, "500").await, FakeS3::start());
    let (slow, fast) = (at_bucket(&w.test, &bucket), at_bucket(&w.test, &bucket));
    round(&slow).await.expect("published");
    let before = Outsider::at(&slow).await.head;
    recharge(&w, 0..2).await;
    let (way, publishing) = begin_to_publish(&slow, &bucket).await;
    recharge(&w, 2..4).await;
    round(&fast).await.expect("published");
    let newest = Outsider::at(&fast).await.head;
    assert_eq!(newest.size, before.size + 4);
    drop(way);
    publishing.await.expect("runs").expect("another server was faster");
    let found = Outsider::at(&fast).await;
    assert_eq!((found.head, found.goes_on(&before)), (newest, true));
});

// Two installations' servers with one storage, as when a database was restored and the old server still runs.
on_both!(what_another_database_published_meanwhile_is_not_replaced, |test| {
    let (w, bucket) = (funded(test, "500").await, FakeS3::start());
    let app = at_bucket(&w.test, &bucket);
    round(&app).await.expect("published");
    recharge(&w, 0..2).await;
    let (other, elsewhere) = (funded(a_file(), "400").await, FakeS3::start());
    let others = at_bucket(&other.test, &elsewhere);
    round(&others).await.expect("a log of its own");
    let fork = checkpoint(&others).await.expect("read").expect("published");
    let (way, publishing) = begin_to_publish(&app, &bucket).await;
    bucket.seen().objects.insert("/placard/files/log/checkpoint".to_owned(), fork.clone());
    drop(way);
    let refused = publishing.await.expect("runs").expect_err("another tree");
    assert!(matches!(refused, LogError::Forked { .. }), "{refused}");
    assert_eq!(checkpoint(&app).await.expect("read"), Some(fork), "it stays");
});
