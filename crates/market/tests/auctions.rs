//! Auctions of exchanges and pages: what is offered, for how much, and what of it is free again.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "auctions/excluded.rs"]
mod excluded;
mod tokens;

use std::sync::Arc;

use base::{PlanId, ProductId, PublisherId, SlotId, Timestamp};
use delivery::{
    Audience, BidTerms, LEASE_SECONDS, Lease, NoLease, Nonce, OPEN_OF_SEEN, PassingNetwork, Purpose, Token,
    UNSEEN_OF_NETWORK,
};
use market::{
    AdForm, AskedImp, AskedSlot, BidOutcome, Content, Creative, ExcludedPlaces, GrantedLease, Index, OpenRtbTerms,
    PickOutcome, PlanChange, PlanTerms, Product, Seller, ServedProduct, SlotMedia, SlotTerms, Ssp,
};
use openrtb::testing::request_with;
use openrtb::{Auction, BidRequest, Circumstances, NoBid};
use plans::{ContentType, Pricing, Schedule, Status};
use serde_json::json;
use supply::Share;

const T: Timestamp = Timestamp::from_seconds(1_800_000_000);
const KEY: [u8; 32] = [7; 32];

fn ssp() -> Ssp {
    let share = Share::from_parts(Share::default().parts() / 2).expect("a share");
    Ssp { id: PublisherId(2), slot: SlotId(2), key: KEY, seat: None, share, notifies: true }
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
        daily_cap: None,
        excluded: None,
        schedule: Schedule::default(),
    }
}

fn tea(id: i64, landing_url: &str) -> ServedProduct {
    let creative = Creative { title: "Tea".into(), text: "By post".into(), image: "/tea.svg".into(), video: None };
    let product = Product {
        id: ProductId(id),
        name: "Tea".into(),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Audience::default(),
        landing_url: Some(landing_url.into()),
        terms: OpenRtbTerms::default(),
    };
    ServedProduct::new(product, |_| None)
}

/// The plan 1 with these terms, an exchange and a slot.
fn index(terms: PlanTerms) -> Index {
    index_of([(tea(1, "https://www.tea.example/"), terms)])
}

/// The same with a plan of each of these products, numbered from 1.
fn index_of(all: impl IntoIterator<Item = (ServedProduct, PlanTerms)>) -> Index {
    let (products, terms): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let mut index = Index::new(|| None);
    let products = products.into_iter().map(Arc::new).collect();
    index.load_catalogue(vec![Arc::new(slot(ContentType::LandingPage))], products, vec![ssp()]);
    let change = |(id, terms)| PlanChange { id: PlanId(id), changed_at: T, terms: Some(terms) };
    index.load_plans(&(1..).zip(terms).map(change).collect::<Vec<_>>());
    index
}

/// Grants a lease on the plan, all of it for exchanges as well.
fn leased(index: Index, left_milli: i64) -> Index {
    leased_with(index, left_milli, left_milli)
}

fn leased_with(mut index: Index, left_milli: i64, for_exchanges: i64) -> Index {
    grant(&mut index, (1, 5), left_milli, for_exchanges);
    index
}

fn grant(index: &mut Index, (plan, lease): (i64, i64), left_milli: i64, for_exchanges: i64) {
    let plan = PlanId(plan);
    let lease = Lease { id: lease, plan, left_milli, ends_at: T.plus_seconds(LEASE_SECONDS) };
    index.leases_of(plan, T);
    let exchanges_milli = Some(for_exchanges);
    index.take_answer(plan, Ok(GrantedLease { lease, exchanges_milli, more: true, ends_at: None, paced: None }), T);
}

fn ask<'a>(index: &mut Index, request: &'a BidRequest, seller: Seller<'_>) -> BidOutcome<'a> {
    ask_at(index, request, seller, T)
}

fn ask_at<'a>(index: &mut Index, request: &'a BidRequest, seller: Seller<'_>, now: Timestamp) -> BidOutcome<'a> {
    let auction = Auction::open(request, &Circumstances::default()).expect("an auction");
    let imp = request.imp.first().expect("an impression");
    let offered_seconds = seller.offered_seconds(request.tmax, request.timeout());
    let asked = AskedImp { auction: &auction, imp, seller, offered_seconds, currency: "USD", secure: true };
    index.pick_bid(&asked, now)
}

fn why_not(outcome: &BidOutcome<'_>) -> Option<NoBid> {
    match outcome {
        BidOutcome::Nothing(why) => Some(*why),
        _ => None,
    }
}

#[test]
fn an_exchange_is_offered_its_share_as_long_as_the_lease_lasts_if_it_wins() {
    let (mut index, request) = (leased(index(terms()), 1_000), request_with(json!({})));
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Ssp(&ssp())) else { panic!("an offer") };
    assert_eq!((offer.served.plan, offer.served.lease, offer.served.slot), (PlanId(1), 5, SlotId(2)));
    assert_eq!((offer.form, offer.price_milli), (AdForm::Banner, ssp().share.of_milli(100)));
    assert_eq!(offer.served.until, T.plus_seconds(LEASE_SECONDS));
    assert_eq!(i64::from(offer.offer.expires), offer.served.holds_seconds());
    assert_eq!(offer.served.offered_seconds, Some(4));
}

#[test]
fn a_page_decides_within_seconds() {
    let (mut index, request) = (leased(index(terms()), 1_000), request_with(json!({})));
    let slot = slot(ContentType::LandingPage);
    let BidOutcome::Offers(offer, _) = ask(&mut index, &request, Seller::Page(&slot, None)) else { panic!("an offer") };
    assert_eq!((offer.served.slot, offer.served.holds_seconds(), offer.offer.expires), (SlotId(1), 10, 10));
    let page = request_with(json!({ "tmax": 1_000, "ext": { "tmaxmax": 1_500, "prebid": [] } }));
    let BidOutcome::Offers(offer, _) = ask(&mut index, &page, Seller::Page(&slot, None)) else { panic!("an offer") };
    assert_eq!((offer.served.holds_seconds(), offer.offer.expires, offer.served.offered_seconds), (3, 3, Some(3)));
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
fn nothing_is_offered_of_which_nobody_knows_whose_it_is() {
    let request = request_with(json!({}));
    let mut hosted = leased(index_of([(tea(1, "https://192.0.2.1/"), terms())]), 1_000);
    assert_eq!(why_not(&ask(&mut hosted, &request, Seller::Ssp(&ssp()))), Some(NoBid::NoDomain));
    let slot = slot(ContentType::LandingPage);
    assert_eq!(why_not(&ask(&mut hosted, &request, Seller::Page(&slot, None))), Some(NoBid::NoDomain));
}

#[test]
fn an_app_is_known_by_its_page_in_a_store() {
    let store = "https://play.google.com/store/apps/details?id=com.tea.app";
    let mut index = leased(index_of([(tea(1, store), terms())]), 1_000);
    let blocked = request_with(json!({ "bapp": ["com.tea.app"] }));
    assert_eq!(why_not(&ask(&mut index, &blocked, Seller::Ssp(&ssp()))), Some(NoBid::BlockedApp));
    let other = request_with(json!({ "bapp": ["com.coffee.app"] }));
    assert!(matches!(ask(&mut index, &other, Seller::Ssp(&ssp())), BidOutcome::Offers(..)));
}

#[test]
fn products_take_turns_and_those_that_do_not_fit_keep_their_places() {
    let products = (1..=5).map(|id| (id, format!("https://www.tea{id}.example/")));
    let mut index =
        index_of(products.map(|(id, url)| (tea(id, &url), PlanTerms { product: ProductId(id), ..terms() })));
    (1..=5).for_each(|plan| grant(&mut index, (plan, plan), 10_000, 10_000));
    let (any, ssp) = (request_with(json!({})), ssp());
    let without = |blocked: &[&str]| request_with(json!({ "badv": blocked }));
    let mut bids = |request: &BidRequest, number: usize| -> Vec<i64> {
        let mut bid = || match ask(&mut index, request, Seller::Ssp(&ssp)) {
            BidOutcome::Offers(offer, _) => offer.served.plan.0,
            other => panic!("{other:?}"),
        };
        (0..number).map(|_| bid()).collect()
    };
    assert_eq!(bids(&any, 7), [1, 2, 3, 4, 5, 1, 2]);
    assert_eq!(bids(&without(&["tea3.example", "tea4.example"]), 4), [5, 1, 2, 5]);
    assert_eq!(bids(&any, 5), [3, 4, 1, 2, 5]);
}

#[test]
fn without_a_lease_it_is_requested_once_and_others_wait() {
    let (mut index, request, ssp) = (index(terms()), request_with(json!({})), ssp());
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Ask(PlanId(1))));
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Wait));
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoBudget));
}

/// Offers the exchange one ad at that time.
fn offered(index: &mut Index, ssp: &Ssp, number: u8, now: Timestamp) -> Option<Token> {
    match ask_at(index, &request_with(json!({ "tmax": 150 })), Seller::Ssp(ssp), now) {
        BidOutcome::Offers(offer, _) => Some(tokens::token(&offer, number)),
        _ => None,
    }
}

/// The lease is asked for, and is in the database like this.
fn answer(index: &mut Index, left_milli: i64, now: Timestamp) {
    index.leases_of(PlanId(1), now);
    let lease = Lease { id: 5, plan: PlanId(1), left_milli, ends_at: T.plus_seconds(LEASE_SECONDS) };
    let exchanges_milli = Some(left_milli);
    index.take_answer(
        PlanId(1),
        Ok(GrantedLease { lease, exchanges_milli, more: false, ends_at: None, paced: None }),
        now,
    );
}

#[test]
fn exchanges_are_offered_no_more_of_a_lease_than_is_for_them() {
    let (request, ssp, slot) = (request_with(json!({})), ssp(), slot(ContentType::LandingPage));
    let mut index = leased_with(index(terms()), 1_000, 100);
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Ask(PlanId(1))));
    assert!(index.wants_exchanges(PlanId(1)));
    // There is no more, and it is not asked for again at once; a page is offered what is left.
    let mut index = leased_with(index, 1_000, 100);
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoBudget));
    assert!(matches!(ask(&mut index, &request, Seller::Page(&slot, None)), BidOutcome::Offers(..)));
    // Nor is more kept for what was offered elsewhere and has won.
    let of_other = Token { lease: 9, nonce: Nonce([9; 16]), ..offer.clone() };
    assert_eq!(index.note_won(&of_other, T), None);
    // What was booked is not in what the database has for exchanges any more.
    index.book(&offer, market::KeptOffer { lease: 5, until: offer.promised_until(Pricing::Cpm) }, T);
    let mut index = leased_with(index, 1_000, 100);
    assert!(offered(&mut index, &ssp, 2, T).is_some());
    // What lapsed is asked for, and no later than that.
    let lapsed = T.plus_seconds(4);
    assert!(matches!(ask_at(&mut index, &request, Seller::Ssp(&ssp), lapsed), BidOutcome::Ask(PlanId(1))));
}

#[test]
fn what_was_lost_is_offered_again_and_lost_once() {
    let (mut index, ssp) = (leased(index(terms()), 100), ssp());
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    assert_eq!(offered(&mut index, &ssp, 2, T), None);
    assert!(!index.note_loss(&offer, offer.won_until().plus_seconds(1)), "it has lapsed");
    assert!(index.note_loss(&offer, T) && !index.note_loss(&offer, T));
    assert_eq!(index.note_won(&offer, T), None, "the first word counts");
    assert!(offered(&mut index, &ssp, 3, T).is_some());
}

#[test]
fn what_lapsed_is_asked_for_and_offered_again() {
    let (mut index, ssp) = (leased(index(terms()), 200), ssp());
    let offer = offered(&mut index, &ssp, 1, T).expect("half of two prices");
    assert_eq!(offer.offered_seconds, Some(3), "two seconds after the auction");
    assert_eq!(offered(&mut index, &ssp, 2, T.plus_millis(3_999)), None);
    let lapsed = T.plus_seconds(4);
    // The other price is still free.
    assert!(offered(&mut index, &ssp, 3, lapsed).is_some());
    assert_eq!(offered(&mut index, &ssp, 4, lapsed), None);
}

#[test]
fn a_plan_whose_prices_were_all_promised_is_asked_for_as_soon_as_one_lapses() {
    let (mut index, ssp) = (leased(index(terms()), 100), ssp());
    offered(&mut index, &ssp, 1, T).expect("the only price");
    answer(&mut index, 100, T.plus_millis(3_900));
    assert_eq!(offered(&mut index, &ssp, 2, T.plus_millis(3_950)), None, "nothing to ask for");
    let request = request_with(json!({}));
    let outcome = ask_at(&mut index, &request, Seller::Ssp(&ssp), T.plus_seconds(4));
    assert!(matches!(outcome, BidOutcome::Ask(PlanId(1))), "{outcome:?}");
    answer(&mut index, 100, T.plus_seconds(4));
    assert!(offered(&mut index, &ssp, 3, T.plus_seconds(4)).is_some());
}

#[test]
fn what_has_won_is_promised_until_the_time_that_the_bid_has_named() {
    let (mut index, ssp) = (leased(index(terms()), 200), ssp());
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    let kept = index.note_won(&offer, T.plus_seconds(1)).expect("kept");
    assert_eq!((kept.lease, kept.until), (5, T.plus_seconds(LEASE_SECONDS)));
    assert_eq!(index.note_won(&offer, T.plus_seconds(1)), None, "once");
    assert!(!index.note_loss(&offer, T.plus_seconds(1)), "the first word counts");
    assert_eq!(offered(&mut index, &ssp, 2, T.plus_seconds(10)), None, "one of two prices is its part");
    assert_eq!(index.promise_again(&offer, T, T.plus_seconds(10)), None, "it needs no other price");
    index.book(&offer, kept, T.plus_seconds(10));
    answer(&mut index, 100, T.plus_seconds(10));
    assert!(offered(&mut index, &ssp, 3, T.plus_seconds(10)).is_some());
}

#[test]
fn a_win_is_news_once_whatever_became_of_its_offer() {
    let (mut index, ssp) = (leased(index(terms()), 200), ssp());
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    assert!(index.is_first_win(&offer, T));
    assert!(!index.is_first_win(&offer, T.plus_seconds(1)));
    let kept = index.note_won(&offer, T.plus_seconds(1)).expect("that it was told changes nothing");
    index.book(&offer, kept, T.plus_seconds(2));
    assert!(!index.is_first_win(&offer, T.plus_seconds(LEASE_SECONDS)));
    // What this server cannot keep has won all the same, and once.
    let of_other = Token { lease: 9, nonce: Nonce([2; 16]), offered_seconds: None, ..offer };
    assert_eq!((index.is_first_win(&of_other, T), index.note_won(&of_other, T)), (true, None));
    assert!(!index.is_first_win(&of_other, T));
}

#[test]
fn what_has_won_late_or_elsewhere_is_promised_anew_if_there_is_room() {
    let (mut index, ssp) = (leased(index(terms()), 400), ssp());
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    let late = T.plus_seconds(9);
    let kept = index.note_won(&offer, late).expect("kept");
    assert_eq!((kept.lease, kept.until), (5, offer.won_until()));
    let of_other = Token { lease: 9, nonce: Nonce([2; 16]), ..offer.clone() };
    let longer = BidTerms { milli: 1, source: String::new(), holds_seconds: LEASE_SECONDS + 1 };
    let of_newer = Token { bid: Some(longer), ..of_other.clone() };
    assert_eq!(index.note_won(&of_newer, late), None, "this lease ends sooner");
    assert_eq!(index.note_won(&of_other, late).map(|kept| kept.lease), Some(5));
    let third = Token { nonce: Nonce([3; 16]), ..of_other.clone() };
    assert_eq!(index.note_won(&third, late), None, "two of four prices are its part");
    // The other server keeps it as well.
    index.forget_won(&of_other, late);
    index.forget_won(&of_other, late);
    answer(&mut index, 400, late);
    assert!(index.note_won(&third, late).is_some());
    assert_eq!(
        index.note_won(&Token { nonce: Nonce([4; 16]), ..offer.clone() }, offer.won_until().plus_seconds(1)),
        None
    );
}

#[test]
fn what_was_billed_before_its_win_is_told_keeps_nothing() {
    let (mut index, ssp) = (leased(index(terms()), 400), ssp());
    let [first, second] = [1, 2].map(|number| offered(&mut index, &ssp, number, T).expect("an offer"));
    let promise = |token: &Token| market::KeptOffer { lease: 5, until: token.promised_until(Pricing::Cpm) };
    index.book(&first, promise(&first), T);
    assert_eq!(
        (index.note_won(&first, T), index.note_loss(&first, T)),
        (None, false),
        "the second one's promise is untouched"
    );
    assert!(index.note_won(&second, T).is_some());
}

#[test]
fn who_does_not_say_what_has_won_is_promised_it_for_as_long() {
    let (mut index, ssp) = (leased(index(terms()), 200), Ssp { notifies: false, ..ssp() });
    let offer = offered(&mut index, &ssp, 1, T).expect("an offer");
    assert_eq!((offer.offered_seconds, offer.promised_until(Pricing::Cpm)), (None, T.plus_seconds(LEASE_SECONDS)));
    assert_eq!(index.note_won(&offer, T), None);
    assert_eq!(offered(&mut index, &ssp, 2, T.plus_seconds(19)), None, "within its part");
}

#[test]
fn an_exchange_leaves_a_slot_its_part() {
    let (mut index, ssp) = (leased(index(terms()), 4_000), ssp());
    let bids = (0..60).filter(|number| offered(&mut index, &ssp, *number, T).is_some()).count();
    let asked = AskedSlot { key: "k", media: SlotMedia::Any };
    let shown = (0..60).filter(|_| matches!(index.pick(asked, None, T), Ok(PickOutcome::Served(..)))).count();
    assert_eq!((bids, shown), (20, 20));
}

#[test]
fn a_network_that_shows_nothing_is_offered_no_more_until_its_offers_lapse() {
    let (mut index, request) = (leased(index(terms()), 10_000), request_with(json!({ "tmax": 500 })));
    let slot = slot(ContentType::LandingPage);
    let from = PassingNetwork::of("203.0.113.7".parse().expect("an address"), &std::hash::RandomState::new());
    let page = Seller::Page(&slot, Some(from));
    let offers = |index: &mut Index, now| {
        let mut offered = 0;
        loop {
            match ask_at(index, &request, page, now) {
                BidOutcome::Offers(..) => offered += 1,
                other => {
                    assert_eq!(why_not(&other), Some(NoBid::TooManyUnseen));
                    break;
                }
            }
        }
        offered
    };
    assert_eq!(offers(&mut index, T), UNSEEN_OF_NETWORK);
    index.note_look(from, slot.id, Purpose::Show, T);
    assert_eq!(offers(&mut index, T), 0, "what a slot has shown is no offer");
    index.note_look(from, slot.id, Purpose::Offer, T);
    assert_eq!(offers(&mut index, T), OPEN_OF_SEEN);
    assert_eq!(offers(&mut index, T.plus_seconds(10)), 0);
    assert_eq!(offers(&mut index, T.plus_seconds(11)), UNSEEN_OF_NETWORK + OPEN_OF_SEEN);
}

#[test]
fn exchanges_are_found_by_their_keys_and_slots() {
    let mut index = index(terms());
    assert_eq!(index.ssp(&KEY).as_deref(), Some(&ssp()));
    assert_eq!((index.seller(SlotId(2)), index.seller(SlotId(1))), (Some(PublisherId(2)), None));
    index.load_catalogue(Vec::new(), Vec::new(), Vec::new());
    assert_eq!((index.ssp(&KEY), index.seller(SlotId(2))), (None, None));
}
