//! Background work goes on beside a plan that cannot be billed, and through a clock that is set back.

use campaigns::delivery::serve::serve;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::work;
use i18n::Lang;
use store::on_both;

use crate::intruder::keep;
use crate::support::{BASE, Market, SLOT, market, second};

const HOUR: i64 = 3_600;

impl Market {
    fn set_back(&self, seconds: i64) {
        let clock = &self.world.test.clock;
        clock.move_to(clock.now().plus_seconds(-seconds));
    }
}

on_both!(one_plan_that_cannot_be_billed_stops_no_other, |test| {
    let market = market(test).await;
    let (app, broken) = (&market.world.app, market.put("100.00").await);
    market.visit().await;
    let other = market.put("50.00").await;
    let holds = |minor: i64| format!("UPDATE holds SET available = {minor} WHERE plan_id = {}", broken.id);
    keep(app, &[&holds(0)]).await;
    market.wait(72 * HOUR);
    work::round(app).await.expect_err("its bill is more than it holds");
    assert_eq!(market.status(&other).await, "put_failed", "nobody has shown it for three days");
    assert_eq!(market.world.property().await.available.to_string(), "900.00");

    keep(app, &[&holds(10_000)]).await;
    market.work().await;
    assert_eq!(market.detail(&broken).await.plan.billed.to_string(), "5.00");
    market.check().await;
});

on_both!(what_comes_after_a_clock_was_set_back_is_counted, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.wait(5 * HOUR);
    market.visit().await;
    market.work().await;
    market.set_back(4 * HOUR);
    market.visit().await;
    market.wait(4 * HOUR);
    market.work().await;
    let found = market.detail(&plan).await.delivery;
    assert_eq!((found.impressions, found.clicks), (2, 2));
    market.check().await;
});

on_both!(a_plan_that_is_stopped_after_a_clock_was_set_back_is_not_served_for_long, |test| {
    let market = market(test).await;
    let (plan, two) = (market.put("100.00").await, second(&market));
    let asked = || serve(&two, SLOT, None, BASE, Lang::En);
    market.wait(2 * HOUR);
    asked().await.expect("answered").expect("it begins");
    work::round(&two).await.expect("a round");
    market.set_back(HOUR);
    control(&market.world.app, market.world.user, plan.id, PlanCommand::Stop).await.expect("stopped");
    work::round(&two).await.expect("a round");
    assert!(asked().await.expect("answered").is_none());
});
