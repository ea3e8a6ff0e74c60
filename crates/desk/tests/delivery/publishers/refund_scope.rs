//! Which events a correction of delivery finds.

use campaigns::delivery::track::impression;
use delivery::Reason;
use store::on_both;

use super::bidding::{ask as ask_for_bid, banner, burl, one, ssp};
use super::refunds::{ask, file, year};
use crate::intruder::keep;
use crate::money::why;
use crate::support::{market, reader, token};

// A correction of one plan was refused because of those that it is not about, however short its time.
on_both!(one_plan_is_corrected_however_many_others_were_shown, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.close_day().await;
    let others = "INSERT INTO slot_days (plan_id, slot_id, day, publisher_id, impressions, clicks, billed, earned) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) \
         SELECT 100000 + i, (SELECT id FROM slots WHERE key = 'news-top'), 20460, 1, 1, 0, 0, 0 FROM n";
    keep(&market.world.app, &[others]).await;
    assert_eq!(why(ask(&market, year("")).await), "until=too_many_plans");
    let asked = ask(&market, year(&format!("plan = \"{}\"", plan.plan_no))).await.expect("requested");
    assert_eq!(asked.amount.to_string(), "5.00");
});

// The exchange kept what it had earned of views that its notices reported after the last of them.
on_both!(a_price_that_is_named_after_the_time_is_given_back_as_well, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let ssp = ssp(&market).await;
    market.ripen().await;
    let app = &market.world.app;
    let bid = one(ask_for_bid(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    let adm = bid.adm.clone().expect("markup");
    let picture = token(adm.split('"').nth(1).expect("an address").split(".gif").next().expect("a token"));
    impression(app, picture, &reader()).await.expect("kept").expect("counts");
    let until = app.now().plus_seconds(1);
    market.wait(600);
    assert_eq!(burl(app, &bid, "3000.00").await.expect("kept"), Err(Reason::Duplicate));
    market.close_day().await;
    let of = format!("publisher = {}\nfrom = 2026-01-01\nuntil = \"{until}\"", ssp.ssp.publisher.publisher.id);
    let asked = ask(&market, file(&of)).await.expect("requested");
    assert_eq!(asked.amount.to_string(), "5.00");
    assert_eq!(asked.proposal.as_ref().expect("what was asked")["publisher_gives"]["to"], "3.00");
});
