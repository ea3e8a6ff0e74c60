//! Coupons of a user, and puts with them.

use base::{CouponId, Field};
use calendar::Zone;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::plans::quote::{Quote, QuoteQuery, quote};
use coupons::State;
use desk::requests::approve;
use foundation::Error;
use foundation::amount::invested;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::pay_password::Proof;
use foundation::staff::requests::RequestView;
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::{CouponFile, define_coupon};
use money::offers::coupon_views::{CouponView, coupons};
use plans::ContentType;
use store::PageRequest;

use crate::support::Market;

pub const PAGE: PageRequest = PageRequest { before: None, limit: 100 };

/// Takes `value` off amounts from 20.00. Twenty of them, valid for thirty days.
pub fn file(name: &str, value: &str) -> CouponFile {
    CouponFile {
        name: name.into(),
        kind: "deduction".into(),
        effect: None,
        value: value.into(),
        max_value: None,
        min_amount: Some("20.00".into()),
        days: Some(30),
        ends: None,
        operated_id: None,
        activity: None,
        quantity: 20,
    }
}

/// A coupon of any kind.
pub fn custom(name: &str, effect: &str, value: &str) -> CouponFile {
    let max_value = (effect == "discount").then(|| "500.00".to_owned());
    CouponFile { kind: "custom".into(), effect: Some(effect.into()), max_value, ..file(name, value) }
}

impl Market {
    /// Bob proposes it, and Ann approves.
    pub async fn define(&self, file: CouponFile) {
        let asked = define_coupon(&self.world.app, &self.world.bob, &file).await.expect("asked for");
        self.approve(&asked.request).await;
    }

    pub async fn approve(&self, asked: &RequestView) -> RequestView {
        let which = asked.id.into();
        approve(&self.world.app, &self.world.ann, which).await.expect("approved")
    }

    /// Benefit the user one that is valid from now, and returns it.
    pub async fn grant(&self, name: &str) -> CouponView {
        let asked = grant_coupon(&self.world.app, &self.world.bob, "demo", name, None).await.expect("asked for");
        self.approve(&asked).await;
        let newest = coupons(&self.world.app, self.world.user, None, PAGE).await.expect("a list").items;
        newest.into_iter().find(|coupon| coupon.name == name).expect("given")
    }

    /// Defines it and gives it to the user.
    pub async fn give(&self, file: CouponFile) -> CouponView {
        let name = file.name.clone();
        self.define(file).await;
        self.grant(&name).await
    }

    pub fn on_product(&self, amount: &str, coupon: &CouponView) -> Put {
        let (on, amount) = (PutTarget::Product(self.product), invested(Field::Amount, amount).expect("an amount"));
        Put { coupon: Some(id(coupon)), ..Put::new(on, amount, ContentType::LandingPage) }
    }

    pub async fn put_with(&self, amount: &str, coupon: &CouponView) -> Result<PlanView, Error> {
        put(&self.world.app, Proof::assumed(self.world.user), self.on_product(amount, coupon)).await
    }

    pub async fn quote(&self, amount: &str) -> Result<Quote, Error> {
        let amount = invested(Field::Amount, amount)?;
        let ask = QuoteQuery { target: PutTarget::Product(self.product), amount, zone: Zone::UTC };
        quote(&self.world.app, self.world.user, ask).await
    }

    /// The names of the user's coupons in a state.
    pub async fn held(&self, state: State) -> Vec<String> {
        let found = coupons(&self.world.app, self.world.user, Some(state), PAGE).await.expect("a list");
        found.items.into_iter().map(|coupon| coupon.name).collect()
    }

    /// How many notices with this title the user has.
    pub async fn told(&self, title: &str) -> usize {
        let wanted = NotificationQuery { limit: Some(100), ..NotificationQuery::default() };
        let list = list_notifications(&self.world.app, self.world.user, i18n::Lang::En, wanted);
        list.await.expect("notices").items.iter().filter(|notice| notice.title == title).count()
    }
}

pub fn id(coupon: &CouponView) -> CouponId {
    coupon.id.parse().expect("an id")
}
