use base::PlanId;
use money::wallet::flow_days::{DaysQuery, flow_days};

use crate::support::Market;

/// The statement by day with every filter, from a cursor on, and searched.
pub async fn read_by_day(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let day = [Some("2026-01-05T00:00:00Z".to_owned()), Some("2026-01-06T00:00:00Z".to_owned())];
    let some = |text: &str| Some(text.to_owned());
    let plain = || DaysQuery { limit: 1, ..DaysQuery::default() };
    for query in [
        plain(),
        DaysQuery { month: some("2026-01"), ..plain() },
        DaysQuery { kind: some("refund"), ..plain() },
        DaysQuery { month: some("2026-01"), kind: some("ad_billing"), ..plain() },
        DaysQuery { direction: some("in"), ..plain() },
        DaysQuery { plan: Some(PlanId(1)), direction: some("out"), ..plain() },
        DaysQuery { plan: Some(PlanId(1)), ..plain() },
        DaysQuery { from: day[0].clone(), until: day[1].clone(), ..plain() },
        DaysQuery { from: day[0].clone(), until: day[1].clone(), direction: some("in"), ..plain() },
        DaysQuery { search: some("10.00"), ..plain() },
        DaysQuery { search: some("aurora"), plan: Some(PlanId(1)), ..plain() },
    ] {
        let first = flow_days(app, user, query.clone()).await.expect("rows");
        assert!(first.choices.is_some());
        if let Some(cursor) = first.next_cursor {
            flow_days(app, user, DaysQuery { cursor: Some(cursor), ..query }).await.expect("rows");
        }
    }
}
