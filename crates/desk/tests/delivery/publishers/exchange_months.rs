//! An exchange's months: what came of its auctions, what it is owed, and how it is paid.

use base::{Money, PublisherId, Timestamp};
use campaigns::delivery::publishers::request_closing;
use campaigns::delivery::ssp::notices;
use campaigns::delivery::ssp::staff::is_there;
use desk::requests::approve;
use foundation::staff::requests::RequestView;
use i18n::Lang;
use money::wallet::publishers::corrections::request_correction;
use money::wallet::publishers::payouts::{account, pay, request_payout};
use money::wallet::publishers::statement::{ExchangeStatementView, statement};
use money::wallet::publishers::terms::request_terms;
use store::on_both;
use store::testing::TestDb;

use super::bidding::{AddedSsp, burl, notice, ssp};
use super::earnings::number;
use super::payouts::{DAILY, destination};
use super::unshown::{offered, seen};
use crate::intruder::keep;
use crate::money::why;
use crate::support::{Market, market, second};

const DAY: i64 = 86_400;

fn id(ssp: &AddedSsp) -> PublisherId {
    ssp.ssp.publisher.publisher.id
}

async fn month(market: &Market, ssp: &AddedSsp, month: &str) -> ExchangeStatementView {
    let of = statement(&market.world.app, id(ssp), Some(month)).await.expect("a statement");
    of.of_exchange().expect("an exchange's")
}

/// Four bids: a view by its notice alone, one that a picture confirms, one whose price comes after its picture, and a
/// loss. 8.00 are owed.
async fn trade(market: &Market, ssp: &AddedSsp) {
    let app = &market.world.app;
    market.put("100.00").await;
    market.ripen().await;
    for has_picture in [false, true] {
        let bid = offered(market, ssp).await;
        notices::take_win(app, notice(&bid.nurl)).await.expect("taken");
        burl(app, &bid, "3000").await.expect("kept").expect("counts");
        if has_picture {
            assert!(seen(market, &bid, "").await.is_err(), "it confirms the view, and counts as no other");
        }
    }
    let late = offered(market, ssp).await;
    seen(market, &late, "").await.expect("counts");
    assert!(burl(app, &late, "2000").await.expect("kept").is_err(), "it names the price, and counts as no other view");
    let lost = offered(market, ssp).await;
    notices::take_loss(app, notice(&lost.lurl)).await.expect("taken");
    market.close_day().await;
    // Its days end, and it is settled.
    for _ in 0..2 {
        market.wait(3 * DAY + 60);
        market.work().await;
    }
}

/// It has traded in January and in February, and two people have agreed on where it is paid. Now it is the end of March.
async fn traded(test: TestDb) -> (Market, AddedSsp) {
    let market = market(test).await;
    let ssp = ssp(&market).await;
    trade(&market, &ssp).await;
    market.wait(17 * DAY);
    trade(&market, &ssp).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let to = Some(destination("DE89370400440532013000"));
    let terms = request_terms(app, bob, id(&ssp), None, to).await.expect("requested");
    approve(app, ann, terms.id.into()).await.expect("approved");
    market.wait(35 * DAY);
    (market, ssp)
}

/// Bob closes it, and Ann approves that, so little is paid as well.
async fn close(market: &Market, ssp: &AddedSsp) {
    let asked = request_closing(&market.world.app, &market.world.bob, id(ssp)).await.expect("requested");
    approve(&market.world.app, &market.world.ann, asked.id.into()).await.expect("approved");
}

async fn ask(market: &Market, ssp: &AddedSsp, amount: &str) -> Result<RequestView, foundation::Error> {
    request_payout(&market.world.app, &market.world.ann, id(ssp), amount).await
}

/// What the ledger says that it was owed at this time.
async fn in_the_ledger(market: &Market, ssp: &AddedSsp, at: &str) -> Money {
    let at: Timestamp = at.parse().expect("a time");
    let (whose, until) = (id(ssp).0, at.millis());
    let entries = "SELECT SUM(amount) FROM entries WHERE account_kind = 501";
    Money::from_minor(number(market, &format!("{entries} AND owner_id = {whose} AND recorded_at < {until}")).await)
}

on_both!(each_month_leads_from_one_balance_of_the_ledger_to_the_next, |test| {
    let (market, ssp) = traded(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let more = request_correction(app, ann, id(&ssp), "5.00").await.expect("requested");
    approve(app, bob, more.id.into()).await.expect("approved");
    close(&market, &ssp).await;
    let asked = ask(&market, &ssp, "20.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    pay(app, ann, asked.id, "OUT-1").await.expect("paid");
    let mut before = Money::ZERO;
    for (name, end, owed, paid, corrected, bids) in [
        ("2025-12", "2026-01-01", "0.00", "0.00", "0.00", 0),
        ("2026-01", "2026-02-01", "8.00", "0.00", "0.00", 4),
        ("2026-02", "2026-03-01", "8.00", "0.00", "0.00", 4),
        ("2026-03", "2026-04-01", "0.00", "20.00", "5.00", 0),
    ] {
        let of = month(&market, &ssp, name).await;
        let moved = [of.owed, of.paid, of.corrected].map(|amount| amount.to_string());
        assert_eq!(moved, [owed, paid, corrected], "{name}");
        assert_eq!(of.opening, before, "{name}");
        let closing =
            of.opening.plus(of.owed).and_then(|sum| sum.plus(of.corrected)).and_then(|sum| sum.minus(of.paid));
        assert_eq!(Ok(of.closing), closing, "{name}");
        assert_eq!(of.closing, in_the_ledger(&market, &ssp, &format!("{end}T00:00:00Z")).await, "{name}");
        assert_eq!(of.counts.bids, bids, "{name}");
        before = of.closing;
    }
    assert_eq!(before.to_string(), "1.00");
    market.check().await;
});

on_both!(a_month_says_what_came_of_its_auctions, |test| {
    let (market, ssp) = traded(test).await;
    let january = month(&market, &ssp, "2026-01").await;
    let counts = january.counts;
    assert_eq!((counts.bids, counts.wins, counts.views, counts.unconfirmed), (4, 2, 3, 1));
    let [day] = &january.days[..] else { panic!("one day: {:?}", january.days) };
    assert_eq!((day.day.as_str(), day.counts, &*day.owed.to_string()), ("2026-01-12", counts, "8.00"));
    // It is the view of which staff see the same figures by day.
    assert_eq!(number(&market, "SELECT SUM(by_notice - confirmed) FROM ssp_views WHERE day < 20485").await, 1);
    let app = &market.world.app;
    let shown = statement(app, id(&ssp), Some("2026-01")).await.expect("a statement");
    let csv = String::from_utf8(shown.csv(Lang::En).expect("a file")).expect("UTF-8");
    let lines: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    let head = "Day (UTC),Kind,Bids,Wins reported,Impressions,Unconfirmed impressions,Clicks,Viewable impressions,\
                Amount (USD),Balance (USD),Reference";
    assert_eq!((lines[0], lines[2], lines.len()), (head, "2026-01-12,Price owed,4,2,3,1,0,0,8.00,8.00,", 4), "{csv}");
    for lang in Lang::ALL {
        assert!(shown.pdf(lang).await.expect("a file").starts_with(b"%PDF"), "{lang:?}");
    }
    // A publisher with pages of its own has no auctions of an exchange's.
    assert_eq!(statement(app, DAILY, Some("2026-01")).await.expect("a statement").of_exchange(), None);
    assert_eq!(why(is_there(app, DAILY).await), "not_found");
    is_there(app, id(&ssp)).await.expect("there");
});

on_both!(a_month_that_somebody_edited_is_not_shown, |test| {
    let (market, ssp) = traded(test).await;
    let whose = id(&ssp);
    keep(&market.world.app, &[&format!("UPDATE slot_days SET earned = earned + 1 WHERE publisher_id = {whose}")]).await;
    let wrong = statement(&market.world.app, whose, Some("2026-01")).await.map(drop).expect_err("refused");
    assert!(wrong.to_string().contains("the movements lead to 8.01, and the balance is 8.00"), "{wrong}");
    let refused = ask(&market, &ssp, "16.00").await.expect_err("refused");
    assert!(refused.to_string().contains(&format!("the days of publisher {whose}")), "{refused}");
});

on_both!(an_exchange_is_paid_what_it_is_owed_by_two_people_and_once, |test| {
    let (market, ssp) = traded(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    assert_eq!(why(ask(&market, &ssp, "16.00").await), "amount=below_minimum");
    assert_eq!(why(ask(&market, &ssp, "50.00").await), "amount=more_than_payable");
    // What is closed is offered nothing more, and is paid all the same.
    close(&market, &ssp).await;
    assert_eq!(why(ask(&market, &ssp, "16.01").await), "amount=more_than_payable");
    assert_eq!(why(request_payout(app, &market.world.carl, id(&ssp), "16.00").await), "not_permitted");
    // Two ask for all of it at once.
    let other = second(&market);
    let (first, again) =
        tokio::join!(request_payout(app, ann, id(&ssp), "16.00"), request_payout(&other, ann, id(&ssp), "16.00"));
    let asked = match (first, again) {
        (Ok(asked), refused) | (refused, Ok(asked)) => {
            assert_eq!(why(refused), "amount=more_than_payable");
            asked
        }
        neither => panic!("{neither:?}"),
    };
    assert_eq!(why(approve(app, ann, asked.id.into()).await), "second_person_needed");
    assert_eq!(why(pay(app, bob, asked.id, "OUT-1").await), "not_approved");
    approve(app, bob, asked.id.into()).await.expect("approved");
    assert_eq!(why(pay(app, bob, asked.id, "OUT-1").await), "second_person_needed");
    assert_eq!(in_the_ledger(&market, &ssp, "2026-05-01T00:00:00Z").await.to_string(), "16.00", "nothing has moved");
    // And it is booked twice at once.
    let (first, again) = tokio::join!(pay(app, ann, asked.id, "OUT-1"), pay(&other, ann, asked.id, "OUT-1"));
    let refused = if first.is_ok() { again } else { first };
    assert_eq!(why(refused), "already_decided");
    assert_eq!(in_the_ledger(&market, &ssp, "2026-05-01T00:00:00Z").await, Money::ZERO);
    let shown = account(app, id(&ssp)).await.expect("an account");
    assert_eq!([shown.earned, shown.paid, shown.payable].map(|amount| amount.to_string()), ["16.00", "16.00", "0.00"]);
    assert_eq!(why(ask(&market, &ssp, "0.01").await), "amount=more_than_payable", "nothing is owed any more");
    market.check().await;
});
