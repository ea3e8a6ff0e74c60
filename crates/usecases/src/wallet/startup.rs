//! Returning start-up funds. They are advanced by a request.

use base::UserId;
use serde::{Deserialize, Serialize};
use standing::Fact;
use store::wallet::books::{Books, Note};
use utoipa::ToSchema;

use crate::idempotent::{Key, fingerprint, once};
use crate::notifications::{NoticeKind, notify};
use crate::offers::standings::{About, happened};
use crate::people::standing_now::lock_own;
use crate::{App, Error, amount};

/// The request, as the client wrote it. Its transaction password has been
/// verified by now.
#[derive(Clone, Debug)]
pub struct ReturnStartup {
    /// All that is outstanding where it is absent.
    pub amount: Option<String>,
    pub key: Option<Key>,
}

/// What is outstanding now, a decimal in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Startup)]
pub struct StartupView {
    pub outstanding: String,
}

impl StartupView {
    fn of(books: &Books) -> Result<Self, Error> {
        Ok(Self { outstanding: books.wallet()?.startup_outstanding()?.to_string() })
    }
}

/// Answers what is still outstanding.
///
/// # Errors
/// The field `amount`; `amount_out_of_range` where nothing or less is
/// outstanding, `insufficient_balance`, `idempotency_key_reused`.
pub async fn return_startup(app: &App, user: UserId, command: ReturnStartup) -> Result<StartupView, Error> {
    let asked = command.amount.as_deref().map(|text| amount::positive("amount", text)).transpose()?;
    let request = fingerprint("startup_return", &[&asked.map(|a| a.to_string()).unwrap_or_default()]);
    let key = command.key;
    app.db
        .write(move |tx| {
            let mut books = lock_own(tx, user)?;
            once(tx, user, key.as_ref(), &request, |tx| {
                let owed = books.wallet()?.startup_outstanding()?;
                let postings = wallet::return_startup_funds(books.wallet()?, asked.unwrap_or(owed))?;
                let key = key.as_ref().map(|key| key.as_str().to_owned());
                let note = Note { idempotency_key: key, ..note(user, tx.now(), format!("user:{user}"), String::new()) };
                books.post(tx, &postings, &note)?;
                let outstanding = books.wallet()?.startup_outstanding()?;
                let amount = asked.unwrap_or(owed);
                notify(tx, user, &NoticeKind::StartupReturned { amount, outstanding })?;
                if books.wallet()?.startup_outstanding()?.is_zero() {
                    happened(tx, user, &Fact::StartupReturned, About { kind: "startup", id: user.0 })?;
                }
                StartupView::of(&books)
            })
        })
        .await
}

fn note(user: UserId, event_at: base::Timestamp, actor: String, reason: String) -> Note {
    Note { ref_type: "startup", ref_id: user.0, event_at, actor, reason, idempotency_key: None }
}
