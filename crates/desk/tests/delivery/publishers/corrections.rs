//! What publishers have earned is added to by two people, with a reason; and taken back is only what was added, as far
//! as it is owed and not promised.

use base::PublisherId;
use campaigns::delivery::publisher_keys::Reader;
use campaigns::delivery::publisher_report::info;
use desk::requests::{approve, reject};
use foundation::staff::Staff;
use foundation::staff::limits::set_limit;
use foundation::staff::requests::RequestView;
use i18n::Lang;
use money::wallet::publishers::corrections::request_correction;
use money::wallet::publishers::payouts::{account, pay, request_payout};
use money::wallet::publishers::statement::statement;
use money::wallet::verify::{trial_balance, verify};
use store::on_both;
use store::testing::TestDb;

use super::payouts::{DAILY, earned};
use crate::intruder::{after, keep};
use crate::money::why;
use crate::support::Market;

async fn ask(market: &Market, amount: &str) -> Result<RequestView, foundation::Error> {
    request_correction(&market.world.app, &market.world.ann, DAILY, amount).await
}

async fn agree(market: &Market, asked: &RequestView) -> Result<RequestView, foundation::Error> {
    approve(&market.world.app, &market.world.bob, asked.id.into()).await
}

async fn corrected(market: &Market, amount: &str) -> RequestView {
    let asked = ask(market, amount).await.expect("requested");
    agree(market, &asked).await.expect("approved")
}

/// Earned, corrected, paid, asked for and payable.
async fn figures(market: &Market) -> [String; 5] {
    let of = account(&market.world.app, DAILY).await.expect("an account");
    [of.earned, of.corrected, of.paid, of.asked, of.payable].map(|amount| amount.to_string())
}

async fn revenue(market: &Market) -> String {
    let lines = trial_balance(&market.world.app).await.expect("balances");
    lines.into_iter().find(|line| line.account == "delivery_revenue").expect("revenue").balance.to_string()
}

on_both!(a_correction_takes_two_people_and_is_booked_once, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    assert_eq!(revenue(&market).await, "30.00");
    let asked = ask(&market, "12.34").await.expect("requested");
    assert_eq!((asked.kind.name(), &*asked.amount.to_string()), ("publisher_credit", "12.34"));
    assert_eq!((asked.direction.as_deref(), asked.name.as_deref()), (Some("from_revenue"), Some("The Daily")));
    let which = || asked.id.into();
    assert_eq!(why(approve(app, ann, which()).await), "second_person_needed");
    assert_eq!(figures(&market).await, ["70.00", "0.00", "0.00", "0.00", "70.00"], "nothing has moved so far");
    approve(app, bob, which()).await.expect("approved");
    assert_eq!(why(approve(app, bob, which()).await), "already_decided");
    assert_eq!(figures(&market).await, ["70.00", "12.34", "0.00", "0.00", "82.34"]);
    assert_eq!(revenue(&market).await, "17.66");
    // A negative one undoes it.
    let taken = corrected(&market, "-2.00").await;
    assert_eq!((taken.kind.name(), taken.direction.as_deref()), ("publisher_debit", Some("to_revenue")));
    assert_eq!(figures(&market).await, ["70.00", "10.34", "0.00", "0.00", "80.34"]);
    assert_eq!(revenue(&market).await, "19.66");
    assert_eq!(
        info(app, Reader { publisher: DAILY, until: None }).await.expect("its own").money.corrected.to_string(),
        "10.34"
    );
    let rejected = ask(&market, "-1.00").await.expect("requested");
    reject(app, bob, rejected.id.into()).await.expect("rejected");
    assert_eq!(figures(&market).await[1], "10.34");
    // All of it can be paid, and nothing is left.
    let payout = request_payout(app, ann, DAILY, "80.34").await.expect("requested");
    approve(app, bob, payout.id.into()).await.expect("approved");
    pay(app, ann, payout.id, "OUT-1").await.expect("paid");
    assert_eq!(figures(&market).await, ["70.00", "10.34", "80.34", "0.00", "0.00"]);
    market.check().await;
});

on_both!(no_more_is_taken_back_than_was_added_is_owed_and_not_promised, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    for (amount, problem) in [
        ("0", "amount_out_of_range"),
        ("-0.00", "amount_out_of_range"),
        ("x", "amount=invalid_amount"),
        ("-1.001", "amount=invalid_amount"),
        // What bills gave it goes back to those who were billed, and to nobody else.
        ("-0.01", "amount=more_than_added"),
    ] {
        assert_eq!(why(ask(&market, amount).await), problem, "{amount}");
    }
    assert_eq!(why(request_correction(app, ann, PublisherId(99), "1.00").await), "not_found");
    assert_eq!(why(request_correction(app, &market.world.carl, DAILY, "1.00").await), "not_permitted");
    corrected(&market, "30.00").await;
    assert_eq!(why(ask(&market, "-30.01").await), "amount=more_than_added");
    let waits = ask(&market, "-30.00").await.expect("requested");
    let payout = request_payout(app, ann, DAILY, "80.00").await.expect("requested");
    // It was promised meanwhile.
    assert_eq!(why(agree(&market, &waits).await), "amount=more_than_owed");
    corrected(&market, "-20.00").await;
    assert_eq!(why(ask(&market, "-0.01").await), "amount=more_than_owed");
    approve(app, bob, payout.id.into()).await.expect("what was promised is there");
    pay(app, ann, payout.id, "OUT-1").await.expect("paid");
    assert_eq!(figures(&market).await, ["70.00", "10.00", "80.00", "0.00", "0.00"]);
    market.check().await;
});

on_both!(corrections_count_in_the_limits_of_both, |test| {
    let market = earned(test).await;
    let app = &market.world.app;
    set_limit(app, &market.world.bob, auth::Role::Finance, "10.00", "15.00").await.expect("set");
    let ann: &Staff = &market.world.ann;
    assert_eq!(why(request_correction(app, ann, DAILY, "10.01").await), "limit_exceeded");
    request_correction(app, ann, DAILY, "10.00").await.expect("requested");
    assert_eq!(why(request_correction(app, ann, DAILY, "10.00").await), "limit_exceeded", "of the day");
});

async fn history(test: TestDb) -> Market {
    let market = earned(test).await;
    corrected(&market, "12.34").await;
    market.wait(1);
    corrected(&market, "-2.00").await;
    market
}

on_both!(a_correction_is_a_line_of_the_statement, |test| {
    let market = history(test).await;
    let app = &market.world.app;
    let month = statement(app, DAILY, Some("2026-02")).await.expect("a statement");
    let view = month.view().expect("figures");
    assert_eq!(
        (&*view.opening.to_string(), &*view.corrected.to_string(), &*view.closing.to_string()),
        ("70.00", "10.34", "80.34")
    );
    let lines: Vec<_> = view.corrections.iter().map(|one| (one.amount.minor(), one.reason.as_str())).collect();
    assert_eq!(lines, [(1_234, "a test"), (-200, "a test")]);
    let csv = String::from_utf8(month.csv(Lang::En).expect("a file")).expect("UTF-8");
    assert!(csv.contains("Correction,,,,12.34,82.34,a test"), "{csv}");
    assert!(csv.contains("Correction,,,,-2.00,80.34,a test"), "{csv}");
    let csv = String::from_utf8(month.csv(Lang::De).expect("a file")).expect("UTF-8");
    assert!(csv.contains("Korrektur,"), "{csv}");
    for lang in Lang::ALL {
        assert!(month.pdf(lang).await.expect("a file").starts_with(b"%PDF"), "{lang:?}");
    }
    let january = statement(app, DAILY, Some("2026-01")).await.expect("a statement").view().expect("figures");
    assert_eq!((&*january.corrected.to_string(), january.corrections.len()), ("0.00", 0));
});

on_both!(an_edited_correction_is_found, |test| {
    let market = history(test).await;
    let app = &market.world.app;
    market.check().await;
    let booked = "transaction_id IN (SELECT id FROM transactions WHERE kind = 27)";
    for edit in [
        "UPDATE money_requests SET amount = amount + 1 WHERE kind = 14".to_owned(),
        "UPDATE money_requests SET kind = 13 WHERE kind = 14".to_owned(),
        "UPDATE money_requests SET kind = 14 WHERE kind = 13".to_owned(),
        "UPDATE money_requests SET publisher_id = 2 WHERE kind = 14".to_owned(),
        "UPDATE money_requests SET status = 2 WHERE kind = 14".to_owned(),
        "UPDATE money_requests SET decided_at = decided_at - 5000000000 WHERE kind = 14".to_owned(),
        "UPDATE money_requests SET reason = 'x' WHERE kind = 14".to_owned(),
        format!("UPDATE entries SET amount = -amount WHERE {booked}"),
        format!("UPDATE entries SET owner_id = 2 WHERE account_kind = 501 AND {booked}"),
        format!("UPDATE entries SET recorded_at = recorded_at - 5000000000 WHERE {booked}"),
        format!("DELETE FROM entries WHERE {booked}"),
    ] {
        let found = after(app, &[&edit], crate::decided::faults).await.expect("walked").expect("edited");
        assert!(!found.is_empty(), "not found: {edit}");
    }
    // The books alone say which way it went, how much, and to whom.
    for edit in [
        "UPDATE money_requests SET kind = 13 WHERE kind = 14",
        "UPDATE money_requests SET amount = amount + 1 WHERE kind = 14",
        "UPDATE money_requests SET publisher_id = 2 WHERE kind = 14",
        "UPDATE money_requests SET status = 2 WHERE kind = 14",
    ] {
        let laws = store::wallet::verify::laws;
        let found = after(app, &[edit], move |conn| Ok(laws(conn)?.faults)).await.expect("walked").expect("edited");
        assert!(found.iter().any(|fault| fault.contains("publisher_correct")), "{edit}: {found:#?}");
    }
    // Nothing is decided on figures that do not agree.
    keep(app, &["UPDATE money_requests SET amount = amount + 1 WHERE kind = 14"]).await;
    let refused = ask(&market, "-1.00").await.expect_err("refused");
    assert!(refused.to_string().contains("the days of publisher 1"), "{refused}");
    assert!(!verify(app).await.expect("verified").ok);
});
