//! No correction of delivery is a gain of the platform's.

use base::Timestamp;
use campaigns::plans::overview::Span;
use store::on_both;

use super::refunds::{approved, ask, balances, corrected, file, promote};
use crate::money::{money, why};
use crate::support::{market, market_with};

// Its payout was in nobody's limits: an advertiser would have it back by it.
on_both!(what_converts_after_the_request_is_not_taken_back, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let (first, second) = (market.visit().await, market.visit().await);
    assert!(market.convert("order-1", &first.click_id).await.accepted);
    market.close_day().await;
    let asked = ask(&market, file("publisher = 1\nfrom = 2026-01-01\nuntil = 2026-12-31")).await.expect("requested");
    assert_eq!(asked.amount.to_string(), "22.50", "10.00 of views and 12.50 of a conversion");
    market.wait(1);
    assert!(market.convert("order-2", &second.click_id).await.accepted);
    approved(&market, &asked).await.expect("approved");
    market.work().await;
    let shown = market.detail(&plan).await;
    assert_eq!((shown.delivery.conversions, &*shown.plan.revenue.to_string()), (1, "12.50"));
    market.check().await;
});

// Any order of views, bills, settlements and corrections: the platform never gains by one, and
// what comes back is no longer used, on any day.
on_both!(no_correction_is_a_gain_of_the_platforms, |test| {
    let market = market_with(test, |file| file.put_rule.price = "1234.57".into()).await;
    promote(&market, "7.77").await;
    let mut plans = vec![market.put("30.00").await];
    let mut dice = 11_u32;
    let mut roll = |sides: u32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 16) % sides
    };
    let mut times: Vec<Timestamp> = vec![market.world.app.now()];
    for n in 0..45 {
        match roll(6) {
            0 if plans.len() < 3 => plans.push(market.put("20.00").await),
            1 => market.wait(i64::from(roll(20)) * 3_600),
            2 => {
                let (a, b) = (roll(u32::try_from(times.len()).expect("few")), roll(2) == 0);
                let from = times[usize::try_from(a).expect("few")];
                let sum = if b { "sum = \"0.37\"" } else { "" };
                let of =
                    format!("publisher = 1\nfrom = \"{from}\"\nuntil = \"{}\"\n{sum}", from.plus_millis(4 * 3_600_000));
                match ask(&market, file(&of)).await {
                    Ok(asked) => {
                        let before = balances(&market).await;
                        approved(&market, &asked).await.expect("approved");
                        let after = balances(&market).await;
                        assert!(money(&after.0) <= money(&before.0) && money(&after.1) <= money(&before.1));
                    }
                    Err(error) => assert!(
                        ["from=nothing_found", "sum=more_than_delivered"].contains(&why::<()>(Err(error)).as_str())
                    ),
                }
            }
            _ => {
                times.push(market.world.app.now());
                for _ in 0..=roll(3) {
                    if let Some(answer) = market.serve().await {
                        market.see(&answer).await.expect("counts");
                    }
                }
            }
        }
        if n % 8 == 7 {
            market.work().await;
            market.check().await;
        }
    }
    market.wait(12 * 86_400);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    corrected(&market, "").await;
    market.check().await;
    let (revenue, owed, _) = balances(&market).await;
    assert!(!money(&revenue).is_positive() && !money(&owed).is_negative(), "{revenue} {owed}");
    let all = market.overview(Span::All).await;
    assert_eq!(
        (&*all.consumed.to_string(), &*all.profit.to_string(), &*all.settled_profit.to_string()),
        ("0.00", "0.00", "0.00")
    );
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
});
