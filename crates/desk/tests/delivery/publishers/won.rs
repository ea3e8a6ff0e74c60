//! What exchanges have won, and what they were only offered.

use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::serve::serve;
use campaigns::delivery::ssp::notices;
use campaigns::delivery::ssp::staff::{self, SspFile};
use campaigns::delivery::track::impression;
use desk::installation::simulated::take_key;
use foundation::staff::audit_log::verify_audit;
use store::on_both;

use super::bidding::{ask, banner, burl, file, notice, one, ssp, ssp_of};
use super::earnings::number;
use super::ssps::{outcome, unpaid};
use crate::intruder::keep;
use crate::support::{BASE, Market, SLOT, market, market_with, reader, second, token};

/// Shows everything that a tag gets, at once and when what was promised before has lapsed.
pub async fn show_all(market: &Market) -> usize {
    let mut shown = 0;
    for _ in 0..4 {
        while let Some(answer) = market.serve().await {
            market.see(&answer).await.expect("counts");
            shown += 1;
        }
        market.wait(3);
    }
    shown
}

on_both!(what_has_won_is_promised_as_long_as_its_bid_says_and_what_has_not_for_seconds, |test| {
    let market = market(test).await;
    // Sixteen views, a quarter of which is leased, and half of that is an exchange's.
    market.put("80.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let wins = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    let lapses = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    assert_eq!(wins.exp, Some(110));
    notices::take_win(app, notice(&wins.nurl)).await.expect("taken");
    notices::take_win(app, notice(&wins.nurl)).await.expect("taken");
    // `tmax` counts as two seconds where it is not said, and another two are for the notice.
    market.wait(5);
    assert_eq!(show_all(&market).await, 15, "what did not win was free again");
    assert_eq!(burl(app, &lapses, "").await.expect("kept"), Err(delivery::Reason::ExpiredToken));
    market.wait(90);
    burl(app, &wins, "").await.expect("kept").expect("counts");
    // It is told again after it was billed.
    notices::take_win(app, notice(&wins.nurl)).await.expect("taken");
    market.work().await;
    assert_eq!((unpaid(&market, &ssp).await.as_str(), outcome(&market, &ssp, "wins").await), ("3.50", 1));
    market.check().await;
});

on_both!(what_has_won_and_is_not_shown_is_free_when_its_time_is_over, |test| {
    let market = market(test).await;
    market.put("80.00").await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    notices::take_win(app, notice(&bid.nurl)).await.expect("taken");
    assert_eq!(number(&market, "SELECT COUNT(*) FROM won_offers").await, 1);
    market.wait(100);
    assert_eq!(show_all(&market).await, 15);
    market.wait(10);
    market.work().await;
    assert_eq!(show_all(&market).await, 1);
    assert!(burl(app, &bid, "").await.expect("kept").is_err());
    assert_eq!(number(&market, "SELECT COUNT(*) FROM won_offers").await, 0, "it went with its lease");
    market.check().await;
});

on_both!(what_has_won_on_another_server_is_promised_of_its_lease, |test| {
    let market = market(test).await;
    market.put("400.00").await;
    let ssp = ssp(&market).await;
    let (app, other) = (&market.world.app, second(&market));
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    notices::take_win(&other, notice(&bid.nurl)).await.expect("taken");
    assert_eq!(number(&market, "SELECT COUNT(*) FROM won_offers").await, 0, "it has no lease of this plan");
    // Its lease begins later, so it lasts until the bid's time is over.
    market.wait(1);
    let of_other = serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").expect("a creative");
    impression(&other, token(&of_other.impression_url), &reader()).await.expect("kept").expect("counts");
    notices::take_win(&other, notice(&bid.nurl)).await.expect("taken");
    notices::take_win(app, notice(&bid.nurl)).await.expect("taken");
    assert_eq!(number(&market, "SELECT COUNT(*) FROM won_offers").await, 1, "both keep it, and one is enough");
    market.wait(5);
    let mut shown = 1;
    for _ in 0..3 {
        for server in [app, &other] {
            while let Some(answer) = serve(server, SLOT, None, BASE, i18n::Lang::En).await.expect("answered") {
                impression(server, token(&answer.impression_url), &reader()).await.expect("kept").expect("counts");
                shown += 1;
            }
        }
        market.wait(3);
    }
    assert_eq!(shown, 79, "all but the one that has won");
    // A third server is told that it is to be paid.
    burl(&second(&market), &bid, "").await.expect("kept").expect("counts");
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "3.50");
    market.check().await;
});

on_both!(what_has_won_and_is_not_shown_keeps_its_own_price_from_exchanges_and_no_other, |test| {
    let market = market_with(test, |product| product.put_rule.price = "100.00".into()).await;
    market.put("30.00").await;
    let ssp = ssp(&market).await;
    let ask_all = async || {
        let mut bids = Vec::new();
        while let Some(bid) = ask(&market, &ssp.key, &banner(0.0)).await {
            bids.push(one(bid));
            assert!(bids.len() <= 6, "a fiftieth of the budget at once");
        }
        bids
    };
    let bids = ask_all().await;
    let won = bids.first().expect("a bid");
    notices::take_win(&market.world.app, notice(&won.nurl)).await.expect("kept");
    // The others have lapsed, in a lease that lasts until the one that has won lapses.
    market.wait(25);
    assert_eq!((bids.len(), ask_all().await.len()), (6, 5));
    market.check().await;
});

on_both!(who_does_not_say_what_has_won_keeps_its_part_as_long_as_its_bids_say, |test| {
    let market = market(test).await;
    market.put("80.00").await;
    market.ripen().await;
    let silent = ssp_of(&market, SspFile { notifies: false, ..file() }).await;
    let id = silent.ssp.publisher.publisher.id;
    let app = &market.world.app;
    assert!(!staff::show(app, id).await.expect("shown").ssp.notifies);
    let mut kept = Vec::new();
    for _ in 0..2 {
        kept.push(one(ask(&market, &silent.key, &banner(0.0)).await.expect("a bid")));
    }
    market.wait(5);
    assert_eq!(show_all(&market).await, 14);
    market.wait(80);
    burl(app, &kept[0], "").await.expect("kept").expect("counts");
    // Two people agree that it says it from now on.
    let terms = (None, Some(true));
    let asked = staff::replace_key(app, &market.world.bob, id, terms, LOCAL).await.expect("requested").request;
    take_key(app, &market.world.ann, asked.id, asked.claim_url.as_deref()).await.expect("approved");
    assert!(staff::show(app, id).await.expect("shown").ssp.notifies);
    assert!(verify_audit(app, None).await.expect("verified").ok);
    keep(app, &["UPDATE ssps SET silent = TRUE"]).await;
    assert!(!verify_audit(app, None).await.expect("verified").ok, "held against the audit");
});
