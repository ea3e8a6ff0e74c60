//! The public log of a server that was killed: it continues, and has everything soon.

use std::thread::sleep;
use std::time::{Duration, Instant};

use foundation::App;
use money::wallet::public_log::{FIRST, tile};
use money::wallet::verify::verify;
use proof::proofs::range_root;
use proof::{Checkpoint, Note, NoteKey, TreeHead, tile_hashes};
use store::wallet::balance_days::records;
use tokio::runtime::Runtime;

use crate::client::Client;

/// With this, a server has a log.
pub fn named() -> [(&'static str, String); 1] {
    [("PLACARD_DOMAIN", "ads.example.com".to_owned())]
}

/// What everybody may rely on.
const SOON: Duration = Duration::from_secs(10);

/// The published head, if there is one and the server answers.
pub fn head(client: &Client) -> Option<TreeHead> {
    let found = |path| client.get(path).ok().filter(|answer| answer.status == 200);
    let (note, key) = (found("/log/checkpoint")?, found("/log/key")?);
    let key: NoteKey = key.body.lines().find(|line| !line.starts_with('#'))?.parse().expect("a key");
    Some(Checkpoint::open(&Note::parse(&note.body).expect("a note"), &key).expect("signed").head)
}

/// Everything that was committed is in the log, which goes on from each head that somebody saw.
pub fn holds_everything(client: &Client, runtime: &Runtime, app: &App, seen: &[TreeHead]) {
    let found = runtime.block_on(verify(app)).expect("verified");
    let all = u64::try_from(found.transactions).expect("a number");
    let begun = Instant::now();
    let last = loop {
        // The records of days are leaves besides.
        let days = app.db.read(|conn| records(conn, "ads.example.com/placard-simulated"));
        let days = runtime.block_on(days).expect("read").len();
        match head(client) {
            Some(head) if head.size >= all + u64::try_from(days).expect("few") => break head,
            other => assert!(begun.elapsed() < SOON, "{other:?} of {all}"),
        }
        sleep(Duration::from_millis(50));
    };
    let found = runtime.block_on(verify(app)).expect("verified");
    assert!(found.ok, "{:?}", found.faults);
    let published = |wanted| tile_hashes(&runtime.block_on(tile(app, FIRST, wanted)).expect("read")?);
    for old in seen.iter().chain([&last]) {
        assert_eq!(range_root(&(0..old.size), last.size, published), Some(old.root), "{old:?} of {last:?}");
    }
}
