//! Lists of plans, in each order, plans side by side, reports, the limit of a plan's days, and when and where it is shown.

use base::Money;
use calendar::Zone;
use campaigns::plans::compare::{Wanted, compare, product_results};
use campaigns::plans::exclusions::{self, NamedPlace, Shown};
use campaigns::plans::limits::{self, Limits};
use campaigns::plans::plan_list::{self, PlanQuery, Sort};
use campaigns::plans::report::{self, ReportBy, ReportQuery};
use campaigns::plans::schedule;
use campaigns::rules;
use plans::{Rule, RuleAction, RuleKind, Schedule, ScheduleChange};

use crate::support::Market;

pub async fn ask(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let plan = market.put("20.00").await;
    let capped = |minor| Limits {
        daily_cap: Some(Some(Money::from_minor(minor))),
        schedule: ScheduleChange::default(),
        zone: Zone::UTC,
    };
    limits::limit(app, user, plan.id, capped(50_00)).await.expect("limited");
    for (id, shown) in
        [(Some(plan.id), Shown::Not), (Some(plan.id), Shown::Again), (None, Shown::Not), (None, Shown::Again)]
    {
        exclusions::set(app, user, id, NamedPlace::Site("news.example".into()), shown).await.expect("set");
    }
    for place in [NamedPlace::Slot("nobodys".into()), NamedPlace::Exchange("Nobody's".into())] {
        exclusions::set(app, user, None, place, Shown::Not).await.expect_err("it is not there");
    }
    // It takes back what is promised.
    market.serve().await.expect("a creative");
    limits::limit(app, user, plan.id, capped(5_00)).await.expect("limited");
    let other = market.put("20.00").await;
    compare(app, user, Wanted::Plans(vec![plan.id, other.id])).await.expect("compared");
    compare(app, user, Wanted::Products(vec![market.product])).await.expect("compared");
    product_results(app, user, market.product).await.expect("results");
    let all = RuleKind::ALL.iter().map(|kind| Rule::new(*kind, RuleAction::Tell, Some(Money::from_minor(1))));
    rules::set(app, user, plan.id, all.map(|rule| rule.expect("a rule")).collect()).await.expect("set");
    // Both leave the slots to the plans of others.
    let later = Schedule { begins_at: Some(app.now().plus_days(300)), ..Schedule::default() };
    schedule::schedule(app, user, other.id, later).await.expect("scheduled");
    for sort in [Sort::Newest, Sort::Profit, Sort::Roi, Sort::Consumed, Sort::Conversions] {
        let search = (sort == Sort::Profit).then(|| "coffee".to_owned());
        let from = (sort == Sort::Roi).then(|| "2026-01-01".to_owned());
        let site = (sort == Sort::Newest).then(|| "news.example".to_owned());
        let query = PlanQuery { sort: Some(sort), search, site, from, limit: 20, ..PlanQuery::default() };
        let page = plan_list::list(app, user, query.clone()).await.expect("plans");
        let cursor = page.next_cursor.or(Some("1.1".into()));
        let product = Some(market.product);
        plan_list::list(app, user, PlanQuery { cursor, product, ..query }).await.expect("plans");
    }
    for by in ReportBy::ALL {
        let days = (Some("2026-01-01".to_owned()), Some("2026-12-31".to_owned()));
        let asked = ReportQuery { from: days.0, to: days.1, by: *by, zone: Zone::UTC, lang: i18n::Lang::En };
        report::report(app, user, asked.clone()).await.expect("a report");
        report::file(app, user, asked).await.expect("a report");
    }
}
