mod clock;
mod exchanges;
mod lost;

use base::PublisherId;
use delivery::{LEASE_SECONDS, Lease, NoLease, Nonce, Origin, Token, promised_until};
use plans::{Pricing, Schedule, Status};
use supply::Share;

use super::decisions::KeptOffer;
use super::leases::GrantedLease;
use super::*;
use crate::content::{Content, Creative};
use crate::openrtb_terms::{OpenRtbTerms, VideoFile};
use crate::plan_terms::{ExcludedPlaces, PlanTerms};
use crate::product::Product;

const T: Timestamp = Timestamp::from_seconds(1_000_000);
const ASKED: AskedSlot<'_> = AskedSlot { key: "k", media: SlotMedia::Any };

fn terms(product: i64) -> PlanTerms {
    PlanTerms {
        product: ProductId(product),
        status: Status::Putting,
        content: ContentType::LandingPage,
        paused: false,
        due_at: Some(T.plus_days(1)),
        unit_milli: 10,
        ai_delivery: false,
        daily_cap: None,
        excluded: None,
        schedule: Schedule::default(),
        pricing: Pricing::Cpm,
    }
}

fn plan(id: i64, terms: PlanTerms) -> PlanChange {
    PlanChange { id: PlanId(id), changed_at: T, terms: Some(terms) }
}

fn slot() -> Arc<SlotTerms> {
    Arc::new(SlotTerms {
        id: SlotId(1),
        key: "k".into(),
        publisher: PublisherId(1),
        share: Share::default(),
        audience: Audience::default(),
        content: vec![ContentType::LandingPage],
    })
}

fn product(id: i64) -> Arc<ServedProduct> {
    let creative = Creative { title: "T".into(), text: "T".into(), image: "/a.svg".into(), video: None };
    let product = Product {
        id: ProductId(id),
        name: format!("P{id}"),
        content: Content { landing_page: Some(creative), ..Content::default() },
        targeting: Audience::default(),
        landing_url: None,
        terms: OpenRtbTerms::default(),
    };
    Arc::new(ServedProduct::new(product, |_| None))
}

fn index(plans: &[(i64, i64)]) -> Index {
    let mut index = Index::new(|| Some([200; 10]));
    let plans: Vec<PlanChange> = plans.iter().map(|(id, product)| plan(*id, terms(*product))).collect();
    index.load_catalogue(vec![slot()], vec![product(1), product(2)], Vec::new());
    index.load_plans(&plans);
    index
}

/// Time passes, and the next lease is asked for.
fn lease_at(plan: i64, id: i64, left_milli: i64, begun: Timestamp) -> GrantedLease {
    let given = lease(plan, left_milli);
    GrantedLease { lease: Lease { id, ends_at: begun.plus_seconds(LEASE_SECONDS), ..given.lease }, ..given }
}

fn lease(plan: i64, left_milli: i64) -> GrantedLease {
    let ends_at = T.plus_seconds(LEASE_SECONDS);
    GrantedLease {
        lease: Lease { id: plan * 100, plan: PlanId(plan), left_milli, ends_at },
        exchanges_milli: None,
        more: false,
        ends_at: None,
        paced: None,
    }
}

fn served(index: &mut Index) -> Option<i64> {
    match index.pick(ASKED, None, T).expect("a slot") {
        PickOutcome::Served(served, _) => Some(served.plan.0),
        _ => None,
    }
}

/// Grants every requested lease, until none is requested.
fn lease_all(index: &mut Index, left: i64) {
    while let PickOutcome::Ask(plan) = index.pick(ASKED, None, T).expect("a slot") {
        index.take_answer(plan, Ok(lease(plan.0, left)), T);
        if index.plans.values().all(|plan| plan.held.is_some()) {
            break;
        }
    }
}

#[test]
fn a_first_delivery_tells_when_the_days_end() {
    let mut index = index(&[(1, 1)]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(_))));
    let ends_at = T.plus_seconds(10);
    index.take_answer(PlanId(1), Ok(GrantedLease { ends_at: Some(ends_at), ..lease(1, 1_000) }), T);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Served(..))));
    assert!(matches!(index.pick(ASKED, None, ends_at), Ok(PickOutcome::Nothing)), "its days are over");
}

#[test]
fn plans_take_turns_over_all_products() {
    let mut index = index(&[(1, 1), (2, 1), (3, 2)]);
    for plan in [1, 2, 3] {
        index.take_answer(PlanId(plan), Ok(lease(plan, 1_000)), T);
    }
    let first: Vec<_> = (0..3).filter_map(|_| served(&mut index)).collect();
    let again: Vec<_> = (0..3).filter_map(|_| served(&mut index)).collect();
    let mut all = first.clone();
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3]);
    assert_eq!(again, first);
}

#[test]
fn a_used_up_plan_gives_its_product_no_more_turns() {
    let mut index = index(&[(1, 1), (2, 1), (3, 2)]);
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    for plan in [2, 3] {
        index.take_answer(PlanId(plan), Ok(lease(plan, 1_000)), T);
    }
    // That a plan is used up shows when it is tried first.
    served(&mut index);
    served(&mut index);
    let turns: Vec<_> = (0..10).filter_map(|_| served(&mut index)).collect();
    assert_eq!(turns, [3, 2, 3, 2, 3, 2, 3, 2, 3, 2]);
}

#[test]
fn a_plan_is_asked_for_once_and_others_wait() {
    let mut index = index(&[(1, 1)]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))));
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Wait)));
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Nothing)), "it is not asked for again at once");
    let later = T.plus_seconds(AGAIN_SECONDS);
    assert!(matches!(index.pick(ASKED, None, later), Ok(PickOutcome::Ask(PlanId(1)))));
}

#[test]
fn a_plan_that_learns_is_asked_for_again_when_its_line_allows_more() {
    let mut index = index(&[]);
    index.load_plans(&[plan(1, PlanTerms { ai_delivery: true, ..terms(1) })]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))));
    let allowed = T.plus_seconds(10);
    // The answer itself took longer than the wait.
    let answered = T.plus_seconds(11);
    index.take_answer(PlanId(1), Err(NoLease::NotBefore(allowed)), answered);
    assert!(matches!(index.pick(ASKED, None, T.plus_seconds(9)), Ok(PickOutcome::Nothing)));
    assert!(matches!(index.pick(ASKED, None, answered), Ok(PickOutcome::Ask(PlanId(1)))));
}

#[test]
fn a_plan_that_changed_is_asked_for_again_at_once() {
    for ai_delivery in [false, true] {
        let plan = plan(1, PlanTerms { ai_delivery, ..terms(1) });
        let mut index = index(&[]);
        index.load_plans(std::slice::from_ref(&plan));
        assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))));
        let refused = if ai_delivery { NoLease::NotBefore(T.plus_seconds(60)) } else { NoLease::Nothing };
        index.take_answer(PlanId(1), Err(refused), T);
        // Loaded again as it was, for changes that took long to commit.
        index.load_plans(std::slice::from_ref(&plan));
        assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Nothing)));
        index.load_plans(&[PlanChange { changed_at: plan.changed_at.plus_millis(1), ..plan }]);
        assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))));
    }
}

#[test]
fn a_plan_that_stopped_is_served_no_more_and_its_lease_given_back() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 1_000);
    assert_eq!(served(&mut index), Some(1));
    index.load_plans(&[plan(1, PlanTerms { paused: true, ..terms(1) })]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Nothing)));
    assert_eq!(index.take_spare(T), [], "one promise is out");
    let shown = Token {
        plan: PlanId(1),
        origin: Origin::Slot(SlotId(1)),
        lease: 100,
        realm: 1,
        issued_at: T,
        nonce: Nonce([1; 16]),
        choice: None,
        limited: false,
        bid: None,
        offered_seconds: None,
    };
    index.book(&shown, KeptOffer { lease: 100, until: promised_until(Pricing::Cpm, T) }, T);
    assert_eq!(index.take_spare(T), [(PlanId(1), 100)]);
}

#[test]
fn the_next_lease_is_granted_while_a_plan_is_served_and_older_ones_are_given_back() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 1_000);
    let due = T.plus_seconds(11);
    let Ok(PickOutcome::Served(first, Some(PlanId(1)))) = index.pick(ASKED, None, due) else { panic!("served") };
    assert!(matches!(index.pick(ASKED, None, due), Ok(PickOutcome::Served(_, None))), "it is asked for once");
    index.take_answer(PlanId(1), Ok(lease_at(1, 101, 1_000, due)), due);
    let Ok(PickOutcome::Served(second, None)) = index.pick(ASKED, None, due) else { panic!("served") };
    assert_eq!((first.lease, second.lease), (100, 101));
    assert_eq!(index.leases_of(PlanId(1), due).older, [(100, 20)], "two promises are out");
    assert_eq!(index.take_spare(due), []);
    assert_eq!(index.take_spare(T.plus_seconds(42)), [(PlanId(1), 100)], "they have lapsed");
}

#[test]
fn a_refusal_does_not_lead_to_a_request_at_once() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 20);
    assert_eq!((served(&mut index), served(&mut index)), (Some(1), Some(1)));
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    // What was promised has lapsed, in a lease that takes no more promises.
    let later = T.plus_seconds(32);
    assert!(matches!(index.pick(ASKED, None, later), Ok(PickOutcome::Ask(PlanId(1)))));
    index.take_answer(PlanId(1), Err(NoLease::Nothing), later);
    assert!(matches!(index.pick(ASKED, None, later), Ok(PickOutcome::Nothing)));
}

#[test]
fn a_plan_that_ended_while_it_was_asked_for_keeps_its_promises() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 10);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Served(_, Some(PlanId(1))))), "more is asked for");
    index.load_plans(&[plan(1, PlanTerms { paused: true, ..terms(1) })]);
    index.take_answer(PlanId(1), Ok(lease(1, 1_000)), T);
    assert_eq!(index.take_spare(T), [], "one promise is out");
    assert_eq!(index.take_spare(T.plus_seconds(31)), [(PlanId(1), 100)]);
}

#[test]
fn a_product_that_nobody_pays_for_is_not_served() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 1_000);
    index.load_catalogue(vec![slot()], vec![product(2)], Vec::new());
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Nothing)));
    assert!(index.pick(AskedSlot { key: "other", ..ASKED }, None, T).is_err());
}

#[test]
fn a_used_up_lease_asks_for_more() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 20);
    assert_eq!((served(&mut index), served(&mut index)), (Some(1), Some(1)));
    index.take_answer(PlanId(1), Err(NoLease::Nothing), T);
    assert_eq!(served(&mut index), None);
}

#[test]
fn what_is_loaded_again_as_it_was_is_not_matched_again() {
    let mut index = index(&[(1, 1)]);
    lease_all(&mut index, 1_000);
    let matched = |index: &Index| (index.generation, index.slots.get("k").map(|slot| slot.of));
    let before = matched(&index);
    index.load_catalogue(vec![slot()], vec![product(1), product(2)], Vec::new());
    assert_eq!((matched(&index), served(&mut index), matched(&index)), (before, Some(1), before));
    let narrower = SlotTerms { content: vec![ContentType::Video], ..SlotTerms::clone(&slot()) };
    index.load_catalogue(vec![Arc::new(narrower)], vec![product(1), product(2)], Vec::new());
    assert_eq!(served(&mut index), None);
    index.load_catalogue(vec![slot()], vec![product(2), product(1)], Vec::new());
    assert_eq!(served(&mut index), Some(1));
    index.load_catalogue(vec![slot()], vec![product(2), product(3)], Vec::new());
    assert_eq!(served(&mut index), None, "another product is there instead");
}

#[test]
fn what_a_slot_was_asked_is_counted_once_whatever_becomes_of_it() {
    let mut index = index(&[]);
    let asked = |requests, filled| vec![(SlotId(1), SlotRequests { requests, filled })];
    assert_eq!(served(&mut index), None);
    index.count_request("k", true);
    let changed = SlotTerms { content: Vec::new(), ..SlotTerms::clone(&slot()) };
    index.load_catalogue(vec![Arc::new(changed)], Vec::new(), Vec::new());
    assert_eq!((index.take_requests(), index.take_requests()), (asked(2, 1), Vec::new()));
    assert_eq!(served(&mut index), None);
    index.load_catalogue(Vec::new(), Vec::new(), Vec::new());
    let taken = index.take_requests();
    assert_eq!(taken, asked(1, 0));
    index.return_requests(taken);
    assert_eq!(index.take_requests(), asked(1, 0));
}

#[test]
fn with_another_limit_of_the_day_nothing_more_is_promised_of_leases_from_before() {
    let mut index = index(&[(1, 1)]);
    index.take_answer(PlanId(1), Ok(lease(1, 1_000)), T);
    assert_eq!(served(&mut index), Some(1));
    let limited = PlanTerms { daily_cap: Some(base::Money::from_minor(5)), ..terms(1) };
    let change = PlanChange { id: PlanId(1), changed_at: T.plus_millis(1), terms: Some(limited) };
    index.load_plans(&[change]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(1)))), "another lease is asked for");
    let next = T.plus_seconds(3_600);
    index.take_answer(PlanId(1), Err(NoLease::NotBefore(next)), T);
    assert!(matches!(index.pick(ASKED, None, next.plus_millis(-1)), Ok(PickOutcome::Nothing)));
    assert!(matches!(index.pick(ASKED, None, next), Ok(PickOutcome::Ask(PlanId(1)))), "the next day begins");
}

/// A plan that is not shown in the slot.
fn excluded(id: i64) -> PlanChange {
    let mut places = ExcludedPlaces::default();
    places.add_slot(SlotId(1));
    let change = plan(id, PlanTerms { excluded: Some(Arc::new(places)), ..terms(1) });
    PlanChange { changed_at: T.plus_millis(1), ..change }
}

#[test]
fn a_plan_is_not_shown_where_it_is_excluded_until_it_is_included_again() {
    let mut index = index(&[(1, 1), (2, 1)]);
    for plan in [1, 2] {
        index.take_answer(PlanId(plan), Ok(lease(plan, 1_000)), T);
    }
    index.load_plans(&[excluded(1)]);
    let turns: Vec<_> = (0..4).filter_map(|_| served(&mut index)).collect();
    assert_eq!(turns, [2, 2, 2, 2]);
    index.load_plans(&[PlanChange { changed_at: T.plus_millis(2), ..plan(1, terms(1)) }]);
    let mut turns: Vec<_> = (0..2).filter_map(|_| served(&mut index)).collect();
    turns.sort_unstable();
    assert_eq!(turns, [1, 2]);
}

#[test]
fn plans_that_exclude_a_slot_stop_nobody_behind_them() {
    let mut index = index(&[(100, 1)]);
    index.take_answer(PlanId(100), Ok(lease(100, 1_000)), T);
    index.load_plans(&(1..=3 * LOOK_AT as i64).map(excluded).collect::<Vec<_>>());
    let turns: Vec<_> = (0..5).filter_map(|_| served(&mut index)).collect();
    assert!(turns.len() >= 2 && turns.iter().all(|plan| *plan == 100), "{turns:?}");
}

#[test]
fn a_plan_is_shown_from_its_start_to_its_end_and_others_meanwhile() {
    let (begin, end) = (T.plus_seconds(2), T.plus_seconds(4));
    let mut index = index(&[(2, 1)]);
    let schedule = Schedule { begins_at: Some(begin), ends_at: Some(end), hours: None };
    let early = plan(1, PlanTerms { schedule, due_at: Some(end), ..terms(1) });
    index.load_plans(std::slice::from_ref(&early));
    for plan in [1, 2] {
        index.take_answer(PlanId(plan), Ok(lease(plan, 1_000)), T);
    }
    let mut at = |now: Timestamp| -> Vec<i64> {
        let mut twice = || match index.pick(ASKED, None, now) {
            Ok(PickOutcome::Served(served, _)) => served.plan.0,
            other => panic!("{other:?}"),
        };
        vec![twice(), twice()]
    };
    assert_eq!(at(begin.plus_millis(-1)), [2, 2]);
    let mut both = at(begin);
    both.sort_unstable();
    assert_eq!(both, [1, 2]);
    assert_eq!(at(end), [2, 2]);
}

#[test]
fn plans_outside_their_hours_leave_their_place_until_the_hours_change() {
    let many: Vec<(i64, i64)> = (1..=100).map(|id| (id, 1)).collect();
    let mut index = index(&[(101, 1)]);
    let later = Schedule { begins_at: Some(T.plus_days(1)), ..Schedule::default() };
    let closed: Vec<PlanChange> =
        many.iter().map(|(id, _)| plan(*id, PlanTerms { schedule: later, ..terms(1) })).collect();
    index.load_plans(&closed);
    index.take_answer(PlanId(101), Ok(lease(101, 1_000)), T);
    let tries: Vec<Option<i64>> = (0..20).map(|_| served(&mut index)).collect();
    assert!(tries.iter().rev().take(10).all(|found| *found == Some(101)), "{tries:?}");
    // Loaded again as it was, it stays out; with another schedule it is back at once.
    index.load_plans(&closed);
    assert_eq!(served(&mut index), Some(101));
    let change = PlanChange { changed_at: T.plus_millis(1), ..plan(7, terms(1)) };
    index.load_plans(&[change]);
    assert!(matches!(index.pick(ASKED, None, T), Ok(PickOutcome::Ask(PlanId(7)))));
}

#[test]
fn a_player_is_answered_with_a_video_of_which_enough_is_known() {
    let film = |id: i64, file: Option<VideoFile>| {
        let creative =
            Creative { title: "T".into(), text: "T".into(), image: "/a.svg".into(), video: Some("/a.mp4".into()) };
        let product = Product {
            id: ProductId(id),
            name: format!("P{id}"),
            content: Content { landing_page: Some(creative.clone()), video: Some(creative), ..Content::default() },
            targeting: Audience::default(),
            landing_url: None,
            terms: OpenRtbTerms { video: file, ..OpenRtbTerms::default() },
        };
        Arc::new(ServedProduct::new(product, |_| None))
    };
    let file = VideoFile { mime: "video/mp4".into(), seconds: 10, width: 640, height: 360 };
    let shows = |content: Vec<ContentType>| Arc::new(SlotTerms { content, ..(*slot()).clone() });
    let videos = |product| PlanTerms { content: ContentType::Video, ..terms(product) };
    let mut index = Index::new(|| Some([200; 10]));
    let products = vec![film(1, Some(file)), film(2, None)];
    index.load_catalogue(vec![shows(vec![ContentType::Video, ContentType::LandingPage])], products.clone(), Vec::new());
    // The first shows a page, the second a video of which nobody knows how long it is, the third learns what to show.
    let learns = PlanTerms { ai_delivery: true, ..terms(1) };
    index.load_plans(&[plan(1, terms(1)), plan(2, videos(2)), plan(3, videos(1)), plan(4, learns)]);
    for plan in [1, 2, 3] {
        index.take_answer(PlanId(plan), Ok(lease(plan, 1_000)), T);
    }
    let player = AskedSlot { media: SlotMedia::Video, ..ASKED };
    let mut seen = Vec::new();
    for _ in 0..4 {
        match index.pick(player, None, T) {
            Ok(PickOutcome::Served(served, _)) => seen.push((served.plan.0, served.content)),
            Ok(PickOutcome::Ask(PlanId(4))) => index.take_answer(PlanId(4), Err(NoLease::Nothing), T),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, [(3, ContentType::Video); 3]);
    let all: std::collections::BTreeSet<_> = (0..9).filter_map(|_| served(&mut index)).collect();
    assert_eq!(all, [1, 2, 3].into(), "a page is shown all of them");
    index.load_catalogue(vec![shows(vec![ContentType::LandingPage])], products, Vec::new());
    assert!(matches!(index.pick(player, None, T), Ok(PickOutcome::Nothing)), "the slot shows no videos");
    assert!(index.pick(AskedSlot { key: "other", ..player }, None, T).is_err());
}
