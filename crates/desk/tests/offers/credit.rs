//! Level and credit score follow only from facts.

use campaigns::plans::plan_control::{PlanCommand, control, offer, reject};
use campaigns::plans::plan_views::PlanView;
use foundation::people::pay_password::Proof;
use foundation::people::user_info::user_info;
use i18n::Lang;
use money::offers::levels::{CreditChange, LevelView, credit_history, level};
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::withdraw::{Withdraw, withdraw};
use standing::{HIGHEST, LOWEST, START, level_of};
use store::on_both;

use crate::shop::{PAGE, file};
use crate::support::{Market, market};

impl Market {
    /// Stops a plan and lets it settle.
    pub async fn settle(&self, plan: &PlanView) {
        self.work().await;
        let id = plan.id;
        control(&self.world.app, self.world.user, id, PlanCommand::Stop).await.expect("stopped");
        self.wait(4_000);
        self.work().await;
        self.wait(3 * 86_400 + 1);
        self.work().await;
        assert_eq!(self.status(plan).await, "settled");
    }

    async fn level(&self) -> LevelView {
        level(&self.world.app, self.world.user, Lang::En).await.expect("a level")
    }

    async fn history(&self) -> Vec<CreditChange> {
        credit_history(&self.world.app, self.world.user, Lang::En, PAGE).await.expect("a history").items
    }

    /// The stored values equal what the facts add up to.
    async fn check_standing(&self) {
        let (shown, history) = (self.level().await, self.history().await);
        let user = user_info(&self.world.app, self.world.user, None).await.expect("a user");
        assert_eq!((user.level, user.credit_score), (shown.level, shown.credit_score));
        let mut score = START;
        for change in history.iter().rev() {
            score += change.change;
            assert_eq!((change.score, (LOWEST..=HIGHEST).contains(&score)), (score, true), "{change:?}");
        }
        assert_eq!(shown.credit_score, score);
        let plans =
            campaigns::plans::plan_views::list(&self.world.app, self.world.user, None, PAGE).await.expect("plans");
        let settled = plans.items.iter().filter(|plan| plan.status.name() == "settled");
        let spent: i64 = settled
            .map(|plan| {
                let _minor = |text: &str| crate::money::money(text).minor();
                let given = plan.put_amount.minor() - plan.paid_amount.minor();
                (plan.consumed.minor() - given).max(0)
            })
            .sum();
        let spent = base::Money::from_minor(spent);
        assert_eq!((shown.progress.spent, shown.level), (spent, level_of(spent).number));
    }
}

fn points(history: &[CreditChange]) -> Vec<(&str, i32)> {
    history.iter().map(|change| (change.reason.name(), change.change)).collect()
}

on_both!(settled_spend_raises_the_level, |test| {
    let market = market(test).await;
    let fresh = market.level().await;
    assert_eq!((fresh.level, fresh.name.as_str(), fresh.credit_score), (1, "New shop", 100));
    assert_eq!(
        (&*fresh.progress.spent.to_string(), fresh.progress.next_at.map(base::Money::minor)),
        ("0.00", Some(50_000))
    );
    assert_eq!((fresh.levels.len(), fresh.credit_formula.rules.len(), fresh.benefits.len()), (5, 6, 0));
    let plan = market.put("500.00").await;
    for _ in 0..100 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
        market.wait(30);
    }
    market.work().await;
    market.wait(4_000);
    market.work().await;
    assert_eq!(market.level().await.level, 1, "delivered, and not settled yet");
    market.wait(3 * 86_400 + 1);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    let risen = market.level().await;
    assert_eq!((risen.level, risen.progress.next_at.map(base::Money::minor)), (2, Some(500_000)));
    assert_eq!(market.told("Your shop level has changed").await, 1);
    assert_eq!(points(&risen.credit_history), [("plan_settled", 2)]);
    assert_eq!(risen.credit_history[0].reference.id, plan.id.to_string());
    market.check_standing().await;
    market.check().await;
});

on_both!(what_others_paid_raises_no_level, |test| {
    let market = market(test).await;
    let coupon = market.give(file("Off", "25.00")).await;
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    for _ in 0..6 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.settle(&plan).await;
    assert_eq!(market.level().await.progress.spent.to_string(), "5.00", "30.00 less the coupon's 25.00");
    market.check_standing().await;
});

on_both!(each_fact_counts_once_with_its_reference, |test| {
    let market = market(test).await;
    let (app, user, bob) = (&market.world.app, market.world.user, &market.world.bob);
    let offered = offer(app, bob, user, market.product).await.expect("offered");
    reject(app, bob, &offered.plan_no).await.expect("rejected");
    assert!(market.history().await.is_empty(), "an offer that nobody put is nobody's fault");
    let plan = market.put("50.00").await;
    reject(app, bob, &plan.plan_no).await.expect("rejected");
    market.world.advance("40.00").await;
    let back = async |amount: Option<&str>| {
        repay_startup_loan(
            app,
            Proof::assumed(user),
            RepayStartupLoan { amount: amount.map(|text| text.parse().expect("an amount")), key: None },
        )
        .await
        .expect("back")
    };
    back(Some("15.00")).await;
    assert_eq!(points(&market.history().await), [("plan_rejected", -5)]);
    back(None).await;
    market.wait(200 * 86_400);
    let plan = market.put("50.00").await;
    market.visit().await;
    market.settle(&plan).await;
    let history = market.history().await;
    let expected = [("account_age", 2), ("plan_settled", 2), ("startup_returned", 3), ("plan_rejected", -5)];
    assert_eq!(points(&history), expected);
    assert_eq!((history[0].score, history[2].reference.kind.name()), (102, "startup"));
    assert_eq!(history[3].text, "A plan was rejected");
    let first =
        credit_history(app, user, Lang::En, store::PageRequest { before: None, limit: 1 }).await.expect("a page");
    let rest = store::PageRequest { before: first.next, limit: 100 };
    assert_eq!(credit_history(app, user, Lang::En, rest).await.expect("a page").items, history[1..]);
    market.check_standing().await;
});

on_both!(neither_stands_in_the_way_of_a_withdrawal, |test| {
    let market = market(test).await;
    let (app, user, bob) = (&market.world.app, market.world.user, &market.world.bob);
    for _ in 0..21 {
        let plan = market.put("10.00").await;
        reject(app, bob, &plan.plan_no).await.expect("rejected");
    }
    let shown = market.level().await;
    assert_eq!((shown.level, shown.credit_score), (1, 0));
    assert_eq!(market.history().await.len(), 20, "at its lowest nothing changes any more");
    withdraw(app, Proof::assumed(user), Withdraw { amount: "1000.00".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
    market.check_standing().await;
});

on_both!(money_buys_neither, |test| {
    let market = market(test).await;
    money::offers::vip::subscribe(&market.world.app, Proof::assumed(market.world.user), None)
        .await
        .expect("subscribed");
    market.world.recharge("40000.00", "large").await;
    market.world.promote("1000.00").await;
    let plan = market.put("500.00").await;
    market.settle(&plan).await;
    let shown = market.level().await;
    assert_eq!((shown.level, &*shown.progress.spent.to_string()), (1, "0.00"), "nothing was delivered");
    assert_eq!(shown.credit_score, 100, "a plan that is put and stopped earns nothing");
    market.check_standing().await;
});
