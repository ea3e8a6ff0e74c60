//! Comparing the bank's statement with what was credited and paid.

mod chain;
mod payments;

use auth::Role;
use bank::{DecimalMark, Form, Statement, creditor, digest_of, table};
use base::{BankLineId, BankStatementId, RequestId, UserId};
use desk::requests::{MoneyRequestDraft, approve, reject, request};
use diesel::connection::SimpleConnection;
use foundation::Error;
use foundation::staff::Staff;
use foundation::staff::audit_log::verify_audit;
use foundation::staff::operator_keys::revoke_operator;
use money::wallet::reconcile::{
    BankFile, ConfirmedMatches, confirm, ignore_line, import, match_line, propose, request_line, show, unmatch_line,
};
use money::wallet::verify::verify;
use store::on_both;

use crate::support::{World, funded, money, why};

fn statement(lines: &str) -> (Statement, [u8; 32]) {
    let file = format!("date,amount,currency,reference,id\n{lines}");
    let form = Form {
        account: "DE02".into(),
        currency: "USD".into(),
        decimal: DecimalMark::Point,
        opening: None,
        closing: None,
    };
    (table(file.as_bytes(), &form).expect("a statement"), digest_of(file.as_bytes(), "DE02"))
}

pub async fn imported(w: &World, lines: &str) -> BankStatementId {
    let (statement, digest) = statement(lines);
    let taken = import(&w.app, &w.ann, BankFile::one(statement, digest), false).await.expect("imported").remove(0);
    taken.id.expect("an id")
}

async fn digest(w: &World, id: BankStatementId) -> String {
    show(&w.app, id).await.expect("shown").proposals.digest
}

/// Confirms what is shown now.
pub async fn confirm_shown(w: &World, by: &Staff, id: BankStatementId) -> Result<ConfirmedMatches, Error> {
    confirm(&w.app, by, id, &digest(w, id).await, |_| {}).await
}

on_both!(after_everything_is_matched_the_bank_is_what_it_shows, |test| {
    let w = funded(test, "30").await;
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::chargeback(w.user, "10", "CB-1")).await.expect("requested");
    approve(&w.app, &w.bob, asked.id.into()).await.expect("booked");
    let before = w.lines().await;
    let id = imported(&w, "2026-01-01,30.00,USD,first,a\n2026-01-02,-10.00,USD,cb-1,b\n").await;
    assert!(!show(&w.app, id).await.expect("shown").books.agrees);
    assert_eq!(why(confirm_shown(&w, &w.ann, id).await), "second_person_needed");
    assert_eq!(why(confirm_shown(&w, &w.carl, id).await), "not_permitted");
    let done = confirm_shown(&w, &w.bob, id).await.expect("confirmed");
    assert_eq!((done.matched, done.books.agrees), (2, true));
    assert_eq!((done.books.bank, done.books.statements), (money("20"), money("20")));
    assert_eq!((w.lines().await, w.property().await.available), (before, money("20")));
    assert!(verify(&w.app).await.expect("verified").ok);
    // As if a line had been edited, matched and put back.
    let other = "UPDATE bank_lines SET amount = amount + 100 WHERE amount > 0";
    w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(other)?)).await.expect("edited");
    let found = w.app.db.snapshot(store::wallet::verify::laws).await.expect("walked").faults;
    assert!(
        found.iter().any(|fault| fault.ends_with("joins a line and a document of different amounts")),
        "{found:#?}"
    );
});

on_both!(eight_who_confirm_at_once_book_each_match_once, |test| {
    let w = funded(test, "30").await;
    for n in 1..=120 {
        w.recharge("1", &format!("R-{n}")).await;
    }
    let lines: String = (1..=120).map(|n| format!("2026-01-01,1.00,USD,R-{n},k{n}\n")).collect();
    let id = imported(&w, &lines).await;
    let seen = digest(&w, id).await;
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (app, bob, seen) = (w.app.clone(), w.bob.clone(), seen.clone());
            tokio::spawn(async move {
                match confirm(&app, &bob, id, &seen, |_| {}).await {
                    Ok(done) => done.matched,
                    // Another one has begun.
                    Err(refused) => {
                        assert_eq!(refused.key(), "proposals_changed");
                        0
                    }
                }
            })
        })
        .collect();
    let mut matched = 0;
    for task in tasks {
        matched += task.await.expect("done");
    }
    assert_eq!(matched, 120);
    let shown = show(&w.app, id).await.expect("shown");
    assert_eq!((shown.statement.matched, shown.waiting), (120, 0));
    assert_eq!((shown.books.bank, shown.books.recharge_clearing), (money("120"), money("30")));
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(only_what_was_shown_is_confirmed, |test| {
    let w = funded(test, "30").await;
    w.recharge("7", "other").await;
    let id =
        imported(&w, "2026-01-01,30.00,USD,first,a\n2026-01-02,7.00,USD,nothing,b\n2026-01-02,-2.00,USD,fee,c\n").await;
    let shown = show(&w.app, id).await.expect("shown");
    assert_eq!((shown.waiting, shown.proposals.sum), (1, money("30")));
    let line =
        |key: &str| shown.leftovers.iter().find(|left| left.key.as_deref() == Some(key)).and_then(|left| left.line);
    let [first, other, fee] = ["a", "b", "c"].map(|key| line(key).expect("a line"));
    let seen = shown.proposals.digest;
    let confirm_seen = || confirm(&w.app, &w.bob, id, &seen, |_| {});
    let unchanged = async || {
        assert_eq!(why(confirm_seen().await), "proposals_changed");
        let shown = show(&w.app, id).await.expect("shown");
        assert_eq!((shown.statement.matched, shown.statement.ignored, shown.books.bank), (0, 0, money("0")));
    };

    match_line(&w.app, &w.ann, other, "recharge:2").await.expect("proposed");
    unchanged().await;
    unmatch_line(&w.app, &w.ann, other).await.expect("withdrawn");
    ignore_line(&w.app, &w.ann, fee).await.expect("proposed");
    unchanged().await;
    unmatch_line(&w.app, &w.ann, fee).await.expect("withdrawn");
    unmatch_line(&w.app, &w.ann, first).await.expect("withdrawn");
    unchanged().await;
    // The same once more is another proposal.
    match_line(&w.app, &w.ann, first, "recharge:1").await.expect("proposed");
    unchanged().await;
    for typed in ["", "0000000000000000", &seen[..15]] {
        assert_eq!(why(confirm(&w.app, &w.bob, id, typed, |_| {}).await), "proposals_changed", "{typed}");
    }
    assert_eq!(confirm_shown(&w, &w.bob, id).await.expect("confirmed").matched, 1);
});

// Otherwise one of staff has it credited to an accomplice as well, by what its payer wrote: that is on the statement too.
on_both!(who_approves_a_payment_sees_what_its_line_was_credited_for, |test| {
    let w = funded(test, "30").await;
    let id = imported(&w, "2026-01-02,7.00,USD,INV-7001,b\n2026-01-02,7.00,USD,INV-70012,c\n").await;
    let left = show(&w.app, id).await.expect("shown").leftovers;
    let line = left.iter().find(|left| left.key.as_deref() == Some("b")).and_then(|left| left.line).expect("a line");
    let told = async |asked: RequestId| -> Vec<(String, Option<String>)> {
        let lines = desk::requests::show(&w.app, asked.into()).await.expect("shown").bank_lines;
        lines.into_iter().map(|of| (of.on, of.matched)).collect()
    };
    let on = || "2026-01-02".to_owned();
    let first = request_line(&w.app, &w.ann, line, w.user).await.expect("requested").id;
    assert_eq!(told(first).await, [(on(), None)]);
    let shown = desk::requests::show(&w.app, first.into()).await.expect("shown");
    assert_eq!(shown.bank_lines[0].imported_by_name, shown.requested_by_name, "the file is the requester's own");
    approve(&w.app, &w.bob, first.into()).await.expect("approved");
    propose(&w.app, &w.ann, id).await.expect("proposed");
    let eve = w.test.user("eve").await;
    let again = async |amount: &str, reference: &str| {
        let draft = MoneyRequestDraft::recharge(eve, amount, reference);
        request(&w.app, &w.ann, draft).await.expect("requested").id
    };
    let credited = [(on(), Some(format!("recharge:{first}")))];
    assert_eq!(told(again("7", "inv-7001").await).await, credited);
    confirm_shown(&w, &w.bob, id).await.expect("confirmed");
    assert!(told(again("7", "INV-7001 b").await).await.is_empty(), "no line has this");
    assert_eq!(told(again("7", "INV-70012").await).await, [(on(), None)]);
    assert!(told(again("8", "b c").await).await.is_empty(), "another amount");
    let taken = MoneyRequestDraft::chargeback(w.user, "7", "b");
    let taken = request(&w.app, &w.ann, taken).await.expect("requested").id;
    assert!(told(taken).await.is_empty(), "money that came in was not taken back");
    w.test.clock.advance_seconds(70 * 24 * 3_600);
    assert!(told(first).await.is_empty(), "long ago");
});

on_both!(a_line_is_credited_with_no_more_than_it_moves, |test| {
    let w = funded(test, "30").await;
    let lines = "2026-01-02,7.00,USD,INV-7001,b1\n2026-01-02,10.00,USD,BATCH-9,b2\n\
                 2026-01-02,2.00,USD,RENT-5,c1\n2026-01-02,2.00,USD,RENT-5,c2\n";
    let id = imported(&w, lines).await;
    let eve = w.test.user("eve").await;
    let ask = async |user, amount: &str, reference: &str| {
        let draft = MoneyRequestDraft::recharge(user, amount, reference);
        request(&w.app, &w.ann, draft).await.expect("requested").id
    };
    let approved = async |asked: RequestId| approve(&w.app, &w.bob, asked.into()).await;
    let refused = async |amount: &str, reference: &str, by: RequestId| {
        let asked = ask(eve, amount, reference).await;
        let told = approved(asked).await.expect_err("refused");
        assert_eq!(told.key(), "bank_line_credited", "{amount} {reference}");
        assert!(format!("{told:?}").contains(&format!("\"recharge:{by}\"")), "{told:?}");
        reject(&w.app, &w.ann, asked.into()).await.expect("rejected");
    };
    let first = ask(w.user, "7", "inv-7001").await;
    approved(first).await.expect("approved");
    // Before the line is matched, and after.
    for _ in 0..2 {
        for (amount, reference) in [("7", "b1"), ("6.99", "B 1"), ("7.01", "b-1"), ("0.01", "Ｂ１")] {
            refused(amount, reference, first).await;
        }
        propose(&w.app, &w.ann, id).await.expect("proposed");
    }
    // A line may pay several users.
    let part = ask(w.user, "6", "BATCH-9").await;
    approved(part).await.expect("6 of 10");
    refused("4.01", "b2", part).await;
    approved(ask(eve, "4", "b2").await).await.expect("10 of 10");
    // One reference on two lines: which of them was credited is said by a match.
    let rent = ask(w.user, "2", "rent-5").await;
    approved(rent).await.expect("either line");
    refused("2", "c2", rent).await;
    let left = show(&w.app, id).await.expect("shown").leftovers;
    let line = left.iter().find(|left| left.key.as_deref() == Some("c1")).and_then(|left| left.line).expect("a line");
    match_line(&w.app, &w.ann, line, &format!("recharge:{rent}")).await.expect("proposed");
    approved(ask(eve, "2", "c2").await).await.expect("the other line");
    assert_eq!(w.property().await.available, money("45"));
    // What names no line of the bank is not held against one.
    approved(ask(eve, "7", "b").await).await.expect("another payment");
});

/// What a user of one's own is credited, asked for by one person.
async fn ask(w: &World, user: UserId, amount: &str, reference: &str) -> RequestId {
    let draft = MoneyRequestDraft::recharge(user, amount, reference);
    request(&w.app, &w.ann, draft).await.expect("requested").id
}

/// It is refused because of what was credited before.
async fn is_refused(w: &World, asked: RequestId, by: RequestId) {
    let told = approve(&w.app, &w.bob, asked.into()).await.expect_err("refused");
    assert_eq!(told.key(), "bank_line_credited");
    assert!(format!("{told:?}").contains(&format!("\"recharge:{by}\"")), "{told:?}");
}

/// The number of the line with this key.
async fn line_of(w: &World, id: BankStatementId, key: &str) -> BankLineId {
    let left = show(&w.app, id).await.expect("shown").leftovers;
    left.iter().find(|left| left.key.as_deref() == Some(key)).and_then(|left| left.line).expect("a line")
}

on_both!(whatever_letters_and_signs_a_payer_writes_the_line_is_found, |test| {
    let w = funded(test, "30").await;
    imported(&w, "2026-01-02,7.00,USD,Müller & Söhne 7,b1\n2026-01-02,5.00,USD,A=B?12,b2\n").await;
    let eve = w.test.user("eve").await;
    for (amount, key, written) in [("7", "b1", "MULLER+SOHNE 7"), ("5", "b2", "ab12")] {
        let first = ask(&w, w.user, amount, key).await;
        approve(&w.app, &w.bob, first.into()).await.expect("approved");
        is_refused(&w, ask(&w, eve, "0.01", written).await, first).await;
    }
});

on_both!(a_line_of_another_amount_gives_no_room_where_one_is_credited, |test| {
    let w = funded(test, "30").await;
    imported(&w, "2026-01-02,10.00,USD,RENT-5,c1\n2026-01-02,4.00,USD,RENT-5,c2\n").await;
    let eve = w.test.user("eve").await;
    let first = ask(&w, w.user, "10", "c1").await;
    approve(&w.app, &w.bob, first.into()).await.expect("approved");
    let again = ask(&w, eve, "10", "RENT-5").await;
    is_refused(&w, again, first).await;
    reject(&w.app, &w.ann, again.into()).await.expect("rejected");
    let other = ask(&w, eve, "4", "rent 5").await;
    approve(&w.app, &w.bob, other.into()).await.expect("the other line has room");
});

// One person could propose that the credit was for a line which nobody has asked about.
on_both!(what_one_person_proposes_gives_a_line_no_room, |test| {
    let w = funded(test, "30").await;
    let id = imported(&w, "2026-01-02,7.00,USD,INV-7001,b1\n2026-01-02,7.00,USD,INV-8002,b2\n").await;
    let eve = w.test.user("eve").await;
    let first = ask(&w, w.user, "7", "inv-7001").await;
    approve(&w.app, &w.bob, first.into()).await.expect("approved");
    let other = line_of(&w, id, "b2").await;
    match_line(&w.app, &w.ann, other, &format!("recharge:{first}")).await.expect("proposed");
    let again = ask(&w, eve, "7", "b1").await;
    is_refused(&w, again, first).await;
    is_refused(&w, ask(&w, eve, "7", "b2").await, first).await;
    // Two have agreed to it.
    confirm_shown(&w, &w.bob, id).await.expect("confirmed");
    approve(&w.app, &w.bob, again.into()).await.expect("the line is free");
});

on_both!(a_payment_of_months_ago_is_not_held_against_a_line_with_the_same_reference, |test| {
    let w = funded(test, "30").await;
    let before = ask(&w, w.user, "8", "RENT-5").await;
    approve(&w.app, &w.bob, before.into()).await.expect("approved");
    w.test.clock.advance_seconds(90 * 24 * 3_600);
    let today = &w.app.now().to_string()[..10];
    imported(&w, &format!("{today},10.00,USD,RENT-5,d1\n")).await;
    let asked = ask(&w, w.user, "10", "d1").await;
    approve(&w.app, &w.bob, asked.into()).await.expect("approved");
});

on_both!(whoever_was_revoked_confirms_nothing_more, |test| {
    let w = funded(test, "30").await;
    let id = imported(&w, "2026-01-01,30.00,USD,first,a\n").await;
    let dora = Staff::new(w.test.operator("dora", Role::Admin).await, "a test").expect("a reason");
    // She signed in while her key was valid.
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    assert_eq!(why(confirm_shown(&w, &dora, id).await), "not_permitted");
    let (statement, digest) = statement("2026-01-02,1.00,USD,second,b\n");
    assert_eq!(why(import(&w.app, &dora, BankFile::one(statement, digest), false).await), "not_permitted");
    assert_eq!(confirm_shown(&w, &w.bob, id).await.expect("confirmed").matched, 1);
});

on_both!(what_somebody_proposed_who_was_revoked_since_is_proposed_anew, |test| {
    let w = funded(test, "30").await;
    let dora = Staff::new(w.test.operator("dora", Role::Admin).await, "a test").expect("a reason");
    let (file, file_digest) = statement("2026-01-01,30.00,USD,first,a\n2026-01-02,-2.00,USD,fee,b\n");
    let taken = import(&w.app, &dora, BankFile::one(file, file_digest), false).await.expect("imported").remove(0);
    let id = taken.id.expect("an id");
    let seen = digest(&w, id).await;
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    // Neither what was shown before nor what is shown now.
    assert_eq!(why(confirm(&w.app, &w.bob, id, &seen, |_| {}).await), "proposals_changed");
    assert_eq!(why(confirm_shown(&w, &w.bob, id).await), "proposer_revoked");
    let shown = show(&w.app, id).await.expect("shown");
    let findings: Vec<&str> = shown.leftovers.iter().map(|left| left.finding.as_str()).collect();
    assert_eq!((findings, shown.waiting, shown.books.bank), (vec!["revoked", "unknown"], 0, money("0")));

    assert_eq!(propose(&w.app, &w.ann, id).await.expect("proposed anew").len(), 1);
    assert_eq!(why(confirm_shown(&w, &w.ann, id).await), "second_person_needed");
    let done = confirm_shown(&w, &w.bob, id).await.expect("confirmed");
    assert_eq!((done.matched, done.revoked), (1, 0));
    assert!(verify(&w.app).await.expect("verified").ok);
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(what_somebody_doubted_who_was_revoked_since_stays_booked, |test| {
    let w = funded(test, "30").await;
    let id = imported(&w, "2026-01-01,30.00,USD,first,a\n").await;
    let line = show(&w.app, id).await.expect("shown").leftovers.remove(0).line.expect("a line");
    confirm_shown(&w, &w.bob, id).await.expect("confirmed");
    let dora = Staff::new(w.test.operator("dora", Role::Admin).await, "a test").expect("a reason");
    unmatch_line(&w.app, &dora, line).await.expect("doubted");
    assert_eq!(why(unmatch_line(&w.app, &w.bob, line).await), "already_decided");
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    assert_eq!(why(confirm_shown(&w, &w.ann, id).await), "proposer_revoked");
    assert_eq!(show(&w.app, id).await.expect("shown").books.bank, money("30"));
    unmatch_line(&w.app, &w.bob, line).await.expect("doubted anew");
    assert_eq!(why(unmatch_line(&w.app, &w.ann, line).await), "already_decided");
    assert_eq!(confirm_shown(&w, &w.ann, id).await.expect("undone").undone, 1);
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(a_reference_of_ours_names_its_user, |test| {
    let w = funded(test, "30").await;
    let (own, nobodys) = (creditor::reference(w.user.0), creditor::reference(w.user.0 + 1_000));
    let other = creditor::reference(w.test.user("other").await.0);
    let spaced = format!("rf{} {}", &own[2..4], &own[4..]);
    let lines = format!(
        "2026-01-01,7.00,USD,Payment {spaced} thanks,a\n2026-01-01,8.00,USD,{nobodys},b\n\
         2026-01-01,9.00,USD,{own} {other},c\n2026-01-01,-7.00,USD,{own},d\n2026-01-01,30.00,USD,first {own},e\n"
    );
    let (statement, digest) = statement(&lines);
    let looked = import(&w.app, &w.ann, BankFile::one(statement, digest), true).await.expect("looked at").remove(0);
    let users: Vec<Option<String>> = looked.leftovers.into_iter().map(|left| left.user).collect();
    let demo = Some("demo".to_owned());
    assert_eq!(users, [demo.clone(), None, None, None]);
    let id = imported(&w, &lines).await;
    let shown = show(&w.app, id).await.expect("shown").leftovers;
    let users: Vec<Option<String>> = shown.into_iter().map(|left| left.user).collect();
    // The last is the recharge of before: it waits for the second person.
    assert_eq!(users, [demo.clone(), None, None, None, demo]);
});
