//! Auctions of exchanges and pages: what is offered, for how much, and what of it is free again.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use base::{PlanId, ProductId, PublisherId, SlotId, Timestamp};
use delivery::{Audience, LEASE_SECONDS, Lease, NoLease, Nonce, PassingNetwork, UNSEEN_OF_NETWORK, VIEW_HOLD_SECONDS};
use market::{
    AdForm, AskedImp, BidOutcome, Content, Creative, ExchangeRoom, GrantedLease, Index, Offer, OpenRtbTerms,
    PlanChange, PlanTerms, Product, Seller, SlotTerms, Ssp,
};
use openrtb::testing::request_with;
use openrtb::{Auction, BidRequest, Circumstances, NoBid};
use plans::{ContentType, Pricing, Status};
use serde_json::json;
use supply::Share;

const T: Timestamp = Timestamp::from_seconds(1_800_000_000);
const KEY: [u8; 32] = [7; 32];

fn ssp() -> Ssp {
    let share = Share::from_parts(Share::default().parts() / 2).expect("a share");
    Ssp { id: PublisherId(2), slot: SlotId(2), key: KEY, seat: None, share }
}

fn slot(content: ContentType) -> SlotTerms {
    SlotTerms {
        id: SlotId(1),
        key: "k".into(),
        publisher: PublisherId(1),
        share: Share::default(),
        audience: Audience::default(),
        content: vec![content],
    }
}

fn terms() -> PlanTerms {
    PlanTerms {
        product: ProductId(1),
        status: Status::Putting,
        paused: false,
        content: ContentType::LandingPage,
        pricing: Pricing::Cpm,
        unit_milli: 100,
        due_at: None,
        ai_delivery: false,
    }
}

/// The plan 1 with these terms, an exchange and a slot.
fn index(terms: PlanTerms) -> Index {
    let creative = Creative { title: "Tea".into(), text: "By post".into(), image: "/tea.svg".into(), video: None };
    let offer = Offer::new(Product {
        id: ProductId(1),
        name: "Tea".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Audience::default(),
        landing_url: Some("https://www.tea.example/".into()),
        terms: OpenRtbTerms::default(),
    });
    let mut index = Index::new(|| None);
    index.load_catalogue(vec![Arc::new(slot(ContentType::LandingPage))], vec![Arc::new(offer)], vec![ssp()]);
    index.load_plans(&[PlanChange { id: PlanId(1), changed_at: T, terms: Some(terms) }]);
    index
}

/// Grants a lease on the plan, all of it for exchanges as well.
fn leased(index: Index, left_milli: i64) -> Index {
    leased_with(index, left_milli, left_milli)
}

fn leased_with(mut index: Index, left_milli: i64, for_exchanges: i64) -> Index {
    let lease = Lease { id: 5, plan: PlanId(1), left_milli, ends_at: T.plus_seconds(LEASE_SECONDS) };
    index.exchanges_answered(PlanId(1), ExchangeRoom { lease: 5, milli: for_exchanges }, T);
    index.answered(PlanId(1), Ok(GrantedLease { lease, more: true, ends_at: None, paced: None }), T);
    index
}

fn ask<'a>(index: &mut Index, request: &'a BidRequest, seller: Seller<'_>) -> BidOutcome<'a> {
    let auction = Auction::open(request, &Circumstances::default()).expect("an auction");
    let imp = request.imp.first().expect("an impression");
    index.pick_bid(&AskedImp { auction: &auction, imp, seller, currency: "USD", secure: true }, T)
}

fn why_not(outcome: &BidOutcome<'_>) -> Option<NoBid> {
    match outcome {
        BidOutcome::Nothing(why) => Some(*why),
        _ => None,
    }
}

#[test]
fn an_exchange_is_offered_its_share_as_long_as_the_lease_lasts() {
    let (mut index, request) = (leased(index(terms()), 1_000), request_with(json!({})));
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Ssp(&ssp())) else { panic!("an offer") };
    assert_eq!((offer.served.plan, offer.served.lease, offer.served.slot), (PlanId(1), 5, SlotId(2)));
    assert_eq!((offer.form, offer.price_milli), (AdForm::Banner, ssp().share.of_milli(100)));
    assert_eq!(offer.served.until, T.plus_seconds(LEASE_SECONDS));
    assert_eq!(i64::from(offer.offer.expires), offer.served.holds_seconds());
}

#[test]
fn a_page_decides_within_seconds() {
    let (mut index, request) = (leased(index(terms()), 1_000), request_with(json!({})));
    let slot = slot(ContentType::LandingPage);
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Page(&slot, None)) else { panic!("an offer") };
    assert_eq!((offer.served.slot, offer.served.holds_seconds()), (SlotId(1), VIEW_HOLD_SECONDS));
    let video = self::slot(ContentType::Video);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Page(&video, None))), Some(NoBid::NoPlan));
}

#[test]
fn the_nearest_miss_is_told() {
    let request = request_with(json!({}));
    let ssp = ssp();
    let mut clicks = leased(index(PlanTerms { pricing: Pricing::Cpc, ..terms() }), 1_000);
    assert_eq!(why_not(&ask(&mut clicks, &request, Seller::Ssp(&ssp))), Some(NoBid::NoPlan));
    let mut over = leased(index(PlanTerms { due_at: Some(T), ..terms() }), 1_000);
    assert_eq!(why_not(&ask(&mut over, &request, Seller::Ssp(&ssp))), Some(NoBid::NoPlan));
    let mut index = leased(index(terms()), 1_000);
    let blocked = request_with(json!({ "badv": ["tea.example"] }));
    assert_eq!(why_not(&ask(&mut index, &blocked, Seller::Ssp(&ssp))), Some(NoBid::BlockedDomain));
    let dear = json!({ "imp": [{ "id": "1", "bidfloor": 50, "banner": { "w": 300, "h": 250 } }] });
    assert_eq!(why_not(&ask(&mut index, &request_with(dear), Seller::Ssp(&ssp))), Some(NoBid::BelowFloor));
}

#[test]
fn without_a_lease_it_is_requested_once_and_others_wait() {
    let (mut index, request, ssp) = (index(terms()), request_with(json!({})), ssp());
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Ask(PlanId(1))));
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Wait));
    index.answered(PlanId(1), Err(NoLease::Nothing), T);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoBudget));
}

#[test]
fn exchanges_are_offered_no_more_of_a_lease_than_is_for_them() {
    let (request, ssp, slot) = (request_with(json!({})), ssp(), slot(ContentType::LandingPage));
    let mut index = leased_with(index(terms()), 1_000, 100);
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Ssp(&ssp)) else { panic!("an offer") };
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Ask(PlanId(1))));
    assert!(index.wants_exchanges(PlanId(1)));
    // There is no more, and it is not asked for again at once; a page is offered what is left.
    let mut index = leased_with(index, 1_000, 100);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoBudget));
    assert!(matches!(ask(&mut index, &request, Seller::Page(&slot, None)), BidOutcome::Offers(..)));
    // What was booked is not in what the database has for exchanges any more.
    index.booked_in_exchange(PlanId(1), 5, offer.served.until);
    let mut index = leased_with(index, 1_000, 100);
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Offers(..)));
}

#[test]
fn what_was_lost_is_offered_again_and_lost_once() {
    let (mut index, request, ssp) = (leased(index(terms()), 100), request_with(json!({})), ssp());
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Ssp(&ssp)) else { panic!("an offer") };
    let until = offer.served.until;
    index.answered(PlanId(1), Err(NoLease::Nothing), T);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoBudget));
    let lost = (PlanId(1), 5, Nonce([1; 16]));
    assert!(!index.lost(lost, until, until.plus_seconds(1)), "it has lapsed");
    assert!(index.lost(lost, until, T) && !index.lost(lost, until, T));
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Offers(..)));
}

#[test]
fn a_network_that_shows_nothing_is_offered_no_more() {
    let (mut index, request) = (leased(index(terms()), 10_000), request_with(json!({})));
    let slot = slot(ContentType::LandingPage);
    let from = PassingNetwork::of("203.0.113.7".parse().expect("an address"), &std::hash::RandomState::new());
    for _ in 0..UNSEEN_OF_NETWORK {
        let outcome = ask(&mut index, &request, Seller::Page(&slot, Some(from)));
        assert!(matches!(outcome, BidOutcome::Offers(..)), "{outcome:?}");
    }
    let page = Seller::Page(&slot, Some(from));
    assert_eq!(why_not(&ask(&mut index, &request, page)), Some(NoBid::TooManyUnseen));
    index.looked_at(from, slot.id, T);
    assert!(matches!(ask(&mut index, &request, page), BidOutcome::Offers(..)));
}

#[test]
fn exchanges_are_found_by_their_keys_and_slots() {
    let mut index = index(terms());
    assert_eq!(index.ssp(&KEY).as_deref(), Some(&ssp()));
    assert_eq!((index.seller(SlotId(2)), index.seller(SlotId(1))), (Some(PublisherId(2)), None));
    index.load_catalogue(Vec::new(), Vec::new(), Vec::new());
    assert_eq!((index.ssp(&KEY), index.seller(SlotId(2))), (None, None));
}
