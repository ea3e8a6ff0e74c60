//! The price of putting an amount, before it is paid.

use base::{CouponId, Money, Timestamp, UserId};
use calendar::Zone;
use coupons::{BudgetSplit, InapplicableReason, Refused, State};
use foundation::{App, Error, Refusal};
use money::offers::coupon_views::CouponView;
use serde::Serialize;
use store::offers::coupons::{self as rows, UserCoupon};
use store::wallet::books::read_wallet;
use store::{Conn, PageRequest};
use utoipa::ToSchema;
use wallet::Wallet;

use crate::plans::price::{Buyer, Price};
use crate::plans::put::{PutTarget, ResolvedTarget};

/// The question; nothing of it is stored.
#[derive(Clone, Debug)]
pub struct QuoteQuery {
    pub target: PutTarget,
    pub amount: Money,
    /// The time zone of the user's days.
    pub zone: Zone,
}

/// What an amount costs without a coupon, and with each of the user's coupons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Quote {
    pub amount: Money,
    /// What the user's own money pays without a coupon.
    pub available_pays: Money,
    /// What promotional credit pays without a coupon. It is used first.
    pub promotional_pays: Money,
    /// Whether the user has enough without a coupon.
    pub affordable: bool,
    /// The platform's share of what conversions pay, as it would be agreed for the plan.
    pub fee_rate: String,
    /// The rate of the product's terms, before VIP and level lower it.
    pub list_fee_rate: String,
    /// The user's unused coupons; applicable ones come first.
    pub coupons: Vec<QuotedCoupon>,
    /// The id of the coupon with which the user pays least.
    pub best: Option<CouponId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuotedCoupon {
    pub coupon: CouponView,
    /// What the user pays with the coupon. `budget` is the resulting budget. Both are the amount itself if the coupon
    /// is not applicable.
    pub pays: Money,
    pub budget: Money,
    /// The part of `pays` that is the user's own money; the rest, `promotional_pays`, is promotional credit.
    pub available_pays: Money,
    pub promotional_pays: Money,
    pub affordable: bool,
    pub applicable: bool,
    /// Why it is not applicable: the key of the refusal.
    pub reason: Option<InapplicableReason>,
}

/// The most coupons in a quote, the newest ones.
const COUPONS: PageRequest = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };

/// # Errors
/// `amount_out_of_range`, `plan_not_puttable`, `not_found`.
pub async fn quote(app: &App, user: UserId, ask: QuoteQuery) -> Result<Quote, Error> {
    let now = app.now();
    app.db.snapshot(move |conn| read(conn, user, &ask, now)).await
}

fn read(conn: &mut Conn, user: UserId, ask: &QuoteQuery, now: Timestamp) -> Result<Quote, Error> {
    let amount = ask.amount;
    let target = ResolvedTarget::find(conn, user, ask.target)?;
    target.check(amount, now)?;
    let day = ask.zone.day_period(now);
    let buyer = Buyer::load(conn, user, day)?;
    let wallet = read_wallet(conn, user)?.ok_or(Refusal::NotFound)?;
    let plain = buyer.price(&wallet, amount, None, day, now)?;
    let held = rows::page(conn, user, Some(State::Unused), now, COUPONS)?.items;
    let mut quoted = Vec::with_capacity(held.len());
    let mut candidates = Vec::new();
    for coupon in &held {
        let priced = buyer.price(&wallet, amount, Some(coupon), day, now);
        if let Ok(price) = &priced {
            let applied = BudgetSplit { pays: price.pays()?, platform_adds: price.coupon, budget: price.budget };
            candidates.push((coupon.id, applied, coupon.expires_at));
        }
        quoted.push(quoted_coupon(coupon, priced, &plain, &wallet, now)?);
    }
    quoted.sort_by_key(|each| !each.applicable);
    let terms = target.terms()?;
    Ok(Quote {
        amount,
        available_pays: plain.available,
        promotional_pays: plain.promotional,
        affordable: plain.available <= wallet.available,
        fee_rate: buyer.fee_rate(terms.fee_rate, now).to_string(),
        list_fee_rate: terms.fee_rate.to_string(),
        best: coupons::best(candidates),
        coupons: quoted,
    })
}

fn quoted_coupon(
    held: &UserCoupon,
    priced: Result<Price, Refused>,
    plain: &Price,
    wallet: &Wallet,
    now: Timestamp,
) -> Result<QuotedCoupon, Error> {
    let reason = priced.err().map(Refused::reason);
    let price = priced.unwrap_or(*plain);
    Ok(QuotedCoupon {
        coupon: CouponView::of(held, now),
        pays: price.pays()?,
        budget: price.budget,
        available_pays: price.available,
        promotional_pays: price.promotional,
        affordable: price.available <= wallet.available,
        applicable: reason.is_none(),
        reason,
    })
}
