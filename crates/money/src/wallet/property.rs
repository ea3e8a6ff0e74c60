//! The figures at the top of the wallet.

use auth::payout_hold;
use base::{Timestamp, UserId};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

/// Decimals in the platform's currency. `total_assets` is the sum of all but `unbilled`,
/// `settlement_fees`, `promotional` and `startup_outstanding`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Property {
    pub total_assets: String,
    pub available: String,
    /// The user's own money that open plans hold.
    pub to_be_consumed: String,
    /// The part of it that pays for what was delivered and is not billed yet: at the latest
    /// at 23:45 UTC.
    pub unbilled: String,
    pub to_be_settled: String,
    /// What settlement will deduct from `to_be_settled` as the platform's fee, at the
    /// agreed rates. Total assets will decrease by no more than this.
    pub settlement_fees: String,
    pub withdrawing: String,
    pub deposit: String,
    pub promotional: String,
    pub exchanging: String,
    pub startup_outstanding: String,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
    /// Until when withdrawals and exchanges are refused, if that is in the future.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payouts_held_until: Option<String>,
}

pub async fn property(app: &App, user: UserId) -> Result<Property, Error> {
    let found = app.db.lookup(store::wallet::property::PropertyOfUser(user)).await?;
    Property::of(&found.ok_or(Refusal::NotFound)?, app.now())
}

impl Property {
    pub fn of(found: &store::wallet::property::Property, now: Timestamp) -> Result<Self, Error> {
        let wallet = &found.wallet;
        Ok(Property {
            total_assets: wallet::total_assets(wallet, found.to_be_consumed)?.to_string(),
            available: wallet.available.to_string(),
            to_be_consumed: found.to_be_consumed.to_string(),
            unbilled: found.unbilled.to_string(),
            to_be_settled: wallet.pending.to_string(),
            settlement_fees: found.settlement_fees.to_string(),
            withdrawing: wallet.withdrawing.to_string(),
            deposit: wallet.deposit.to_string(),
            promotional: wallet.promotional.to_string(),
            exchanging: wallet.exchanging.to_string(),
            startup_outstanding: wallet.startup_loan_outstanding()?.to_string(),
            pay_password_set: found.pay_password_set,
            bank_card_bound: found.bank_card_bound,
            payouts_held_until: held(found.payouts_held_until, now),
        })
    }
}

fn held(until: Option<Timestamp>, now: Timestamp) -> Option<String> {
    payout_hold::check(until, now).err().map(|hold| hold.until.to_string())
}
