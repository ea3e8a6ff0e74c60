//! Videos in exchanges: where they are offered, and how far they are played.

use std::net::IpAddr;

use base::Money;
use campaigns::catalogue::products::{OpenRtbTerms, VideoFile};
use campaigns::delivery::playback::{VideoFigures, played};
use campaigns::delivery::serve::vast::serve_video;
use campaigns::delivery::ssp::notices;
use campaigns::delivery::track::{EventRequest, impression};
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use delivery::{Reason, UNSEEN_OF_NETWORK};
use foundation::people::pay_password::Proof;
use foundation::{Error, Refusal};
use i18n::Lang;
use openrtb::Bid;
use plans::ContentType;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use super::bidding::{AddedSsp, ask, banner, notice, one, ssp};
use super::earnings::number;
use super::ssps::outcome;
use crate::money::why;
use crate::support::{BASE, Market, SLOT, market_with, reader, second};

const FILM: &str = "/products/a.mp4";

/// A plan that shows a video of 15 seconds and 1.5 MB, and an exchange.
async fn cinema(test: TestDb) -> (Market, PlanView, AddedSsp) {
    let market = market_with(test, |product| {
        let mut video = product.content.landing_page.clone().expect("a creative");
        video.video = Some(FILM.into());
        product.content.video = Some(video);
        let file = VideoFile { mime: "video/mp4".into(), seconds: 15, width: 1280, height: 720 };
        product.openrtb = OpenRtbTerms { video: Some(file), ..OpenRtbTerms::default() };
    })
    .await;
    let app = &market.world.app;
    app.market.know_files(|address| (address == FILM).then_some(1_500_000));
    let command = Put::new(PutTarget::Product(market.product), Money::from_minor(10_000), ContentType::Video);
    let plan = put(app, Proof::assumed(market.world.user), command).await.expect("put");
    market.ripen().await;
    let ssp = ssp(&market).await;
    (market, plan, ssp)
}

/// What is bid for a video with these limits.
async fn offered(market: &Market, ssp: &AddedSsp, limits: Value) -> Option<Bid> {
    let mut request = banner(0.0);
    let mut video = json!({ "mimes": ["video/mp4"], "protocols": [7], "skip": 1 });
    video.as_object_mut().expect("an object").extend(limits.as_object().expect("an object").clone());
    request["imp"] = json!([{ "id": "v", "video": video }]);
    ask(market, &ssp.key, &request).await.map(one)
}

/// A bid that has won, and the token in it.
async fn won(market: &Market, ssp: &AddedSsp) -> String {
    let bid = offered(market, ssp, json!({})).await.expect("a bid");
    notices::take_win(&market.world.app, notice(&bid.nurl)).await.expect("taken");
    let vast = bid.adm.expect("a document");
    for event in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip"] {
        let told = format!("<Tracking event=\"{event}\"><![CDATA[https://placard.example/t/p/");
        assert!(vast.contains(&told) && vast.contains(&format!("/{event}.gif]]>")), "{vast}");
    }
    vast.split("/t/p/").nth(1).and_then(|rest| rest.split('/').next()).expect("a token").to_owned()
}

async fn figures(market: &Market, plan: &PlanView) -> [i64; 6] {
    work::round(&market.world.app).await.expect("works");
    let VideoFigures { started, first_quartile, midpoint, third_quartile, completed, skipped } =
        market.detail(plan).await.video.expect("a video");
    [started, first_quartile, midpoint, third_quartile, completed, skipped]
}

on_both!(a_video_is_offered_where_its_bitrate_is_allowed, |test| {
    let (market, _, ssp) = cinema(test).await;
    for (limits, is_offered) in [
        (json!({ "minbitrate": 300, "maxbitrate": 1500 }), true),
        (json!({ "maxbitrate": 800 }), true),
        (json!({ "maxbitrate": 799 }), false),
        (json!({ "minbitrate": 801 }), false),
        (json!({}), true),
    ] {
        let bid = offered(&market, &ssp, limits.clone()).await;
        assert_eq!(bid.is_some(), is_offered, "{limits}");
        let vast = bid.and_then(|bid| bid.adm).unwrap_or_default();
        assert_eq!(vast.contains(" bitrate=\"800\""), is_offered, "{vast}");
        // What was offered before has lapsed.
        market.wait(10);
    }
    work::round(&market.world.app).await.expect("works");
    assert_eq!(outcome(&market, &ssp, "bitrate").await, 2);
});

on_both!(a_creative_has_the_same_id_in_a_bid_and_in_its_document, |test| {
    let (market, _, ssp) = cinema(test).await;
    let bid = offered(&market, &ssp, json!({})).await.expect("a bid");
    let (crid, vast) = (bid.crid.expect("an id"), bid.adm.expect("a document"));
    assert!(crid.starts_with("product-") && crid.contains("-video-"), "{crid}");
    assert!(vast.contains(&format!("<Creative id=\"{crid}\">")), "{vast}");
});

on_both!(how_far_a_video_is_played_is_counted_once_for_each_view, |test| {
    let (market, plan, ssp) = cinema(test).await;
    let (app, other) = (&market.world.app, second(&market));
    assert_eq!(figures(&market, &plan).await, [0; 6]);
    let token = won(&market, &ssp).await;
    let report = async |progress: &str| played(app, &token, progress, &reader()).await.expect("taken");
    // The player reports it beside its view, which may come after it.
    report("start").await.expect("kept");
    assert_eq!(figures(&market, &plan).await, [0; 6], "of a view that has not come");
    impression(app, &token, &reader()).await.expect("kept").expect("counts");
    assert_eq!(figures(&market, &plan).await, [1, 0, 0, 0, 0, 0]);
    for progress in ["start", "start", "firstQuartile", "midpoint"] {
        report(progress).await.expect("kept");
    }
    played(&other, &token, "midpoint", &reader()).await.expect("taken").expect("kept");
    assert_eq!(figures(&market, &plan).await, [1, 1, 1, 0, 0, 0]);
    played(&other, &token, "complete", &reader()).await.expect("taken").expect("kept");
    assert_eq!(figures(&market, &plan).await, [1, 1, 1, 0, 1, 0], "each for itself");
    work::round(&other).await.expect("works");
    assert_eq!(figures(&market, &plan).await, [1, 1, 1, 0, 1, 0], "once, whoever counts");
    let next = won(&market, &ssp).await;
    impression(app, &next, &reader()).await.expect("kept").expect("counts");
    let all = ["start", "firstQuartile", "skip"].map(|progress| {
        let (next, app) = (&next, if progress == "start" { app } else { &other });
        async move { played(app, next, progress, &reader()).await.expect("taken").expect("kept") }
    });
    futures_util::future::join_all(all).await;
    assert_eq!(figures(&market, &plan).await, [2, 2, 1, 0, 1, 1]);
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.filtered, 0);
    market.check().await;
});

on_both!(what_programs_report_of_videos_and_what_comes_too_late_does_not_count, |test| {
    let (market, plan, ssp) = cinema(test).await;
    let app = &market.world.app;
    let token = won(&market, &ssp).await;
    impression(app, &token, &reader()).await.expect("kept").expect("counts");
    let by = async |who: &EventRequest| played(app, &token, "start", who).await.expect("taken");
    let program = EventRequest { user_agent: "curl/8.5.0".into(), ..reader() };
    assert_eq!(by(&program).await, Err(Reason::Automatic));
    assert_eq!(by(&EventRequest { prefetched: true, ..reader() }).await, Err(Reason::NotViewed));
    let withheld = EventRequest { opted_out: true, ..reader() };
    by(&withheld).await.expect("nothing of the reader is kept in any case");
    for (token, progress) in [(token.as_str(), "rewind"), (&token, "Start"), (&token, ""), ("AAAA", "start")] {
        let refused = played(app, token, progress, &reader()).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::NotFound))), "{progress}: {refused:?}");
    }
    let shared = market.detail(&plan).await.tracking.click_url;
    let shared = shared.rsplit('/').next().expect("a token");
    let of_link = played(app, shared, "start", &reader()).await.expect("taken");
    assert_eq!(of_link, Err(Reason::ExpiredToken), "a link is no single delivery");
    assert_eq!(figures(&market, &plan).await, [1, 0, 0, 0, 0, 0]);
    // Of what nobody has seen, nothing is kept once no view can come any more.
    let unseen = won(&market, &ssp).await;
    played(app, &unseen, "start", &reader()).await.expect("taken").expect("kept");
    let kept = async || number(&market, "SELECT COUNT(*) FROM played_views").await;
    assert_eq!((figures(&market, &plan).await[0], kept().await), (1, 2));
    market.wait(241);
    assert_eq!((figures(&market, &plan).await[0], kept().await), (1, 1));
    market.wait(3_600);
    let late = played(app, &token, "midpoint", &reader()).await.expect("taken");
    assert_eq!(late, Err(Reason::ExpiredToken));
    market.wait(3_600);
    assert_eq!((figures(&market, &plan).await[0], kept().await), (1, 0), "the figures stay");
});

on_both!(a_plan_without_a_video_has_no_figures_of_one, |test| {
    let market = market_with(test, |_| ()).await;
    let plan = market.put("100.00").await;
    assert_eq!(market.detail(&plan).await.video, None);
});

on_both!(a_slots_player_is_answered_as_the_slots_page_is, |test| {
    let (market, plan, _) = cinema(test).await;
    let app = &market.world.app;
    let asked = async |key: &str, from: Option<IpAddr>| serve_video(app, key, from, BASE, Lang::En).await;
    let ask = async |from| asked(SLOT, from).await.expect("answered");
    let vast = ask(None).await;
    for part in [
        "<VAST version=\"4.2\"",
        "<Duration>00:00:15</Duration>",
        " bitrate=\"800\"",
        "<Expires>",
        "/products/a.mp4]]>",
    ] {
        assert!(vast.contains(part), "{part}: {vast}");
    }
    let token = vast.split("/t/p/").nth(1).and_then(|rest| rest.split('/').next()).expect("a token");
    impression(app, token, &reader()).await.expect("kept").expect("counts");
    played(app, token, "start", &reader()).await.expect("taken").expect("kept");
    assert_eq!(figures(&market, &plan).await, [1, 0, 0, 0, 0, 0]);
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "5.00");
    let network: IpAddr = "198.51.100.7".parse().expect("an address");
    let mut shown = 0;
    for _ in 0..UNSEEN_OF_NETWORK + 3 {
        shown += u32::from(ask(Some(network)).await.contains("<Ad "));
    }
    assert_eq!(shown, UNSEEN_OF_NETWORK, "who shows none of it gets no more");
    assert_eq!(why(asked("nobodys", None).await), "not_found");
    control(app, market.world.user, plan.id, PlanCommand::Pause).await.expect("paused");
    assert!(ask(None).await.ends_with("/>"), "nothing fits");
    market.check().await;
});
