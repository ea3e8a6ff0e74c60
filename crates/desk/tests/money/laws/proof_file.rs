//! The proof file of a month: what is in it, and when there is none.

use std::io::Cursor;

use foundation::{App, Error, Refusal};
use money::wallet::public_log::{self, ProofPosition, Sealer, checkpoint, proof_file};
use proof::Month;
use proof::file::{KeyFile, Proved, verify};
use store::on_both;

use super::public_log::{recharge, server};
use crate::support::funded;

/// The file, as it is streamed.
pub(super) async fn file(app: &App, user: base::UserId, month: &str) -> Result<String, Error> {
    let file = proof_file(app, user, month).await?;
    let (mut text, mut place) = (String::new(), ProofPosition::Head);
    while let Some((bytes, next)) = file.part(place).await? {
        text.push_str(std::str::from_utf8(&bytes).expect("text"));
        place = next;
    }
    Ok(text)
}

pub(super) async fn keys(app: &App) -> KeyFile {
    let listed = public_log::keys(app).await.expect("read");
    listed.into_iter().map(|listed| listed.key + "\n").collect::<String>().parse().expect("keys")
}

fn proved(text: &str, keys: &KeyFile) -> Proved {
    verify(Cursor::new(text), keys).unwrap_or_else(|bad| panic!("{bad}\n{text}"))
}

fn refused(found: Result<String, Error>) -> Refusal {
    match found {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

on_both!(the_files_of_all_months_hold_and_follow_each_other, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let (app, mut sealer) = (server(&w.test, &folder), Sealer::default());
    let month = || Month::of(w.test.clock.now().millis()).expect("a month").to_string();
    let first = month();
    // More than is read at a time.
    recharge(&w, 0..520).await;
    sealer.round(&app).await.expect("sealed");
    let keys = keys(&app).await;
    let begun = proved(&file(&app, w.user, &first).await.expect("a file"), &keys);
    assert_eq!((begun.book.previous, begun.last, begun.book.transactions), ((0, [0; 32]), 521, 521));
    w.test.clock.advance_seconds(33 * 86_400);
    let between = month();
    w.test.clock.advance_seconds(33 * 86_400);
    let last = month();
    recharge(&w, 520..522).await;
    // What is not in the log is in no file.
    let early = proved(&file(&app, w.user, &last).await.expect("a file"), &keys);
    assert_eq!((early.book.transactions, early.last), (0, 521));
    sealer.round(&app).await.expect("sealed");
    let mut before = None;
    for (month, transactions) in [(&first, 521), (&between, 0), (&last, 2)] {
        let text = file(&app, w.user, month).await.expect("a file");
        let found = proved(&text, &keys);
        assert_eq!((found.book.transactions, found.book.book), (transactions, w.user.0), "{month}");
        assert_eq!(found.head.size, 523);
        assert!(before.is_none_or(|before| before == found.book.previous.0), "{month}");
        before = Some(found.last);
        let damaged = text.replacen("previous: ", "previous: 1", 1);
        assert!(transactions == 0 || verify(Cursor::new(damaged), &keys).is_err());
    }
    assert_eq!(before, Some(523));
});

on_both!(without_anything_to_prove_there_is_no_file, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let now = Month::of(w.test.clock.now().millis()).expect("a month").to_string();
    assert_eq!(refused(file(&w.app, w.user, &now).await), Refusal::NoPublicLog);
    let app = server(&w.test, &folder);
    assert_eq!(refused(file(&app, w.user, &now).await), Refusal::NoPublicLog);
    Sealer::default().round(&app).await.expect("sealed");
    assert_eq!(refused(file(&app, w.user, "1999-12").await), Refusal::NotInPublicLog);
    let stranger = w.test.user("stranger").await;
    assert_eq!(refused(file(&app, stranger, &now).await), Refusal::NotInPublicLog);
    for (month, told) in [("9999-12", "month=in_the_future"), ("2026-1", "month=invalid"), ("", "month=invalid")] {
        let error = file(&app, w.user, month).await.expect_err(month);
        assert!(format!("{error:?}").contains(told.split_once('=').expect("two").1), "{error:?}");
    }
    // The storage has an older checkpoint, which does not have the last transaction.
    let old = checkpoint(&app).await.expect("read").expect("published");
    recharge(&w, 0..1).await;
    Sealer::default().round(&app).await.expect("sealed");
    std::fs::write(folder.path().join("log/checkpoint"), old).expect("written");
    assert_eq!(refused(file(&app, w.user, &now).await), Refusal::PublicLogBehind);
});
