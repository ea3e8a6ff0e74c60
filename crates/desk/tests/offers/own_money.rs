//! Whose money each figure counts. Invested, consumed, billed, to be consumed and profit
//! count the user's own money; what coupons and credit paid is shown separately.

use base::{Money, Timestamp};
use calendar::Zone;
use campaigns::plans::overview::{Overview, Span};
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_series::{PlanPoint, SeriesStep, series};
use campaigns::plans::plan_views::PlanView;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt};
use money::wallet::property::Property;
use store::on_both;
use wallet::{Account, FlowKind, Source, UserAccount};

use crate::money::money;
use crate::shop::custom;
use crate::support::{Market, market};

const DAY: i64 = 86_400;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = SmallInt)]
    account_kind: i16,
    #[diesel(sql_type = SmallInt)]
    flow: i16,
    #[diesel(sql_type = BigInt)]
    amount: i64,
    #[diesel(sql_type = BigInt)]
    recorded_at: i64,
}

/// What the ledger itself says of a period: settled revenue less fees, own money
/// billed, and what the platform paid.
struct Told {
    settled: i64,
    own: i64,
    platform: i64,
}

impl Market {
    async fn ledger(&self) -> Vec<Line> {
        let user = self.world.user.0;
        let lines = self.world.app.db.read(move |conn| {
            diesel::sql_query(
                "SELECT account_kind, flow, amount, recorded_at FROM entries WHERE owner_id = $1 AND flow IS NOT NULL",
            )
            .bind::<BigInt, _>(user)
            .load::<Line>(conn)
            .map_err(store::Error::from)
        });
        lines.await.expect("entries")
    }

    fn reckoned(&self, lines: &[Line], from: Timestamp) -> Told {
        let plan = base::PlanId(1);
        let hold = |source| Account::Hold { user: self.world.user, plan, source }.key().code;
        let available = Account::User(self.world.user, UserAccount::Available).key().code;
        let sum = |wanted: &dyn Fn(&Line) -> bool| -> i64 {
            lines.iter().filter(|l| l.recorded_at >= from.millis() && wanted(l)).map(|l| l.amount).sum()
        };
        let settles = [FlowKind::Settlement.code(), FlowKind::ProfitSharing.code()];
        let bill = FlowKind::AdBilling.code();
        Told {
            settled: sum(&|l| l.account_kind == available && settles.contains(&l.flow)),
            own: -sum(&|l| l.account_kind == hold(Source::Available) && l.flow == bill),
            platform: -sum(&|l| l.account_kind != hold(Source::Available) && l.flow == bill),
        }
    }

    /// Over every period, what is billed is what the ledger says, and the steps add up to it.
    async fn holds_over_every_stretch(&self) {
        let lines = self.ledger().await;
        let now = self.world.app.now();
        let midnight = Timestamp::from_millis(now.millis().div_euclid(DAY * 1_000) * DAY * 1_000);
        let stretches = [(Span::Today, 0), (Span::Week, 6), (Span::Month, 29), (Span::All, 400)];
        for (span, days) in stretches {
            let told = self.reckoned(&lines, midnight.plus_days(-days));
            let shown = self.overview(span).await;
            assert_eq!(shown.billed.minor(), told.own, "{span:?}");
            let steps = |of: fn(&campaigns::plans::overview::Point) -> Money| {
                shown.series.iter().map(|p| of(p).minor()).sum::<i64>()
            };
            assert_eq!(steps(|p| p.billed), told.own, "{span:?}");
            assert_eq!(steps(|p| p.consumed), shown.consumed.minor(), "{span:?}");
            assert_eq!(steps(|p| p.platform_paid), shown.platform_paid.minor(), "{span:?}");
            assert_eq!(steps(|p| p.profit), shown.profit.minor(), "{span:?}");
            assert_eq!(steps(|p| p.settled_profit), shown.settled_profit.minor(), "{span:?}");
        }
    }

    /// Once everything is settled, profit is what the ledger says.
    async fn all_is_settled(&self) {
        let told = self.reckoned(&self.ledger().await, Timestamp::from_millis(0));
        let all = self.overview(Span::All).await;
        assert_eq!(
            (all.profit.minor(), all.settled_profit.minor()),
            (told.settled - told.own, told.settled - told.own)
        );
        assert_eq!((all.consumed.minor(), all.platform_paid.minor()), (told.own, told.platform));
    }

    /// Days add up to their plan, and plans to the ad center.
    pub async fn days_and_plans_add_up(&self, plans: &[PlanView]) {
        let (mut profit, mut settled) = (0, 0);
        for plan in plans {
            let shown = self.detail(plan).await;
            let id = plan.id;
            let days = series(&self.world.app, self.world.user, id, SeriesStep::Day, None, Zone::UTC);
            let days = days.await.expect("a series").points;
            let sum = |of: fn(&PlanPoint) -> Money| days.iter().map(|day| of(day).minor()).sum::<i64>();
            assert_eq!(sum(|day| day.profit), shown.plan.profit.minor());
            assert_eq!(
                (sum(|day| day.consumed), sum(|day| day.billed)),
                (shown.plan.consumed.minor(), shown.plan.billed.minor())
            );
            if shown.plan.status.name() == "settled" {
                assert_eq!(
                    (&shown.plan.settled_profit, sum(|day| day.fee)),
                    (&shown.plan.profit, shown.plan.fee.minor())
                );
            }
            assert_eq!(shown.ratios.profit, shown.plan.profit);
            profit += shown.plan.profit.minor();
            settled += shown.plan.settled_profit.minor();
        }
        let all = self.overview(Span::All).await;
        assert_eq!((all.profit.minor(), all.settled_profit.minor()), (profit, settled));
    }

    /// The plans' own money adds up to what the wallet says.
    async fn plans_agree_with_the_wallet(&self, plans: &[PlanView]) {
        let (mut own, mut held) = (Money::ZERO, Money::ZERO);
        for plan in plans {
            let plan = self.detail(plan).await.plan;
            let of = |text: &str| money(text);
            own = own.plus(of(&plan.to_be_consumed.to_string())).expect("a sum");
            let left = of(&plan.put_amount.to_string()).minus(of(&plan.billed.to_string())).expect("a rest");
            held = held.plus(left.minus(of(&plan.returned.to_string())).expect("a rest")).expect("a sum");
            assert!(
                of(&plan.platform_paid.to_string()) <= of(&plan.consumed.to_string())
                    && of(&plan.billed.to_string()) <= of(&plan.consumed.to_string())
            );
        }
        let property = self.world.property().await;
        assert_eq!(own, property.to_be_consumed);
        assert_eq!(own, self.overview(Span::All).await.to_be_consumed);
        assert!(held >= own, "what is held beyond that is the platform's part");
    }

    pub async fn settle_all(&self) {
        self.wait(8 * DAY);
        self.work().await;
        self.wait(4 * DAY);
        self.work().await;
    }
}

fn figures(shown: &Overview) -> [String; 5] {
    [shown.invested, shown.consumed, shown.platform_paid, shown.to_be_consumed, shown.profit].map(|of| of.to_string())
}

on_both!(a_coupons_part_is_no_loss_of_the_users, |test| {
    let m = market(test).await;
    let coupon = m.give(custom("Twenty", "deduction", "20")).await;
    let plan = m.put_with("20.00", &coupon).await.expect("put");
    assert_eq!(
        (&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()),
        ("20.00", "0.00"),
        "all of it by coupon"
    );
    for _ in 0..4 {
        m.visit().await;
    }
    m.work().await;
    assert_eq!(figures(&m.overview(Span::Today).await), ["0.00", "0.00", "20.00", "0.00", "0.00"]);
    let shown = m.detail(&plan).await.plan;
    assert_eq!([shown.consumed, shown.platform_paid, shown.to_be_consumed].map(Money::minor), [2_000, 2_000, 0]);
    let yesterday = m.overview(Span::Today).await.previous.expect("yesterday");
    assert_eq!((yesterday.consumed, yesterday.platform_paid), (Money::ZERO, Money::ZERO));
    m.holds_over_every_stretch().await;
    m.check().await;
});

on_both!(profit_has_one_meaning_and_is_what_the_ledger_says_once_all_is_settled, |test| {
    let m = crate::support::market_with(test, |file| {
        file.fee_rate = "0.033333".into();
        file.payout = "12.49".into();
    })
    .await;
    m.world.promote("25.00").await;
    let coupon = m.give(custom("Seven", "addition", "7")).await;
    let mut plans = vec![m.put_with("40.00", &coupon).await.expect("put")];
    // Any order of steps will do. A small generator makes the same one on every run.
    let mut dice = 7_u32;
    let mut roll = |sides: u32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 16) % sides
    };
    let mut converted: Vec<String> = Vec::new();
    for n in 0..40 {
        match roll(7) {
            0 if plans.len() < 4 => plans.push(m.put("30.00").await),
            1 => m.wait(i64::from(roll(20)) * 3_600),
            2 => m.work().await,
            // Of any day before, so that the ones after it are rounded anew.
            3 if !converted.is_empty() => {
                let which = usize::try_from(roll(u32::try_from(converted.len()).expect("few"))).expect("few");
                m.reverse(&converted.swap_remove(which)).await;
            }
            _ => {
                if let Some(answer) = m.serve().await {
                    m.see(&answer).await.expect("counts");
                    m.wait(2);
                    let click = m.click(&answer).await;
                    if roll(2) == 0 {
                        m.convert(&format!("order-{n}"), &click.click_id).await;
                        converted.push(format!("order-{n}"));
                    }
                }
            }
        }
        if n % 6 == 5 {
            m.work().await;
            m.holds_over_every_stretch().await;
            m.plans_agree_with_the_wallet(&plans).await;
            m.days_and_plans_add_up(&plans).await;
            m.check().await;
        }
    }
    m.settle_all().await;
    m.holds_over_every_stretch().await;
    m.plans_agree_with_the_wallet(&plans).await;
    m.days_and_plans_add_up(&plans).await;
    m.all_is_settled().await;
    let all = m.overview(Span::All).await;
    assert!(all.corrected, "{all:?}");
    assert!(all.platform_paid.is_positive() && all.consumed.is_positive(), "{all:?}");
    m.check().await;
});

on_both!(what_the_migration_reckons_is_what_was_billed, |test| {
    let m = market(test).await;
    let coupon = m.give(custom("Seven", "addition", "7")).await;
    let plans = [m.put_with("40.00", &coupon).await.expect("put"), m.put("30.00").await];
    for _ in 0..6 {
        m.visit().await;
        m.work().await;
        m.wait(3_600);
    }
    let before = m.overview(Span::All).await;
    assert_eq!(before.platform_paid.to_string(), "7.00");
    let sql = |file: &str| {
        let kind = if m.world.test.url.starts_with("postgres") { "postgres" } else { "sqlite" };
        let path = format!("{}/../../migrations/{kind}/00000000000022_own_money/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a migration")
    };
    for file in ["down.sql", "up.sql"] {
        store::testing::execute(&m.world.test.url, &sql(file)).expect("done");
    }
    let after = m.overview(Span::All).await;
    assert_eq!(figures(&after), figures(&before));
    assert_eq!(after.series, before.series);
    m.plans_agree_with_the_wallet(&plans).await;
    m.check().await;
});

on_both!(a_first_buyer_is_no_loss, |test| {
    let m = market(test).await;
    let plan = m.put("100.00").await;
    let visit = m.visit().await;
    m.convert("order-1", &visit.click_id).await;
    m.work().await;
    // 12.50 less a tenth and 5.00.
    let today = m.overview(Span::Today).await;
    assert_eq!([today.consumed, today.revenue, today.profit].map(Money::minor), [500, 1_250, 625]);
    assert_eq!((&*today.settled_profit.to_string(), today.corrected), ("0.00", false));
    let shown = m.detail(&plan).await.plan;
    assert_eq!([shown.profit, shown.settled_profit].map(Money::minor), [625, 0]);
    // Taken back on another day, it is gone from its own.
    m.wait(DAY);
    m.reverse("order-1").await;
    let week = m.overview(Span::Week).await;
    let days: Vec<_> = week.series.iter().map(|day| (day.profit.minor(), day.corrected)).collect();
    assert_eq!(days[5..], [(-500, true), (0, false)]);
    assert_eq!((&*week.profit.to_string(), week.corrected), ("-5.00", true));
    assert!(!m.overview(Span::Today).await.corrected);
    m.check().await;
});

on_both!(what_comes_after_a_conversion_that_is_taken_back_is_rounded_anew, |test| {
    let m = crate::support::market_with(test, |file| {
        file.fee_rate = "0.033333".into();
        file.payout = "12.49".into();
    })
    .await;
    let plan = m.put("100.00").await;
    for n in 0..3 {
        let visit = m.visit().await;
        m.convert(&format!("order-{n}"), &visit.click_id).await;
        m.work().await;
        m.wait(DAY);
    }
    let fees = async || {
        let id = plan.id;
        let days = series(&m.world.app, m.world.user, id, SeriesStep::Day, None, Zone::UTC).await.expect("a series");
        days.points.into_iter().map(|day| day.fee.minor()).collect::<Vec<_>>()
    };
    // 0.4163, 0.8326 and 1.2489 of all until then.
    assert_eq!(fees().await, [41, 42, 41]);
    m.reverse("order-0").await;
    assert_eq!(fees().await, [0, 41, 42]);
    m.days_and_plans_add_up(std::slice::from_ref(&plan)).await;
    m.check().await;
});

on_both!(total_assets_fall_at_settlement_by_the_fee_that_was_announced, |test| {
    let m = market(test).await;
    m.put("100.00").await;
    for n in 0..3 {
        let visit = m.visit().await;
        m.convert(&format!("order-{n}"), &visit.click_id).await;
    }
    m.work().await;
    let total = |property: &Property| property.total_assets;
    let before = m.world.property().await;
    assert_eq!((&*before.to_be_settled.to_string(), &*before.settlement_fees.to_string()), ("37.50", "3.75"));
    m.settle_all().await;
    let after = m.world.property().await;
    assert_eq!((&*after.to_be_settled.to_string(), &*after.settlement_fees.to_string()), ("0.00", "0.00"));
    assert_eq!(after.withdrawing, before.withdrawing);
    // The rest of the plan's budget came back to the available balance as well.
    assert_eq!(total(&after), total(&before).minus(before.settlement_fees).expect("a rest"));
});

on_both!(fees_are_announced_to_the_last_digit_of_each_plan, |test| {
    let m = crate::support::market_with(test, |file| {
        file.fee_rate = "0.033333".into();
        file.payout = "12.49".into();
    })
    .await;
    for plan in 0..2 {
        m.put("10.00").await;
        for n in 0..2 {
            let visit = m.visit().await;
            m.convert(&format!("order-{plan}-{n}"), &visit.click_id).await;
        }
        m.work().await;
    }
    let before = m.world.property().await;
    // 24.98 at 3.3333 % is 0.8326…: 0.83 for each of the two plans.
    assert_eq!((&*before.to_be_settled.to_string(), &*before.settlement_fees.to_string()), ("49.96", "1.66"));
    m.settle_all().await;
    let after = m.world.property().await;
    let fell = before.total_assets.minus(after.total_assets).expect("a rest");
    assert_eq!(fell, before.settlement_fees);
});

on_both!(months_name_what_of_their_income_only_came_back, |test| {
    let m = market(test).await;
    let plan = m.put("100.00").await;
    m.visit().await;
    m.work().await;
    control(&m.world.app, m.world.user, plan.id, PlanCommand::Stop).await.expect("stopped");
    m.wait(300);
    m.work().await;
    let months = m.world.statement().await.months;
    let month = &months[0];
    // 1,000.00 recharged, and 95.00 of the 100.00 invested came back.
    assert_eq!(
        (&*month.income.to_string(), &*month.expense.to_string(), &*month.refunds.to_string()),
        ("1095.00", "100.00", "95.00")
    );
    m.wait(40 * DAY);
    m.put("50.00").await;
    let months = m.world.statement().await.months;
    assert_eq!((&*months[0].refunds.to_string(), &*months[1].refunds.to_string()), ("0.00", "95.00"));
});
