//! Places that a plan excludes.

use super::*;

#[test]
fn a_plan_is_offered_on_no_site_and_in_no_app_that_is_excluded() {
    let mut places = ExcludedPlaces::default();
    places.add_source("News.example");
    places.add_source("com.games.puzzle");
    let mut index = leased(index(PlanTerms { excluded: Some(Arc::new(places)), ..terms() }), 10_000);
    let ssp = ssp();
    let store = "https://play.google.com/store/apps/details?id=com.games.puzzle";
    for elsewhere in [
        json!({ "site": { "domain": "news.example" } }),
        json!({ "site": { "domain": "NEWS.example" } }),
        json!({ "site": { "domain": "x1.sport.news.example" } }),
        json!({ "app": { "bundle": "com.games.puzzle" } }),
        // It says that it is another one, and where it is.
        json!({ "site": { "domain": "times.example", "page": "https://www.news.example/today" } }),
        json!({ "app": { "bundle": "1", "storeurl": store } }),
    ] {
        let request = request_with(elsewhere);
        assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp))), Some(NoBid::NoPlan));
    }
    let of_its_maker = json!({ "app": { "bundle": "com.news.reader", "domain": "news.example" } });
    let others = ["sports.example", "mynews.example", "example"].map(|domain| json!({ "site": { "domain": domain } }));
    for shown in others.into_iter().chain([json!({}), of_its_maker]) {
        let request = request_with(shown);
        assert!(matches!(ask(&mut index, &request, Seller::Ssp(&ssp)), BidOutcome::Offers(..)));
    }
}

// What a user reads of a place, and excludes, is its name without what no name has.
#[test]
fn a_place_is_excluded_by_the_name_under_which_it_is_kept_or_by_its_own() {
    let mut places = ExcludedPlaces::default();
    for kept in ["news.example", "httpsnews.example", "zeitung-mnchen.example", "münze.example"] {
        places.add_source(kept);
    }
    let mut index = leased(index(PlanTerms { excluded: Some(Arc::new(places)), ..terms() }), 10_000);
    let mut why = |domain: &str| {
        let request = request_with(json!({ "site": { "domain": domain } }));
        why_not(&ask(&mut index, &request, Seller::Ssp(&ssp())))
    };
    for domain in ["News.example/", "https://news.example", "Zeitung-München.example", "MÜNZE.example"] {
        assert_eq!(why(domain), Some(NoBid::NoPlan), "{domain}");
    }
    assert_eq!(why("mnze.example"), None, "it is another one");
}

#[test]
fn a_plan_is_offered_in_no_auction_of_an_exchange_that_is_excluded() {
    let mut places = ExcludedPlaces::default();
    places.add_slot(ssp().slot);
    let mut index = leased(index(PlanTerms { excluded: Some(Arc::new(places)), ..terms() }), 10_000);
    for anywhere in [json!({ "site": { "domain": "news.example" } }), json!({})] {
        let request = request_with(anywhere);
        assert_eq!(why_not(&ask(&mut index, &request, Seller::Ssp(&ssp()))), Some(NoBid::NoPlan));
    }
    let other = Ssp { id: PublisherId(4), slot: SlotId(4), ..ssp() };
    assert!(matches!(ask(&mut index, &request_with(json!({})), Seller::Ssp(&other)), BidOutcome::Offers(..)));
}

#[test]
fn a_plan_is_offered_on_no_page_whose_slot_is_excluded() {
    let mut places = ExcludedPlaces::default();
    places.add_slot(SlotId(1));
    let mut index = leased(index(PlanTerms { excluded: Some(Arc::new(places)), ..terms() }), 1_000);
    let (request, slot) = (request_with(json!({})), slot(ContentType::LandingPage));
    assert_eq!(why_not(&ask(&mut index, &request, Seller::Page(&slot, None))), Some(NoBid::NoPlan));
    let other = SlotTerms { id: SlotId(3), ..slot };
    assert!(matches!(ask(&mut index, &request, Seller::Page(&other, None)), BidOutcome::Offers(..)));
}
