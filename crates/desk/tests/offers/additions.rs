//! Adding to the budget of a plan that runs: the money, the plan's figures, and what
//! delivery makes of it.

use base::{Money, PlanId};
use calendar::Zone;
use campaigns::delivery::serve::serve;
use campaigns::plans::add_budget::{AddBudget, add_budget};
use campaigns::plans::overview::Span;
use campaigns::plans::plan_control::{PlanCommand, control, offer, reject};
use campaigns::plans::plan_evidence::report;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use futures_util::future::join_all;
use money::wallet::statement_file::{CsvPosition, StatementRequest, export};
use plans::ContentType;
use store::on_both;
use store::testing::execute;

use crate::money::why;
use crate::shop::custom;
use crate::support::{BASE, Market, SLOT, market, market_with, second};

fn id(plan: &PlanView) -> PlanId {
    plan.id
}

impl Market {
    async fn steer(&self, plan: &PlanView, command: PlanCommand) {
        control(&self.world.app, self.world.user, id(plan), command).await.expect("done");
    }

    /// What may be added to it, at least and at most.
    async fn addable(&self, plan: &PlanView) -> Option<(String, String)> {
        self.detail(plan).await.addable.map(|addable| (addable.min.to_string(), addable.max.to_string()))
    }

    /// Nothing can be added, and trying it moves nothing.
    async fn takes_no_more(&self, plan: &PlanView, because: &str) {
        let before = self.world.property().await;
        assert_eq!(why(self.add(plan, "10.00").await), because);
        assert_eq!(self.addable(plan).await, None);
        assert_eq!(self.world.property().await, before);
    }
}

on_both!(what_is_added_is_held_counted_and_shown, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    assert_eq!(market.addable(&plan).await, Some(("10.00".into(), "400.00".into())));
    market.wait(3_600);
    let larger = market.add(&plan, "50.00").await.expect("added");
    assert_eq!((&*larger.put_amount.to_string(), &*larger.paid_amount.to_string()), ("150.00", "150.00"));
    assert_eq!((&*larger.added_amount.to_string(), &*larger.to_be_consumed.to_string()), ("50.00", "150.00"));
    assert_eq!((larger.id, larger.status), (plan.id, plan.status));
    assert_eq!(market.addable(&plan).await, Some(("10.00".into(), "350.00".into())));
    let property = market.world.property().await;
    assert_eq!((&*property.available.to_string(), &*property.to_be_consumed.to_string()), ("850.00", "150.00"));
    assert_eq!(property.total_assets.to_string(), "1000.00");

    assert_eq!(market.world.lines().await[..2], ["ad_serving -50.00 850.00", "ad_serving -100.00 900.00"]);
    let lines = market.world.statement().await.lines.items;
    assert_eq!((lines[0].added, lines[1].added), (true, false));
    assert_eq!((&lines[0].reference, &lines[0].remark), (&lines[1].reference, &plan.plan_no));
    let month = StatementRequest { month: None, zone: Zone::UTC, lang: i18n::Lang::En };
    let file = export(&market.world.app, market.world.user, month).await.expect("a statement");
    let (rows, _) = file.csv(CsvPosition::After(None)).await.expect("read").expect("rows");
    let rows = String::from_utf8(rows).expect("text");
    assert!(rows.contains("Budget set aside,-100.00") && rows.contains("Added to a plan,-50.00"), "{rows}");

    let all = market.overview(Span::All).await;
    assert_eq!((&*all.invested.to_string(), all.orders), ("150.00", 1));
    let budget = report(&market.world.app, &plan.plan_no).await.expect("a report").budget;
    assert_eq!((&*budget.put_amount.to_string(), &*budget.added_amount.to_string()), ("150.00", "50.00"));
    assert_eq!((budget.left.as_str(), &*budget.hold.available.to_string()), ("150.00", "150.00"));
    market.check().await;
});

on_both!(a_larger_budget_is_delivered_and_settled, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    let first = market.visit().await;
    assert!(market.convert("order-1", &first.click_id).await.accepted);
    market.add(&plan, "20.00").await.expect("added");
    for _ in 0..4 {
        market.visit().await;
    }
    market.work().await;
    let running = market.detail(&plan).await.plan;
    assert_eq!((running.progress, &*running.consumed.to_string(), running.status.name()), (83, "25.00", "putting"));
    market.visit().await;
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!((ended.progress, &*ended.consumed.to_string()), (100, "30.00"));
    market.takes_no_more(&plan, "plan_not_running").await;
    market.wait(3 * 86_400 + 60);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    market.takes_no_more(&plan, "plan_not_running").await;
    // 12.50 earned, less the fee of a tenth.
    assert_eq!(market.world.property().await.available.to_string(), "981.25");
    let all = market.overview(Span::All).await;
    assert_eq!(
        (&*all.invested.to_string(), &*all.consumed.to_string(), &*all.profit.to_string()),
        ("30.00", "30.00", "-18.75")
    );
    market.check().await;
});

on_both!(what_is_left_of_a_larger_budget_comes_back, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    market.visit().await;
    market.add(&plan, "20.00").await.expect("added");
    market.steer(&plan, PlanCommand::Stop).await;
    market.takes_no_more(&plan, "plan_not_running").await;
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.returned.to_string(), "25.00");
    assert_eq!(market.world.lines().await[0], "refund 25.00 995.00");
    market.check().await;
});

on_both!(a_plan_whose_lease_is_used_up_serves_again_at_once, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    let two = second(&market);
    assert!(market.serve().await.is_some() && market.serve().await.is_some());
    assert!(market.serve().await.is_none(), "10.00 is two impressions of 5.00");
    assert!(serve(&two, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").is_none());
    // Before either asks for a lease again by itself.
    market.wait(1);
    assert!(market.serve().await.is_none());
    market.add(&plan, "20.00").await.expect("added");
    assert!(market.serve().await.is_some(), "at once where it was added");
    work::round(&two).await.expect("a round");
    assert!(serve(&two, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").is_some());
    market.check().await;
});

on_both!(a_paced_plan_goes_on_by_the_line_of_its_larger_budget, |test| {
    let market = market_with(test, |product| product.content.game_description = None).await;
    let plan = market.put_learning("100.00").await;
    assert!(market.serve().await.is_some());
    market.wait(1);
    assert!(market.serve().await.is_none(), "its pace allows the next one hours later");
    market.add(&plan, "400.00").await.expect("added");
    assert!(market.serve().await.is_some(), "two per cent of 500.00 is two impressions of 5.00");
    assert!(market.serve().await.is_none());
    market.check().await;
});

on_both!(a_paused_plan_takes_more_and_stays_paused, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    market.steer(&plan, PlanCommand::Pause).await;
    assert!(market.add(&plan, "10.00").await.expect("added").paused);
    assert!(market.serve().await.is_none());
    market.steer(&plan, PlanCommand::Resume).await;
    assert!(market.serve().await.is_some());
    market.check().await;
});

on_both!(a_plan_that_does_not_run_takes_no_more, |test| {
    let market = market(test).await;
    let (app, bob, user) = (&market.world.app, &market.world.bob, market.world.user);
    let offered = offer(app, bob, user, market.product).await.expect("offered");
    market.takes_no_more(&offered, "plan_not_running").await;
    let command = Put::new(PutTarget::Offered(id(&offered)), Money::from_minor(1_000), ContentType::LandingPage);
    put(app, Proof::assumed(user), command).await.expect("put");
    market.add(&offered, "10.00").await.expect("it runs like any other");
    reject(app, bob, &offered.plan_no).await.expect("rejected");
    assert_eq!(market.detail(&offered).await.plan.returned.to_string(), "20.00");
    market.takes_no_more(&offered, "plan_not_running").await;

    let used = market.put("10.00").await;
    market.visit().await;
    market.visit().await;
    assert_eq!(market.status(&used).await, "putting", "nothing has ended it yet");
    market.takes_no_more(&used, "plan_not_running").await;
    market.work().await;
    assert_eq!(market.detail(&used).await.plan.reason.name(), "deliveries_closed");
    market.takes_no_more(&used, "plan_not_running").await;

    let over = market.put("20.00").await;
    market.visit().await;
    market.wait(7 * 86_400);
    market.takes_no_more(&over, "plan_not_running").await;
    market.check().await;
});

on_both!(wrong_additions_change_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    for amount in ["NaN", "1e9", "0.001", "", "１０"] {
        assert_eq!(why(market.add(&plan, amount).await), "amount=invalid_amount", "{amount}");
    }
    for amount in ["-1", "0", "9.99", "400.01", "1000000000000"] {
        assert_eq!(why(market.add(&plan, amount).await), "amount_out_of_range", "{amount}");
    }
    let others = market.world.test.user("other").await;
    let theirs = AddBudget { plan: id(&plan), amount: Money::from_minor(1_000), key: None };
    assert_eq!(why(add_budget(&market.world.app, Proof::assumed(others), theirs).await), "not_found");
    market.put("500.00").await;
    market.put("390.00").await;
    assert_eq!(why(market.add(&plan, "10.01").await), "insufficient_balance");
    assert_eq!(market.world.property().await.available.to_string(), "10.00");
    let same = market.detail(&plan).await.plan;
    assert_eq!((&*same.put_amount.to_string(), &*same.added_amount.to_string()), ("100.00", "0.00"));
    market.check().await;
});

on_both!(one_key_adds_once, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let (app, user) = (&market.world.app, market.world.user);
    let with = |amount: &str| AddBudget {
        plan: id(&plan),
        amount: amount.parse().expect("an amount"),
        key: Some(Key::parse("k-1").expect("a key")),
    };
    let added = join_all((0..16).map(|_| {
        let (app, command) = (app.clone(), with("10.00"));
        tokio::spawn(async move { add_budget(&app, Proof::assumed(user), command).await })
    }));
    let added: Vec<PlanView> = added.await.into_iter().map(|one| one.expect("joined").expect("added")).collect();
    assert!(added.iter().all(|plan| plan.put_amount.to_string() == "110.00"), "{added:?}");
    assert_eq!(why(add_budget(app, Proof::assumed(user), with("20.00")).await), "idempotency_key_reused");
    let elsewhere = market.put("10.00").await;
    let same = AddBudget { plan: id(&elsewhere), ..with("10.00") };
    assert_eq!(why(add_budget(app, Proof::assumed(user), same).await), "idempotency_key_reused");
    assert_eq!(market.world.property().await.available.to_string(), "880.00");
    market.check().await;
});

on_both!(many_at_once_never_exceed_what_the_product_allows, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let (here, there, user) = (market.world.app.clone(), second(&market), market.world.user);
    let asked = join_all((0..16).map(|n| {
        let app = if n % 2 == 0 { here.clone() } else { there.clone() };
        let command = AddBudget { plan: id(&plan), amount: Money::from_minor(5_000), key: None };
        tokio::spawn(async move { add_budget(&app, Proof::assumed(user), command).await })
    }));
    let mut budgets = Vec::new();
    for answer in asked.await {
        match answer.expect("joined") {
            Ok(plan) => budgets.push(plan.put_amount.minor()),
            refused => assert_eq!(why(refused), "plan_budget_full"),
        }
    }
    budgets.sort();
    let expected: Vec<i64> = (3..=10).map(|n| n * 5_000).collect();
    assert_eq!(budgets, expected, "each answer shows the plan as it was then");
    assert_eq!(market.detail(&plan).await.plan.added_amount.to_string(), "400.00");
    assert_eq!(market.world.property().await.available.to_string(), "500.00");
    market.takes_no_more(&plan, "plan_budget_full").await;
    market.check().await;
});

on_both!(what_is_added_is_ones_own_whatever_the_put_was_paid_with, |test| {
    let market = market(test).await;
    market.world.promote("25.00").await;
    let coupon = market.give(custom("More", "addition", "20.00")).await;
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("120.00", "75.00"));
    market.world.promote("30.00").await;
    let larger = market.add(&plan, "50.00").await.expect("added");
    assert_eq!((&*larger.put_amount.to_string(), &*larger.paid_amount.to_string()), ("170.00", "125.00"));
    assert_eq!(larger.coupon.map(|used| used.id), Some(coupon.id.clone()));
    let property = market.world.property().await;
    assert_eq!((&*property.promotional.to_string(), &*property.to_be_consumed.to_string()), ("30.00", "125.00"));
    for _ in 0..10 {
        market.visit().await;
    }
    market.work().await;
    let running = market.detail(&plan).await.plan;
    assert_eq!((&*running.consumed.to_string(), &*running.platform_paid.to_string()), ("50.00", "45.00"));
    assert_eq!(running.to_be_consumed.to_string(), "120.00");
    market.check().await;
    market.steer(&plan, PlanCommand::Stop).await;
    market.work().await;
    assert_eq!(market.world.property().await.available.to_string(), "995.00");
    market.check().await;
});

on_both!(a_repeat_shows_the_plan_as_it_is_now, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let key = |key| Key::parse(key).ok();
    let on_product = || Put {
        key: key("put"),
        ..Put::new(PutTarget::Product(market.product), Money::from_minor(10_000), ContentType::LandingPage)
    };
    let plan = put(app, Proof::assumed(user), on_product()).await.expect("put");
    assert_eq!(market.world.kept().await, format!(r#"{{"id":"{}"}}"#, plan.id));
    let more = |with| AddBudget { plan: id(&plan), amount: Money::from_minor(1_000), key: key(with) };
    let added = |with| add_budget(app, Proof::assumed(user), more(with));
    assert_eq!(added("one").await.expect("added").put_amount.to_string(), "110.00");
    let now = added("two").await.expect("added");
    assert_eq!(now.put_amount.to_string(), "120.00");
    assert_eq!(added("one").await.expect("answered again"), now);
    assert_eq!(put(app, Proof::assumed(user), on_product()).await.expect("answered again"), now);
    // Before there were additions, an answer said nothing of them.
    let whole =
        format!(r#"{{"id":"{}","plan_no":"{}","put_amount":"100.00","status":"matching"}}"#, plan.id, plan.plan_no);
    market.world.keep(&whole).await;
    assert_eq!(added("one").await.expect("kept by the version before"), now);
    assert_eq!(put(app, Proof::assumed(user), on_product()).await.expect("kept by the version before"), now);
    assert_eq!(market.world.property().await.available.to_string(), "880.00");
    market.check().await;
});

on_both!(nothing_is_added_while_the_product_is_closed, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let active =
        |is: bool| execute(&market.world.test.url, &format!("UPDATE products SET active = {is}")).expect("set");
    active(false);
    market.takes_no_more(&plan, "plan_not_puttable").await;
    active(true);
    market.add(&plan, "10.00").await.expect("added");
});

on_both!(many_repeats_at_once_are_answered_together, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let plans = [market.put("100.00").await, market.put("50.00").await];
    let command = |n: usize| AddBudget {
        plan: id(&plans[n % 2]),
        amount: Money::from_minor(1_000),
        key: Key::parse(&format!("k-{}", n % 4)).ok(),
    };
    for n in 0..4 {
        add_budget(app, Proof::assumed(user), command(n)).await.expect("added");
    }
    let again = join_all((0..16).map(|n| {
        let (app, command) = (app.clone(), command(n));
        tokio::spawn(async move { add_budget(&app, Proof::assumed(user), command).await })
    }));
    for (n, one) in again.await.into_iter().enumerate() {
        let plan = one.expect("joined").expect("answered again");
        assert_eq!((plan.id, plan.put_amount.minor()), (plans[n % 2].id, [12_000, 7_000][n % 2]));
    }
});
