//! The sums of the last day that is in the log, beside what the bank's statement says.

use bank::Day;
use base::{Money, Timestamp, UserId};
use foundation::{App, Error};
use proof::balances::Record;
use store::wallet::balance_days as rows;
use store::wallet::public_log::head;
use wallet::{Wallet, total_assets};

use super::wrong;

/// What the bank's last statements say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankBalance {
    pub amount: Money,
    pub on: Day,
}

/// All money at the end of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayTotals {
    /// `2026-11-27`.
    pub day: String,
    pub read_at: Timestamp,
    /// The total assets of all users.
    pub users: Money,
    /// What advertisers paid in and conversions may still claim.
    pub claims: Money,
    /// What publishers and exchanges are owed.
    pub owed: Money,
    pub bank: Option<BankBalance>,
}

/// The totals of the last day whose record is in the log; `None` before there is one.
pub async fn totals(app: &App) -> Result<Option<DayTotals>, Error> {
    let currency = app.settings.currency.code.clone();
    let found = app.db.snapshot(move |conn| {
        let Some(head) = head(conn)? else { return Ok::<_, store::Error>(None) };
        let Some(day) = rows::last(conn, &head.origin, i64::MAX, Timestamp::LATEST)? else { return Ok(None) };
        Ok(Some((day, store::wallet::bank::spans::closing(conn, &currency)?)))
    });
    let Some((day, bank)) = found.await? else { return Ok(None) };
    let record = Record::parse(&day.record).map_err(wrong)?;
    Ok(Some(DayTotals {
        users: owned(&record)?,
        day: record.day,
        read_at: day.read_at,
        claims: day.claims,
        owed: day.owed,
        bank: bank.map(|(amount, on)| BankBalance { amount, on }),
    }))
}

/// The total assets, as wallets show them, of all users together.
fn owned(record: &Record) -> Result<Money, Error> {
    let total = |account: &str| {
        let at = record.accounts.iter().position(|name| name == account);
        let total = at.and_then(|at| record.totals.get(at)).and_then(|total| i64::try_from(*total).ok());
        total.map(Money::from_minor).ok_or_else(|| Error::Internal(format!("the day's record has no {account}")))
    };
    let all = Wallet {
        available: total("available")?,
        pending: total("pending")?,
        withdrawing: total("withdrawing")?,
        exchanging: total("exchanging")?,
        deposit: total("deposit")?,
        promotional: total("promotional")?,
        ..Wallet::empty(UserId(0))
    };
    Ok(total_assets(&all, total("held_available")?)?)
}
