//! Paying into the deposit and taking it back. Nothing requires a deposit, and
//! withdrawals do not depend on it.

use base::{Field, Money, UserId};
use foundation::idempotent::{Changed, Key, fingerprint, once};
use foundation::people::pay_password::Proof;
use foundation::{App, Error, amount};
use serde::Serialize;
use store::Tx;
use store::plans::plan;
use store::wallet::books::{Books, Note};
use store::wallet::chargebacks;
use utoipa::ToSchema;
use wallet::{Document, Postings, ReturnDeposit};

#[derive(Clone, Debug)]
pub struct MoveDeposit {
    pub amount: Money,
    pub key: Option<Key>,
}

impl MoveDeposit {
    /// Parses the request as sent by the client.
    ///
    /// # Errors
    /// The field `amount`; `amount_out_of_range`.
    pub fn read(amount: &str, key: Option<Key>) -> Result<Self, Error> {
        Ok(Self { amount: amount::positive(Field::Amount, amount)?, key })
    }
}

/// The balances now, decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Deposit)]
pub struct DepositView {
    pub deposit: Money,
    pub available: Money,
}

/// Pays into the deposit from what is available.
///
/// # Errors
/// Those of `Proof::spend`; `amount_out_of_range`, `insufficient_balance`,
/// `idempotency_key_reused`.
pub async fn pay_deposit(app: &App, proof: Proof, command: MoveDeposit) -> Result<DepositView, Error> {
    act(app, proof, "deposit_pay", command, |_, books, _, amount| Ok(wallet::pay_deposit(books.wallet()?, amount)?))
        .await
}

/// Takes back from the deposit.
///
/// # Errors
/// Those of [`pay_deposit`], `plans_under_way` and `chargeback_due`.
pub async fn return_deposit(app: &App, proof: Proof, command: MoveDeposit) -> Result<DepositView, Error> {
    act(app, proof, "deposit_return", command, |tx, books, user, amount| {
        let plans_under_way = plan::has_under_way(tx, user)?;
        let due = chargebacks::due(tx, user)?;
        Ok(wallet::return_deposit(books.wallet()?, &ReturnDeposit { amount, plans_under_way, due })?)
    })
    .await
}

async fn act(
    app: &App,
    proof: Proof,
    operation: &'static str,
    command: MoveDeposit,
    decide: impl Fn(&mut Tx<'_>, &Books, UserId, Money) -> Result<Postings, Error> + Send + 'static,
) -> Result<DepositView, Error> {
    let MoveDeposit { amount, key } = command;
    let user = proof.user();
    let request = fingerprint(operation, &[&amount.to_string()]);
    proof
        .spend(app, move |tx, books| {
            once(tx, user, key.as_ref(), &request, |tx| {
                let postings = decide(tx, books, user, amount)?;
                let note = Note {
                    document: Document::Deposit(user),
                    event_at: tx.now(),
                    actor: format!("user:{user}"),
                    reason: String::new(),
                    idempotency_key: key.as_ref().map(|key| key.as_str().to_owned()),
                };
                books.post(tx, &postings, &note)?;
                Ok(Changed {})
            })?;
            let wallet = books.wallet()?;
            Ok(DepositView { deposit: wallet.deposit, available: wallet.available })
        })
        .await
}
