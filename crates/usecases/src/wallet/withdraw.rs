//! A user asks to be paid out.

use auth::{AccountStatus, Vault};
use base::{Money, Timestamp, UserId};
use store::Tx;
use store::people::pay_passwords::Kept;
use store::wallet::books::{Books, Note};
use store::wallet::withdrawals::{self, Withdrawal};
use wallet::{Document, Wallet};

use crate::idempotent::{Key, fingerprint, once};
use crate::people::pay_password::{self, Proof};
use crate::people::sessions::opened;
use crate::people::standing_now::{may_leave, not_held};
use crate::wallet::bank_card::bound;
use crate::wallet::destination::Destination;
use crate::wallet::withdrawals::WithdrawalView;
use crate::{App, Error, Refusal, amount};

#[derive(Clone, Debug)]
pub struct Withdraw {
    pub amount: Money,
    pub key: Option<Key>,
}

impl Withdraw {
    /// The request, as the client wrote it.
    ///
    /// # Errors
    /// The field `amount`; `amount_out_of_range`.
    pub fn read(amount: &str, key: Option<Key>) -> Result<Self, Error> {
        Ok(Self { amount: amount::positive("amount", amount)?, key })
    }
}

/// Sets the amount aside until operators have decided.
///
/// # Errors
/// Those of `Proof::spend`; `payout_on_hold`, `amount_out_of_range`, `bank_card_not_bound`, `startup_funds_outstanding`, `insufficient_balance`,
/// `idempotency_key_reused`.
pub async fn withdraw(app: &App, proof: Proof, command: Withdraw) -> Result<WithdrawalView, Error> {
    let Withdraw { amount, key } = command;
    let request = fingerprint("withdraw", &[&amount.to_string()]);
    let (user, vault) = (proof.user(), app.secrets.vault());
    proof
        .spend(app, move |tx, books| {
            once(tx, user, key.as_ref(), &request, |tx| ask(tx, &vault, books, user, amount, key.as_ref()))
        })
        .await
}

/// A user as far as a withdrawal depends on them.
pub(crate) struct Asking {
    pub status: AccountStatus,
    pub store_opened: bool,
    pub pay_password: Kept,
    pub payouts_held_until: Option<Timestamp>,
    pub wallet: Wallet,
    pub card_bound: bool,
}

/// Everything that would refuse this user a withdrawal of whatever amount, in
/// the order in which it is asked: signed in and with a store, with the right
/// transaction password, not on hold, and by the wallet. Each is the rule that refuses.
pub(crate) fn barriers(of: &Asking, now: Timestamp) -> Result<Vec<Error>, Error> {
    let mut all: Vec<Error> = Vec::new();
    all.extend(of.status.may_act().err().map(Error::from));
    all.extend(opened(of.store_opened).err().map(Error::from));
    all.extend(pay_password::counted(&of.pay_password, now).err().map(Error::from));
    all.extend(not_held(of.payouts_held_until, now).err().map(Error::from));
    all.extend(wallet::withdrawal_barriers(&of.wallet, of.card_bound)?.into_iter().map(Error::from));
    Ok(all)
}

fn ask(
    tx: &mut Tx<'_>,
    vault: &Vault,
    books: &mut Books,
    user: UserId,
    amount: Money,
    key: Option<&Key>,
) -> Result<WithdrawalView, Error> {
    may_leave(tx, user)?;
    let destination = bound(tx, vault, user)?;
    let command = wallet::Withdraw { amount, card_bound: destination.is_some() };
    let postings = wallet::withdraw(books.wallet()?, &command)?;
    let row = written(tx, vault, user, amount, &destination.ok_or(Refusal::BankCardNotBound)?)?;
    let note = Note {
        document: Document::Withdrawal(row.id),
        event_at: tx.now(),
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: key.map(|key| key.as_str().to_owned()),
    };
    books.post(tx, &postings, &note)?;
    Ok((&row).into())
}

/// The destination is kept with the withdrawal, so that binding another card
/// later cannot redirect a payment that was asked for before.
fn written(
    tx: &mut Tx<'_>,
    vault: &Vault,
    user: UserId,
    amount: Money,
    destination: &Destination,
) -> Result<Withdrawal, Error> {
    let id = withdrawals::insert(tx, user, amount)?;
    Ok(withdrawals::goes_to(tx, id, &destination.seal(vault, withdrawals::place(id))?)?)
}
