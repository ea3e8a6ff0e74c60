//! The ledger's laws, checked on what is in the database.

use serde::Serialize;
use store::verify::{Laws, Line};

use crate::{App, Error};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub ok: bool,
    pub transactions: i64,
    pub entries: i64,
    /// The sum of all entries: `0.00`.
    pub sum: String,
    /// Every transaction's hash fits its content and the one before it.
    pub chain_ok: bool,
    /// Every balance is the sum of its entries, and holds are their plans'.
    pub balances_ok: bool,
    /// What is wrong, in words; empty when all is well.
    pub faults: Vec<String>,
}

/// Reads the whole ledger as of one moment; the system may run meanwhile.
pub async fn verify(app: &App) -> Result<Verification, Error> {
    let laws: Laws = app.db.snapshot(store::verify::laws).await?;
    Ok(Verification {
        ok: laws.faults.is_empty() && laws.chain_ok && laws.balances_ok && laws.sum.is_zero(),
        transactions: laws.transactions,
        entries: laws.entries,
        sum: laws.sum.to_string(),
        chain_ok: laws.chain_ok,
        balances_ok: laws.balances_ok,
        faults: laws.faults,
    })
}

/// One account kind's total.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrialLine {
    pub account: String,
    pub entries: i64,
    pub balance: String,
}

/// What each kind of account holds; the balances sum to zero.
pub async fn trial_balance(app: &App) -> Result<Vec<TrialLine>, Error> {
    let lines: Vec<Line> = app.db.snapshot(store::verify::trial_balance).await?;
    Ok(lines
        .into_iter()
        .map(|line| TrialLine { account: line.account, entries: line.entries, balance: line.balance.to_string() })
        .collect())
}
