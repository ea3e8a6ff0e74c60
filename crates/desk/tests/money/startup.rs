//! Start-up funds.

use desk::requests::{MoneyRequestDraft, approve, reject, request};
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use foundation::staff::requests::RequestRef;
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::withdraw::{Withdraw, withdraw};
use store::on_both;

use crate::support::{funded, money, why, world};

fn all() -> RepayStartupLoan {
    RepayStartupLoan { amount: None, key: None }
}

fn part(amount: &str) -> RepayStartupLoan {
    RepayStartupLoan { amount: Some(amount.parse().expect("an amount")), ..all() }
}

on_both!(advanced_and_returned, |test| {
    let w = funded(test, "10").await;
    assert_eq!(w.book(MoneyRequestDraft::startup_loan(w.user, "30")).await.outstanding, Some(money("30")));
    let figures = w.property().await;
    assert_eq!((figures.available, figures.startup_outstanding), (money("40"), money("30")));

    assert_eq!(
        repay_startup_loan(&w.app, Proof::assumed(w.user), part("12.50")).await.expect("returned").outstanding,
        money("17.50")
    );
    assert_eq!(
        repay_startup_loan(&w.app, Proof::assumed(w.user), all()).await.expect("returned").outstanding,
        money("0")
    );
    let lines = ["startup_funds -17.50 10.00", "startup_funds -12.50 27.50", "startup_funds 30.00 40.00"];
    assert_eq!(w.lines().await[..3], lines);
    assert!(
        withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: "10".parse().expect("an amount"), key: None })
            .await
            .is_ok()
    );
});

on_both!(nothing_is_lent_by_one_alone, |test| {
    let w = funded(test, "10").await;
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::startup_loan(w.user, "30")).await.expect("requested");
    assert_eq!((asked.status.name(), asked.outstanding), ("requested", Some(money("0"))));
    let which: RequestRef = asked.id.into();
    assert_eq!(why(approve(&w.app, &w.ann, which).await), "second_person_needed");
    assert_eq!(why(approve(&w.app, &w.carl, which).await), "not_permitted");
    assert_eq!((w.property().await.available, w.property().await.startup_outstanding), (money("10"), money("0")));
    assert_eq!(reject(&w.app, &w.bob, which).await.expect("rejected").outstanding, Some(money("0")));
    assert_eq!(why(approve(&w.app, &w.bob, which).await), "already_decided");

    w.advance("30").await;
    assert_eq!(w.lines().await[0], "startup_funds 30.00 40.00");
    let line = w.statement().await.lines.items.remove(0);
    assert_eq!((line.remark.as_str(), line.reference.kind.name()), ("a test", "startup_advance"));
    assert_eq!(why(request(&w.app, &w.ann, MoneyRequestDraft::startup_loan(w.user, "0")).await), "amount_out_of_range");
    assert_eq!(why(request(&w.app, &w.carl, MoneyRequestDraft::startup_loan(w.user, "1")).await), "not_permitted");
});

on_both!(no_more_than_is_owed_or_there, |test| {
    let w = world(test).await;
    assert_eq!(why(repay_startup_loan(&w.app, Proof::assumed(w.user), all()).await), "amount_out_of_range");
    w.advance("30").await;
    assert_eq!(why(repay_startup_loan(&w.app, Proof::assumed(w.user), part("30.01")).await), "amount_out_of_range");
    assert_eq!(why(repay_startup_loan(&w.app, Proof::assumed(w.user), part("0")).await), "amount_out_of_range");
    assert_eq!(why(RepayStartupLoan::read(Some("3e1"), None)), "amount=invalid_amount");
    assert_eq!(w.property().await.startup_outstanding, money("30"));
});

on_both!(a_key_returns_once, |test| {
    let w = world(test).await;
    w.advance("30").await;
    let keyed = || RepayStartupLoan { key: Key::parse("k").ok(), ..part("10") };
    assert_eq!(
        repay_startup_loan(&w.app, Proof::assumed(w.user), keyed()).await.expect("returned").outstanding,
        money("20")
    );
    assert_eq!(
        repay_startup_loan(&w.app, Proof::assumed(w.user), keyed()).await.expect("answered again").outstanding,
        money("20")
    );
    let other = RepayStartupLoan { key: Key::parse("k").ok(), ..all() };
    assert_eq!(why(repay_startup_loan(&w.app, Proof::assumed(w.user), other).await), "idempotency_key_reused");
    assert_eq!(w.property().await.startup_outstanding, money("20"));
});

on_both!(a_repeat_shows_what_is_outstanding_now, |test| {
    let w = world(test).await;
    w.advance("30").await;
    let repay = |repayment| repay_startup_loan(&w.app, Proof::assumed(w.user), repayment);
    let keyed = || RepayStartupLoan { key: Key::parse("k").ok(), ..part("10") };
    repay(keyed()).await.expect("returned");
    assert_eq!(w.kept().await, "{}");
    let now = repay(part("5")).await.expect("returned");
    assert_eq!(repay(keyed()).await.expect("answered again"), now);
    w.keep(r#"{"outstanding":"20.00"}"#).await;
    assert_eq!(repay(keyed()).await.expect("kept by the version before"), now);
    assert_eq!(w.property().await.startup_outstanding, money("15"));
});
