//! A user requests a withdrawal.

use std::collections::HashMap;

use auth::attempts::{AttemptLimit, Failures};
use auth::{AccountStatus, Vault};
use base::{Field, Money, Timestamp, UserId, WithdrawalId};
use foundation::accounts::attempts;
use foundation::accounts::restrictions::{not_held, set_up};
use foundation::idempotent::{Key, fingerprint};
use foundation::people::pay_password::{self, Movement, Mover, Proof};
use foundation::people::sessions::opened;
use foundation::{App, Error, Refusal, amount};
use store::Tx;
use store::people::attempts::{AttemptKey, read as read_attempts};
use store::people::pay_passwords::StoredPayPassword;
use store::wallet::bank_cards;
use store::wallet::books::{Applied, Books, Note};
use store::wallet::chargebacks;
use store::wallet::withdrawals::{self, NewWithdrawal};
use wallet::{Document, Wallet};

use crate::wallet::destination::Destination;
use crate::wallet::withdrawals::WithdrawalView;

#[derive(Clone, Debug)]
pub struct Withdraw {
    pub amount: Money,
    pub key: Option<Key>,
}

impl Withdraw {
    /// Parses the request as sent by the client.
    ///
    /// # Errors
    /// The field `amount`; `amount_out_of_range`.
    pub fn read(amount: &str, key: Option<Key>) -> Result<Self, Error> {
        Ok(Self { amount: amount::positive(Field::Amount, amount)?, key })
    }
}

/// Sets the amount aside until operators have decided.
///
/// # Errors
/// Those of `Proof::spend_on`; `payout_on_hold`, `TooManyRequests` for whoever cancelled too many, `amount_out_of_range`,
/// `bank_card_not_bound`, `startup_funds_outstanding`, `chargeback_due`, `insufficient_balance`.
pub async fn withdraw(app: &App, proof: Proof, command: Withdraw) -> Result<WithdrawalView, Error> {
    let cancelling = attempts::of_cancelling(app, proof.user());
    proof.spend_on(app, RequestedWithdrawal { command, vault: app.secrets.vault(), cancelling }).await
}

/// The facts about a user that decide whether they can withdraw.
pub struct WithdrawalConditions {
    pub status: AccountStatus,
    pub store_opened: bool,
    pub pay_password: StoredPayPassword,
    pub payouts_held_until: Option<Timestamp>,
    /// What the user cancelled lately.
    pub cancelled: Failures,
    pub pay_setup_held_until: Option<Timestamp>,
    pub wallet: Wallet,
    pub card_bound: bool,
    /// What chargebacks could not take, which the user still owes.
    pub due: Money,
}

/// Everything that would refuse this user a withdrawal of any amount, in the order of checking: the account's status,
/// an open store, the transaction password, a hold, too many cancellations, and the wallet's own rules. Each is found
/// by the rule that refuses it.
pub fn barriers(of: &WithdrawalConditions, now: Timestamp) -> Result<Vec<Error>, Error> {
    let mut all: Vec<Error> = Vec::new();
    all.extend(of.status.may_act().err().map(Error::from));
    all.extend(opened(of.store_opened).err().map(Error::from));
    all.extend(pay_password::counted(&of.pay_password, now).err().map(Error::from));
    if of.pay_password.hash.is_none() {
        all.extend(set_up(of.pay_setup_held_until, now).err().map(Error::from));
    }
    all.extend(not_held(of.payouts_held_until, now).err().map(Error::from));
    all.extend(attempts::may_try(AttemptLimit::OF_CANCELLING, &of.cancelled, now).err());
    all.extend(wallet::withdrawal_barriers(&of.wallet, of.card_bound, of.due)?.into_iter().map(Error::from));
    Ok(all)
}

/// A requested withdrawal.
#[derive(Clone)]
struct RequestedWithdrawal {
    command: Withdraw,
    vault: Vault,
    cancelling: AttemptKey,
}

struct State {
    /// The users' sealed payout accounts.
    cards: HashMap<UserId, String>,
    /// What users still owe because chargebacks could not take it.
    due: HashMap<UserId, Money>,
    /// The cancellations of late, by the digest of the attempts' key.
    cancelled: HashMap<[u8; 32], Failures>,
    new: Vec<New>,
    vault: Option<Vault>,
}

struct New {
    user: UserId,
    amount: Money,
    destination: Destination,
    key: Option<String>,
    applied: Applied,
}

impl Movement for RequestedWithdrawal {
    type Id = WithdrawalId;
    type View = WithdrawalView;
    type State = State;

    fn key(&self) -> Option<&Key> {
        self.command.key.as_ref()
    }

    fn fingerprint(&self) -> [u8; 32] {
        fingerprint("withdraw", &[&self.command.amount.to_string()])
    }

    fn load(tx: &mut Tx<'_>, _: &mut Books, movements: &[(UserId, &Self)]) -> Result<State, Error> {
        let keys: Vec<AttemptKey> = movements.iter().map(|(_, asked)| asked.cancelling).collect();
        let cancelled = read_attempts(tx, &keys)?.into_iter().map(|(key, counted)| (key.digest, counted));
        Ok(State {
            cancelled: cancelled.collect(),
            cards: bank_cards::find_all(tx, movements.iter().map(|(user, _)| *user))?,
            due: chargebacks::due_of(tx, movements.iter().map(|(user, _)| *user))?,
            new: Vec::with_capacity(movements.len()),
            vault: movements.first().map(|(_, asked)| asked.vault.clone()),
        })
    }

    fn decide(&self, by: &Mover, books: &mut Books, state: &mut State) -> Result<(), Error> {
        let (user, amount) = (by.user, self.command.amount);
        not_held(by.payouts_held_until, by.now)?;
        if let Some(cancelled) = state.cancelled.get(&self.cancelling.digest) {
            attempts::may_try(self.cancelling.limit, cancelled, by.now)?;
        }
        let sealed = state.cards.get(&user);
        let destination =
            sealed.map(|sealed| Destination::open(&self.vault, bank_cards::place(user), sealed)).transpose()?;
        let due = state.due.get(&user).copied().unwrap_or_default();
        let command = wallet::Withdraw { amount, card_bound: destination.is_some(), due };
        let postings = wallet::withdraw(books.wallet_of(user)?, &command)?;
        let destination = destination.ok_or(Refusal::BankCardNotBound)?;
        let applied = books.apply(&postings)?;
        let key = self.key().map(|key| key.as_str().to_owned());
        state.new.push(New { user, amount, destination, key, applied });
        Ok(())
    }

    /// The destination is stored with the withdrawal, so that binding another card later
    /// cannot redirect it.
    fn save(state: State, mut books: Books, tx: &mut Tx<'_>) -> Result<Vec<(WithdrawalId, WithdrawalView)>, Error> {
        let State { new, vault, .. } = state;
        let Some(vault) = vault else { return Ok(Vec::new()) };
        let mut rows = Vec::with_capacity(new.len());
        for (id, new) in withdrawals::reserve(tx, new.len())?.into_iter().zip(new) {
            let destination = new.destination.seal(&vault, withdrawals::place(id))?;
            rows.push(NewWithdrawal { id, user: new.user, amount: new.amount, destination });
            books.explain(new.applied, note(tx, id, new.user, new.key));
        }
        withdrawals::insert_all(tx, &rows)?;
        books.flush(tx)?;
        let made: Vec<_> = rows.iter().map(|row| (row.user, row.id)).collect();
        let views = Self::again(tx, &made)?;
        Ok(rows.iter().map(|row| row.id).zip(views).collect())
    }

    fn again(tx: &mut Tx<'_>, made: &[(UserId, WithdrawalId)]) -> Result<Vec<WithdrawalView>, Error> {
        let found = withdrawals::find_all(tx, made.iter().map(|(_, id)| *id))?;
        let found: HashMap<_, _> = found.iter().map(|row| ((row.user, row.id), row)).collect();
        let view = |made| found.get(made).map(|row| WithdrawalView::from(*row));
        made.iter().map(|made| view(made).ok_or_else(|| missing(made.1))).collect()
    }
}

fn missing(id: WithdrawalId) -> Error {
    Error::Internal(format!("withdrawal {id} is not there"))
}

fn note(tx: &Tx<'_>, id: WithdrawalId, user: UserId, idempotency_key: Option<String>) -> Note {
    Note {
        document: Document::Withdrawal(id),
        event_at: tx.now(),
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key,
    }
}
