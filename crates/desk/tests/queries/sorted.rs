//! Lists of plans, in each order.

use campaigns::plans::plan_list::{PlanQuery, Sort, list};

use crate::support::Market;

pub async fn read(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    for sort in [Sort::Newest, Sort::Profit, Sort::Roi, Sort::Consumed, Sort::Conversions] {
        let search = (sort == Sort::Profit).then(|| "coffee".to_owned());
        let from = (sort == Sort::Roi).then(|| "2026-01-01".to_owned());
        let query = PlanQuery { sort: Some(sort), search, from, limit: 20, ..PlanQuery::default() };
        let page = list(app, user, query.clone()).await.expect("plans");
        let cursor = page.next.or(Some("1.1".into()));
        let product = Some(market.product);
        list(app, user, PlanQuery { cursor, product, ..query }).await.expect("plans");
    }
}
