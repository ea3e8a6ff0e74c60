//! The statement by day: each row is the sum of the lines it stands for, on every page
//! and with every filter.

use std::collections::BTreeMap;

use base::{Money, Timestamp};
use calendar::Zone;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_views::PlanView;
use foundation::Error;
use money::wallet::flow_days::{DaysPage, DaysQuery, FlowRow, flow_days};
use money::wallet::flow_list::{FlowQuery, FlowView, flow_list};
use store::{PageRequest, on_both};
use wallet::{FlowAccount, FlowKind, Source};

use crate::money::why;
use crate::shop::custom;
use crate::support::{Market, market};

const DAY: i64 = 86_400;

fn all() -> DaysQuery {
    DaysQuery { limit: 100, ..DaysQuery::default() }
}

fn in_zone(name: &str) -> DaysQuery {
    DaysQuery { zone: Zone::from_header(name), ..all() }
}

/// A row: its id, its sums by whose money it is, its lines, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    id: String,
    own: Money,
    promotional: Money,
    coupon: Money,
    lines: i64,
    last: (Timestamp, i64),
}

fn at(time: &str) -> Timestamp {
    Timestamp::parse(time).expect("a time")
}

/// The rows, computed from the lines themselves.
fn summed(lines: &[FlowView], zone: Zone) -> Vec<Told> {
    let mut rows: BTreeMap<String, Told> = BTreeMap::new();
    for line in lines {
        let id = match line.kind {
            FlowKind::AdBilling => format!("{}-{}", zone.day(line.time), line.reference.id),
            _ => line.id.clone(),
        };
        let last = (line.time, line.id.parse().expect("a number"));
        let zero = Money::ZERO;
        let row =
            rows.entry(id.clone()).or_insert(Told { id, own: zero, promotional: zero, coupon: zero, lines: 0, last });
        let part = match line.source {
            Some(Source::Coupon) => &mut row.coupon,
            Some(Source::Promotional) => &mut row.promotional,
            Some(Source::Available) | None => &mut row.own,
        };
        *part = part.plus(line.amount).expect("a sum");
        row.lines += 1;
        row.last = (row.last.0.max(last.0), row.last.1.max(last.1));
    }
    let mut rows: Vec<Told> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.last));
    rows
}

fn told(row: &FlowRow, last: i64) -> Told {
    let last = (row.time, last);
    match (&row.line, &row.billing) {
        (Some(line), None) => {
            let part = |wanted: &[Option<Source>]| {
                if wanted.contains(&line.source) { line.amount } else { Money::ZERO }
            };
            Told {
                id: row.id.clone(),
                own: part(&[None, Some(Source::Available)]),
                promotional: part(&[Some(Source::Promotional)]),
                coupon: part(&[Some(Source::Coupon)]),
                lines: 1,
                last,
            }
        }
        (None, Some(bill)) => {
            let (own, promotional, coupon) = (bill.own, bill.promotional, bill.coupon);
            assert_eq!(bill.amount, Money::sum([own, promotional, coupon]).expect("a sum"));
            Told { id: row.id.clone(), own, promotional, coupon, lines: bill.lines, last }
        }
        other => panic!("neither a line nor a day: {other:?}"),
    }
}

impl Market {
    async fn days(&self, query: DaysQuery) -> Result<DaysPage, Error> {
        flow_days(&self.world.app, self.world.user, query).await
    }

    /// Every line, newest first.
    async fn every_line(&self) -> Vec<FlowView> {
        let (mut lines, mut before) = (Vec::new(), None);
        loop {
            let query = FlowQuery { page: PageRequest { before, limit: 100 }, ..FlowQuery::default() };
            let page = flow_list(&self.world.app, self.world.user, query).await.expect("a statement").lines;
            lines.extend(page.items);
            before = page.next;
            if before.is_none() {
                return lines;
            }
        }
    }

    /// Every row, so many at a time; no page but one of a search is empty.
    async fn rows(&self, query: &DaysQuery, limit: usize) -> Vec<FlowRow> {
        let (mut rows, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.days(DaysQuery { cursor, limit, ..query.clone() }).await.expect("a page");
            assert!(page.items.len() <= limit);
            assert!(query.search.is_some() || page.next_cursor.is_none() || !page.items.is_empty(), "{query:?}");
            rows.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                return rows;
            }
        }
    }

    /// The rows of a query are those of the lines, on pages of every size.
    async fn agree(&self, query: &DaysQuery, lines: &[FlowView]) {
        let expected = summed(lines, query.zone);
        for limit in [1, 2, 5, 100] {
            let rows = self.rows(query, limit).await;
            assert_eq!(rows.len(), expected.len(), "{query:?} by {limit}");
            for (row, expected) in rows.iter().zip(&expected) {
                assert_eq!(&told(row, expected.last.1), expected, "{query:?} by {limit}");
            }
        }
    }

    /// Two plans over three days, one paid with money, credit and a coupon; both stopped
    /// and settled.
    async fn busy_days(&self) -> [PlanView; 2] {
        self.world.promote("12.00").await;
        let coupon = self.give(custom("Seven", "addition", "7")).await;
        let plans = [self.put_with("60.00", &coupon).await.expect("put"), self.put("80.00").await];
        for n in 0..9 {
            let visit = self.visit().await;
            if n % 3 == 0 {
                self.convert(&format!("order-{n}"), &visit.click_id).await;
            }
            self.work().await;
            self.wait(7 * 3_600);
        }
        for plan in &plans {
            let id = plan.id;
            control(&self.world.app, self.world.user, id, PlanCommand::Stop).await.expect("stopped");
        }
        self.wait(300);
        self.work().await;
        self.wait(4 * DAY);
        self.work().await;
        plans
    }
}

on_both!(rows_are_the_sums_of_their_lines, |test| {
    let m = market(test).await;
    let plans = m.busy_days().await;
    let lines = m.every_line().await;
    let billed = summed(&lines, Zone::UTC);
    assert!(billed.iter().filter(|row| row.id.contains('-')).count() >= 3, "{billed:?}");
    assert!(billed.iter().any(|row| row.lines > 1), "{billed:?}");
    for zone in ["UTC", "Asia/Shanghai", "America/Los_Angeles", "Asia/Kathmandu"] {
        m.agree(&in_zone(zone), &lines).await;
    }
    let some = |wanted: &dyn Fn(&FlowView) -> bool| lines.iter().filter(|l| wanted(l)).cloned().collect::<Vec<_>>();
    for kind in FlowKind::ALL {
        let query = DaysQuery { kind: Some(kind.name().into()), ..all() };
        m.agree(&query, &some(&|line| line.kind == *kind)).await;
    }
    for plan in &plans {
        let query = DaysQuery { plan: Some(plan.id), ..all() };
        m.agree(&query, &some(&|line| line.reference.id == plan.id.to_string() && line.remark == plan.plan_no)).await;
    }
    let month = DaysQuery { month: Some("2026-01".into()), ..all() };
    m.agree(&month, &lines).await;
    m.agree(&DaysQuery { month: Some("2025-12".into()), ..all() }, &[]).await;
    // From the middle of a day to the middle of the next but one.
    let (from, until) = ("2026-01-05T18:00:00Z", "2026-01-07T06:00:00Z");
    let stretch = DaysQuery { from: Some(from.into()), until: Some(until.into()), ..all() };
    let within = some(&|line| line.time >= at(from) && line.time < at(until));
    assert!(!within.is_empty() && within.len() < lines.len());
    m.agree(&stretch, &within).await;
    m.agree(&DaysQuery { kind: Some("ad_billing".into()), ..stretch }, &{
        within.into_iter().filter(|line| line.kind == FlowKind::AdBilling).collect::<Vec<_>>()
    })
    .await;
    m.check().await;
});

on_both!(money_in_and_out_are_what_the_months_net, |test| {
    let m = market(test).await;
    m.busy_days().await;
    let lines = m.every_line().await;
    let own = |line: &&FlowView| line.account == FlowAccount::Available;
    let came = |line: &&FlowView| own(line) && !line.amount.is_negative() && line.kind != FlowKind::Refund;
    let left = |line: &&FlowView| own(line) && line.amount.is_negative();
    let came: Vec<FlowView> = lines.iter().filter(came).cloned().collect();
    let left: Vec<FlowView> = lines.iter().filter(left).cloned().collect();
    let show = |name: &str| DaysQuery { direction: Some(name.into()), month: Some("2026-01".into()), ..all() };
    m.agree(&show("in"), &came).await;
    m.agree(&show("out"), &left).await;
    let page = m.days(show("in")).await.expect("a page");
    let month = &page.months[0];
    let minus = |a: Money, b: Money| a.minus(b).expect("a rest");
    assert!(month.refunds.is_positive());
    assert_eq!(month.net_income, minus(month.income, month.refunds));
    assert_eq!(month.net_expense, minus(month.expense, month.refunds));
    assert_eq!(page.sum.expect("a sum").available, month.net_income);
    let out = m.days(show("out")).await.expect("a page").sum.expect("a sum");
    assert_eq!(out.available.negated(), Ok(month.expense));
    let billing = DaysQuery { kind: Some("ad_billing".into()), month: Some("2026-01".into()), ..all() };
    let sum = m.days(billing).await.expect("a page").sum.expect("a sum");
    // The credit of 12.00 and the coupon of 7.00 are used before the user's own money.
    assert_eq!(sum.held_by_platform.to_string(), "-19.00");
    assert!(sum.held < sum.held_by_platform);
});

on_both!(rows_stay_in_their_place_while_more_is_billed, |test| {
    let m = market(test).await;
    for _ in 0..2 {
        m.put("50.00").await;
    }
    for _ in 0..4 {
        m.visit().await;
        m.work().await;
        m.wait(10 * 3_600);
    }
    let before = m.rows(&all(), 100).await;
    let first = m.days(DaysQuery { limit: 1, ..all() }).await.expect("a page");
    let (mut seen, mut cursor) = (first.items, first.next_cursor);
    while cursor.is_some() {
        m.visit().await;
        m.work().await;
        let page = m.days(DaysQuery { cursor, limit: 1, ..all() }).await.expect("a page");
        assert!(page.choices.is_none() && page.sum.is_none(), "with the first page alone");
        seen.extend(page.items);
        cursor = page.next_cursor;
    }
    assert_eq!(seen, before);
    let after = m.rows(&all(), 100).await;
    assert_ne!(after, before);
});

on_both!(days_far_apart_are_all_there, |test| {
    let m = market(test).await;
    for _ in 0..3 {
        m.put("10.00").await;
        m.visit().await;
        m.work().await;
        // Until the plan is over, and longer than a page looks back.
        m.wait(70 * DAY);
        m.work().await;
    }
    let lines = m.every_line().await;
    m.agree(&all(), &lines).await;
    let billing = DaysQuery { kind: Some("ad_billing".into()), ..all() };
    let bills: Vec<_> = lines.iter().filter(|line| line.kind == FlowKind::AdBilling).cloned().collect();
    assert_eq!(bills.len(), 3);
    m.agree(&billing, &bills).await;
    let page = m.days(all()).await.expect("a page").choices.expect("choices");
    assert_eq!(page.first_month, "2026-01");
    let months: Vec<_> = page.latest_months.iter().map(|month| month.month.as_str()).collect();
    assert_eq!(months, ["2026-08", "2026-07", "2026-06", "2026-05", "2026-04", "2026-03"]);
    let kinds =
        ["system_top_up", "ad_billing", "ad_serving", "refund"].map(|name| FlowKind::from_name(name).expect("one"));
    assert_eq!(page.kinds, kinds);
});

/// As wide as Chinese and Japanese characters.
fn wide(text: &str) -> String {
    text.chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).expect("a character")).collect()
}

on_both!(a_search_finds_amounts_numbers_names_and_references, |test| {
    let m = market(test).await;
    let plans = m.busy_days().await;
    m.world.recharge("123.45", "BANK-4711%").await;
    m.wait(100 * DAY);
    let lines = m.every_line().await;
    let rows = summed(&lines, Zone::UTC);
    let search = async |text: &str| {
        let rows = m.rows(&DaysQuery { search: Some(text.into()), ..all() }, 2).await;
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let which = |wanted: &dyn Fn(&Told) -> bool| {
        rows.iter().filter(|row| wanted(row)).map(|row| row.id.clone()).collect::<Vec<_>>()
    };
    let total = |row: &Told| Money::sum([row.own, row.promotional, row.coupon]).expect("a sum");
    // Each amount is found, a day's by its total.
    for row in &rows {
        let amount = total(row).to_string().replace('-', "");
        let expected = which(&|other| total(other).minor().abs() == total(row).minor().abs());
        assert_eq!(search(&amount).await, expected, "{amount}");
        assert_eq!(search(&format!("-${}", amount.replace('.', ","))).await, expected, "{amount}");
    }
    for plan in &plans {
        let found = search(&plan.plan_no.to_lowercase()[1..]).await;
        let of = |id: &String| {
            lines.iter().any(|l| l.id == *id && l.remark == plan.plan_no) || id.ends_with(&format!("-{}", plan.id))
        };
        assert!(found.len() > 4 && found.iter().all(of), "{found:?}");
        assert_eq!(found.len(), rows.iter().filter(|row| of(&row.id)).count());
    }
    let about_plans = which(&|row| {
        row.id.contains('-') || lines.iter().any(|l| l.id == row.id && l.reference.kind == wallet::DocumentKind::Plan)
    });
    assert_eq!(search("aurora cof").await, about_plans);
    let recharged = which(&|row| total(row).minor() == 12_345);
    assert_eq!(recharged.len(), 1);
    assert_eq!(search("4711%").await, recharged);
    assert_eq!(search("bank-4711").await, recharged);
    // As keyboards in China and Japan write it.
    assert_eq!(search("ＢＡＮＫ－４７１１").await, recharged);
    assert_eq!(search("Ａｕｒｏｒａ　ｃｏｆ").await, about_plans);
    assert_eq!(search(&plans[0].plan_no).await, search(&wide(&plans[0].plan_no)).await);
    assert!(search(&recharged[0]).await.contains(&recharged[0]), "by the line's own number");
    // A wildcard stands for itself.
    for text in ["4712", "4_11%", "%BANK", "77.77", "Aurora Tea"] {
        assert!(search(text).await.is_empty(), "{text}");
    }
    let narrowed = DaysQuery { search: Some("aurora".into()), kind: Some("settlement".into()), ..all() };
    let settled = lines.iter().filter(|line| line.kind == FlowKind::Settlement).count();
    assert_eq!(m.rows(&narrowed, 100).await.len(), settled);
    assert!(settled > 0);
});

on_both!(wrong_questions_are_refused_and_nothing_of_others_is_seen, |test| {
    let m = market(test).await;
    let plan = m.put("50.00").await;
    m.visit().await;
    m.work().await;
    let given = |text: &str| Some(text.to_owned());
    for (query, told) in [
        (DaysQuery { month: given("2026-13"), ..all() }, "month=invalid"),
        (DaysQuery { kind: given("gift"), ..all() }, "kind=invalid"),
        (DaysQuery { direction: given("up"), ..all() }, "direction=invalid"),
        (DaysQuery { direction: given("in"), kind: given("refund"), ..all() }, "direction=invalid"),
        (DaysQuery { from: given("2026-01-05T00:00:00Z"), ..all() }, "until=required"),
        (DaysQuery { search: given(&"x".repeat(101)), ..all() }, "search=too_long"),
        (DaysQuery { search: given("a\0b"), ..all() }, "search=invalid"),
        (DaysQuery { cursor: given("7"), ..all() }, "cursor=invalid"),
        (DaysQuery { cursor: given("1-2-3-4"), ..all() }, "cursor=invalid"),
        (DaysQuery { cursor: given("1-9223372036854775807-3"), ..all() }, "cursor=invalid"),
        (DaysQuery { plan: Some(base::PlanId(999)), ..all() }, "not_found"),
    ] {
        assert_eq!(why(m.days(query).await), told);
    }
    let other = m.world.test.user("other").await;
    let theirs = DaysQuery { plan: Some(plan.id), ..all() };
    assert_eq!(why(flow_days(&m.world.app, other, theirs).await), "not_found");
    for search in [None, given("aurora"), given("50")] {
        let page = flow_days(&m.world.app, other, DaysQuery { search, ..all() }).await.expect("a page");
        assert!(page.items.is_empty() && page.next_cursor.is_none() && page.months.is_empty());
    }
    let choices = flow_days(&m.world.app, other, all()).await.expect("a page").choices.expect("choices");
    assert_eq!((choices.first_month.as_str(), choices.kinds.len()), ("2026-01", 0));
});
