//! The figures at the top of the wallet.

use base::{Money, UserId};

use crate::{App, Error, Refusal};

/// Amounts in minor units. `total_assets` is the sum of all but `promotional`
/// and `startup_outstanding`, which stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    pub total_assets: Money,
    pub available: Money,
    /// What open plans hold of the user's own money.
    pub to_be_consumed: Money,
    pub to_be_settled: Money,
    pub withdrawing: Money,
    pub deposit: Money,
    pub promotional: Money,
    pub exchanging: Money,
    pub startup_outstanding: Money,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
}

pub async fn property(app: &App, user: UserId) -> Result<Property, Error> {
    let found = app.db.read(move |conn| store::property::of(conn, user)).await?;
    let found = found.ok_or(Refusal::NotFound)?;
    let wallet = found.wallet;
    Ok(Property {
        total_assets: wallet::total_assets(&wallet, found.to_be_consumed)?,
        available: wallet.available,
        to_be_consumed: found.to_be_consumed,
        to_be_settled: wallet.pending,
        withdrawing: wallet.withdrawing,
        deposit: wallet.deposit,
        promotional: wallet.promotional,
        exchanging: wallet.exchanging,
        startup_outstanding: wallet.startup_outstanding()?,
        pay_password_set: found.pay_password_set,
        bank_card_bound: found.bank_card_bound,
    })
}
