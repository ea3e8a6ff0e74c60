//! Whoever has the database, the secret file and the log's key rewrites books so that `ledger verify` finds nothing, and the log
//! with them. Those who kept a checkpoint find out, and so do witnesses, the sealer and a kept proof file.

use std::collections::BTreeMap;

use auth::Secrets;
use base::UserId;
use desk::requests::{MoneyRequestDraft, approve, request};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use doubleentry::testing::TestWitness;
use foundation::App;
use money::wallet::public_log::{LogError, checkpoint, log_condition};
use money::wallet::verify::verify;
use proof::file::{KeyFile, Proved, verify as verify_file};
use proof::proofs::{consistency, extends};
use proof::witness::Refused;
use proof::{
    AddCheckpoint, Checkpoint, Cosigner, CosignerKey, GrowingTree, Hash, Month, Note, NoteKey, NoteSigner, TreeHead,
    Witness, hash, ledger,
};
use store::on_both;
use store::schema::{transactions, wallets};
use store::testing::TestDb;
use store::wallet::public_log::{advance, book_slice, head, save_tiles};
use tempfile::TempDir;

use super::proof_file::{file, keys};
use super::public_log::{NAME, Outsider, change, round, server};
use crate::support::{World, funded};

const WITNESS: &str = "witness.example/w1";
const SECONDS: u64 = 1_790_000_000;
/// Recharges of the victim, each of 1.00.
const RECHARGES: i64 = 6;

fn signer() -> NoteSigner {
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    NoteSigner::new(NAME, &secrets.public_log()[0]).expect("the log's key")
}

/// What is kept elsewhere while the log is honest, and whom it is shown to.
struct Kept {
    /// From before the victim's first transaction.
    early: TreeHead,
    seen: Outsider,
    /// The month's proof file, with the cosignature of a witness.
    file: String,
    keys: KeyFile,
    ours: Witness,
    theirs: TestWitness,
}

fn request_of(found: &Outsider, note: &Note, old: u64) -> String {
    let proof = consistency(old, found.head.size).map(|ranges| found.proof(Some(ranges))).unwrap_or_default();
    AddCheckpoint { old, proof, checkpoint: note.clone() }.body()
}

async fn note(app: &App) -> Note {
    let bytes = checkpoint(app).await.expect("read").expect("published");
    Note::parse(std::str::from_utf8(&bytes).expect("text")).expect("a note")
}

fn month(app: &App) -> String {
    Month::of(app.now().millis()).expect("a month").to_string()
}

impl Kept {
    async fn of(app: &App, folder: &TempDir, early: TreeHead, victim: UserId) -> Self {
        let (seen, mut note) = (Outsider::at(app).await, note(app).await);
        let key: NoteKey = signer().public();
        let cosigner = || Cosigner::new(WITNESS, &[9; 32]).expect("a cosigner");
        let mut ours = Witness::new(cosigner(), vec![key.clone()]);
        let their_key = key.to_string().parse().expect("a key");
        let mut theirs = TestWitness::new(WITNESS, [9; 32]).expect("a witness").log(their_key);
        let body = request_of(&seen, &note, 0);
        let cosigned = ours.decide(&body, SECONDS).expect("it goes on");
        ours.keep(cosigned.origin, cosigned.head);
        assert_eq!(theirs.post(body.as_bytes()).status, 200);
        note.put_signature(cosigned.line);
        std::fs::write(folder.path().join("log/checkpoint"), note.to_string()).expect("published");
        let witness: CosignerKey = cosigner().public();
        let keys = KeyFile { witnesses: vec![witness], ..keys(app).await };
        let file = file(app, victim, &month(app)).await.expect("a file");
        Self { early, seen, file, keys, ours, theirs }
    }

    /// What both witnesses answer: the reason of ours, and the status of theirs.
    fn asked(&mut self, body: &str) -> (Refused, u16) {
        let status = self.theirs.post(body.as_bytes()).status;
        (self.ours.decide(body, SECONDS).expect_err("refused"), status)
    }

    fn proved(&self, text: &str) -> Proved {
        verify_file(std::io::Cursor::new(text), &self.keys).expect("it holds by the log's key")
    }

    /// The lines of one file with the signed checkpoint of the kept one.
    fn under_the_kept_checkpoint(&self, text: &str) -> String {
        let (lines, _) = text.split_once("== inclusion\n").expect("a section");
        let (_, inclusion) = self.file.split_once("== inclusion\n").expect("a section");
        format!("{lines}== inclusion\n{inclusion}")
    }
}

/// Somebody else's transaction, then the victim's, all in the log and seen.
async fn seen(test: TestDb, folder: &TempDir) -> (World, App, UserId, Kept) {
    let w = funded(test, "500").await;
    let (app, victim) = (server(&w.test, folder), w.test.user("victim").await);
    round(&app).await.expect("sealed");
    let early = Outsider::at(&app).await.head;
    for number in 0..RECHARGES {
        pay_in(&w, victim, number).await;
    }
    round(&app).await.expect("sealed");
    let kept = Kept::of(&app, folder, early, victim).await;
    (w, app, victim, kept)
}

async fn pay_in(w: &World, user: UserId, number: i64) {
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::recharge(user, "1.00", &format!("paid-{user}-{number}")));
    approve(&w.app, &w.bob, asked.await.expect("requested").id.into()).await.expect("approved");
}

/// What stands in the way of whoever may do everything with the database.
fn no_triggers(app: &App) -> &'static str {
    match app.db.sqlite_path() {
        Some(_) => {
            "DROP TRIGGER IF EXISTS transactions_no_update; DROP TRIGGER IF EXISTS transactions_no_delete; \
             DROP TRIGGER IF EXISTS entries_no_update; DROP TRIGGER IF EXISTS entries_no_delete;"
        }
        None => "SET LOCAL session_replication_role = replica;",
    }
}

/// Whoever dropped them puts them back. On PostgreSQL they come back with the end of the transaction.
fn triggers_again(app: &App) -> String {
    if app.db.sqlite_path().is_none() {
        return "SELECT 1;".into();
    }
    let again = |table: &str, refused: &str| {
        let (name, told) = (refused.to_lowercase(), format!("{table} are append-only"));
        format!(
            "CREATE TRIGGER {table}_no_{name} BEFORE {refused} ON {table} BEGIN SELECT RAISE(ABORT, '{told}'); END;"
        )
    };
    ["transactions", "entries"].map(|table| again(table, "UPDATE") + &again(table, "DELETE")).concat()
}

/// The first recharge was 0.40 only: every hash of the book becomes another. By the old leaf, the new one.
async fn rewrite_book(app: &App, user: UserId) -> BTreeMap<Hash, Hash> {
    let of = format!("owner_id = {user} AND account_kind = 101");
    let first = format!("(SELECT id FROM transactions WHERE book = {user} AND book_seq = 1)");
    let sql = format!(
        "UPDATE entries SET amount = CASE WHEN amount > 0 THEN amount - 60 ELSE amount + 60 END WHERE transaction_id = {first};
         UPDATE entries SET balance_after = balance_after - 60, available_after = available_after - 60, \
             income_after = income_after - 60 WHERE {of};
         UPDATE wallets SET available = available - 60, income = income - 60 WHERE user_id = {user};
         UPDATE money_requests SET amount = amount - 60 WHERE id = (SELECT ref_id FROM transactions WHERE id = {first});"
    );
    let (book, sql, again) = (user.0, format!("{}{sql}", no_triggers(app)), triggers_again(app));
    let rewritten = app.db.write(move |tx| {
        tx.batch_execute(&sql)?;
        let (mut previous, mut leaves) = (ledger::GENESIS, BTreeMap::new());
        for one in book_slice(tx, book, 0, i64::MAX, i64::MAX)? {
            let own = ledger::hash(&previous, &one.transaction, one.entries.iter().copied());
            let row = transactions::book.eq(book).and(transactions::book_seq.eq(one.transaction.sequence));
            let hashes = (transactions::prev_hash.eq(previous.to_vec()), transactions::hash.eq(own.to_vec()));
            let conn: &mut store::Conn = tx;
            diesel::update(transactions::table.filter(row)).set(hashes).execute(conn)?;
            leaves.insert(hash::leaf(&one.hash), hash::leaf(&own));
            previous = own;
        }
        let conn: &mut store::Conn = tx;
        diesel::update(wallets::table.find(book)).set(wallets::book_head.eq(previous.to_vec())).execute(conn)?;
        tx.batch_execute(&again)?;
        Ok::<_, store::Error>(leaves)
    });
    rewritten.await.expect("rewritten")
}

/// The user's last `count` recharges never happened, in the ledger or in the log, whose last leaves they are.
async fn cut_back(app: &App, user: UserId, count: i64) {
    let kept = RECHARGES - count;
    let cut = format!("(SELECT id FROM transactions WHERE book = {user} AND book_seq > {kept})");
    let sql = format!(
        "DELETE FROM money_requests WHERE id IN (SELECT ref_id FROM transactions WHERE id IN {cut});
         DELETE FROM entries WHERE transaction_id IN {cut};
         DELETE FROM transactions WHERE book = {user} AND book_seq > {kept};
         UPDATE wallets SET available = {kept} * 100, income = {kept} * 100, book_seq = {kept}, book_head = \
             (SELECT hash FROM transactions WHERE book = {user} AND book_seq = {kept}) WHERE user_id = {user};
         UPDATE log_books SET sealed = {kept}, last_leaf = last_leaf - {count} WHERE book = {user};
         DELETE FROM log_tiles;"
    );
    change(app, format!("{}{sql}{}", no_triggers(app), triggers_again(app))).await;
}

/// Puts a log of these leaves into the database, signed with the log's key.
async fn forge_log(app: &App, leaves: Vec<Hash>) {
    let forged = app.db.write(move |tx| {
        let mut tree = GrowingTree::default();
        leaves.iter().for_each(|leaf| tree.append(*leaf));
        save_tiles(tx, &tree.take_changed())?;
        let signed = Checkpoint::new(NAME, TreeHead { size: tree.size(), root: tree.root() }).sign(&signer());
        let reached = head(tx)?.expect("a log").reached_id;
        advance(tx, Some(&signed.to_string()), reached)
    });
    forged.await.expect("forged");
}

/// The ledger's own verification finds nothing, and the log that is published then is whole and signed.
async fn publish_forged(app: &App, folder: &TempDir) -> (Outsider, Note) {
    let found = verify(app).await.expect("verified");
    assert!(found.ok, "whoever has everything leaves no trace in the database: {:?}", found.faults);
    std::fs::remove_dir_all(folder.path().join("log")).expect("removed");
    round(app).await.expect("nothing here remembers the log that was published");
    (Outsider::at(app).await, note(app).await)
}

on_both!(a_book_rewritten_with_every_secret_is_found_by_whoever_kept_a_checkpoint, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, victim, mut kept) = seen(test, &folder).await;
    let size = kept.seen.head.size;
    let other = rewrite_book(&app, victim).await;
    let faults = verify(&app).await.expect("verified").faults;
    assert!(!faults.is_empty() && faults.iter().all(|fault| fault.contains("the public log")), "{faults:?}");
    let leaves = kept.seen.leaves();
    let forged: Vec<Hash> = leaves.iter().map(|leaf| *other.get(leaf).unwrap_or(leaf)).collect();
    assert_eq!(forged.iter().zip(&leaves).filter(|(one, other)| one != other).count(), 6);
    forge_log(&app, forged).await;
    // The sealer holds the database against what is published.
    let refused = round(&app).await.expect_err("another history");
    assert!(matches!(refused, LogError::Forked { published } if published == size), "{refused}");
    let found = log_condition(&app).await.expect("read").expect("a log");
    assert!(matches!(found.problem, Some(LogError::Forked { .. })), "{found:?}");

    let (fork, note) = publish_forged(&app, &folder).await;
    assert_eq!(fork.head.size, size);
    assert!(!fork.goes_on(&kept.seen.head) && fork.goes_on(&kept.early), "what came before it is as it was");
    assert_eq!(kept.asked(&request_of(&fork, &note, size)), (Refused::Forked { size }, 422));
    // The user's new file holds by the log's key, which the enemy has. No witness stands below it, and the kept file has another
    // root of as many leaves.
    let text = file(&app, victim, &month(&app)).await.expect("a file");
    let (old, new) = (kept.proved(&kept.file), kept.proved(&text));
    assert_eq!((old.cosigned.len(), new.cosigned.len(), old.last, new.last), (1, 0, RECHARGES, RECHARGES));
    assert!(old.head.size == new.head.size && old.head.root != new.head.root);
    let bad = verify_file(std::io::Cursor::new(kept.under_the_kept_checkpoint(&text)), &kept.keys);
    assert!(bad.expect_err("other lines").why.contains("is not entry"));

    // It grows, and still does not go on from what was seen, whatever is said to prove it.
    pay_in(&w, victim, RECHARGES).await;
    round(&app).await.expect("sealed");
    let grown = Outsider::at(&app).await;
    assert!(grown.goes_on(&fork.head) && grown.goes_on(&kept.early) && !grown.goes_on(&kept.seen.head));
    let note = self::note(&app).await;
    assert_eq!(kept.asked(&request_of(&grown, &note, size)), (Refused::Inconsistent { size }, 422));
});

on_both!(a_log_cut_back_with_every_secret_is_found_by_whoever_kept_a_checkpoint, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, victim, mut kept) = seen(test, &folder).await;
    let (size, less) = (kept.seen.head.size, kept.seen.head.size - 2);
    cut_back(&app, victim, 2).await;
    let mut leaves = kept.seen.leaves();
    leaves.truncate(usize::try_from(less).expect("small"));
    forge_log(&app, leaves).await;
    let refused = round(&app).await.expect_err("less than was published");
    assert!(
        matches!(refused, LogError::Lost { published, stored } if (published, stored) == (size, less)),
        "{refused}"
    );

    let (short, note) = publish_forged(&app, &folder).await;
    assert_eq!((short.head.size, consistency(size, less)), (less, None));
    assert!(!extends(&kept.seen.head, &short.head, &[]) && short.goes_on(&kept.early));
    assert_eq!(kept.asked(&request_of(&short, &note, less)), (Refused::OtherSize { size }, 409));
    assert_eq!(kept.asked(&request_of(&short, &note, size)), (Refused::Backwards, 400));
    // The kept file goes on proving what was cut off.
    let text = file(&app, victim, &month(&app)).await.expect("a file");
    let (old, new) = (kept.proved(&kept.file), kept.proved(&text));
    assert_eq!((old.last, new.last, old.cosigned.len(), new.cosigned.len()), (RECHARGES, RECHARGES - 2, 1, 0));
    assert!(verify_file(std::io::Cursor::new(kept.under_the_kept_checkpoint(&text)), &kept.keys).is_err());

    // It grows to the size that was seen, and beyond it.
    for number in 0..2 {
        pay_in(&w, w.user, number).await;
    }
    round(&app).await.expect("sealed");
    let (same, note) = (Outsider::at(&app).await, self::note(&app).await);
    assert_eq!((same.head.size, same.goes_on(&kept.seen.head)), (size, false));
    assert_eq!(kept.asked(&request_of(&same, &note, size)), (Refused::Forked { size }, 422));
    pay_in(&w, w.user, 2).await;
    round(&app).await.expect("sealed");
    let (grown, note) = (Outsider::at(&app).await, self::note(&app).await);
    assert!(grown.goes_on(&same.head) && !grown.goes_on(&kept.seen.head));
    assert_eq!(kept.asked(&request_of(&grown, &note, size)), (Refused::Inconsistent { size }, 422));
});
