//! Who asks for much and shows nothing leaves others their part: a reader, a page with auctions of
//! its own, and an exchange.

use std::net::IpAddr;

use campaigns::delivery::serve::serve;
use campaigns::delivery::track::{EventRequest, impression};
use store::on_both;

use super::bidding::{ask, banner, ssp};
use super::earnings::number;
use super::prebid::{answer, page, see};
use crate::support::{BASE, Market, SLOT, market, reader, token};

/// A reader in a network of their own.
fn of_network(number: u16) -> EventRequest {
    let [high, low] = number.to_be_bytes();
    EventRequest { address: IpAddr::from([10, high, low, 7]), ..reader() }
}

/// Whether the slot's own tag shows this reader something, which they look at.
async fn shown(market: &Market, to: &EventRequest) -> bool {
    let served = serve(&market.world.app, SLOT, Some(to.address), BASE, i18n::Lang::En).await.expect("answered");
    let Some(served) = served else { return false };
    let seen = impression(&market.world.app, token(&served.impression_url), to).await.expect("kept");
    seen.is_ok()
}

async fn how_many_are_shown(market: &Market, numbers: std::ops::Range<u16>) -> usize {
    let mut found = 0;
    for number in numbers {
        found += usize::from(shown(market, &of_network(number)).await);
    }
    found
}

on_both!(a_network_that_looks_at_six_ads_starves_nobody, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    let greedy = of_network(1);
    for _ in 0..6 {
        assert!(shown(&market, &greedy).await);
    }
    for _ in 0..200 {
        answer(&market, &page(SLOT), Some(greedy.address), BASE).await;
    }
    assert_eq!(how_many_are_shown(&market, 100..120).await, 20, "each of them at once");
    market.work().await;
    market.check().await;
});

on_both!(a_page_that_loses_most_of_its_auctions_is_still_served_by_its_tag, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    let (mut offered, mut tags) = (0, 0);
    for auction in 0..300_u16 {
        let response = answer(&market, &page(SLOT), Some(of_network(auction).address), BASE).await;
        let bid = response.seatbid.first().and_then(|seat| seat.bid.first());
        offered += usize::from(bid.is_some());
        if let Some(bid) = bid.filter(|_| auction % 10 == 0) {
            see(&market, bid).await;
        }
        if auction % 10 == 9 {
            tags += usize::from(shown(&market, &of_network(1_000 + auction)).await);
        }
        if auction % 5 == 4 {
            market.wait(1);
        }
    }
    assert_eq!(tags, 30, "the slot's own tag is answered each time");
    assert!(offered >= 60, "{offered} of 300 auctions");
    market.work().await;
    market.check().await;
});

on_both!(an_exchange_that_bills_nothing_reserves_little_and_not_for_long, |test| {
    let market = market(test).await;
    // Twenty views each.
    for _ in 0..3 {
        market.put("100.00").await;
    }
    let ssp = ssp(&market).await;
    for _ in 0..10 {
        for _ in 0..20 {
            ask(&market, &ssp.key, &banner(0.0)).await;
        }
        market.wait(1);
    }
    let reserved = number(&market, "SELECT SUM(reserved_milli) FROM plans").await;
    assert!(reserved <= 22_500_000, "{reserved} of 30,000,000, half of it for this exchange");
    assert_eq!(how_many_are_shown(&market, 100..112).await, 12, "each of them at once");
    // It stops, and what it was offered is free within seconds.
    market.wait(5);
    let mut found = 12;
    for wait in 0..4 {
        found += how_many_are_shown(&market, 200 + 60 * wait..260 + 60 * wait).await;
        market.wait(2);
    }
    assert_eq!(found, 60, "every view of the three budgets");
    market.work().await;
    market.check().await;
});
