//! Lists of plans, in each order, plans side by side, and the limit of a plan's days.

use base::Money;
use calendar::Zone;
use campaigns::plans::compare::{Wanted, compare, product_results};
use campaigns::plans::limits::{self, Limits};
use campaigns::plans::plan_list::{self, PlanQuery, Sort};

use crate::support::Market;

pub async fn ask(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let plan = market.put("20.00").await;
    let limits = Limits { daily_cap: Some(Money::from_minor(50_00)), zone: Zone::UTC };
    limits::limit(app, user, plan.id, limits).await.expect("limited");
    // It takes back what is promised.
    market.serve().await.expect("a creative");
    let lower = Limits { daily_cap: Some(Money::from_minor(5_00)), zone: Zone::UTC };
    limits::limit(app, user, plan.id, lower).await.expect("limited");
    let other = market.put("20.00").await;
    compare(app, user, Wanted::Plans(vec![plan.id, other.id])).await.expect("compared");
    compare(app, user, Wanted::Products(vec![market.product])).await.expect("compared");
    product_results(app, user, market.product).await.expect("results");
    for sort in [Sort::Newest, Sort::Profit, Sort::Roi, Sort::Consumed, Sort::Conversions] {
        let search = (sort == Sort::Profit).then(|| "coffee".to_owned());
        let from = (sort == Sort::Roi).then(|| "2026-01-01".to_owned());
        let query = PlanQuery { sort: Some(sort), search, from, limit: 20, ..PlanQuery::default() };
        let page = plan_list::list(app, user, query.clone()).await.expect("plans");
        let cursor = page.next.or(Some("1.1".into()));
        let product = Some(market.product);
        plan_list::list(app, user, PlanQuery { cursor, product, ..query }).await.expect("plans");
    }
}
