//! Who may offer, fund and describe what is delivered.

use base::AdvertiserId;
use campaigns::AdServer;
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::{KeyOffer, LOCAL};
use campaigns::catalogue::products::{ProductFile, Targeting, Translation, Words, add_product};
use campaigns::delivery::publishers::{self, ListedPublisher, PublisherFile, PublisherKey};
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::delivery::ssp::staff::{self as ssp, SspFile};
use campaigns::plans::plan_control::offer;
use content::{Kind, Source};
use desk::installation::content::{ImportError, apply, export};
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::Error;
use foundation::staff::requests::RequestRef;
use futures_util::future::join_all;
use serde_json::json;
use store::on_both;
use supply::PublisherStatus;

use crate::money::why;
use crate::publishers::bidding;
use crate::support::{Market, market, market_with, product_file};

on_both!(a_role_must_allow_it, |test| {
    let market = market(test).await;
    let (app, finance, support) = (&market.world.app, &market.world.ann, &market.world.carl);
    assert_eq!(why(advertisers::add(app, finance, "New", KeyOffer::default()).await), "not_permitted");
    let funds = MoneyRequestDraft::fund(market.advertiser, "1.00", "R");
    assert_eq!(why(request(app, support, funds).await), "not_permitted");
    assert_eq!(why(add_product(app, finance, &product_file(market.advertiser)).await), "not_permitted");
    assert_eq!(why(offer(app, finance, market.world.user, market.product).await), "not_permitted");
});

on_both!(an_advertisers_payment_counts_once, |test| {
    let market = market(test).await;
    let (app, finance) = (&market.world.app, &market.world.ann);
    let fund = async |amount: &str, reference: &str| {
        request(app, finance, MoneyRequestDraft::fund(market.advertiser, amount, reference)).await
    };
    let asked = fund("1.00", "ADV-2").await.expect("requested");
    assert_eq!((asked.name.as_deref(), asked.funds.map(base::Money::minor)), (Some("Aurora"), Some(100_000)));
    let which: RequestRef = asked.id.into();
    assert_eq!(why(approve(app, finance, which).await), "second_person_needed");
    let booked = approve(app, &market.world.bob, which).await.expect("approved");
    assert_eq!(booked.funds.map(base::Money::minor), Some(100_100));
    assert_eq!(why(approve(app, &market.world.bob, which).await), "already_decided");
    let nobody = MoneyRequestDraft::fund(AdvertiserId(99), "1.00", "ADV-9");
    assert_eq!(why(request(app, finance, nobody).await), "not_found");
    assert_eq!(why(fund("1.00", "ADV-2").await), "reference_used");
    assert_eq!(why(fund("0", "ADV-3").await), "amount_out_of_range");
    assert_eq!(why(fund("x", "ADV-3").await), "amount=invalid_amount");
    assert_eq!(why(fund("1.00", " ").await), "reference=required");
    let again = advertisers::add(app, &market.world.bob, "Aurora", KeyOffer::default());
    assert_eq!(why(again.await), "name=taken");
    market.check().await;
});

// Who approves a payment sees nothing but the name that it is for.
on_both!(an_advertiser_is_not_named_like_another, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let before = advertisers::list(app).await.expect("listed").len();
    for name in ["Aurоra", "AURORA", "Aur\u{200b}ora", "Ａｕｒｏｒａ", "Au rora"] {
        let added = advertisers::add(app, bob, name, KeyOffer::default()).await;
        assert_eq!(why(added), "name=looks_like_another", "{name:?}");
    }
    let text = "[[advertiser]]\nname = \"Aurоra\"\n[[advertiser]]\nname = \"AURORA\"\n".to_owned();
    match apply(app, bob, &[Source { name: "a.toml".into(), text, json: false }]).await {
        Err(ImportError::Wrong(mistakes)) => {
            let told: Vec<_> = mistakes.iter().map(|m| format!("{} {}", m.field, m.problem)).collect();
            assert_eq!(told, ["advertiser.name looks like Aurora, which is another advertiser"; 2]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(advertisers::list(app).await.expect("listed").len(), before);
    advertisers::add(app, bob, "Aurora Two", KeyOffer::default()).await.expect("another name");
});

/// Bob changes the product's terms, and Ann approves them.
async fn agree_on(market: &Market, payout: &str) {
    let app = &market.world.app;
    let creative = json!({ "title": "Coffee", "text": "Roasted", "image": "/products/a.svg" });
    let product = json!({
        "advertiser": "Aurora", "name": "Aurora Coffee", "summary": "Coffee by post", "image": "/products/a.svg",
        "min_put": "10.00", "max_put": "500.00", "put_rule": { "pricing": "cpm", "price": "5000.00", "days": 7 },
        "payout": payout, "attribution_days": 90, "fee_rate": "0", "landing_url": "https://other.example/shop",
        "conversions_per_click": 9, "content": { "landing_page": creative }, "targeting": { "regions": ["DE"] },
    });
    let text = json!({ "product": [product] }).to_string();
    let source = Source { name: "terms.json".into(), text, json: true };
    let report = apply(app, &market.world.bob, &[source]).await.expect("applied");
    let asked = report.changes.first().and_then(|change| change.request.clone()).expect("a request");
    approve(app, &market.world.ann, asked.parse().expect("an id")).await.expect("approved");
}

on_both!(terms_that_come_later_touch_no_agreed_plan, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    market.put("100.00").await;
    agree_on(&market, "99.00").await;
    let shown = campaigns::catalogue::products::product(app, market.product).await.expect("a product");
    assert_eq!((&*shown.payout.amount.to_string(), shown.fee_rate.as_str()), ("99.00", "0"));
    // What was put before pays, leads and counts as agreed.
    let visit = market.visit().await;
    assert!(visit.url.as_deref().is_some_and(|url| url.starts_with("https://aurora.example/shop")), "{:?}", visit.url);
    assert!(market.convert("a", &visit.click_id).await.accepted);
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "12.50");
    assert_eq!(market.convert("b", &visit.click_id).await.reason.map(|reason| reason.name()), Some("click_used_up"));
    // What is put now has the new ones.
    market.put("20.00").await;
    market.check().await;
});

// It was shown and billed by what the product pays now, and its conversions were refused.
on_both!(a_plan_is_shown_while_its_advertiser_can_pay_what_was_agreed, |test| {
    let market = market_with(test, |file| file.payout = "1000.01".into()).await;
    let dear = market.put("100.00").await;
    agree_on(&market, "12.50").await;
    assert!(market.serve().await.is_none(), "the advertiser has 1,000.00");
    let plan = market.put("100.00").await;
    market.visit().await;
    market.visit().await;
    market.work().await;
    assert_eq!([market.status(&dear).await, market.status(&plan).await], ["matching", "putting"]);
    market.world.book(MoneyRequestDraft::fund(market.advertiser, "0.01", "ADV-2")).await;
    market.wait(2);
    market.visit().await;
    assert_eq!(market.status(&dear).await, "putting");
    market.check().await;
});

on_both!(a_products_file_is_checked_whole, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let good = || ProductFile { name: "Another".into(), ..product_file(market.advertiser) };
    let wrong = ProductFile {
        min_put: "0".into(),
        fee_rate: "2".into(),
        attribution_days: -1,
        landing_url: Some("javascript:x".into()),
        ..good()
    };
    assert_eq!(
        why(add_product(app, bob, &wrong).await),
        "attribution_days=invalid fee_rate=invalid landing_url=invalid min_put=invalid_amount"
    );
    // Browsers show files of this server only.
    for foreign in ["javascript:alert(1)", "https://cdn.example/a.png", "//cdn.example/a.png", "/a.svg"] {
        let wrong = ProductFile { image: foreign.into(), ..good() };
        assert_eq!(why(add_product(app, bob, &wrong).await), "image=not_ours", "{foreign}");
    }
    // Whom nobody is, by any request.
    let mut wrong = good();
    (wrong.targeting.regions, wrong.targeting.devices) = (vec!["Germany".into()], vec!["watch".into()]);
    assert_eq!(why(add_product(app, bob, &wrong).await), "targeting.devices=invalid targeting.regions=invalid");
    let mut meant = good();
    (meant.targeting.regions, meant.targeting.devices) = (vec!["uk".into()], vec!["Phone".into()]);
    let stored = meant.check().expect("codes").targeting;
    assert_eq!(stored, r#"{"regions":["GB"],"languages":[],"devices":["mobile"],"interests":[]}"#);
    // Words in a language that there is not, in English a second time, and of a creative that there is not.
    let words = || Some(Words { title: "T".into(), text: "t".into() });
    let there = Translation { landing_page: words(), ..Translation::default() };
    let elsewhere = Translation { video: words(), ..Translation::default() };
    for (code, told) in [("dee", &there), ("en", &there), ("de", &elsewhere)] {
        let mut wrong = good();
        wrong.content.translations.insert(code.into(), told.clone());
        assert_eq!(why(add_product(app, bob, &wrong).await), "content=invalid", "{code}");
    }
    assert_eq!(why(add_product(app, bob, &ProductFile { advertiser: 99, ..good() }).await), "advertiser=not_found");
    assert_eq!(why(add_product(app, bob, &product_file(market.advertiser)).await), "name=taken");
    let slot = |key: &str, content: &str| SlotFile {
        key: key.into(),
        publisher: "P".into(),
        content_types: vec![content.into()],
        audience: Default::default(),
    };
    assert_eq!(why(slots::add(app, bob, slot("news-top", "video")).await), "key=taken");
    assert_eq!(why(slots::add(app, bob, slot("a b", "video")).await), "key=invalid");
    assert_eq!(why(slots::add(app, bob, slot("x", "poster")).await), "content_types=invalid");
    let reaches = |region: &str| Targeting { regions: vec![region.into()], ..Targeting::default() };
    let nowhere = SlotFile { audience: reaches("EU"), ..slot("x", "video") };
    assert_eq!(why(slots::add(app, bob, nowhere).await), "audience.regions=invalid");
    let added = slots::add(app, bob, SlotFile { audience: reaches("uk"), ..slot("x", "video") }).await;
    assert_eq!(added.expect("added").audience, reaches("GB"));
});

fn publisher(name: &str, domain: &str) -> PublisherFile {
    PublisherFile { name: name.into(), domain: domain.into(), contact: "ads@news.example".into() }
}

fn slot(key: &str, publisher: PublisherKey) -> SlotFile {
    SlotFile { key: key.into(), publisher, content_types: vec!["video".into()], audience: Default::default() }
}

/// Name, domain and status, oldest first.
fn told(all: &[ListedPublisher]) -> Vec<String> {
    let told = |ListedPublisher { publisher: p, .. }: &ListedPublisher| {
        format!("{} {} {}", p.name, p.domain.as_deref().unwrap_or("-"), p.status)
    };
    all.iter().rev().map(told).collect()
}

on_both!(a_publisher_is_there_once, |test| {
    let market = market(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let added = publishers::add(app, bob, publisher(" News ", "WWW.News.Example")).await.expect("added");
    assert_eq!((added.name.as_str(), added.domain.as_deref()), ("News", Some("www.news.example")));
    // The market's own slot named The Daily, of which no more is known.
    let all = publishers::list(app).await.expect("listed");
    assert_eq!(told(&all), ["The Daily - active", "News www.news.example active"]);
    let shown = publishers::show(app, added.id).await.expect("shown");
    assert_eq!(shown.publisher.contact.as_deref(), Some("ads@news.example"));

    assert_eq!(why(publishers::add(app, ann, publisher("Other", "other.example")).await), "not_permitted");
    assert_eq!(why(publishers::add(app, bob, publisher("NEWS", "other.example")).await), "name=taken");
    assert_eq!(why(publishers::add(app, bob, publisher("Other", "www.news.example")).await), "domain=taken");
    let odd = PublisherFile { contact: "nobody".into(), ..publisher(" ", "https://x.example") };
    assert_eq!(why(publishers::add(app, bob, odd).await), "contact=invalid domain=invalid name=required");
    assert_eq!(why(publishers::show(app, base::PublisherId(99)).await), "not_found");
    assert_eq!(publishers::list(app).await.expect("listed").len(), 2);
});

// Who approves a key, a bank account or a payout sees the name that it is for.
on_both!(neither_a_publisher_nor_an_exchange_is_named_like_another, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    publishers::add(app, bob, publisher("News", "news.example")).await.expect("added");
    ssp::add(app, bob, bidding::file(), LOCAL).await.expect("added");
    let before = all_names(app).await;
    for name in ["Nеws", "Ne\u{200b}ws", "Ｎｅｗｓ", "The Dai1y", "North Exсhange"] {
        let added = publishers::add(app, bob, publisher(name, "other.example")).await;
        assert_eq!(why(added), "name=looks_like_another", "{name:?}");
        let file = SspFile { name: name.into(), domain: "other.example".into(), ..bidding::file() };
        assert_eq!(why(ssp::add(app, bob, file, LOCAL).await), "name=looks_like_another", "{name:?}");
        let added = slots::add(app, bob, slot("x", name.into())).await;
        assert_eq!(why(added), "publisher=looks_like_another", "{name:?}");
    }
    let text = "[[publisher]]\nname = \"Nеws\"\ndomain = \"n.example\"\ncontact = \"a@n.example\"\n\
                [[publisher]]\nname = \"Weekly\"\ndomain = \"w.example\"\ncontact = \"a@w.example\"\n\
                [[publisher]]\nname = \"Weеkly\"\ndomain = \"v.example\"\ncontact = \"a@v.example\"\n\
                [[slot]]\nkey = \"a\"\npublisher = \"Ｎｅｗｓ\"\ncontent_types = [\"video\"]\n\
                [[slot]]\nkey = \"b\"\npublisher = \"Monthly\"\ncontent_types = [\"video\"]\n\
                [[slot]]\nkey = \"c\"\npublisher = \"Mоnthly\"\ncontent_types = [\"video\"]\n";
    match apply(app, bob, &[Source { name: "p.toml".into(), text: text.into(), json: false }]).await {
        Err(ImportError::Wrong(mistakes)) => {
            let told: Vec<_> = mistakes.iter().map(|m| format!("{} {}", m.field, m.problem)).collect();
            let like = |field: &str, name: &str| format!("{field} looks like {name}, which is another publisher");
            let (news, weekly) = (like("publisher.name", "News"), like("publisher.name", "Weekly"));
            assert_eq!(told, [news, weekly, like("slot.publisher", "News"), like("slot.publisher", "Monthly")]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(all_names(app).await, before);
    publishers::add(app, bob, publisher("News Two", "two.example")).await.expect("another name");
});

async fn all_names(app: &AdServer) -> Vec<String> {
    app.db.read(store::delivery::publisher::names).await.expect("read")
}

on_both!(a_slot_belongs_to_a_publisher, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let news = publishers::add(app, bob, publisher("News", "news.example")).await.expect("added");
    let number: i64 = news.id.0;
    for (key, publisher) in [
        ("by-number", PublisherKey::Number(number)),
        ("by-text", (&*news.id.to_string()).into()),
        ("by-name", " news ".into()),
        ("by-new", "Weekly".into()),
        ("by-new-again", "WEEKLY".into()),
    ] {
        slots::add(app, bob, slot(key, publisher)).await.expect("added");
    }
    let owned: Vec<String> =
        slots::list(app).await.expect("listed").iter().map(|s| format!("{} {}", s.key, s.publisher)).collect();
    let expected = [
        "by-new-again Weekly",
        "by-new Weekly",
        "by-name News",
        "by-text News",
        "by-number News",
        "news-top The Daily",
    ];
    assert_eq!(owned, expected);
    assert_eq!(why(slots::add(app, bob, slot("x", PublisherKey::Number(99))).await), "publisher=not_found");
    assert_eq!(why(slots::add(app, bob, slot("x", "99".into())).await), "publisher=not_found");
    assert_eq!(why(slots::add(app, bob, slot("x", " ".into())).await), "publisher=invalid");
    assert_eq!(publishers::list(app).await.expect("listed").len(), 3);
});

on_both!(a_name_is_added_once_however_many_try, |test| {
    let market = market(test).await;
    let tried: Vec<_> = (0..8)
        .map(|at| {
            let (app, bob) = (market.world.app.clone(), market.world.bob.clone());
            tokio::spawn(async move {
                match at % 2 {
                    0 => publishers::add(&app, &bob, publisher("News", "news.example")).await.map(drop),
                    _ => slots::add(&app, &bob, slot(&format!("slot-{at}"), "news".into())).await.map(drop),
                }
            })
        })
        .collect();
    for outcome in join_all(tried).await {
        if let Err(refused) = outcome.expect("no panic") {
            assert!(matches!(refused, Error::Fields(_)), "{refused:?}");
        }
    }
    let all = publishers::list(&market.world.app).await.expect("listed");
    assert_eq!(all.len(), 2, "The Daily and News: {all:?}");
    assert_eq!(slots::list(&market.world.app).await.expect("listed").len(), 5);
});

on_both!(only_an_active_publishers_slots_are_answered, |test| {
    let market = market(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    market.put("100.00").await;
    assert!(market.serve().await.is_some());
    let daily: base::PublisherId = publishers::list(app).await.expect("listed")[0].publisher.id;
    let change = async |to| publishers::change_status(app, bob, daily, to).await;
    for (to, answers) in
        [(PublisherStatus::Paused, false), (PublisherStatus::Paused, false), (PublisherStatus::Active, true)]
    {
        assert_eq!(change(to).await.expect("changed").status, to);
        market.wait(1);
        assert_eq!(market.serve().await.is_some(), answers, "{}", to.name());
    }
    assert_eq!(why(change(PublisherStatus::Closed).await), "status=invalid");
    let asked = publishers::request_closing(app, bob, daily).await.expect("requested");
    assert_eq!((asked.kind.name(), asked.status.name()), ("publisher_closing", "requested"));
    let proposal = asked.proposal.clone().expect("a proposal");
    assert_eq!(proposal["status"], json!({ "from": "active", "to": "closed" }));
    assert!(proposal["unpaid"]["to"].is_string(), "{proposal}");
    let which = asked.id.into();
    assert_eq!(why(approve(app, bob, which).await), "second_person_needed");
    market.wait(1);
    assert!(market.serve().await.is_some(), "one person alone closes none");
    assert_eq!(publishers::request_closing(app, bob, daily).await.expect("asked for once").id, asked.id);
    approve(app, ann, which).await.expect("approved");
    market.wait(1);
    assert!(market.serve().await.is_none());
    assert_eq!(why(publishers::request_closing(app, bob, daily).await), "status=closed");
    assert_eq!(why(change(PublisherStatus::Active).await), "status=closed");
    let refused = publishers::change_status(app, ann, daily, PublisherStatus::Active).await;
    assert_eq!(why(refused), "not_permitted");
    let unknown = publishers::change_status(app, bob, base::PublisherId(99), PublisherStatus::Active).await;
    assert_eq!(why(unknown), "not_found");
    assert!(publishers::sellers(app).await.expect("read").sellers.is_empty());
    market.check().await;
});

on_both!(publishers_come_from_files_and_go_back_into_them, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let apply =
        async |text: &str| apply(app, bob, &[Source { name: "p.toml".into(), text: text.into(), json: false }]).await;
    let wrong = async |text: &str| match apply(text).await {
        Err(ImportError::Wrong(mistakes)) => {
            mistakes.iter().map(|m| format!("{} {}", m.field, m.problem)).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let news = "[[publisher]]\nname = \"News\"\ndomain = \"news.example\"\ncontact = \"ads@news.example\"\n";
    let slots = "[[slot]]\nkey = \"a\"\npublisher = \"News\"\ncontent_types = [\"video\"]\n\
                 [[slot]]\nkey = \"b\"\npublisher = \"Weekly\"\ncontent_types = [\"video\"]\n";
    let first = apply(&format!("{slots}{news}")).await.expect("applied");
    assert_eq!((first.added, first.changed, first.unchanged), (3, 0, 0));
    // The Daily's contact is not known, so nothing but its slot is exported.
    let tables = export(app, &[Kind::Publisher, Kind::Slot]).await.expect("exported");
    assert_eq!((tables[&Kind::Publisher].len(), tables[&Kind::Slot].len()), (1, 3));
    let again = apply(&content::to_toml(&tables).expect("TOML")).await.expect("applied");
    assert_eq!((again.added, again.changed, again.unchanged), (0, 0, 4));

    let daily = news.replace("News", "the daily").replace("news.example", "daily.example");
    let known = apply(&daily).await.expect("applied");
    assert_eq!((known.added, known.changed), (0, 1), "what was not known of The Daily");
    let paused = apply(&format!("{news}active = false\n")).await.expect("applied");
    assert_eq!(paused.changed, 1);
    let all = publishers::list(app).await.expect("listed");
    let expected = ["The Daily daily.example active", "News news.example paused", "Weekly - active"];
    assert_eq!(told(&all), expected);

    let taken = news.replace("\"News\"", "\"Other\"").replace("news.example\"\ncontact", "News.Example.\"\ncontact");
    assert_eq!(wrong(&taken).await, ["publisher.domain is another publisher's"]);
    let odd = news.replace("news.example\"\ncontact", "news\"\ncontact");
    assert_eq!(wrong(&odd).await, ["publisher.domain must be the name of a host, such as garden.example"]);
    let nobody = "[[slot]]\nkey = \"c\"\npublisher = 99\ncontent_types = [\"video\"]\n";
    assert_eq!(wrong(nobody).await, ["slot.publisher there is no such publisher"]);
    let kept = "slot.publisher is News, which is for good: add another slot";
    for other in ["Weekly", "Nobody yet"] {
        assert_eq!(wrong(&slots.replace("\"News\"", &format!("\"{other}\""))).await, [kept]);
    }
    let asked = publishers::request_closing(app, bob, all[1].publisher.id).await;
    let which = asked.expect("requested").id.into();
    approve(app, &market.world.ann, which).await.expect("closed");
    assert_eq!(wrong(&format!("{news}active = true\n")).await, ["publisher.name is closed, which is for good"]);
    assert_eq!(publishers::list(app).await.expect("listed").len(), 3);
});
