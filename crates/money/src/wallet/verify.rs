//! Verifying the ledger's laws on the database.

pub mod ledger_export;
pub mod ledger_heads;

use base::{Money, Timestamp};
use foundation::{App, Error};
use serde::Serialize;
use store::installation::guards::{self, History};
use store::installation::high_water;
use store::wallet::verify::{LedgerFindings, Line};

pub use store::wallet::verify::Progress;

use ledger_heads::NotedHeads;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub ok: bool,
    pub transactions: i64,
    pub entries: i64,
    /// The sum of all entries: `0.00`.
    pub sum: Money,
    /// Every transaction's hash matches its content and the one before it.
    pub chain_ok: bool,
    /// Every balance is the sum of its entries, and holds match their plans.
    pub balances_ok: bool,
    /// What is wrong, in words; empty if nothing is.
    pub faults: Vec<String>,
    /// When the heads were saved that this was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noted_at: Option<Timestamp>,
    /// How many books had saved heads that they still contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noted_books: Option<i64>,
}

/// Verifies the whole ledger in one snapshot, while the system runs.
pub async fn verify(app: &App) -> Result<Verification, Error> {
    verify_since(app, None, Box::new(|_, _| ())).await
}

/// Verifies the whole ledger, and that it still contains the saved heads. `progress` is called with the number of
/// transactions that were read, and of all transactions.
pub async fn verify_since(app: &App, noted: Option<NotedHeads>, progress: Progress) -> Result<Verification, Error> {
    let (at, books) = noted.map(NotedHeads::into_parts).unzip();
    let held = at.is_some();
    let books = books.unwrap_or_default();
    let begun = app.now();
    let found = app.db.snapshot(move |conn| {
        let mut laws = store::wallet::verify::laws_since(conn, books, progress)?;
        laws.faults.extend(guards::faults(conn, History::Ledger)?);
        Ok::<_, store::Error>(laws)
    });
    let laws: LedgerFindings = found.await?;
    let ok = laws.faults.is_empty() && laws.chain_ok && laws.balances_ok && laws.sum.is_zero();
    if ok {
        note(app, begun).await;
    }
    Ok(Verification {
        noted_at: at,
        noted_books: held.then_some(laws.extended),
        ok,
        transactions: laws.transactions,
        entries: laws.entries,
        sum: laws.sum,
        chain_ok: laws.chain_ok,
        balances_ok: laws.balances_ok,
        faults: laws.faults,
    })
}

/// Stores when the ledger was found right, for monitoring. A failure is only logged, because the database may be
/// read-only.
async fn note(app: &App, at: Timestamp) {
    if let Err(error) = app.db.write(move |tx| high_water::note_verified(tx, at)).await {
        tracing::warn!(%error, "the time of the ledger's verification was not stored");
    }
}

/// One account kind's total.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrialLine {
    pub account: String,
    pub entries: i64,
    pub balance: Money,
}

/// The balance of each kind of account; they sum to zero.
pub async fn trial_balance(app: &App) -> Result<Vec<TrialLine>, Error> {
    let lines: Vec<Line> = app.db.snapshot(store::wallet::verify::trial_balance).await?;
    Ok(lines
        .into_iter()
        .map(|line| TrialLine { account: line.account, entries: line.entries, balance: line.balance })
        .collect())
}
