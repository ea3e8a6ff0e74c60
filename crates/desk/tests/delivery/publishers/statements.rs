//! A publisher's month as figures, CSV and PDF.

use base::PublisherId;
use desk::requests::approve;
use i18n::Lang;
use money::wallet::publishers::payouts::{pay, request_payout};
use money::wallet::publishers::statement::{StatementView, statement};
use money::wallet::publishers::terms::{PayoutDestination, request_terms};
use store::on_both;

use crate::intruder::keep;
use crate::money::why;
use crate::support::{Market, market};

const DAILY: PublisherId = PublisherId(1);
const DAY: i64 = 86_400;

async fn view(market: &Market, month: Option<&str>) -> StatementView {
    statement(&market.world.app, DAILY, month).await.expect("a statement").view().expect("figures")
}

/// Twenty impressions in January, one of which came twice; 70.00 were earned,
/// and 50.00 paid in February.
async fn history(test: store::testing::TestDb) -> Market {
    let market = market(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    market.put("100.00").await;
    for n in 0..20 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
        if n == 0 {
            assert!(market.see(&answer).await.is_err(), "only once");
        }
        if n < 12 {
            market.wait(1);
            assert_eq!(market.look(&answer).await, Ok(()));
        }
    }
    market.work().await;
    market.wait(3 * DAY + 60);
    market.work().await;
    let to = PayoutDestination { holder: "D".into(), account: "DE02120300000000202051".into(), bank: "B".into() };
    let terms = request_terms(app, bob, DAILY, None, Some(to)).await.expect("requested");
    approve(app, ann, terms.id.into()).await.expect("approved");
    market.wait(31 * DAY);
    let asked = request_payout(app, ann, DAILY, "50.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    pay(app, ann, asked.id, "OUT-1").await.expect("paid");
    market
}

on_both!(a_month_is_what_slots_earned_and_what_was_paid, |test| {
    let market = history(test).await;
    let january = view(&market, Some("2026-01")).await;
    assert_eq!((&*january.opening.to_string(), &*january.earned.to_string()), ("0.00", "70.00"));
    assert_eq!((&*january.paid.to_string(), &*january.closing.to_string()), ("0.00", "70.00"));
    let [slot] = &january.slots[..] else { panic!("one slot") };
    assert_eq!((slot.slot.as_str(), slot.impressions, slot.clicks, slot.viewable), ("news-top", 20, 0, 12));
    assert_eq!(january.viewable, 12);
    assert_eq!(slot.filtered.iter().map(|(reason, n)| (*reason, *n)).collect::<Vec<_>>(), [("duplicate", 1)]);
    let february = view(&market, None).await;
    assert_eq!((february.month.as_str(), &*february.opening.to_string()), ("2026-02", "70.00"));
    assert_eq!((&*february.paid.to_string(), &*february.closing.to_string()), ("50.00", "20.00"));
    assert_eq!(february.payments[0].reference, "OUT-1");
    let empty = view(&market, Some("2025-12")).await;
    assert_eq!((&*empty.opening.to_string(), &*empty.closing.to_string(), empty.slots.len()), ("0.00", "0.00", 0));
    let app = &market.world.app;
    assert_eq!(why(statement(app, DAILY, Some("2026-13")).await.map(drop)), "month=invalid");
    assert_eq!(why(statement(app, DAILY, Some("2026-03")).await.map(drop)), "month=in_the_future");
    assert_eq!(why(statement(app, PublisherId(99), None).await.map(drop)), "not_found");
});

on_both!(a_month_that_does_not_agree_with_the_ledger_is_not_shown, |test| {
    let market = history(test).await;
    keep(&market.world.app, &["UPDATE slot_days SET earned = earned + 1"]).await;
    let wrong = statement(&market.world.app, DAILY, Some("2026-01")).await.map(drop).expect_err("refused");
    assert!(wrong.to_string().contains("the movements lead to 70.01, and the balance is 70.00"), "{wrong}");
});

on_both!(a_month_is_a_file_in_every_language, |test| {
    let market = history(test).await;
    let app = &market.world.app;
    let january = statement(app, DAILY, Some("2026-01")).await.expect("a statement");
    let csv = String::from_utf8(january.csv(Lang::En).expect("a file")).expect("UTF-8");
    let lines: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(
        lines[0],
        "Day (UTC),Kind,Impressions,Clicks,Viewable impressions,Filtered: Already counted once,Amount (USD),Balance (USD),Reference"
    );
    assert_eq!(&lines[2..3], ["2026-01-05,news-top,20,0,12,1,70.00,70.00,"]);
    assert_eq!(lines.len(), 4, "{csv}");
    assert!(lines.iter().all(|line| line.matches(',').count() == 8), "{csv}");
    let february = statement(app, DAILY, Some("2026-02")).await.expect("a statement");
    let csv = String::from_utf8(february.csv(Lang::De).expect("a file")).expect("UTF-8");
    assert!(csv.contains("Ausgezahlt,,,,-50.00,20.00,OUT-1"), "{csv}");
    for lang in Lang::ALL {
        assert!(january.pdf(lang).await.expect("a file").starts_with(b"%PDF"), "{lang:?}");
    }
});
