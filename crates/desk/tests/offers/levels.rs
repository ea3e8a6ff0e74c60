//! How each level reduces the fee, in figures that users can rely on: as quoted, and as
//! taken at settlement.

use base::ProductId;
use campaigns::catalogue::products::PutRuleFile;
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::people::pay_password::Proof;
use money::offers::levels::level;
use money::offers::vip::subscribe;
use plans::ContentType;
use store::on_both;

use crate::support::{Market, market_with, offered, product_file};

impl Market {
    /// Puts an amount on a product, has all of it delivered, and lets it settle.
    async fn spend(&self, product: ProductId, amount: &str, impressions: usize) {
        let command =
            Put::new(PutTarget::Product(product), amount.parse().expect("an amount"), ContentType::LandingPage);
        let plan = put(&self.world.app, Proof::assumed(self.world.user), command).await.expect("put");
        for _ in 0..impressions {
            let answer = self.serve().await.expect("a creative");
            self.see(&answer).await.expect("counts");
            self.wait(30);
        }
        for seconds in [0, 4_000, 3 * 86_400 + 1] {
            self.wait(seconds);
            self.work().await;
        }
        let settled = self.detail(&plan).await.plan;
        assert_eq!((settled.status.name(), settled.consumed.to_string()), ("settled", format!("{amount}.00")));
    }

    /// The level, and the fee rate quoted at it.
    async fn stands_at(&self) -> (i32, String) {
        let shown = level(&self.world.app, self.world.user, i18n::Lang::En).await.expect("a level");
        (shown.level, self.quote("500").await.expect("a quote").fee_rate)
    }
}

on_both!(each_level_lowers_the_fee_by_what_it_says, |test| {
    let rule = |price: &str| PutRuleFile { pricing: "cpm".into(), price: price.into(), days: 7 };
    // 500.00 an impression, and 5,000.00: levels are far apart.
    let market = market_with(test, |product| {
        (product.put_rule, product.max_put) = (rule("500000.00"), "10000.00".into());
        product.payout = "50.00".into();
    })
    .await;
    let mut file = product_file(market.advertiser);
    (file.name, file.put_rule, file.max_put) = ("Large".into(), rule("5000000.00"), "100000.00".into());
    let large = offered(&market.world, &file).await;
    for reference in ["one", "two"] {
        market.world.recharge("50000.00", reference).await;
    }
    let at = |level: i32, rate: &str| (level, rate.to_owned());
    assert_eq!(market.stands_at().await, at(1, "0.1"));
    market.spend(market.product, "500", 1).await;
    assert_eq!(market.stands_at().await, at(2, "0.1"));
    market.spend(market.product, "4500", 9).await;
    assert_eq!(market.stands_at().await, at(3, "0.098"));

    let plan = market.put("500").await;
    let visit = market.visit().await;
    assert!(market.convert("order-1", &visit.click_id).await.accepted);
    for seconds in [0, 4_000, 3 * 86_400 + 1] {
        market.wait(seconds);
        market.work().await;
    }
    let settled = market.detail(&plan).await.plan;
    assert_eq!(
        (settled.status.name(), &*settled.revenue.to_string(), &*settled.fee.to_string()),
        ("settled", "50.00", "4.90")
    );
    assert_eq!(market.world.lines().await[..2], ["profit_sharing -4.90 95545.10", "settlement 50.00 95550.00"]);

    market.spend(large, "20000", 4).await;
    assert_eq!(market.stands_at().await, at(4, "0.095"));
    market.spend(large, "75000", 15).await;
    market.world.recharge("500.00", "three").await;
    assert_eq!(market.stands_at().await, at(5, "0.09"));
    subscribe(&market.world.app, Proof::assumed(market.world.user), None).await.expect("subscribed");
    assert_eq!(market.stands_at().await, at(5, "0.07"));
    market.check().await;
});
