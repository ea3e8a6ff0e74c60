//! A user's plans, searched, filtered and sorted by what they came to.

use base::{Field, Money, ProductId};
use campaigns::catalogue::products::Targeting;
use campaigns::delivery::serve::serve;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::plans::plan_control::{PlanCommand, control, offer};
use campaigns::plans::plan_list::{ListedPlan, PlanQuery, PlansPage, Sort, SortOrder, list};
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use desk::installation::upgrade::bring_up_to_date;
use foundation::Error;
use foundation::amount::invested;
use foundation::people::pay_password::Proof;
use i18n::Lang;
use plans::{ContentType, Status};
use store::on_both;
use store::testing::TestDb;

use crate::money::why;
use crate::publishers::bidding::{ask, banner, burl, one, ssp};
use crate::publishers::refunds::corrected;
use crate::support::{BASE, Market, market, offered, product_file};

const DAY: i64 = 86_400;

fn all(sort: Sort, order: SortOrder) -> PlanQuery {
    PlanQuery { sort: Some(sort), order: Some(order), limit: 100, ..PlanQuery::default() }
}

async fn page(market: &Market, query: PlanQuery) -> PlansPage {
    list(&market.world.app, market.world.user, query).await.expect("plans")
}

async fn numbers(market: &Market, query: PlanQuery) -> Vec<String> {
    page(market, PlanQuery { limit: 100, ..query }).await.items.into_iter().map(|of| of.plan.plan_no).collect()
}

/// Puts, is seen and clicked this often, sells this often, and ends.
async fn ran(market: &Market, amount: &str, visits: usize, sales: usize) -> PlanView {
    let plan = market.put(amount).await;
    for n in 0..visits {
        let visited = market.visit().await;
        if n < sales {
            assert!(market.convert(&format!("{}-{n}", plan.plan_no), &visited.click_id).await.accepted);
        }
    }
    market.work().await;
    plan
}

async fn put_on(market: &Market, product: ProductId, content: ContentType) -> PlanView {
    let amount = invested(Field::Amount, "30.00").expect("an amount");
    let command = Put::new(PutTarget::Product(product), amount, content);
    put(&market.world.app, Proof::assumed(market.world.user), command).await.expect("put")
}

/// A plan of each kind: a failed one, settled ones with a loss, a gain and a larger loss, one that runs, one that waits
/// for a slot, and an offer.
async fn many(test: TestDb) -> Market {
    let market = market(test).await;
    // No slot takes it.
    put_on(&market, market.product, ContentType::GameDescription).await;
    ran(&market, "20.00", 4, 1).await;
    ran(&market, "10.00", 2, 2).await;
    ran(&market, "15.00", 3, 0).await;
    market.wait(4 * DAY);
    market.work().await;
    ran(&market, "50.00", 2, 1).await;
    let mut file = product_file(market.advertiser);
    "Bora Tea".clone_into(&mut file.name);
    let tea = offered(&market.world, &file).await;
    put_on(&market, tea, ContentType::GameDescription).await;
    offer(&market.world.app, &market.world.bob, market.world.user, tea).await.expect("offered");
    market
}

on_both!(plans_are_found_by_where_they_were_shown, |test| {
    let market = many(test).await;
    let shown = async |site: &str| {
        let query = PlanQuery { site: Some(site.into()), limit: 100, ..PlanQuery::default() };
        page(&market, query).await.items.len()
    };
    let slot = shown("NEWS-top").await;
    assert_eq!((slot, shown(" the daily ").await), (4, 4), "by its key, and by its publisher");
    assert_eq!((shown("nowhere.example").await, shown("news").await), (0, 0), "a name is whole");
    let long = PlanQuery { site: Some("x".repeat(101)), ..PlanQuery::default() };
    assert_eq!(why(list(&market.world.app, market.world.user, long).await), "site=too_long");
    let ssp = ssp(&market).await;
    market.put("100.00").await;
    market.ripen().await;
    let won = one(ask(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    burl(&market.world.app, &won, "3000.00").await.expect("taken").expect("counts");
    market.work().await;
    assert_eq!((shown("News.Example").await, shown("nowhere.example").await), (1, 0));
    let slot = SlotFile {
        key: "heute".into(),
        publisher: "Ärzteblatt".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting { regions: vec!["DE".into()], ..Targeting::default() },
    };
    slots::add(&market.world.app, &market.world.bob, slot).await.expect("a slot");
    let answer = serve(&market.world.app, "heute", None, BASE, Lang::En).await.expect("answered");
    market.see(&answer.expect("a creative")).await.expect("counts");
    market.work().await;
    assert_eq!((shown("Ärzteblatt").await, shown("HEUTE").await), (1, 1), "as its publisher writes it");
    assert_eq!((shown("ÄRZTEBLATT").await, shown("ärzteblatt").await, shown("Arzteblatt").await), (1, 1, 0));
});

fn sorted_by(plans: &[ListedPlan], sort: Sort) -> Vec<(i128, i64)> {
    let millionths = |ratio: &String| ratio.replace('.', "").parse().expect("a ratio");
    let key = |of: &ListedPlan| match sort {
        Sort::Newest => i128::from(of.plan.id.0),
        Sort::Profit => of.plan.profit.minor().into(),
        Sort::Roi => of.plan.return_on_spend.as_ref().map_or(0, millionths),
        Sort::Consumed => of.plan.consumed.minor().into(),
        Sort::Conversions => of.conversions.into(),
    };
    plans.iter().map(|of| (key(of), of.plan.id.0)).collect()
}

on_both!(plans_are_sorted_by_what_their_cards_show_page_by_page, |test| {
    let market = many(test).await;
    for sort in [Sort::Newest, Sort::Profit, Sort::Roi, Sort::Consumed, Sort::Conversions] {
        for order in [SortOrder::Ascending, SortOrder::Descending] {
            let mut query = PlanQuery { limit: 2, ..all(sort, order) };
            let mut found = Vec::new();
            loop {
                let PlansPage { items, next_cursor: next, .. } = page(&market, query.clone()).await;
                found.extend(items);
                let Some(next) = next else { break };
                query.cursor = Some(next);
            }
            let shown = sorted_by(&found, sort);
            let mut expected = shown.clone();
            expected.sort_unstable();
            if order == SortOrder::Descending {
                expected.reverse();
            }
            assert_eq!((shown.len(), &shown), (7, &expected), "{sort:?} {order:?}");
        }
    }
    let statuses = page(&market, all(Sort::Profit, SortOrder::Descending)).await.items.into_iter();
    let statuses: Vec<Status> = statuses.map(|of| of.plan.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == Status::Settled).count(), 3, "{statuses:?}");
    for status in [Status::Putting, Status::Matching, Status::PutFailed, Status::WaitingToPut] {
        assert!(statuses.contains(&status), "{status:?}");
    }
});

on_both!(the_trend_of_a_plan_adds_up_to_its_profit, |test| {
    let market = many(test).await;
    for ListedPlan { plan, trend, .. } in page(&market, all(Sort::Newest, SortOrder::Descending)).await.items {
        let sum = Money::sum(trend.iter().copied()).expect("a sum");
        assert_eq!((sum, trend.len() <= 14), (plan.profit, true), "{}: {trend:?}", plan.plan_no);
        assert_eq!(trend.is_empty(), plan.put_at.is_none(), "{}", plan.plan_no);
    }
});

on_both!(a_plans_conversions_in_the_list_are_those_of_its_page, |test| {
    let market = many(test).await;
    let mut sum = 0;
    for ListedPlan { plan, conversions, .. } in page(&market, all(Sort::Newest, SortOrder::Descending)).await.items {
        assert_eq!(market.detail(&plan).await.delivery.conversions, conversions, "{}", plan.plan_no);
        sum += conversions;
    }
    assert!(sum > 0, "there are some");
});

on_both!(plans_are_found_by_product_number_status_and_time, |test| {
    let market = many(test).await;
    let every = page(&market, all(Sort::Newest, SortOrder::Ascending)).await;
    let no: Vec<String> = every.items.iter().map(|of| of.plan.plan_no.clone()).collect();
    let tea = every.items[5].plan.product.id;
    let names: Vec<String> = every.choices.expect("choices").products.into_iter().map(|of| of.name).collect();
    assert_eq!(names, ["Bora Tea", "Aurora Coffee"]);

    let search = |text: &str| PlanQuery { search: Some(text.into()), ..all(Sort::Newest, SortOrder::Ascending) };
    assert_eq!(numbers(&market, search(" bora t")).await, no[5..]);
    assert_eq!(numbers(&market, search("TEA")).await, no[5..]);
    let part = no[2][..6].to_lowercase();
    assert_eq!(numbers(&market, search(&format!("#{part}"))).await, no[2..3]);
    assert_eq!(numbers(&market, search("%")).await, Vec::<String>::new());
    assert_eq!(numbers(&market, search("_ora")).await, Vec::<String>::new());
    let both = PlanQuery { product: Some(tea), ..search("coffee") };
    assert_eq!(numbers(&market, both).await, Vec::<String>::new());

    for sort in [Sort::Newest, Sort::Profit] {
        let query = || all(sort, SortOrder::Ascending);
        let of_tea = numbers(&market, PlanQuery { product: Some(tea), ..query() }).await;
        assert_eq!(of_tea, no[5..], "{sort:?}");
        let settled = PlanQuery { status: Some(Status::Settled), ..query() };
        let mut settled = numbers(&market, settled).await;
        settled.sort_by_key(|number| no.iter().position(|one| one == number));
        assert_eq!(settled, no[1..4], "{sort:?}");
        let failed = PlanQuery { status: Some(Status::PutFailed), ..query() };
        assert_eq!(numbers(&market, failed).await, no[..1], "{sort:?}");
        let day = every.items[4].plan.put_at.expect("put").to_string()[..10].to_owned();
        let late = PlanQuery { from: Some(day.clone()), to: Some(day), ..query() };
        let mut late = numbers(&market, late).await;
        late.sort_by_key(|number| no.iter().position(|one| one == number));
        assert_eq!(late, no[4..6], "{sort:?}: an offer was not put");
    }
    let foreign = market.world.test.user("other").await;
    let none = list(&market.world.app, foreign, all(Sort::Profit, SortOrder::Descending)).await.expect("plans");
    assert!(none.items.is_empty());
});

on_both!(what_cannot_be_read_is_refused_by_name, |test| {
    let market = market(test).await;
    let asked = |query: PlanQuery| list(&market.world.app, market.world.user, query);
    let query = || all(Sort::Profit, SortOrder::Descending);
    let refused: Result<PlansPage, Error> = asked(PlanQuery { from: Some("May".into()), ..query() }).await;
    assert_eq!(why(refused), "from=invalid");
    assert_eq!(why(asked(PlanQuery { to: Some("2026-13-01".into()), ..query() }).await), "to=invalid");
    assert_eq!(why(asked(PlanQuery { cursor: Some("1.x".into()), ..query() }).await), "cursor=invalid");
    assert_eq!(why(asked(PlanQuery { search: Some("x".repeat(101)), ..query() }).await), "search=too_long");
});

on_both!(a_refund_after_settlement_moves_a_plan_in_the_list, |test| {
    let market = market(test).await;
    let lost = ran(&market, "15.00", 3, 0).await;
    let gained = ran(&market, "10.00", 2, 1).await;
    market.wait(11 * DAY);
    market.work().await;
    let worst = || numbers(&market, all(Sort::Profit, SortOrder::Ascending));
    assert_eq!(market.status(&gained).await, "settled");
    assert_eq!(worst().await, [&*lost.plan_no, &*gained.plan_no]);
    market.world.test.clock.move_to(plans::closing_after(market.world.app.now()));
    corrected(&market, "").await;
    let shown = page(&market, all(Sort::Consumed, SortOrder::Descending)).await.items;
    let shown: Vec<_> = shown.iter().map(|of| (of.plan.consumed.to_string(), of.plan.profit.to_string())).collect();
    assert_eq!(shown, [("0.00".into(), "11.25".into()), ("0.00".into(), "0.00".into())]);
    assert_eq!(worst().await, [&*lost.plan_no, &*gained.plan_no]);
    let best = PlanQuery { cursor: Some("1125.1".into()), ..all(Sort::Profit, SortOrder::Descending) };
    assert_eq!(numbers(&market, best).await, [&*lost.plan_no], "by what it came to after the refund");
});

on_both!(results_that_an_older_server_did_not_keep_are_kept_at_the_start, |test| {
    let market = many(test).await;
    let query = || all(Sort::Profit, SortOrder::Ascending);
    let before = numbers(&market, query()).await;
    store::testing::execute(&market.world.test.url, "DELETE FROM plan_results").expect("as of the version before");
    assert_eq!(numbers(&market, query()).await.len(), 4);
    bring_up_to_date(&market.world.app).await.expect("brought up to date");
    assert_eq!(numbers(&market, query()).await, before);
});

on_both!(a_stopped_plan_stays_in_its_place, |test| {
    let market = many(test).await;
    let query = || all(Sort::Profit, SortOrder::Descending);
    let before = numbers(&market, query()).await;
    let running = page(&market, PlanQuery { status: Some(Status::Putting), ..query() }).await;
    let id = running.items[0].plan.id;
    control(&market.world.app, market.world.user, id, PlanCommand::Stop).await.expect("stopped");
    assert_eq!(numbers(&market, query()).await, before);
    market.wait(4 * DAY);
    market.work().await;
    assert_eq!(numbers(&market, query()).await.len(), before.len());
});
