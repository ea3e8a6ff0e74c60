//! Properties of months, whatever is earned, paid and corrected in them.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use base::{Money, SlotId, Timestamp};
use proptest::prelude::*;
use supply::{Auctions, Correction, Discrepancy, Figures, Movements, Payment, SlotDay, Statement};

const MONTH: i64 = 30;

/// A day's bids, wins, views, views unconfirmed, and what they earned.
type Day = (i64, i64, i64, i64, i64);

/// Days, and what was paid and corrected.
type Month = (Vec<Day>, Vec<i64>, Vec<i64>);

fn months() -> impl Strategy<Value = Vec<Month>> {
    let day = (0_i64..1_000, 0_i64..100, 0_i64..100, 0_i64..100, 0_i64..100_000);
    let days = proptest::collection::vec(day, 0..30);
    let month = (days, proptest::collection::vec(1_i64..90_000, 0..4), proptest::collection::vec(-900_i64..900, 0..4));
    proptest::collection::vec(month, 1..6)
}

fn of(from: Timestamp, (days, paid, corrected): &Month) -> (Vec<SlotDay>, Movements) {
    let at = |n: usize| from.plus_days(i64::try_from(n).expect("few"));
    let day = |(n, (bids, wins, impressions, unconfirmed, earned)): (usize, &Day)| {
        let auctions = Auctions { bids: *bids, wins: *wins, unconfirmed: *unconfirmed };
        let (impressions, earned) = (*impressions, Money::from_minor(*earned));
        SlotDay {
            day: at(n),
            slot: SlotId(1),
            figures: Figures { impressions, auctions, earned, ..Figures::default() },
        }
    };
    let payment =
        |(n, minor): (usize, &i64)| Payment { at: at(n), amount: Money::from_minor(*minor), reference: String::new() };
    let correction =
        |(n, minor): (usize, &i64)| Correction { at: at(n), amount: Money::from_minor(*minor), reason: String::new() };
    let movements = Movements {
        payments: paid.iter().enumerate().map(payment).collect(),
        corrections: corrected.iter().enumerate().map(correction).collect(),
    };
    (days.iter().enumerate().map(day).collect(), movements)
}

proptest! {
    /// Opening, earned and corrected, less paid, are the closing balance, with which the next month opens; and no
    /// other balance is taken for it.
    #[test]
    fn months_lead_from_one_balance_to_the_next(months in months(), off in prop_oneof![-9_i64..0, 1_i64..9]) {
        let (mut from, mut opening, mut earned, mut gone) = (Timestamp::from_millis(0), 0_i64, 0_i64, 0_i64);
        for month in &months {
            let (days, paid, corrected) = month;
            let fresh: i64 = days.iter().map(|day| day.4).sum();
            earned += fresh;
            gone += paid.iter().sum::<i64>() - corrected.iter().sum::<i64>();
            let closing = earned - gone;
            let (rows, movements) = of(from, month);
            let period = (from, from.plus_days(MONTH));
            let balances = |closing| (Money::from_minor(opening), Money::from_minor(closing));
            let statement = Statement::new(period, balances(closing), rows.clone(), movements.clone()).expect("agrees");
            prop_assert_eq!(statement.totals.earned.minor(), fresh);
            prop_assert_eq!(opening + fresh - statement.paid.minor() + statement.corrected.minor(), closing);
            let Auctions { bids, wins, unconfirmed } = statement.totals.auctions;
            let sum = |f: fn(&Day) -> i64| days.iter().map(f).sum::<i64>();
            prop_assert_eq!((bids, wins, unconfirmed), (sum(|day| day.0), sum(|day| day.1), sum(|day| day.3)));
            let wrong = Statement::new(period, balances(closing + off), rows, movements);
            let (moved, closing) = (Money::from_minor(closing), Money::from_minor(closing + off));
            prop_assert_eq!(wrong, Err(Discrepancy::Balance { moved, closing }));
            (opening, from) = (moved.minor(), period.1);
        }
    }
}
