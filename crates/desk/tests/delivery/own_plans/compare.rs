//! Plans and products side by side: each figure as everywhere else.

use base::{Field, Money, ProductId};
use campaigns::plans::compare::{Compared, Wanted, compare, product_results};
use campaigns::plans::overview::Span;
use campaigns::plans::plan_list::{PlanQuery, list};
use campaigns::plans::plan_views::{PlanDetail, PlanView};
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::amount::invested;
use foundation::people::pay_password::Proof;
use plans::ContentType;
use store::on_both;
use store::testing::TestDb;

use crate::money::why;
use crate::publishers::refunds::{corrected, promote};
use crate::support::{Market, market_with, offered, product_file};

/// A price, a payout and a share that leave a rest on each plan.
fn odd(file: &mut campaigns::catalogue::products::ProductFile) {
    file.put_rule.price = "5005.55".into();
    file.payout = "12.57".into();
    file.fee_rate = "0.0333".into();
}

/// Puts, is visited until its budget is used, and sells this often.
async fn ran(market: &Market, product: ProductId, amount: &str, sales: usize) -> PlanView {
    let amount = invested(Field::Amount, amount).expect("an amount");
    let command = Put::new(PutTarget::Product(product), amount, ContentType::LandingPage);
    let plan = put(&market.world.app, Proof::assumed(market.world.user), command).await.expect("put");
    let visits = usize::try_from(amount.minor() / 501).expect("few");
    for n in 0..visits {
        let visited = market.visit().await;
        if n < sales {
            assert!(market.convert(&format!("{}-{n}", plan.plan_no), &visited.click_id).await.accepted);
        }
    }
    market.work().await;
    plan
}

/// Coffee on three plans, the first with credit and the third with a view given back, and tea on one.
async fn four(test: TestDb) -> (Market, ProductId, Vec<PlanView>) {
    let market = market_with(test, odd).await;
    let mut file = product_file(market.advertiser);
    odd(&mut file);
    "Bora Tea".clone_into(&mut file.name);
    let tea = offered(&market.world, &file).await;
    promote(&market, "7.77").await;
    let coffee = market.product;
    let mut plans = vec![ran(&market, coffee, "20.00", 1).await, ran(&market, coffee, "15.04", 2).await];
    market.wait(4 * 86_400);
    market.close_day().await;
    assert_eq!(market.status(&plans[0]).await, "settled");
    plans.push(ran(&market, coffee, "30.00", 3).await);
    plans.push(ran(&market, tea, "25.00", 0).await);
    market.close_day().await;
    corrected(&market, &format!("kind = \"impression\"\nplan = \"{}\"", plans[2].plan_no)).await;
    (market, tea, plans)
}

async fn of(market: &Market, wanted: Wanted) -> Vec<Compared> {
    compare(&market.world.app, market.world.user, wanted).await.expect("compared")
}

fn sum(details: &[PlanDetail], of: impl Fn(&PlanDetail) -> Money) -> Money {
    Money::sum(details.iter().map(of)).expect("a sum")
}

on_both!(compared_plans_have_the_figures_of_their_pages_in_the_order_asked, |test| {
    let (market, _, plans) = four(test).await;
    let ids = [plans[3].id, plans[0].id, plans[2].id];
    let found = of(&market, Wanted::Plans(ids.to_vec())).await;
    let listed = list(&market.world.app, market.world.user, PlanQuery { limit: 20, ..PlanQuery::default() });
    let listed = listed.await.expect("plans").items;
    for (compared, plan) in found.iter().zip([&plans[3], &plans[0], &plans[2]]) {
        let detail = market.detail(plan).await;
        let shown = compared.plan.as_ref().expect("a plan");
        assert_eq!((shown.id, &shown.plan_no, shown.status), (plan.id, &plan.plan_no, detail.plan.status));
        assert_eq!((&compared.delivery, &compared.ratios), (&detail.delivery, &detail.ratios));
        assert_eq!((compared.plans, compared.product.id), (1, detail.plan.product.id));
        let card = listed.iter().find(|of| of.plan.id == plan.id).expect("listed");
        assert_eq!(compared.trend, card.trend);
    }
    assert_eq!(found.len(), 3);
});

on_both!(a_products_figures_are_those_of_its_plans_added_up, |test| {
    let (market, tea, plans) = four(test).await;
    let found = of(&market, Wanted::Products(vec![tea, market.product])).await;
    assert_eq!(found.iter().map(|of| (of.product.id, of.plans)).collect::<Vec<_>>(), [(tea, 1), (market.product, 3)]);
    let mut details = Vec::new();
    for plan in &plans[..3] {
        details.push(market.detail(plan).await);
    }
    let coffee = &found[1];
    assert_eq!(coffee.delivery.consumed, sum(&details, |of| of.delivery.consumed));
    assert_eq!(coffee.delivery.revenue, sum(&details, |of| of.delivery.revenue));
    assert_eq!(coffee.ratios.profit, sum(&details, |of| of.plan.profit));
    let counts = |of: &campaigns::plans::plan_ratios::DeliveryFigures| {
        [of.impressions, of.clicks, of.conversions, of.viewable, of.filtered]
    };
    let added = details.iter().map(|of| counts(&of.delivery)).fold([0; 5], |sum, next| {
        let mut sum = sum;
        sum.iter_mut().zip(next).for_each(|(sum, next)| *sum += next);
        sum
    });
    assert_eq!(counts(&coffee.delivery), added);
    // Of the user's own money, as the overview has it for both.
    let own = |of: &PlanDetail| of.plan.consumed.minus(of.plan.platform_paid).expect("in range");
    let own_used = sum(&details, own);
    let per_conversion = coffee.ratios.own_cost_per_conversion.as_deref().expect("some");
    let expected = i128::from(own_used.minor()) * 1_000 / i128::from(coffee.delivery.conversions);
    assert!((per_conversion.replace('.', "").parse::<i128>().expect("a cost") - expected).abs() <= 1);
    assert!(coffee.delivery.consumed > own_used, "credit paid a part");
    let overview = market.overview(Span::All).await;
    let both = Money::sum(found.iter().map(|of| of.ratios.profit)).expect("a sum");
    assert_eq!(both, overview.profit);
    let alone = product_results(&market.world.app, market.world.user, market.product).await.expect("results");
    assert_eq!(&alone, coffee);
    market.check().await;
});

on_both!(only_ones_own_is_compared, |test| {
    let (market, tea, plans) = four(test).await;
    let app = &market.world.app;
    let foreign = market.world.test.user("other").await;
    let ids = || Wanted::Plans(vec![plans[0].id, plans[1].id]);
    let products = || Wanted::Products(vec![market.product, tea]);
    for wanted in [ids(), products()] {
        assert_eq!(why(compare(app, foreign, wanted).await), "not_found");
    }
    let unknown = Wanted::Plans(vec![plans[0].id, base::PlanId(999)]);
    assert_eq!(why(compare(app, market.world.user, unknown).await), "not_found");
    // Of a product on which nothing was put, there is nothing yet.
    let nothing = product_results(app, foreign, tea).await.expect("a product");
    assert_eq!((nothing.plans, nothing.delivery.impressions, nothing.ratios.return_on_spend), (0, 0, None));
    assert_eq!(why(product_results(app, foreign, ProductId(999)).await), "not_found");
});
