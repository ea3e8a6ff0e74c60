//! The figures at the top of the wallet.

use auth::payout_hold;
use base::{Money, Timestamp, UserId};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

/// Decimals in the platform's currency. `total_assets` is the sum of all but `unbilled`,
/// `settlement_fees`, `promotional` and `startup_outstanding`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Property {
    pub total_assets: Money,
    pub available: Money,
    /// The user's own money that open plans hold.
    pub to_be_consumed: Money,
    /// The part of `to_be_consumed` that pays for what was delivered and is not billed yet. It is billed at 23:45 UTC
    /// at the latest.
    pub unbilled: Money,
    pub to_be_settled: Money,
    /// What settlement will deduct from `to_be_settled` as the platform's fee, at the
    /// agreed rates. Total assets will decrease by no more than this.
    pub settlement_fees: Money,
    pub withdrawing: Money,
    pub deposit: Money,
    pub promotional: Money,
    pub exchanging: Money,
    pub startup_outstanding: Money,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
    /// Until when withdrawals and exchanges are refused, if that is in the future.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payouts_held_until: Option<Timestamp>,
}

pub async fn property(app: &App, user: UserId) -> Result<Property, Error> {
    let found = app.db.lookup(store::wallet::property::PropertyOfUser(user)).await?;
    Property::of(&found.ok_or(Refusal::NotFound)?, app.now())
}

impl Property {
    pub fn of(found: &store::wallet::property::Property, now: Timestamp) -> Result<Self, Error> {
        let wallet = &found.wallet;
        Ok(Property {
            total_assets: wallet::total_assets(wallet, found.to_be_consumed)?,
            available: wallet.available,
            to_be_consumed: found.to_be_consumed,
            unbilled: found.unbilled,
            to_be_settled: wallet.pending,
            settlement_fees: found.settlement_fees,
            withdrawing: wallet.withdrawing,
            deposit: wallet.deposit,
            promotional: wallet.promotional,
            exchanging: wallet.exchanging,
            startup_outstanding: wallet.startup_loan_outstanding()?,
            pay_password_set: found.pay_password_set,
            bank_card_bound: found.bank_card_bound,
            payouts_held_until: held(found.payouts_held_until, now),
        })
    }
}

fn held(until: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    payout_hold::check(until, now).err().map(|hold| hold.until)
}
