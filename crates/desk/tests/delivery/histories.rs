//! Rows that benchmarks write without the ledger read like rows of the ledger.

use calendar::Zone;
use campaigns::plans::overview::{Span, overview};
use campaigns::plans::plan_views::list;
use money::wallet::flow_list::{FlowQuery, flow_list};
use store::PageRequest;
use store::on_both;
use store::testing::history::{self, History};

use crate::support::market;

const PAGE: PageRequest = PageRequest { before: None, limit: 20 };

on_both!(a_written_history_is_read_like_any_other, |t| {
    let place = market(t).await;
    let (app, test) = (&place.world.app, &place.world.test);
    let user = test.user("historian").await;
    let written = History { user, product: place.product, rows: 1_000, until: app.now() };
    history::write(&test.url, &[written]).expect("written");

    let shown = overview(app, user, Span::Month, Zone::UTC).await.expect("an overview");
    assert_eq!((shown.orders, shown.impressions, &*shown.invested.to_string()), (81, 810_000, "810.00"));
    let query = FlowQuery { page: PAGE, ..FlowQuery::default() };
    let statement = flow_list(app, user, query).await.expect("a statement");
    assert_eq!((statement.lines.items.len(), &*statement.lines.items[0].balance.to_string()), (20, "500.00"));
    let (income, expense) = (&statement.months[0].income, &statement.months[0].expense);
    assert_eq!((&*income.to_string(), &*expense.to_string()), ("12.00", "7.00"), "since New Year");
    assert_eq!(list(app, user, None, PAGE).await.expect("plans").items.len(), 20);
});
