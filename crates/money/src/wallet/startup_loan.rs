//! Returning start-up funds. They are advanced by a request of staff.

use base::{Field, Money, UserId};
use foundation::idempotent::{Changed, Key, fingerprint, once};
use foundation::notices::{NoticeKind, notify};
use foundation::people::pay_password::Proof;
use foundation::{App, Error, amount};
use serde::Serialize;
use standing::Fact;
use store::wallet::books::{Books, Note};
use utoipa::ToSchema;
use wallet::Document;

use crate::offers::level_and_credit::{FactSource, record_fact};

#[derive(Clone, Debug)]
pub struct RepayStartupLoan {
    /// Everything outstanding if it is missing.
    pub amount: Option<Money>,
    pub key: Option<Key>,
}

impl RepayStartupLoan {
    /// Parses the request as sent by the client.
    ///
    /// # Errors
    /// The field `amount`; `amount_out_of_range`.
    pub fn read(amount: Option<&str>, key: Option<Key>) -> Result<Self, Error> {
        Ok(Self { amount: amount.map(|text| amount::positive(Field::Amount, text)).transpose()?, key })
    }
}

/// What is outstanding now, a decimal in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Startup)]
pub struct StartupLoanView {
    pub outstanding: Money,
}

impl StartupLoanView {
    fn of(books: &Books) -> Result<Self, Error> {
        Ok(Self { outstanding: books.wallet()?.startup_loan_outstanding()? })
    }
}

/// Returns start-up funds, by default everything that is outstanding.
///
/// # Errors
/// Those of `Proof::spend`; `amount_out_of_range` if less is outstanding, or nothing;
/// `insufficient_balance`, `idempotency_key_reused`.
pub async fn repay_startup_loan(app: &App, proof: Proof, command: RepayStartupLoan) -> Result<StartupLoanView, Error> {
    let RepayStartupLoan { amount: asked, key } = command;
    let user = proof.user();
    let request = fingerprint("startup_return", &[&asked.map(|a| a.to_string()).unwrap_or_default()]);
    proof
        .spend(app, move |tx, books| {
            once(tx, user, key.as_ref(), &request, |tx| {
                let owed = books.wallet()?.startup_loan_outstanding()?;
                let postings = wallet::repay_startup_loan(books.wallet()?, asked.unwrap_or(owed))?;
                let key = key.as_ref().map(|key| key.as_str().to_owned());
                let note = Note { idempotency_key: key, ..note(user, tx.now(), format!("user:{user}"), String::new()) };
                books.post(tx, &postings, &note)?;
                let outstanding = books.wallet()?.startup_loan_outstanding()?;
                let amount = asked.unwrap_or(owed);
                notify(tx, user, &NoticeKind::StartupReturned { amount, outstanding })?;
                if books.wallet()?.startup_loan_outstanding()?.is_zero() {
                    record_fact(tx, user, &Fact::StartupLoanRepaid, FactSource { kind: "startup", id: user.0 })?;
                }
                Ok(Changed {})
            })?;
            StartupLoanView::of(books)
        })
        .await
}

fn note(user: UserId, event_at: base::Timestamp, actor: String, reason: String) -> Note {
    Note { document: Document::Startup(user), event_at, actor, reason, idempotency_key: None }
}
