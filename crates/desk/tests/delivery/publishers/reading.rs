//! What a publisher reads of itself, and with what.

use base::{PublisherId, RequestId};
use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::publisher_keys::{Reader, admit, make_link, request_key, withdraw_key};
use campaigns::delivery::publisher_report::{FiguresRequest, PublisherFigures, figures, info, months, slots};
use campaigns::delivery::publishers::{self, PublisherFile};
use campaigns::delivery::serve::serve;
use campaigns::delivery::ssp::staff as ssp;
use campaigns::work;
use content::Source;
use desk::installation::content::apply;
use desk::installation::simulated::take_key;
use desk::requests::show;
use foundation::Error;
use foundation::staff::publisher_contacts::PublisherContactView;
use money::wallet::publishers::statement::statement;
use store::on_both;
use supply::PublisherStatus;

use crate::intruder::keep;
use crate::money::why;
use crate::proof::named;
use crate::publishers::bidding;
use crate::support::{BASE, Market, SLOT, market, second};

const DAILY: PublisherId = PublisherId(1);
const READER: Reader = Reader { publisher: DAILY, until: None };
const DAY: i64 = 86_400;

fn token(url: &str) -> &str {
    url.rsplit_once("?link=").expect("a link").1
}

fn key_of<T>(result: Result<T, Error>) -> &'static str {
    result.map(drop).expect_err("refused").key()
}

/// Bob asks for a key, which the publisher claims, and Ann approves it.
async fn key_of_daily(market: &Market) -> String {
    let world = &market.world;
    let asked = request_key(&world.app, &world.bob, DAILY, LOCAL).await.expect("asked");
    take_key(&world.app, &world.ann, asked.id, asked.claim_url.as_deref()).await.expect("approved")
}

async fn read(market: &Market, request: FiguresRequest) -> PublisherFigures {
    figures(&market.world.app, READER, request).await.expect("figures")
}

on_both!(a_key_reads_until_it_is_replaced_or_withdrawn, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    assert_eq!(why(make_link(app, bob, DAILY, BASE).await.map(drop)), "publisher_key_missing");
    let first = key_of_daily(&market).await;
    assert_eq!(admit(app, &first, None).await.expect("its key"), READER);
    let link = make_link(app, bob, DAILY, "https://ads.example/").await.expect("a link");
    assert!(link.url.starts_with("https://ads.example/#/publisher?link="), "{}", link.url);
    let by_link = admit(app, token(&link.url), None).await.expect("its link");
    assert_eq!((by_link.publisher, by_link.until), (DAILY, Some(link.until)));
    // Nobody reads the key in the database.
    let kept = app.db.read(|conn| store::delivery::publisher::find(conn, DAILY)).await.expect("read").expect("a row");
    assert!(kept.key_digest.is_some_and(|digest| digest != first && digest.len() == 64));

    let newer = key_of_daily(&market).await;
    for dead in [first.as_str(), token(&link.url), "", "1.2.3", &"a".repeat(64)] {
        assert_eq!(key_of(admit(app, dead, None).await), "no_auth", "{dead}");
    }
    let link = make_link(app, bob, DAILY, BASE).await.expect("a link");
    market.wait(30 * DAY);
    assert_eq!(key_of(admit(app, token(&link.url), None).await), "no_auth", "thirty days");
    assert_eq!(admit(app, &newer, None).await.expect("its key"), READER);
    let link = make_link(app, bob, DAILY, BASE).await.expect("a link");
    withdraw_key(app, bob, DAILY).await.expect("withdrawn");
    for dead in [newer.as_str(), token(&link.url)] {
        assert_eq!(key_of(admit(app, dead, None).await), "no_auth");
    }
    assert_eq!(why(withdraw_key(app, bob, DAILY).await), "cannot_change");
    let nobody = PublisherId(99);
    assert_eq!(why(request_key(app, bob, nobody, LOCAL).await.map(drop)), "not_found");
    assert_eq!(why(request_key(app, &market.world.ann, DAILY, LOCAL).await.map(drop)), "not_permitted");
    market.check().await;
});

on_both!(guessing_at_keys_is_slowed_down, |test| {
    let market = market(test).await;
    let from = "203.0.113.9".parse().ok();
    let mut refused = "";
    for n in 0..200 {
        refused = key_of(admit(&market.world.app, &format!("{n:064x}"), from).await);
        if refused == "too_many_requests" {
            break;
        }
    }
    assert_eq!(refused, "too_many_requests");
});

on_both!(a_key_that_staff_did_not_make_is_found, |test| {
    let market = market(test).await;
    key_of_daily(&market).await;
    for edit in ["UPDATE publishers SET key_digest = 'ab'", "UPDATE publishers SET key_digest = NULL"] {
        let (edits, found) = ([edit], market.world.app.clone());
        keep(&found, &edits).await;
        let faults = market.world.app.db.read(crate::decided::faults).await.expect("compared");
        assert!(named(&faults, "publisher", 1), "{edit}: {faults:?}");
    }
});

on_both!(figures_are_those_of_the_ledger_with_what_slots_asked, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let other =
        PublisherFile { name: "Other".into(), domain: "other.example".into(), contact: "a@other.example".into() };
    let other = publishers::add(app, &market.world.bob, other).await.expect("added");
    let other = Reader { publisher: other.id, until: None };
    market.put("100.00").await;
    for n in 0..3 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
        market.wait(1);
        if n == 0 {
            market.look(&answer).await.expect("counts");
            market.click(&answer).await.verdict.expect("counts");
        }
    }
    market.work().await;
    // On the next day, nothing is left to show at another server.
    market.wait(DAY);
    keep(app, &["UPDATE plans SET paused = TRUE"]).await;
    let elsewhere = second(&market);
    assert!(serve(&elsewhere, SLOT, None, BASE, i18n::Lang::En).await.expect("asked").is_none());
    work::round(&elsewhere).await.expect("works");
    market.work().await;

    let all = read(&market, FiguresRequest::default()).await;
    assert_eq!(all.days.len(), 30);
    let totals = &all.totals;
    assert_eq!((totals.requests, totals.filled, totals.fill_rate.as_deref()), (4, 3, Some("0.750000")));
    assert_eq!((totals.impressions, totals.viewable, totals.clicks, totals.filtered), (3, 1, 1, 0));
    assert_eq!(totals.viewable_rate.as_deref(), Some("0.333333"));
    let busy: Vec<_> = all.days.iter().filter(|day| day.counts.requests > 0).collect();
    assert_eq!(busy.iter().map(|day| (day.counts.requests, day.counts.filled)).collect::<Vec<_>>(), [(3, 3), (1, 0)]);
    assert_eq!((all.slots.len(), all.slots[0].key.as_str()), (1, SLOT));
    assert_eq!(&all.slots[0].counts, totals);
    let stated = statement(app, DAILY, None).await.expect("a statement").view().expect("figures");
    assert_eq!((&totals.earned, totals.impressions), (&stated.earned, stated.impressions));
    assert_eq!(info(app, READER).await.expect("a publisher").money.earned, totals.earned);
    let one =
        FiguresRequest { slot: Some(SLOT.into()), from: Some(busy[0].day.clone()), until: Some(busy[0].day.clone()) };
    let one = read(&market, one).await;
    assert_eq!((one.days.len(), one.totals.requests, one.totals.earned), (1, 3, totals.earned));

    // Another publisher sees nothing of it.
    let theirs = figures(app, other, FiguresRequest::default()).await.expect("figures");
    assert_eq!((theirs.totals.requests, &*theirs.totals.earned.to_string(), theirs.slots.len()), (0, "0.00", 0));
    let of_daily = FiguresRequest { slot: Some(SLOT.into()), ..FiguresRequest::default() };
    assert_eq!(why(figures(app, other, of_daily).await.map(drop)), "not_found");
    assert_eq!(slots(app, other, BASE).await.expect("slots"), []);
    let tags = slots(app, READER, BASE).await.expect("slots");
    assert!(tags.iter().any(|slot| slot.tag.contains("/tag.js\" data-slot=\"news-top\"")), "{tags:?}");
    assert_eq!(months(app, READER).await.expect("months"), ["2026-01"]);

    for (from, until, wrong) in [
        (Some("2026-02-30"), None, "from=invalid"),
        (None, Some("soon"), "until=invalid"),
        (None, Some("2999-01-01"), "until=invalid"),
        (Some("2026-01-06"), Some("2026-01-05"), "until=invalid"),
        (Some("2025-01-01"), Some("2026-01-01"), "from=too_long"),
    ] {
        let given = |text: Option<&str>| text.map(str::to_owned);
        let request = FiguresRequest { from: given(from), until: given(until), slot: None };
        assert_eq!(why(figures(app, READER, request).await.map(drop)), wrong);
    }
    keep(app, &["UPDATE slot_days SET earned = earned + 1"]).await;
    let edited = figures(app, READER, FiguresRequest::default()).await.map(drop).expect_err("refused");
    assert!(edited.to_string().contains("the movements lead to"), "{edited}");
});

/// Bob applies a file that says where The Daily is and how it is reached.
async fn daily_is_at(market: &Market, domain: &str, contact: &str) {
    let text = format!("[[publisher]]\nname = \"The Daily\"\ndomain = \"{domain}\"\ncontact = \"{contact}\"\n");
    let source = Source { name: "p.toml".into(), text, json: false };
    apply(&market.world.app, &market.world.bob, &[source]).await.expect("applied");
}

async fn shown_to_approver(market: &Market, request: RequestId) -> PublisherContactView {
    show(&market.world.app, request.into()).await.expect("shown").publisher.expect("a publisher")
}

on_both!(whoever_decides_sees_how_a_publisher_was_reached_before, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    daily_is_at(&market, "daily.example", "ads@daily.example").await;
    market.wait(31 * DAY);
    let asked = request_key(app, bob, DAILY, LOCAL).await.expect("asked").id;
    let seen = shown_to_approver(&market, asked).await;
    assert_eq!((seen.contact.as_deref(), seen.changes.len()), (Some("ads@daily.example"), 0));
    let at = app.now();
    daily_is_at(&market, "dai1y.example", "bob@dai1y.example").await;
    daily_is_at(&market, "dai1y.example", "eve@dai1y.example").await;
    // However often it is paused, that hides nothing.
    for to in [PublisherStatus::Paused, PublisherStatus::Active].repeat(15) {
        publishers::change_status(app, bob, DAILY, to).await.expect("changed");
    }
    let seen = shown_to_approver(&market, asked).await;
    assert_eq!((seen.domain.as_deref(), seen.contact.as_deref()), (Some("dai1y.example"), Some("eve@dai1y.example")));
    let told: Vec<_> = seen.changes.iter().map(|of| format!("{} {} {}", of.what, of.from, of.to)).collect();
    let expected = [
        "domain daily.example dai1y.example",
        "contact ads@daily.example bob@dai1y.example",
        "contact bob@dai1y.example eve@dai1y.example",
    ];
    assert_eq!(told, expected);
    assert_eq!(seen.changes[0].at, at);
    let closing = publishers::request_closing(app, bob, DAILY).await.expect("requested").id;
    assert_eq!(shown_to_approver(&market, closing).await, seen, "whatever is decided");
    market.wait(31 * DAY);
    assert_eq!(shown_to_approver(&market, asked).await.changes, []);
    // An exchange's are never changed, but whoever approves its key sees them.
    let added = ssp::add(app, bob, bidding::file(), LOCAL).await.expect("added");
    let seen = shown_to_approver(&market, added.request.id).await;
    assert_eq!((seen.contact.as_deref(), seen.changes.len()), (Some("demand@north.example"), 0));
    assert_eq!(seen.added_at, app.now());
});
