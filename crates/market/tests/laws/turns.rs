//! Whose turn it is: what is shown fits its place, no place that is excluded is served, and plans that fit are served
//! alike.

use std::sync::Arc;

use base::ProductId;
use delivery::{Audience, BidTerms, fits};
use market::{AskedSlot, BidOutcome, ExcludedPlaces, PickOutcome, PlanTerms, Product, Seller, SlotMedia, SlotTerms};
use openrtb::testing::request_with;
use plans::{ContentType, Pricing};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::json;

use super::{FILM, GAME, T, TEA, ask, grant, index_of, plan, product, served, share, slot, ssp};

const UNIT: i64 = 100;

fn audience() -> impl Strategy<Value = Audience> {
    let few = |all: [&str; 3]| subsequence(all.map(str::to_owned).to_vec(), 0..=2);
    let lists = (few(["DE", "FR", "US-CA"]), few(["de", "fr", "en"]), few(["mobile", "desktop", "tv"]));
    (lists, few(["tea", "games", "films"])).prop_map(|((regions, languages, devices), interests)| Audience {
        regions,
        languages,
        devices,
        interests,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_a_slot_is_sent_fits_it(
        reached in audience(),
        wanted in prop::collection::vec((audience(), prop::sample::select(vec![TEA, FILM, GAME])), 1..6),
        content in subsequence(ContentType::ALL.to_vec(), 0..=3),
        for_player in any::<bool>(),
    ) {
        let slot = SlotTerms { audience: reached.clone(), content: content.clone(), ..slot(share(7_000)) };
        // Each plan has a product of its own, with an audience of its own.
        let numbered = || (1_i64..).zip(&wanted);
        let mut index = index_of(&slot, numbered().map(|(id, (_, like))| PlanTerms {
            product: ProductId(100 + id),
            ..plan(*like, UNIT)
        }));
        let products = numbered().map(|(id, (targeting, like))| Product {
            id: ProductId(100 + id),
            targeting: targeting.clone(),
            ..product(*like)
        });
        index.load_catalogue(vec![Arc::new(slot.clone())], products.map(served).collect(), Vec::new());
        numbered().for_each(|(id, _)| grant(&mut index, id, 10 * UNIT, 10 * UNIT, T));
        let media = if for_player { SlotMedia::Video } else { SlotMedia::Any };
        let allowed = |(targeting, like): &(Audience, i64)| {
            let shown = plan(*like, UNIT).content;
            fits(targeting, &reached) && content.contains(&shown) && (!for_player || shown == ContentType::Video)
        };
        match index.pick(AskedSlot { key: "k", media }, None, T).expect("a slot") {
            PickOutcome::Served(offer, _) => {
                let of = usize::try_from(offer.plan.0 - 1).expect("a plan");
                prop_assert!(allowed(&wanted[of]) && content.contains(&offer.content));
            }
            other => prop_assert!(!wanted.iter().any(allowed), "{other:?}"),
        }
    }

    /// Of plans that fit, none is served twice before all others were; those that exclude the place, and those that are
    /// paid by clicks, hold up nobody.
    #[test]
    fn plans_are_served_alike(plans in prop::collection::vec(0_u8..4, 1..9), rounds in 1_usize..5) {
        let (slot, ssp) = (slot(share(7_000)), ssp(2, share(7_000)));
        let terms = |kind: &u8| {
            let mut excluded = ExcludedPlaces::default();
            excluded.add_slot(ssp.slot);
            let excluded = (*kind == 1).then(|| Arc::new(excluded));
            let pricing = if *kind == 2 { Pricing::Cpc } else { Pricing::Cpm };
            PlanTerms { excluded, pricing, ..plan(TEA, UNIT) }
        };
        let mut index = index_of(&slot, plans.iter().map(terms));
        (1_i64..).zip(&plans).for_each(|(id, _)| grant(&mut index, id, 100 * UNIT, 100 * UNIT, T));
        let fitting = plans.iter().filter(|kind| ![1, 2].contains(*kind)).count();
        let request = request_with(json!({}));
        let mut bids = vec![0_usize; plans.len()];
        for _ in 0..rounds * fitting {
            match ask(&mut index, (&request, &request.imp[0]), Seller::Ssp(&ssp), T) {
                Ok(BidOutcome::Offers(offer, _)) => {
                    bids[usize::try_from(offer.served.plan.0 - 1).expect("a plan")] += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        for (kind, bids) in plans.iter().zip(bids) {
            prop_assert_eq!(bids, if [1, 2].contains(kind) { 0 } else { rounds });
        }
    }

    /// A place that is excluded by the name under which it is kept stays excluded, however it is called.
    #[test]
    fn an_excluded_place_is_never_served(
        name in prop_oneof![
            "[a-z]{1,9}\\.(example|test)",
            "[a-zäöüéß]{1,9}\\.example",
            "com(\\.[a-z]{1,6}){2}",
            "\\PC{1,30}",
        ],
        www in any::<bool>(),
        capitals in any::<bool>(),
        address in any::<bool>(),
        of_app in any::<bool>(),
    ) {
        let mut called = if www { format!("www.{name}") } else { name };
        if capitals {
            called = called.to_uppercase();
        }
        if address {
            called = format!("https://{called}/page?x=1");
        }
        let place = match of_app {
            true => json!({ "app": { "bundle": called } }),
            false => json!({ "site": { "domain": called } }),
        };
        let request = request_with(place);
        let kept = BidTerms::source_named(request.source());
        prop_assume!(!kept.is_empty());
        let mut excluded = ExcludedPlaces::default();
        excluded.add_source(&kept);
        let (slot, ssp) = (slot(share(7_000)), ssp(2, share(7_000)));
        let mut index = index_of(&slot, [PlanTerms { excluded: Some(Arc::new(excluded)), ..plan(TEA, UNIT) }]);
        grant(&mut index, 1, 100 * UNIT, 100 * UNIT, T);
        let outcome = ask(&mut index, (&request, &request.imp[0]), Seller::Ssp(&ssp), T).expect("asked");
        prop_assert!(matches!(outcome, BidOutcome::Nothing(openrtb::NoBid::NoPlan)), "{kept}: {outcome:?}");
        let elsewhere = request_with(json!({ "site": { "domain": "another.place.invalid" } }));
        let outcome = ask(&mut index, (&elsewhere, &elsewhere.imp[0]), Seller::Ssp(&ssp), T).expect("asked");
        prop_assert!(matches!(outcome, BidOutcome::Offers(..)), "{outcome:?}");
    }
}
