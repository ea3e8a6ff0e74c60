//! Paying in the deposit and taking it back. Nothing requires a deposit, and
//! withdrawals do not depend on it.

use base::{Money, UserId};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::plans::plan;
use store::wallet::books::{Books, Note};
use utoipa::ToSchema;
use wallet::{Postings, ReturnDeposit};

use crate::idempotent::{Key, fingerprint, once};
use crate::people::standing_now::lock_own;
use crate::{App, Error, amount};

/// The request, as the client wrote it. Its transaction password has been
/// verified by now.
#[derive(Clone, Debug)]
pub struct MoveDeposit {
    pub amount: String,
    pub key: Option<Key>,
}

/// What stands where now, decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Deposit)]
pub struct DepositView {
    pub deposit: String,
    pub available: String,
}

/// Pays in of what is available.
///
/// # Errors
/// The field `amount`; `amount_out_of_range`, `insufficient_balance`,
/// `idempotency_key_reused`.
pub async fn pay_deposit(app: &App, user: UserId, command: MoveDeposit) -> Result<DepositView, Error> {
    act(app, user, "deposit_pay", command, |_, books, _, amount| Ok(wallet::pay_deposit(books.wallet()?, amount)?))
        .await
}

/// Takes back.
///
/// # Errors
/// Those of [`pay_deposit`], and `plans_under_way`.
pub async fn return_deposit(app: &App, user: UserId, command: MoveDeposit) -> Result<DepositView, Error> {
    act(app, user, "deposit_return", command, |tx, books, user, amount| {
        let plans_under_way = plan::any_under_way(tx, user)?;
        Ok(wallet::return_deposit(books.wallet()?, &ReturnDeposit { amount, plans_under_way })?)
    })
    .await
}

async fn act(
    app: &App,
    user: UserId,
    operation: &'static str,
    command: MoveDeposit,
    decide: impl Fn(&mut Tx<'_>, &Books, UserId, Money) -> Result<Postings, Error> + Send + 'static,
) -> Result<DepositView, Error> {
    let amount = amount::positive("amount", &command.amount)?;
    let request = fingerprint(operation, &[&amount.to_string()]);
    let key = command.key;
    app.db
        .write(move |tx| {
            let mut books = lock_own(tx, user)?;
            once(tx, user, key.as_ref(), &request, |tx| {
                let postings = decide(tx, &books, user, amount)?;
                let note = Note {
                    ref_type: "deposit",
                    ref_id: user.0,
                    event_at: tx.now(),
                    actor: format!("user:{user}"),
                    reason: String::new(),
                    idempotency_key: key.as_ref().map(|key| key.as_str().to_owned()),
                };
                books.post(tx, &postings, &note)?;
                let wallet = books.wallet()?;
                Ok(DepositView { deposit: wallet.deposit.to_string(), available: wallet.available.to_string() })
            })
        })
        .await
}
