//! Lists of plans, in each order, the limit of a plan's days, and when it is shown.

use base::Money;
use calendar::Zone;
use campaigns::plans::limits::{self, Limits};
use campaigns::plans::plan_list::{self, PlanQuery, Sort};
use campaigns::plans::schedule;
use plans::Schedule;

use crate::support::Market;

pub async fn ask(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let plan = market.put("20.00").await;
    let limits = Limits { daily_cap: Some(Money::from_minor(50_00)), zone: Zone::UTC };
    limits::limit(app, user, plan.id, limits).await.expect("limited");
    // It leaves the slots to the plans of others.
    let later = Schedule { begins_at: Some(app.now().plus_days(300)), ..Schedule::default() };
    schedule::schedule(app, user, plan.id, later).await.expect("scheduled");
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
