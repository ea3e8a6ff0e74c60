//! The statement of one plan and of a period, and the totals of its lines.

use base::{Money, PlanId, Timestamp};
use campaigns::plans::overview::{Overview, Span};
use campaigns::plans::plan_control::{PlanCommand, control, reject};
use campaigns::plans::plan_views::PlanView;
use foundation::Error;
use money::wallet::flow_list::{FlowQuery, FlowSum, FlowView, Statement, flow_list};
use store::{PageRequest, on_both};
use wallet::{FlowAccount, FlowKind, Source};

use crate::money::why;
use crate::shop::{PAGE, custom};
use crate::support::{Market, market};

fn all() -> FlowQuery {
    FlowQuery { page: PAGE, ..FlowQuery::default() }
}

fn of(plan: &PlanView) -> FlowQuery {
    FlowQuery { plan: Some(plan.id), ..all() }
}

fn stretch(from: &str, until: &str) -> FlowQuery {
    FlowQuery { from: Some(from.into()), until: Some(until.into()), ..all() }
}

fn kind(kind: FlowKind, query: FlowQuery) -> FlowQuery {
    FlowQuery { kind: Some(kind.name().into()), ..query }
}

/// Computed from the lines themselves.
fn sum_of(lines: &[FlowView]) -> FlowSum {
    let sum = |wanted: &dyn Fn(&FlowView) -> bool| {
        Money::sum(lines.iter().filter(|line| wanted(line)).map(|line| line.amount)).expect("a sum")
    };
    let on = |account: FlowAccount| sum(&|line| line.account == account);
    FlowSum {
        available: on(FlowAccount::Available),
        held: on(FlowAccount::Held),
        held_by_platform: sum(&|line| line.source.is_some_and(|source| source != Source::Available)),
        promotional: on(FlowAccount::Promotional),
        lines: i64::try_from(lines.len()).expect("few"),
    }
}

impl Market {
    async fn listed(&self, query: FlowQuery) -> Result<Statement, Error> {
        flow_list(&self.world.app, self.world.user, query).await
    }

    /// The lines of a filter on one page, whose sum is checked.
    async fn lines(&self, query: FlowQuery) -> Vec<FlowView> {
        let statement = self.listed(query).await.expect("a statement");
        assert_eq!(statement.sum, Some(sum_of(&statement.lines.items)));
        statement.lines.items
    }

    /// The same lines, two at a time.
    async fn page_by_page(&self, query: FlowQuery) -> Vec<FlowView> {
        let (mut lines, mut before) = (Vec::new(), None);
        loop {
            let page = PageRequest { before, limit: 2 };
            let statement = self.listed(FlowQuery { page, ..query.clone() }).await.expect("a page");
            assert_eq!(statement.sum.is_some(), before.is_none(), "with the first page alone");
            lines.extend(statement.lines.items);
            before = statement.lines.next;
            if before.is_none() {
                return lines;
            }
        }
    }

    /// A plan with every kind of line: paid with money, credit and a coupon, billed,
    /// stopped early, and settled.
    async fn whole_life(&self) -> PlanView {
        self.world.promote("25.00").await;
        let coupon = self.give(custom("Seven", "addition", "7")).await;
        let plan = self.put_with("40.00", &coupon).await.expect("put");
        for n in 0..2 {
            let visit = self.visit().await;
            self.convert(&format!("order-{n}"), &visit.click_id).await;
            self.work().await;
        }
        let id: PlanId = plan.id;
        control(&self.world.app, self.world.user, id, PlanCommand::Stop).await.expect("stopped");
        self.wait(300);
        self.work().await;
        self.wait(4 * 86_400);
        self.work().await;
        assert_eq!(self.status(&plan).await, "settled");
        plan
    }
}

on_both!(a_plans_lines_are_those_of_its_whole_life, |test| {
    let m = market(test).await;
    let plan = m.whole_life().await;
    let coupon = m.give(custom("Eight", "addition", "8")).await;
    let failed = m.put_with("50.00", &coupon).await.expect("put");
    reject(&m.world.app, &m.world.bob, &failed.plan_no).await.expect("rejected");
    let every = m.listed(all()).await.expect("a statement");
    assert_eq!(every.sum, None, "there is no end to all lines");
    for (plan, kinds) in [
        (&plan, "profit_sharing settlement refund refund ad_billing ad_billing ad_billing coupon coupon ad_serving"),
        (&failed, "coupon refund refund coupon coupon ad_serving"),
    ] {
        let lines = m.lines(of(plan)).await;
        // Everything caused by a plan has its number as the remark.
        let expected: Vec<_> = every.lines.items.iter().filter(|l| l.remark == plan.plan_no).cloned().collect();
        assert_eq!(lines, expected);
        assert_eq!(lines.iter().map(|l| l.kind.name()).collect::<Vec<_>>().join(" "), kinds);
        assert_eq!(m.page_by_page(of(plan)).await, expected);
        for one in FlowKind::ALL {
            let expected: Vec<_> = expected.iter().filter(|l| l.kind == *one).cloned().collect();
            assert_eq!(m.lines(kind(*one, of(plan))).await, expected);
        }
    }
    let (billed, bills) = (m.detail(&plan).await.plan.billed, m.lines(kind(FlowKind::AdBilling, of(&plan))).await);
    assert_eq!(billed.negated(), Ok(sum_of(&bills).held));
});

on_both!(a_stretch_begins_with_its_first_moment_and_ends_before_its_last, |test| {
    let m = market(test).await;
    m.whole_life().await;
    let every = m.listed(all()).await.expect("a statement").lines.items;
    let (first, last) = (&every[every.len() - 1].time, &every[0].time);
    let at = |n: usize| every[n].time.to_string();
    for (from, until) in [
        (first.to_string(), last.to_string()),
        (at(4), at(2)),
        (at(6), at(4)),
        (at(2), "2026-02-01T00:00:00+08:00".into()),
    ] {
        let [since, up_to] = [&from, &until].map(|text| Timestamp::parse(text).expect("a moment"));
        let within: Vec<_> = every.iter().filter(|l| l.time >= since && l.time < up_to).cloned().collect();
        assert!(!within.is_empty());
        assert_eq!(m.lines(stretch(&from, &until)).await, within);
        assert_eq!(m.page_by_page(stretch(&from, &until)).await, within);
        for one in FlowKind::ALL {
            let expected: Vec<_> = within.iter().filter(|l| l.kind == *one).cloned().collect();
            assert_eq!(m.lines(kind(*one, stretch(&from, &until))).await, expected);
        }
    }
    // In such a long period there may be too many to sum.
    let long = m.listed(stretch("2025-12-06T00:00:00Z", "2026-01-06T01:00:00.001Z")).await.expect("a statement");
    assert!(long.sum.is_none() && !long.lines.items.is_empty());
    assert!(m.listed(stretch("2025-12-06T00:00:00Z", "2026-01-06T00:00:00Z")).await.expect("lines").sum.is_some());
});

on_both!(a_plan_and_a_stretch_narrow_each_other, |test| {
    let m = market(test).await;
    let plan = m.whole_life().await;
    let lines = m.lines(of(&plan)).await;
    let (from, until) = (&lines[lines.len() - 4].time, &lines[2].time);
    let within: Vec<_> = lines.iter().filter(|l| l.time >= *from && l.time < *until).cloned().collect();
    let query = FlowQuery { plan: of(&plan).plan, ..stretch(&from.to_string(), &until.to_string()) };
    assert_eq!(m.lines(query.clone()).await, within);
    assert_eq!(m.page_by_page(query).await, within);
    let month = FlowQuery { month: Some("2026-01".into()), ..of(&plan) };
    assert_eq!(m.lines(month).await, lines);
    let empty = FlowQuery { month: Some("2025-12".into()), ..of(&plan) };
    assert_eq!(m.lines(empty).await, []);
});

fn billed(overview: &Overview, hour: usize) -> Money {
    overview.series[hour].billed
}

on_both!(what_is_billed_in_a_step_of_the_chart_is_what_its_lines_come_to, |test| {
    let m = market(test).await;
    m.put("100.00").await;
    m.visit().await;
    m.work().await;
    // Seen in one hour, and billed in the next.
    m.wait(3_600 - 27);
    m.visit().await;
    m.work().await;
    let today = m.overview(Span::Today).await;
    assert_eq!([12, 13].map(|hour| billed(&today, hour).minor()), [500, 500]);
    assert_eq!((&*today.series[12].consumed.to_string(), &*today.series[13].consumed.to_string()), ("10.00", "0.00"));
    assert_eq!((today.series[12].impressions, today.series[13].impressions), (2, 0));
    for hour in 11..14 {
        let at = |hour: usize| format!("2026-01-05T{hour}:00:00Z");
        let query = kind(FlowKind::AdBilling, stretch(&at(hour), &at(hour + 1)));
        let sum = m.listed(query).await.expect("a statement").sum.expect("a sum");
        assert_eq!(sum.held.negated(), Ok(billed(&today, hour)));
    }
    m.check().await;
});

on_both!(wrong_stretches_and_others_plans_are_refused, |test| {
    let m = market(test).await;
    let plan = m.put("50.00").await;
    let (from, until) = ("2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z");
    for (query, told) in [
        (FlowQuery { until: None, ..stretch(from, until) }, "until=required"),
        (FlowQuery { from: None, ..stretch(from, until) }, "from=required"),
        (stretch("yesterday", until), "from=invalid"),
        (stretch(from, "2026-01-06"), "until=invalid"),
        (stretch(from, from), "until=invalid"),
        (stretch(until, from), "until=invalid"),
        (stretch(from, "2027-01-06T00:00:00.001Z"), "until=too_long"),
        (FlowQuery { month: Some("2026-01".into()), ..stretch(from, until) }, "month=invalid"),
        (FlowQuery { plan: Some(PlanId(999)), ..all() }, "not_found"),
    ] {
        assert_eq!(why(m.listed(query).await), told);
    }
    assert!(m.listed(stretch(from, "2027-01-06T00:00:00Z")).await.is_ok());
    let other = m.world.test.user("other").await;
    assert_eq!(why(flow_list(&m.world.app, other, of(&plan)).await), "not_found");
    let sum = flow_list(&m.world.app, other, stretch(from, until)).await.expect("a statement").sum;
    assert_eq!(sum, Some(sum_of(&[])));
});
