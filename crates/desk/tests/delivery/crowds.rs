//! One client against all: requesting without looking, and clicking without end.

use campaigns::AdServer;
use std::net::IpAddr;

use campaigns::catalogue::products::PutRuleFile;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::track::{EventRequest, click, impression};
use campaigns::work;
use delivery::{EventKind, MAX_CLICKS_PER_VISITOR, MAX_IMPRESSIONS_PER_VISITOR, Reason, UNSEEN_OF_NETWORK, Verdict};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use futures_util::future::join_all;
use i18n::Lang;
use store::on_both;
use tokio::sync::watch;

use crate::support::{BASE, Market, SLOT, market, market_with, reader, second, token};

fn at(address: &str) -> EventRequest {
    EventRequest { address: address.parse().expect("an address"), ..reader() }
}

async fn ask(market: &Market, from: &EventRequest) -> Option<SlotAnswer> {
    serve(&market.world.app, SLOT, Some(from.address), BASE, Lang::En).await.expect("answered")
}

async fn see(market: &Market, answer: &SlotAnswer, by: &EventRequest) -> Verdict {
    impression(&market.world.app, token(&answer.impression_url), by).await.expect("kept")
}

on_both!(who_only_asks_holds_little_of_a_budget, |test| {
    let market = market_with(test, |file| {
        file.put_rule = PutRuleFile { pricing: "cpm".into(), price: "4000.00".into(), days: 7 };
    })
    .await;
    market.put("500.00").await;
    let greedy = at("198.51.100.7");
    let mut held = 0;
    for _ in 0..100 {
        held += u32::from(ask(&market, &greedy).await.is_some());
    }
    assert_eq!(held, UNSEEN_OF_NETWORK);
    let honest = async |networks: std::ops::Range<u32>| {
        let mut seen = 0;
        for n in networks {
            let reader = at(&format!("203.{}.{}.7", n / 200, n % 200));
            if let Some(answer) = ask(&market, &reader).await {
                see(&market, &answer, &reader).await.expect("counts");
                seen += 1;
            }
        }
        seen
    };
    let seen = honest(0..125).await;
    assert_eq!(seen, 125 - held, "500.00 is 125 impressions of 4.00");
    // What nobody looked at soon is available to others.
    market.wait(31);
    assert_eq!(honest(125..150).await, held);
    market.check().await;
});

on_both!(a_network_that_looks_is_sent_as_much_as_it_asks_for, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    let office = at("192.0.2.1");
    for n in 0..50 {
        let page: Vec<_> = join_all((0..2).map(|_| ask(&market, &office))).await;
        for answer in page {
            see(&market, &answer.unwrap_or_else(|| panic!("page {n}")), &office).await.expect("counts");
        }
    }
    market.check().await;
});

/// How many of `clicks` on as many creatives count.
async fn counted(market: &Market, by: &EventRequest, clicks: usize) -> usize {
    let mut answers = Vec::new();
    for _ in 0..clicks {
        let answer = market.serve().await.expect("a creative");
        see(market, &answer, by).await.expect("counts");
        answers.push(answer);
    }
    market.wait(2);
    let clicked = answers.iter().map(|answer| click(&market.world.app, token(&answer.click_url), by));
    let clicked = join_all(clicked).await.into_iter().map(|clicked| clicked.expect("kept").verdict);
    clicked.filter(|verdict| verdict.is_ok()).count()
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

on_both!(whoever_is_not_to_be_tracked_clicks_no_more_than_others, |test| {
    let market = market_with(test, |file| {
        file.put_rule = PutRuleFile { pricing: "cpc".into(), price: "1.00".into(), days: 7 };
    })
    .await;
    market.put("500.00").await;
    let most = usize::try_from(MAX_CLICKS_PER_VISITOR).expect("a number");
    assert_eq!(counted(&market, &at("198.51.100.7"), 120).await, most);
    let unnamed = |address| EventRequest { opted_out: true, ..at(address) };
    assert_eq!(counted(&market, &unnamed("203.0.113.7"), 120).await, most);
    assert_eq!(counted(&market, &unnamed("203.0.113.8"), 1).await, 0, "a neighbour is the same visitor");
    assert_eq!(counted(&market, &unnamed("203.0.114.7"), 1).await, 1, "another network is another");
    let named = market.world.test.db.read(|conn| {
        let query = "SELECT COUNT(DISTINCT visitor) AS number FROM events";
        Ok::<_, store::Error>(diesel::sql_query(query).get_result::<Number>(conn)?.number)
    });
    assert_eq!(named.await.expect("read"), 1, "of them nothing is kept");
    market.wait(86_400);
    assert_eq!(counted(&market, &unnamed("203.0.113.7"), 1).await, 1, "tomorrow they are somebody else");
    market.check().await;
});

on_both!(who_is_not_to_be_tracked_now_and_then_has_one_cap, |test| {
    let market = market_with(test, |file| {
        file.put_rule = PutRuleFile { pricing: "cpc".into(), price: "1.00".into(), days: 7 };
    })
    .await;
    market.put("500.00").await;
    let most = usize::try_from(MAX_CLICKS_PER_VISITOR).expect("a number");
    for (network, first) in [("198.51.100.7", false), ("203.0.113.7", true)] {
        let with = |opted_out| EventRequest { opted_out, ..at(network) };
        assert_eq!(counted(&market, &with(first), 30).await, 30);
        assert_eq!(counted(&market, &with(!first), 40).await, most - 30, "the rest of the same cap");
        assert_eq!(counted(&market, &with(first), 10).await, 0);
    }
    let stored = market.world.test.db.read(|conn| {
        let kind = EventKind::Click.code();
        let query = format!("SELECT COUNT(*) AS number FROM events WHERE kind = {kind} AND valid AND visitor IS NULL");
        Ok::<_, store::Error>(diesel::sql_query(query).get_result::<Number>(conn)?.number)
    });
    assert_eq!(stored.await.expect("read"), MAX_CLICKS_PER_VISITOR, "20 of the first network, 30 of the second");
    market.check().await;
});

/// Both servers know of each other.
async fn two_servers(market: &Market) -> [AdServer; 2] {
    let servers = [market.world.app.clone(), second(market)];
    for _ in 0..2 {
        for server in &servers {
            work::round(server).await.expect("a round");
        }
        market.wait(5);
    }
    servers
}

async fn unseen_on(server: &AdServer, address: &str) -> u32 {
    let (from, mut sent) = (at(address), 0);
    while serve(server, SLOT, Some(from.address), BASE, Lang::En).await.expect("answered").is_some() {
        sent += 1;
    }
    sent
}

on_both!(servers_together_send_a_network_as_much_as_one_would, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    assert_eq!(unseen_on(&market.world.app, "198.51.100.7").await, UNSEEN_OF_NETWORK, "the only one");
    let [one, two] = two_servers(&market).await;
    let sent = [unseen_on(&one, "203.0.113.7").await, unseen_on(&two, "203.0.113.7").await];
    assert_eq!(sent, [UNSEEN_OF_NETWORK / 2; 2]);
    // One that stops says so, and one that is killed is missed after a while.
    work::run(two, watch::channel(true).1).await;
    market.wait(5);
    market.work().await;
    assert_eq!(unseen_on(&one, "192.0.2.7").await, UNSEEN_OF_NETWORK, "the other one has stopped");
    let [_, killed] = two_servers(&market).await;
    assert_eq!(unseen_on(&one, "198.18.0.7").await, UNSEEN_OF_NETWORK / 2);
    drop(killed);
    market.wait(16);
    market.work().await;
    assert_eq!(unseen_on(&one, "198.18.1.7").await, UNSEEN_OF_NETWORK);
});

on_both!(servers_together_count_as_many_visits_of_whoever_is_not_to_be_tracked_as_one_would, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let tracking = market.detail(&plan).await.tracking;
    let (pixel, servers) = (token(&tracking.pixel_url), two_servers(&market).await);
    let by = EventRequest { opted_out: true, ..at("203.0.113.7") };
    let most = usize::try_from(MAX_IMPRESSIONS_PER_VISITOR).expect("a number");
    let mut counted = 0;
    for server in &servers {
        let seen = join_all((0..most / 2 + 5).map(|_| impression(server, pixel, &by))).await;
        counted += seen.into_iter().filter(|verdict| matches!(verdict, Ok(Ok(())))).count();
    }
    assert_eq!(counted, most);
});

on_both!(a_link_passed_on_is_seen_so_often_by_one_visitor, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let tracking = market.detail(&plan).await.tracking;
    let (app, pixel) = (&market.world.app, token(&tracking.pixel_url));
    let most = usize::try_from(MAX_IMPRESSIONS_PER_VISITOR).expect("a number");
    for opted_out in [false, true] {
        let by = EventRequest { opted_out, ..at(if opted_out { "198.51.100.7" } else { "203.0.113.7" }) };
        let seen = join_all((0..most + 5).map(|_| impression(app, pixel, &by))).await;
        let refused: Vec<_> = seen.into_iter().filter_map(|verdict| verdict.expect("kept").err()).collect();
        assert_eq!(refused, [Reason::TooManyOfVisitor; 5], "{opted_out}");
    }
    let other: IpAddr = "203.0.114.7".parse().expect("an address");
    impression(app, pixel, &EventRequest { address: other, ..reader() }).await.expect("kept").expect("another visitor");
    market.check().await;
});
