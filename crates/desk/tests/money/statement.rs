//! The statement and its months.

use base::PlanId;
use calendar::Zone;
use foundation::Error;
use foundation::people::pay_password::Proof;
use money::wallet::flow_list::{FlowQuery, Statement, flow_list};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::cancel_withdrawal;
use store::wallet::books::{Books, Note};
use store::{PageRequest, Tx, on_both};
use wallet::{Postings, PutOnPlan};

use crate::support::{World, funded, money, why};

fn query() -> FlowQuery {
    FlowQuery::default()
}

fn months(statement: &Statement) -> Vec<String> {
    statement.months.iter().map(|m| format!("{} {} {}", m.month, m.income, m.expense)).collect()
}

/// Posts the result of `decide` on the user's books and the hold of plan 7.
async fn post(w: &World, decide: fn(&mut Books, &mut Tx<'_>) -> Result<Postings, Error>) {
    let user = w.user;
    let posted = w.app.db.write(move |tx| {
        let mut books = Books::lock_user(tx, user)?;
        let postings = decide(&mut books, tx)?;
        let (event_at, actor) = (tx.now(), "system".to_owned());
        let note = Note {
            document: wallet::Document::Plan(base::PlanId(7)),
            event_at,
            actor,
            reason: String::new(),
            idempotency_key: None,
        };
        books.post(tx, &postings, &note)?;
        Ok::<_, Error>(())
    });
    posted.await.expect("posted");
}

on_both!(months_are_cut_in_the_users_zone, |test| {
    // The clock starts on 2026-01-05 at noon UTC.
    let w = funded(test, "100").await;
    w.test.clock.advance_seconds(26 * 86_400 + 5 * 3_600);
    withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: "30".parse().expect("an amount"), key: None })
        .await
        .expect("accepted");
    let utc = flow_list(&w.app, w.user, query()).await.expect("a statement");
    assert_eq!(months(&utc), ["2026-01 100.00 30.00"]);
    let shanghai = FlowQuery { zone: Zone::from_header("Asia/Shanghai GMT+08:00"), ..query() };
    let cut = flow_list(&w.app, w.user, shanghai.clone()).await.expect("a statement");
    assert_eq!(months(&cut), ["2026-02 0.00 30.00", "2026-01 100.00 0.00"]);

    let january = FlowQuery { month: Some("2026-01".into()), ..shanghai.clone() };
    let january = flow_list(&w.app, w.user, january).await.expect("a statement");
    assert_eq!((january.lines.items.len(), months(&january)), (1, vec!["2026-01 100.00 0.00".to_owned()]));
    let empty = FlowQuery { month: Some("2025-12".into()), ..shanghai };
    let empty = flow_list(&w.app, w.user, empty).await.expect("a statement");
    assert_eq!((empty.lines.items.len(), months(&empty)), (0, vec!["2025-12 0.00 0.00".to_owned()]));
});

on_both!(a_months_sums_are_whole_on_every_page, |test| {
    let w = funded(test, "100").await;
    for amount in ["1", "2", "3"] {
        withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
            .await
            .expect("accepted");
    }
    let mut before = None;
    let mut seen = Vec::new();
    loop {
        let page = PageRequest { before, limit: 3 };
        let statement = flow_list(&w.app, w.user, FlowQuery { page, ..query() }).await.expect("a page");
        assert_eq!(months(&statement), ["2026-01 100.00 6.00"]);
        seen.extend(statement.lines.items.iter().map(|line| line.amount.to_string()));
        before = statement.lines.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["-3.00", "-2.00", "-1.00", "100.00"]);
});

// The last line by time was taken for the last one: what was written after it was in no month until the next line.
on_both!(lines_from_after_a_clock_was_set_back_are_in_their_month, |test| {
    let w = funded(test, "100").await;
    let mut last = None;
    for (seconds, amount) in [(600, "30"), (-300, "20")] {
        w.test.clock.advance_seconds(seconds);
        let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
        last = Some(withdraw(&w.app, Proof::assumed(w.user), command).await.expect("accepted").id);
    }
    assert_eq!(months(&w.statement().await), ["2026-01 100.00 50.00"]);

    w.test.clock.advance_seconds(-60);
    cancel_withdrawal(&w.app, w.user, last.expect("asked"), None).await.expect("cancelled");
    let statement = w.statement().await;
    assert_eq!(months(&statement), ["2026-01 120.00 50.00"]);
    let of_month = &statement.months[0];
    assert_eq!((of_month.refunds, of_month.net_income, of_month.net_expense), (money("20"), money("100"), money("30")));
});

on_both!(a_kind_narrows_the_lines_not_the_months, |test| {
    let w = funded(test, "100").await;
    withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: "1".parse().expect("an amount"), key: None })
        .await
        .expect("accepted");
    let only = FlowQuery { kind: Some("system_top_up".into()), ..query() };
    let statement = flow_list(&w.app, w.user, only).await.expect("a statement");
    assert_eq!((statement.lines.items.len(), months(&statement)), (1, vec!["2026-01 100.00 1.00".to_owned()]));
});

on_both!(billing_shows_on_the_hold_and_leaves_the_sums_alone, |test| {
    let w = funded(test, "100").await;
    post(&w, |books, tx| {
        books.load_hold(tx, PlanId(7))?;
        let put = PutOnPlan { plan: PlanId(7), available: money("60"), promotional: money("0"), coupon: money("5") };
        Ok(wallet::put_on_plan(books.wallet()?, &put)?)
    })
    .await;
    post(&w, |books, tx| Ok(wallet::bill(&books.load_hold(tx, PlanId(7))?, money("15"), [])?)).await;
    let expected = [
        "ad_billing -10.00 40.00",
        "ad_billing -5.00 40.00",
        "coupon 5.00 40.00",
        "ad_serving -60.00 40.00",
        "system_top_up 100.00 100.00",
    ];
    assert_eq!(w.lines().await, expected);
    let statement = w.statement().await;
    assert_eq!(months(&statement), ["2026-01 100.00 60.00"]);
    let accounts: Vec<_> = statement.lines.items.iter().map(|line| line.account.name()).collect();
    assert_eq!(accounts, ["held", "held", "held", "available", "available"]);

    let figures = w.property().await;
    assert_eq!((figures.to_be_consumed, figures.total_assets), (money("50"), money("90")));
});

on_both!(wrong_filters_are_told_and_others_lines_are_not_seen, |test| {
    let w = funded(test, "100").await;
    let month = FlowQuery { month: Some("2026-13".into()), ..query() };
    assert_eq!(why(flow_list(&w.app, w.user, month).await), "month=invalid");
    let kind = FlowQuery { kind: Some("gift".into()), ..query() };
    assert_eq!(why(flow_list(&w.app, w.user, kind).await), "kind=invalid");
    let other = w.test.user("other").await;
    let foreign = flow_list(&w.app, other, query()).await.expect("a statement");
    assert!(foreign.lines.items.is_empty() && foreign.months.is_empty());
});
