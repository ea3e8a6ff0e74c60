//! The public log: what is published of it, and what it withstands.

use std::collections::BTreeMap;
use std::ops::Range;

use auth::Secrets;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use foundation::{App, Settings};
use futures_util::future::join_all;
use money::wallet::public_log::{FIRST, LogError, Sealer, checkpoint, keys, log_condition, tile};
use money::wallet::verify::verify;
use objects::{ObjectLocation, Objects};
use proof::proofs::{consistency, extends, includes, inclusion, range_root, range_tiles};
use proof::{Checkpoint, Hash, Month, Note, NoteKey, Previous, Tile, TreeHead, hash, tile_hashes};
use store::on_both;
use store::schema::transactions;
use store::testing::{TestDb, sqlite as a_file};
use store::wallet::public_log::month_end;
use tempfile::TempDir;

use crate::support::{World, funded};

/// An installation with a name and a storage, as `placard-server` opens it.
pub(super) fn server(test: &TestDb, folder: &TempDir) -> App {
    server_with(test, folder, Secrets::new([1; 32], [2; 32], [3; 32]))
}

pub(super) fn server_with(test: &TestDb, folder: &TempDir, secrets: Secrets) -> App {
    let domain = Some("ads.example.com".parse().expect("a domain"));
    let settings = Settings { domain, ..Settings::default() };
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    App::new(test.db.clone(), secrets, settings).with_objects(objects)
}

pub(super) const NAME: &str = "ads.example.com/placard-simulated";

/// What an outsider finds at the log's address.
pub(super) struct Outsider {
    pub head: TreeHead,
    /// Which log it is, and which it follows.
    pub number: i16,
    pub previous: Option<Previous>,
    pub tiles: BTreeMap<Tile, Vec<Hash>>,
}

impl Outsider {
    pub async fn at(app: &App) -> Self {
        let key: NoteKey = keys(app).await.expect("read").first().expect("a log").key.parse().expect("a key");
        let end = key.name().strip_prefix(NAME).expect("its name");
        let number = end.strip_prefix('-').map_or(FIRST, |number| number.parse().expect("a number"));
        let bytes = checkpoint(app).await.expect("read").expect("published");
        let note = Note::parse(std::str::from_utf8(&bytes).expect("text")).expect("a note");
        let signed = Checkpoint::open(&note, &key).expect("signed");
        let (head, previous) = (signed.head, Previous::in_checkpoint(&signed));
        let mut tiles = BTreeMap::new();
        for wanted in Tile::between(0, head.size) {
            let bytes =
                tile(app, number, wanted).await.expect("read").unwrap_or_else(|| panic!("{wanted} is not published"));
            let hashes = tile_hashes(&bytes).expect("hashes");
            assert_eq!(hashes.len(), usize::from(wanted.width()), "{wanted}");
            tiles.insert(wanted, hashes);
        }
        let found = Self { head, number, previous, tiles };
        assert_eq!(found.hash(0..head.size), head.root, "the tiles' root");
        found
    }

    fn hash(&self, range: Range<u64>) -> Hash {
        let needed = range_tiles(&range, self.head.size);
        let tile = |tile: Tile| self.tiles.get(&tile).filter(|_| needed.contains(&tile)).cloned();
        range_root(&range, self.head.size, tile).expect("every tile")
    }

    pub fn proof(&self, ranges: Option<Vec<Range<u64>>>) -> Vec<Hash> {
        ranges.expect("provable").into_iter().map(|range| self.hash(range)).collect()
    }

    pub fn leaves(&self) -> Vec<Hash> {
        self.tiles.iter().filter(|(tile, _)| tile.level() == 0).flat_map(|(_, hashes)| hashes.clone()).collect()
    }

    /// The old head is the beginning of this one.
    pub fn goes_on(&self, old: &TreeHead) -> bool {
        extends(old, &self.head, &self.proof(consistency(old.size, self.head.size)))
    }
}

/// Every transaction, by book and number.
async fn all(app: &App) -> BTreeMap<(i64, i64), Hash> {
    let rows: Vec<(i64, i64, Vec<u8>)> = app
        .db
        .read(|conn| {
            let all = transactions::table.select((transactions::book, transactions::book_seq, transactions::hash));
            Ok::<_, store::Error>(all.load(conn)?)
        })
        .await
        .expect("rows");
    rows.into_iter().map(|(book, number, hash)| ((book, number), hash.try_into().expect("32 bytes"))).collect()
}

/// Each transaction is one leaf, after those before it in its book, and proved to be there.
pub(super) async fn holds_everything(app: &App, found: &Outsider) {
    let (all, leaves) = (all(app).await, found.leaves());
    assert_eq!(leaves.len(), all.len());
    let mut last = (i64::MIN, 0);
    for ((book, number), own) in &all {
        let leaf = hash::leaf(own);
        let place = leaves.iter().position(|other| *other == leaf).expect("in the log");
        assert!(*book != last.0 || place > last.1, "number {number} of book {book}");
        last = (*book, place);
        let place = u64::try_from(place).expect("small");
        let proof = found.proof(inclusion(place, found.head.size));
        assert!(includes(&leaf, place, found.head.size, &proof, &found.head.root));
    }
}

pub(super) async fn round(app: &App) -> Result<(), LogError> {
    Sealer::default().round(app).await
}

pub(super) async fn change(app: &App, sql: String) {
    // PostgreSQL refuses to do nothing.
    if sql.is_empty() {
        return;
    }
    let changed = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    changed.await.expect("changed");
}

pub(super) async fn recharge(w: &World, times: std::ops::Range<usize>) {
    for time in times {
        w.recharge("1.00", &format!("bank-{time}")).await;
    }
}

on_both!(what_moved_is_in_the_log_and_every_head_goes_on_from_the_one_before, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let mut sealer = Sealer::default();
    let mut heads = Vec::new();
    for time in 0..5 {
        sealer.round(&app).await.expect("sealed");
        let found = Outsider::at(&app).await;
        holds_everything(&app, &found).await;
        heads.push(found.head);
        for old in &heads {
            assert!(found.goes_on(old), "{old:?}");
            assert!(old.size == 0 || !found.goes_on(&TreeHead { root: [7; 32], ..*old }));
        }
        // More of one book than is sealed at a time.
        recharge(&w, time * 20..(time + 1) * 20).await;
    }
    assert!(heads.is_sorted_by(|one, next| one.size + 20 <= next.size), "{heads:?}");
    let found = verify(&app).await.expect("verified");
    assert!(found.ok, "{:?}", found.faults);
});

on_both!(partial_tiles_make_room_for_the_full_one, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let mut sealer = Sealer::default();
    sealer.round(&app).await.expect("sealed");
    let first = Outsider::at(&app).await;
    recharge(&w, 0..256).await;
    sealer.round(&app).await.expect("sealed");
    let found = Outsider::at(&app).await;
    holds_everything(&app, &found).await;
    assert!(found.goes_on(&first.head));
    let partial = Tile::of_size(0, 0, first.head.size).expect("a tile");
    assert_eq!(tile(&app, FIRST, partial).await.expect("read"), None);
    assert!(tile(&app, FIRST, Tile::new(0, 0, 256).expect("a tile")).await.expect("read").is_some());
});

on_both!(what_commits_late_is_found, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let (app, mut sealer) = (server(&w.test, &folder), Sealer::default());
    sealer.round(&app).await.expect("sealed");
    // As if others with larger ids had committed before.
    change(&app, "UPDATE log_head SET reached_id = reached_id + 5".into()).await;
    recharge(&w, 0..1).await;
    sealer.round(&app).await.expect("sealed");
    holds_everything(&app, &Outsider::at(&app).await).await;
    // Later than anybody expects: the ends of the books tell.
    for _ in 0..2 {
        w.test.clock.advance_seconds(31);
        sealer.round(&app).await.expect("nothing new");
    }
    let before = Outsider::at(&app).await.head;
    recharge(&w, 1..2).await;
    sealer.round(&app).await.expect("nothing found");
    assert_eq!(Outsider::at(&app).await.head, before);
    w.test.clock.advance_seconds(86_400);
    sealer.round(&app).await.expect("sealed");
    holds_everything(&app, &Outsider::at(&app).await).await;
});

on_both!(a_clock_that_is_set_back_puts_nothing_off, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let (app, mut sealer) = (server(&w.test, &folder), Sealer::default());
    w.test.clock.advance_seconds(400 * 86_400);
    sealer.round(&app).await.expect("sealed");
    w.test.clock.advance_seconds(-400 * 86_400);
    sealer.round(&app).await.expect("nothing new");
    // As if others with larger ids had committed before, longer ago than anybody expects.
    change(&app, "UPDATE log_head SET reached_id = reached_id + 5".into()).await;
    for _ in 0..2 {
        w.test.clock.advance_seconds(31);
        sealer.round(&app).await.expect("nothing new");
    }
    recharge(&w, 0..1).await;
    w.test.clock.advance_seconds(86_400);
    sealer.round(&app).await.expect("sealed");
    holds_everything(&app, &Outsider::at(&app).await).await;
});

on_both!(two_at_once_make_one_log, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let servers = [server(&w.test, &folder), server(&w.test, &folder)];
    let sealing = servers.iter().map(async |app| {
        let mut sealer = Sealer::default();
        for _ in 0..12 {
            sealer.round(app).await.expect("sealed");
        }
    });
    tokio::join!(join_all(sealing), recharge(&w, 0..30));
    for app in &servers {
        round(app).await.expect("sealed");
    }
    let found = Outsider::at(&servers[0]).await;
    holds_everything(&servers[0], &found).await;
    let verified = verify(&servers[0]).await.expect("verified");
    assert!(verified.ok, "{:?}", verified.faults);
});

on_both!(what_a_dead_server_left_unpublished_is_published_by_the_next, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    round(&app).await.expect("sealed");
    let before = checkpoint(&app).await.expect("read").expect("published");
    let old = Outsider::at(&app).await;
    recharge(&w, 0..3).await;
    round(&app).await.expect("sealed");
    let new = Outsider::at(&app).await;
    // It died after the transaction: the storage has the checkpoint of before, and not all tiles of the new one.
    std::fs::write(folder.path().join("log/checkpoint"), before).expect("written");
    let last = Tile::last_of(new.head.size).next().expect("a partial tile");
    std::fs::remove_file(folder.path().join("log").join(last.path())).expect("removed");
    round(&app).await.expect("published");
    let found = Outsider::at(&app).await;
    assert_eq!((found.head, found.goes_on(&old.head)), (new.head, true));
    // All of it is made anew from the database.
    std::fs::remove_dir_all(folder.path().join("log")).expect("removed");
    round(&app).await.expect("published");
    assert_eq!(Outsider::at(&app).await.head, new.head);
});

on_both!(what_is_signed_but_not_published_is_not_in_the_log, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let waiting = async || log_condition(&app).await.expect("read").map(|found| (found.unsealed, found.unsealed_since));
    recharge(&w, 0..3).await;
    round(&app).await.expect("published");
    let place = folder.path().join("log/checkpoint");
    let published = std::fs::read(&place).expect("a checkpoint");
    w.test.clock.advance_seconds(60);
    let since = w.test.clock.now();
    recharge(&w, 3..5).await;
    assert_eq!(waiting().await, Some((2, Some(since))));
    round(&app).await.expect("published");
    assert_eq!(waiting().await, Some((0, None)));
    // As where the storage is full.
    std::fs::write(&place, published).expect("written");
    assert_eq!(waiting().await, Some((2, Some(since))));
    std::fs::remove_file(&place).expect("removed");
    assert_eq!(waiting().await.map(|(unsealed, _)| unsealed), Some(6));
});

on_both!(nothing_is_signed_below_or_beside_what_was_published, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    recharge(&w, 0..5).await;
    let app = server(&w.test, &folder);
    round(&app).await.expect("sealed");
    let published = checkpoint(&app).await.expect("read");
    // The same installation with another database, which has less: as after a restore.
    let other = funded(a_file(), "400").await;
    let restored = server(&other.test, &folder);
    let refused = round(&restored).await.expect_err("it lost transactions");
    assert!(matches!(refused, LogError::Lost { stored: 0, .. }), "{refused}");
    // And as much, but something else.
    let apart = tempfile::tempdir().expect("a folder");
    let elsewhere = server(&other.test, &apart);
    recharge(&other, 0..9).await;
    round(&elsewhere).await.expect("a log of its own");
    let refused = round(&restored).await.expect_err("another history");
    assert!(matches!(refused, LogError::Forked { .. }), "{refused}");
    assert_eq!(checkpoint(&app).await.expect("read"), published, "it stays");
    // What this installation did not sign is not taken for its own.
    std::fs::write(apart.path().join("log/checkpoint"), "not\na checkpoint\n").expect("written");
    recharge(&other, 9..10).await;
    let refused = round(&elsewhere).await.expect_err("not its own");
    assert!(matches!(refused, LogError::Foreign(_)), "{refused}");
});

on_both!(a_log_that_somebody_changed_is_found_and_does_not_go_on, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    round(&app).await.expect("sealed");
    let change = async |sql: String| change(&app, sql).await;
    let faults = async || verify(&app).await.expect("verified").faults.join("; ");
    change("UPDATE log_books SET last_leaf = last_leaf + 1000".into()).await;
    assert!(faults().await.contains("which is not there"), "{}", faults().await);
    change("UPDATE log_books SET last_leaf = last_leaf - 1000, sealed = sealed - 1".into()).await;
    let found = faults().await;
    assert!(found.contains("is another than the public log has") && found.contains("leaves for"), "{found}");
    change("UPDATE log_books SET sealed = sealed + 1".into()).await;
    assert_eq!(faults().await, "");
    // A leaf in the database, with nobody the wiser but for the signature.
    let hashes: Vec<u8> = Outsider::at(&app).await.leaves().concat();
    let other = [&[hashes[0] ^ 1], &hashes[1..]].concat();
    let hex: String = other.iter().map(|byte| format!("{byte:02x}")).collect();
    let bytes = if w.test.url.starts_with("sqlite") { format!("X'{hex}'") } else { format!("'\\x{hex}'") };
    change(format!("UPDATE log_tiles SET hashes = {bytes} WHERE level = 0 AND number = 0")).await;
    assert!(faults().await.contains("is not the one that was signed"), "{}", faults().await);
    recharge(&w, 0..1).await;
    let refused = round(&app).await.expect_err("another tree");
    assert!(matches!(refused, LogError::Changed(_)), "{refused}");
});

/// The last leaf of a book at the end of a month: its number, and the leaf's place.
async fn end(app: &App, book: i64, month: &str) -> Option<(i64, i64)> {
    let month: Month = month.parse().expect("a month");
    let end = app.db.read(move |conn| month_end(conn, book, month)).await.expect("read")?;
    Some((end.sequence, end.leaf))
}

on_both!(where_a_month_ends_in_the_log_is_known_from_its_next_transaction_on, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let (app, mut sealer) = (server(&w.test, &folder), Sealer::default());
    let month = || Month::of(w.test.clock.now().millis()).expect("a month").to_string();
    let (first, book) = (month(), w.user.0);
    recharge(&w, 0..3).await;
    sealer.round(&app).await.expect("sealed");
    let at_first = end(&app, book, &first).await.expect("begun");
    assert_eq!((at_first.0, end(&app, book, "1970-01").await), (4, None));
    // A month in which nothing moved, and one that goes on.
    w.test.clock.advance_seconds(35 * 86_400);
    let between = month();
    w.test.clock.advance_seconds(35 * 86_400);
    let last = month();
    assert!(first < between && between < last);
    recharge(&w, 3..6).await;
    sealer.round(&app).await.expect("sealed");
    assert_eq!((end(&app, book, &first).await, end(&app, book, &between).await), (Some(at_first), Some(at_first)));
    let at_last = end(&app, book, &last).await.expect("begun");
    assert_eq!(at_last.0, 7);
    let leaves = Outsider::at(&app).await.leaves();
    for (number, leaf) in [at_first, at_last] {
        let leaf = leaves[usize::try_from(leaf).expect("small")];
        assert_eq!(hash::leaf(&all(&app).await[&(book, number)]), leaf);
    }
    let faults = async || verify(&app).await.expect("verified").faults.join("; ");
    assert_eq!(faults().await, "");
    let elsewhere = format!("the months of book {book} end elsewhere");
    for (wrong, right, told) in [
        ("UPDATE log_months SET sequence = 3", "UPDATE log_months SET sequence = 4", elsewhere.as_str()),
        ("UPDATE log_months SET month = month + 1", "UPDATE log_months SET month = month - 1", &elsewhere),
        ("UPDATE log_books SET month = month + 1", "UPDATE log_books SET month = month - 1", &elsewhere),
        (
            "UPDATE log_months SET leaf = leaf - 1",
            "UPDATE log_months SET leaf = leaf + 1",
            "is another than the public log",
        ),
        ("DELETE FROM log_months", "", &elsewhere),
    ] {
        change(&app, wrong.into()).await;
        assert!(faults().await.contains(told), "{wrong}: {}", faults().await);
        change(&app, right.into()).await;
    }
});

on_both!(without_a_name_there_is_no_log, |test| {
    let w = funded(test, "500").await;
    round(&w.app).await.expect("nothing to do");
    assert_eq!(keys(&w.app).await.expect("read"), []);
    assert_eq!(checkpoint(&w.app).await.expect("read"), None);
});
