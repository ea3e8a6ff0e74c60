//! Where a user's plans are not shown.

use base::PlanId;
use campaigns::delivery::serve::serve;
use campaigns::plans::exclusions::{ExclusionView, MOST, NamedPlace, Shown, set};
use campaigns::plans::plan_control::{PlanCommand, control};
use foundation::Error;
use futures_util::future::join_all;
use store::on_both;

use crate::money::why;
use crate::publishers::bidding::{ask, banner, burl, one, ssp};
use crate::support::{BASE, Market, SLOT, market, second};

async fn change(
    market: &Market,
    plan: Option<PlanId>,
    place: NamedPlace,
    shown: Shown,
) -> Result<Vec<ExclusionView>, Error> {
    set(&market.world.app, market.world.user, plan, place, shown).await
}

fn slot() -> NamedPlace {
    NamedPlace::Slot(SLOT.into())
}

fn site(name: &str) -> NamedPlace {
    NamedPlace::Site(name.into())
}

on_both!(a_slot_that_is_excluded_shows_the_plan_no_longer_and_what_was_sent_counts, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let sent = market.serve().await.expect("an answer");
    change(&market, Some(plan.id), slot(), Shown::Not).await.expect("excluded");
    assert!(market.serve().await.is_none(), "it is not shown there");
    let other = second(&market);
    assert!(serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").is_none(), "by no server");
    market.see(&sent).await.expect("what was sent counts");
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.impressions, 1);
    change(&market, Some(plan.id), slot(), Shown::Again).await.expect("included");
    assert!(market.serve().await.is_some());
});

on_both!(a_place_is_excluded_for_one_plan_or_for_all_and_for_those_put_later, |test| {
    let market = market(test).await;
    let (first, second) = (market.put("100.00").await, market.put("100.00").await);
    change(&market, Some(first.id), slot(), Shown::Not).await.expect("excluded");
    for _ in 0..3 {
        let answer = market.serve().await.expect("the other plan");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    let shown = async |plan| market.detail(plan).await.delivery.impressions;
    assert_eq!((shown(&first).await, shown(&second).await), (0, 3));
    let all = change(&market, None, slot(), Shown::Not).await.expect("excluded");
    assert_eq!(all.len(), 1, "it says what is excluded for all plans");
    assert!(market.serve().await.is_none());
    let later = market.put("100.00").await;
    assert!(market.serve().await.is_none(), "a plan that is put later is not shown there either");
    let its_own: Vec<bool> = market.detail(&later).await.exclusions.iter().map(|one| !one.all_plans).collect();
    assert_eq!(its_own, [false], "the one of all plans");
    change(&market, None, slot(), Shown::Again).await.expect("included");
    control(&market.world.app, market.world.user, later.id, PlanCommand::Pause).await.expect("paused");
    let answer = market.serve().await.expect("an answer");
    market.see(&answer).await.expect("counts");
    market.work().await;
    assert_eq!((shown(&first).await, shown(&second).await), (0, 4), "the first one's own exclusion stays");
});

on_both!(no_bid_is_made_on_a_site_that_is_excluded, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let ssp = ssp(&market).await;
    market.ripen().await;
    let won = one(ask(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    change(&market, Some(plan.id), site("NEWS.example"), Shown::Not).await.expect("excluded");
    // However the exchange writes what the user sees as news.example.
    for written in
        ["News.example", "https://news.example/sport", "news.example:443", " news.exa~mple ", "news.example."]
    {
        let mut request = banner(0.5);
        request["site"]["domain"] = written.into();
        assert!(ask(&market, &ssp.key, &request).await.is_none(), "no bid on {written}");
    }
    let mut by_page = banner(0.5);
    by_page["site"]["domain"] = "".into();
    by_page["site"]["page"] = "https://news.example/sport".into();
    assert!(ask(&market, &ssp.key, &by_page).await.is_none(), "no bid where its page alone says so");
    burl(&market.world.app, &won, "3000.00").await.expect("taken").expect("what was offered counts");
    change(&market, Some(plan.id), site("news.Example"), Shown::Again).await.expect("included");
    one(ask(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    one(ask(&market, &ssp.key, &by_page).await.expect("a bid where its page alone says so"));
});

on_both!(an_exchange_is_excluded_with_all_its_sites_for_one_plan_or_for_all, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let ssp = ssp(&market).await;
    market.ripen().await;
    let unnamed = || {
        let mut request = banner(0.5);
        request.as_object_mut().expect("a request").remove("site");
        request
    };
    let won = one(ask(&market, &ssp.key, &unnamed()).await.expect("a bid"));
    let exchange = |name: &str| NamedPlace::Exchange(name.into());
    let told = change(&market, Some(plan.id), exchange(" north  EXCHANGE"), Shown::Not).await.expect("excluded");
    let [ExclusionView { exchange: Some(name), slot: None, publisher: None, site: None, all_plans: false, .. }] =
        told.as_slice()
    else {
        panic!("{told:?}");
    };
    assert_eq!(name, "North Exchange");
    for request in [banner(0.5), unnamed()] {
        assert!(ask(&market, &ssp.key, &request).await.is_none(), "no bid, whatever it names");
    }
    assert!(market.serve().await.is_some(), "it is shown elsewhere");
    burl(&market.world.app, &won, "3000.00").await.expect("taken").expect("what was offered counts");
    change(&market, None, exchange("North Exchange"), Shown::Not).await.expect("for all plans as well");
    change(&market, Some(plan.id), exchange("North Exchange"), Shown::Again).await.expect("included");
    assert!(ask(&market, &ssp.key, &banner(0.5)).await.is_none(), "it is still excluded for all plans");
    assert_eq!(change(&market, None, exchange("North Exchange"), Shown::Again).await.expect("included"), []);
    one(ask(&market, &ssp.key, &unnamed()).await.expect("a bid"));
});

on_both!(a_publishers_name_is_no_exchange_and_the_slot_that_an_exchange_is_counted_in_no_place, |test| {
    let market = market(test).await;
    let ssp = ssp(&market).await;
    let own = format!("ssp-{}", ssp.ssp.publisher.publisher.id);
    for place in [NamedPlace::Exchange("The Daily".into()), NamedPlace::Exchange(own.clone()), NamedPlace::Slot(own)] {
        assert_eq!(why(change(&market, None, place.clone(), Shown::Not).await), "not_found", "{place:?}");
    }
});

on_both!(places_are_excluded_once_and_not_without_end, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    for n in 0..MOST {
        change(&market, Some(plan.id), site(&format!("site{n}.example")), Shown::Not).await.expect("excluded");
    }
    let again = change(&market, Some(plan.id), site("site7.example"), Shown::Not).await.expect("excluded already");
    assert_eq!(i64::try_from(again.len()), Ok(MOST));
    let refused = change(&market, Some(plan.id), site("more.example"), Shown::Not).await;
    assert_eq!(why(refused), "exclusions_full");
    assert_eq!(market.detail(&plan).await.exclusions.len(), again.len(), "a refusal changes nothing");
    change(&market, None, site("more.example"), Shown::Not).await.expect("all plans have their own");
    let nobodys = change(&market, Some(PlanId(99)), site("a.example"), Shown::Not).await;
    assert_eq!(why(nobodys), "not_found");
});

on_both!(no_more_places_are_excluded_at_once_than_one_after_the_other, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    for of in [Some(plan.id), None] {
        for n in 1..MOST {
            change(&market, of, site(&format!("site{n}.example")), Shown::Not).await.expect("excluded");
        }
        let there = second(&market);
        let asked = (0..8).map(|n| {
            let app = if n % 2 == 0 { market.world.app.clone() } else { there.clone() };
            let (user, place) = (market.world.user, site(&format!("at-once{n}.example")));
            tokio::spawn(async move { set(&app, user, of, place, Shown::Not).await })
        });
        let told = join_all(asked).await.into_iter().map(|answer| answer.expect("no panic"));
        let (taken, refused): (Vec<_>, Vec<_>) = told.partition(Result::is_ok);
        assert_eq!((taken.len(), refused.len()), (1, 7), "{of:?}");
        for refusal in refused {
            assert_eq!(why(refusal), "exclusions_full");
        }
    }
    assert_eq!(i64::try_from(market.detail(&plan).await.exclusions.len()), Ok(2 * MOST));
});
