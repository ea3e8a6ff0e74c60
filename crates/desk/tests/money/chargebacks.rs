//! Payments that the bank took back, and mistaken recharges.

mod due;

use base::{Money, RequestId};
use desk::requests::{MoneyRequestDraft, approve, reject, request, requests};
use foundation::staff::requests::{RequestFilter, RequestRef};
use money::wallet::verify::{trial_balance, verify};
use store::{PageRequest, on_both};
use wallet::RequestDocument;

use crate::support::{World, funded, money, why, world};

async fn requested(w: &World, amount: &str, reference: &str) -> RequestRef {
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::chargeback(w.user, amount, reference)).await;
    asked.expect("requested").id.into()
}

async fn balance(w: &World, account: &str) -> Money {
    let lines = trial_balance(&w.app).await.expect("balances");
    lines.into_iter().find(|line| line.account == account).map(|line| line.balance).unwrap_or_default()
}

on_both!(a_second_person_books_it_and_the_user_bears_what_is_there, |test| {
    let w = funded(test, "30").await;
    let id = requested(&w, "100", " CB-1 ").await;
    assert_eq!(w.property().await.available, money("30"));
    assert_eq!(why(approve(&w.app, &w.ann, id).await), "second_person_needed");
    let booked = approve(&w.app, &w.bob, id).await.expect("booked");
    assert_eq!(booked.status.name(), "approved");
    let borne = booked.chargeback.expect("who bore it");
    assert_eq!((borne.from_user, borne.written_off), (Some(money("30")), Some(money("70"))));
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "already_decided");
    assert_eq!(why(reject(&w.app, &w.bob, id).await), "already_decided");
    assert_eq!(w.lines().await[0], "system_chargeback -30.00 0.00");
    assert_eq!(w.statement().await.lines.items[0].remark, "CB-1");
    assert_eq!((balance(&w, "bank").await, balance(&w, "write_offs").await), (money("100"), money("-70")));
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(one_that_finds_nothing_is_written_off_in_the_users_book, |test| {
    let w = world(test).await;
    let id = requested(&w, "100", "CB-1").await;
    let booked = approve(&w.app, &w.bob, id).await.expect("booked");
    let borne = booked.chargeback.expect("who bore it");
    assert_eq!((borne.from_user, borne.written_off), (Some(money("0")), Some(money("100"))));
    assert_eq!((balance(&w, "bank").await, balance(&w, "write_offs").await), (money("100"), money("-100")));
    assert!(w.lines().await.is_empty(), "nothing of the user's moved");
    assert!(verify(&w.app).await.expect("verified").ok);
    // The book continues after it.
    w.recharge("30", "later").await;
    assert_eq!(w.lines().await, ["system_top_up 30.00 30.00"]);
    let again = requested(&w, "50", "CB-2").await;
    approve(&w.app, &w.bob, again).await.expect("booked");
    assert_eq!(w.lines().await[0], "system_chargeback -30.00 0.00");
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(one_that_was_a_mistake_is_dropped_and_its_reference_is_free, |test| {
    let w = funded(test, "30").await;
    let id = requested(&w, "100", "CB-1").await;
    let again = MoneyRequestDraft::chargeback(w.user, "10", "CB-1");
    assert_eq!(why(request(&w.app, &w.bob, again.clone()).await), "reference_used");
    assert_eq!(reject(&w.app, &w.ann, id).await.expect("dropped").status.name(), "rejected");
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "already_decided");
    assert!(request(&w.app, &w.ann, again).await.is_ok());
    let listed = requests(&w.app, RequestFilter::default(), PageRequest::default()).await.expect("a list").items;
    let told: Vec<_> = listed.iter().take(2).map(|c| (c.status.name(), c.username.as_deref())).collect();
    assert_eq!(told, [("requested", Some("demo")), ("rejected", Some("demo"))]);
    assert_eq!(w.property().await.available, money("30"));
});

on_both!(wrong_requests_are_told, |test| {
    let w = world(test).await;
    let of = |amount: &str, reference: &str| MoneyRequestDraft::chargeback(w.user, amount, reference);
    let nothing = RequestRef::of(RequestDocument::Chargeback, RequestId(1));
    assert_eq!(why(request(&w.app, &w.ann, of("1", " ")).await), "reference=required");
    assert_eq!(why(request(&w.app, &w.ann, of("0", "R")).await), "amount_out_of_range");
    assert_eq!(why(request(&w.app, &w.ann, of("lots", "R")).await), "amount=invalid_amount");
    assert_eq!(why(request(&w.app, &w.carl, of("1", "R")).await), "not_permitted");
    assert_eq!(why(approve(&w.app, &w.carl, nothing).await), "not_permitted");
    assert_eq!(why(approve(&w.app, &w.ann, nothing).await), "not_found");
});

on_both!(a_rejected_recharge_credits_nothing_and_frees_its_reference, |test| {
    let w = world(test).await;
    let of = |amount: &str| MoneyRequestDraft::recharge(w.user, amount, "B-1");
    let wrong = request(&w.app, &w.ann, of("1000")).await.expect("requested").id.into();
    assert_eq!(why(reject(&w.app, &w.carl, wrong).await), "not_permitted");
    let rejected = reject(&w.app, &w.ann, wrong).await.expect("rejected");
    assert_eq!((rejected.status.name(), rejected.approved_by), ("rejected", None));
    assert_eq!(rejected.rejected_by, Some(w.ann.id()));
    assert_eq!(why(approve(&w.app, &w.bob, wrong).await), "already_decided");
    assert_eq!(why(reject(&w.app, &w.bob, wrong).await), "already_decided");
    assert_eq!(why(reject(&w.app, &w.bob, RequestRef::any(RequestId(99))).await), "not_found");

    let right = request(&w.app, &w.ann, of("100")).await.expect("requested").id.into();
    approve(&w.app, &w.bob, right).await.expect("approved");
    assert_eq!(why(reject(&w.app, &w.bob, right).await), "already_decided");
    assert_eq!(w.property().await.available, money("100"));
});
