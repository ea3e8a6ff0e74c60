//! A public log that begins anew, and another key for it: by two people, and never where it can go on.

use auth::Secrets;
use desk::requests::approve;
use foundation::App;
use money::wallet::public_log::{
    FIRST, LogError, Sealer, checkpoint, checkpoint_in, keys, log_condition, previous, request_key, request_log, tile,
};
use money::wallet::verify::verify;
use proof::{BadNote, Checkpoint, Note, NoteKey, Previous, tile_bytes};
use store::on_both;
use store::testing::sqlite as a_file;

use super::public_log::{Outsider, change, holds_everything, recharge, round, server, server_with};
use crate::support::{World, funded, why};

async fn faults(app: &App) -> String {
    verify(app).await.expect("verified").faults.join("; ")
}

/// Bob requests a new log, and Ann approves it.
async fn begin(app: &App, w: &World) {
    let asked = request_log(app, &w.bob).await.expect("requested");
    approve(app, &w.ann, asked.id.into()).await.expect("approved");
}

async fn note(app: &App) -> Note {
    let bytes = checkpoint(app).await.expect("read").expect("published");
    Note::parse(std::str::from_utf8(&bytes).expect("text")).expect("a note")
}

on_both!(after_a_loss_a_new_log_begins_and_says_what_it_follows, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let lost = funded(a_file(), "500").await;
    recharge(&lost, 0..300).await;
    let before = server(&lost.test, &folder);
    round(&before).await.expect("sealed");
    let (old, last) = (Outsider::at(&before).await, checkpoint(&before).await.expect("read"));
    // What was restored has less.
    let w = funded(test, "400").await;
    let (app, mut sealer) = (server(&w.test, &folder), Sealer::default());
    assert!(matches!(sealer.round(&app).await, Err(LogError::Lost { .. })));
    let found = log_condition(&app).await.expect("read").expect("a log");
    assert!(matches!(found.problem, Some(LogError::Lost { .. })), "{found:?}");
    assert_eq!((found.size, found.unsealed), (0, 1));

    for one in [&w.ann, &w.carl] {
        assert_eq!(why(request_log(&app, one).await), "not_permitted");
    }
    let asked = request_log(&app, &w.bob).await.expect("requested");
    assert_eq!(request_log(&app, &w.bob).await.expect("the same").id, asked.id);
    assert_eq!(why(approve(&app, &w.bob, asked.id.into()).await), "second_person_needed");
    assert!(sealer.round(&app).await.is_err(), "one person begins nothing");
    approve(&app, &w.ann, asked.id.into()).await.expect("approved");

    sealer.round(&app).await.expect("a new log");
    let new = Outsider::at(&app).await;
    holds_everything(&app, &new).await;
    let follows = Previous { origin: "ads.example.com/placard-simulated".into(), head: old.head, why: "lost".into() };
    assert_eq!((new.number, new.previous.as_ref()), (2, Some(&follows)));
    // The old one stays as it was.
    assert_eq!(previous(&app).await.expect("read"), last);
    assert_eq!(checkpoint_in(&app, FIRST).await.expect("read"), last);
    for (place, hashes) in &old.tiles {
        assert_eq!(tile(&app, FIRST, *place).await.expect("read"), Some(tile_bytes(hashes)), "{place}");
    }
    let listed = keys(&app).await.expect("keys");
    assert_eq!((listed.len(), listed[0].until, listed[1].until), (2, None, Some(listed[0].since)));
    // A server that died before it published leaves nothing to repair.
    std::fs::remove_dir_all(folder.path().join("log/2")).expect("removed");
    recharge(&w, 0..3).await;
    round(&app).await.expect("sealed");
    let later = Outsider::at(&app).await;
    assert!(later.goes_on(&new.head) && later.previous == Some(follows));
    holds_everything(&app, &later).await;
    assert_eq!(faults(&app).await, "");
    let found = log_condition(&app).await.expect("read").expect("a log");
    assert_eq!((found.size, found.unsealed, found.problem.is_none()), (later.head.size, 0, true));
    assert_eq!(why(request_log(&app, &w.bob).await), "log_goes_on");
});

on_both!(a_database_from_before_a_new_log_neither_goes_on_beside_it_nor_forgets_it, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let lost = funded(a_file(), "500").await;
    recharge(&lost, 0..5).await;
    round(&server(&lost.test, &folder)).await.expect("sealed");
    let second = funded(a_file(), "400").await;
    let other = server(&second.test, &folder);
    assert!(round(&other).await.is_err());
    begin(&other, &second).await;
    round(&other).await.expect("a second log");
    let published = Outsider::at(&other).await;
    // Even the database that has all of the first log.
    let refused = round(&server(&lost.test, &folder)).await.expect_err("another log has begun");
    assert!(matches!(refused, LogError::Followed(FIRST)), "{refused}");
    let w = funded(test, "300").await;
    let app = server(&w.test, &folder);
    let refused = round(&app).await.expect_err("another log has begun");
    assert!(matches!(refused, LogError::Followed(FIRST)), "{refused}");
    begin(&app, &w).await;
    round(&app).await.expect("a third log");
    let new = Outsider::at(&app).await;
    let origin = "ads.example.com/placard-simulated-2".into();
    assert_eq!((new.number, new.previous), (3, Some(Previous { origin, head: published.head, why: "lost".into() })));
});

on_both!(what_was_put_right_meanwhile_is_not_begun_anew, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    assert_eq!(why(request_log(&app, &w.bob).await), "not_found");
    assert_eq!(why(request_key(&app, &w.bob).await), "not_found");
    round(&app).await.expect("sealed");
    assert_eq!(why(request_log(&app, &w.bob).await), "log_goes_on");
    let published = Outsider::at(&app).await.head;
    change(&app, "UPDATE log_tiles SET number = number + 7".into()).await;
    let asked = request_log(&app, &w.bob).await.expect("requested");
    change(&app, "UPDATE log_tiles SET number = number - 7".into()).await;
    assert_eq!(why(approve(&app, &w.ann, asked.id.into()).await), "log_goes_on");
    recharge(&w, 0..1).await;
    round(&app).await.expect("sealed");
    let found = Outsider::at(&app).await;
    assert_eq!((found.number, found.goes_on(&published)), (FIRST, true));
});

on_both!(a_new_key_signs_first_and_the_old_one_beside_it_while_it_is_known, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let old = server(&w.test, &folder);
    round(&old).await.expect("sealed");
    let first: NoteKey = keys(&old).await.expect("keys")[0].key.parse().expect("a key");
    let before = note(&old).await;
    // A log from before its keys were stored.
    change(&old, "DELETE FROM log_keys".into()).await;
    round(&old).await.expect("nothing new");
    assert_eq!(keys(&old).await.expect("keys")[0].key, first.to_string());

    assert_eq!(why(request_key(&old, &w.bob).await), "log_key_missing");
    let new = server_with(&w.test, &folder, Secrets::new([1; 32], [2; 32], [3; 32]).with_log_keys(&[[9; 32]]));
    assert_eq!(why(request_key(&new, &w.ann).await), "not_permitted");
    let asked = request_key(&new, &w.bob).await.expect("requested");
    assert_eq!(why(approve(&new, &w.bob, asked.id.into()).await), "second_person_needed");
    assert_eq!(why(approve(&old, &w.ann, asked.id.into()).await), "log_key_missing");
    w.test.clock.advance_seconds(60);
    approve(&new, &w.ann, asked.id.into()).await.expect("approved");
    // Killed here, a server has signed nothing; one without the key signs nothing either.
    assert_eq!(note(&new).await, before);
    let refused = round(&old).await.expect_err("it does not have the key");
    assert!(matches!(refused, LogError::Key(_)), "{refused}");
    let found = log_condition(&old).await.expect("read").expect("a log");
    assert!(matches!(found.problem, Some(LogError::Key(_))), "{found:?}");

    round(&new).await.expect("signed");
    let listed = keys(&new).await.expect("keys");
    let second: NoteKey = listed[0].key.parse().expect("a key");
    assert_eq!((listed[1].key.as_str(), listed[1].until), (first.to_string().as_str(), Some(listed[0].since)));
    let both = note(&new).await;
    let ids: Vec<u32> = both.signatures.iter().map(|line| line.key_id).collect();
    assert_eq!((ids, &both.text), (vec![second.id(), first.id()], &before.text));
    for key in [&first, &second] {
        Checkpoint::open(&both, key).expect("signed by both");
    }
    assert_eq!(why(request_key(&new, &w.bob).await), "log_key_missing");
    // The old one is not in the file any more, but listed: what it signed can be verified.
    let alone = server_with(&w.test, &folder, Secrets::new([1; 32], [2; 32], [4; 32]).with_log_keys(&[[9; 32]]));
    let head = Outsider::at(&alone).await.head;
    recharge(&w, 0..2).await;
    round(&alone).await.expect("sealed");
    let last = note(&alone).await;
    assert_eq!((last.check(&second), last.check(&first)), (Ok(()), Err(BadNote::Unsigned)));
    assert!(Outsider::at(&alone).await.goes_on(&head));
    assert_eq!(before.check(&keys(&alone).await.expect("keys")[1].key.parse().expect("a key")), Ok(()));
    assert_eq!(faults(&alone).await, "");
    change(&alone, "UPDATE log_keys SET key = key || 'x' WHERE number = 2".into()).await;
    assert!(faults(&alone).await.contains("not those that were agreed on"), "{}", faults(&alone).await);
});

on_both!(after_the_secrets_were_replaced_the_log_waits_for_its_new_key, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    round(&server(&w.test, &folder)).await.expect("sealed");
    let app = server_with(&w.test, &folder, Secrets::new([7; 32], [8; 32], [9; 32]));
    let old = Outsider::at(&app).await.head;
    recharge(&w, 0..2).await;
    let refused = round(&app).await.expect_err("the key is gone");
    assert!(matches!(refused, LogError::Key(_)), "{refused}");
    assert_eq!(why(request_log(&app, &w.bob).await), "log_goes_on");
    let asked = request_key(&app, &w.bob).await.expect("requested");
    approve(&app, &w.ann, asked.id.into()).await.expect("approved");
    round(&app).await.expect("sealed");
    let found = Outsider::at(&app).await;
    assert_eq!((found.number, found.goes_on(&old)), (FIRST, true));
    assert_eq!(note(&app).await.signatures.len(), 1);
});
