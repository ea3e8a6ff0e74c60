//! Checks whether a user can withdraw, with the rules that refuse a withdrawal, and names what resolves each refusal.

use auth::Barred;
use base::{Money, Timestamp};
use foundation::accounts::attempts;
use foundation::{Error, Refusal};
use money::wallet::withdraw::{WithdrawalConditions, barriers};
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::Conn;
use store::people::attempts::AttemptKey;
use store::people::pay_passwords;
use store::people::users::{self, User};
use store::wallet::property::Property;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WithdrawalCheck {
    pub possible: bool,
    /// The most that can be withdrawn; zero while it is prevented.
    pub most: Money,
    /// Every rule that would refuse a withdrawal now, in order.
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The key of the refusal.
    pub key: String,
    /// What resolves it, in a sentence.
    pub lifted_by: String,
    /// The command that resolves it, if staff can.
    pub command: Option<String>,
    /// When it ends by itself.
    pub until: Option<Timestamp>,
    /// The data that accompanies the refusal's key.
    #[serde(flatten)]
    pub data: Map<String, Value>,
}

pub(super) fn check(
    conn: &mut Conn,
    user: &User,
    (found, due): (&Property, Money),
    cancelling: &AttemptKey,
    now: Timestamp,
) -> Result<WithdrawalCheck, Error> {
    let asking = WithdrawalConditions {
        status: user.status,
        store_opened: user.store_opened,
        pay_password: pay_passwords::look(conn, user.id, now)?.ok_or(Refusal::NotFound)?,
        payouts_held_until: found.payouts_held_until,
        cancelled: attempts::counted(conn, cancelling)?,
        pay_setup_held_until: users::read_pay_setup_held_until(conn, user.id)?,
        wallet: found.wallet,
        card_bound: found.bank_card_bound,
        due,
    };
    let barred = barriers(&asking, now)?;
    let possible = barred.is_empty();
    let most = if possible { found.wallet.available } else { Money::ZERO };
    let blocks = barred.iter().map(|error| block(error, &user.username, found, now)).collect();
    Ok(WithdrawalCheck { possible, most, blocks })
}

fn block(error: &Error, username: &str, found: &Property, now: Timestamp) -> Block {
    let (lifted_by, command) = lifted(error, found);
    let data = match error {
        Error::Refused(refusal) => refusal.data(),
        Error::TooManyRequests { retry_after } => Map::from_iter([("retry_after".to_owned(), json!(retry_after))]),
        _ => Map::new(),
    };
    let waits = data.get("retry_after").and_then(Value::as_i64);
    Block {
        key: error.key().to_owned(),
        lifted_by,
        command: command.map(|command| format!("placard {}", command.replace("NAME", username))),
        until: waits.map(|seconds| now.plus_seconds(seconds)),
        data,
    }
}

/// What resolves a refusal, and the command for it.
fn lifted(error: &Error, found: &Property) -> (String, Option<&'static str>) {
    const ACTIVATE: &str = "account activate NAME --reason …";
    const COLLECT: &str = "chargeback collect NAME AMOUNT --reason …";
    const RESET: &str = "account reset-pay-password NAME --reason …";
    let (text, command) = match error {
        Error::Barred(Barred::NotActivated | Barred::Disabled) => ("staff activate the account", Some(ACTIVATE)),
        Error::Barred(Barred::Cancelled) => ("nothing: a cancelled account stays so", None),
        Error::Refused(Refusal::StoreNotOpened) => {
            ("the user enters an authorization code; staff issue one", Some("code issue --count 1 --reason …"))
        }
        Error::Refused(Refusal::PayPasswordNotSet) => ("the user sets a transaction password in the wallet", None),
        Error::Refused(Refusal::PayPasswordLocked { retry_after: Some(_) }) => {
            ("waiting; or a reset, once it is sure who asks", Some(RESET))
        }
        Error::Refused(Refusal::PayPasswordLocked { retry_after: None }) => {
            ("a reset, once it is sure who asks", Some(RESET))
        }
        Error::Refused(Refusal::PayoutOnHold { .. }) => {
            ("waiting: the payout account or a password is new, and the owner was told", None)
        }
        Error::Refused(Refusal::PaySetupOnHold { .. }) => {
            ("waiting: the login password was reset, and no transaction password was set", None)
        }
        Error::TooManyRequests { .. } => ("waiting: the user has cancelled as many as may be in a day", None),
        Error::Refused(Refusal::BankCardNotBound) => {
            ("the user binds a bank card or a wallet address in the wallet", None)
        }
        Error::Refused(Refusal::StartupFundsOutstanding { outstanding }) => {
            let available = found.wallet.available;
            let text = format!("the user returns {outstanding} in the wallet, of {available} available");
            return (text, None);
        }
        Error::Refused(Refusal::ChargebackDue { due }) => {
            let available = found.wallet.available;
            let text = format!("two of staff collect {due}, of {available} available, or waive it");
            return (text, Some(COLLECT));
        }
        Error::Refused(Refusal::InsufficientBalance) => return (nothing_available(found), None),
        other => return (other.to_string(), None),
    };
    (text.to_owned(), command)
}

fn nothing_available(found: &Property) -> String {
    let waiting = [
        (found.to_be_consumed, "in plans"),
        (found.wallet.pending, "to be settled"),
        (found.wallet.withdrawing, "in withdrawals"),
        (found.wallet.exchanging, "in an exchange"),
        (found.wallet.deposit, "in the deposit"),
    ];
    let parts: Vec<String> = waiting
        .iter()
        .filter(|(amount, _)| amount.is_positive())
        .map(|(amount, at)| format!("{amount} {at}"))
        .collect();
    match parts.as_slice() {
        [] => "money that comes in: the account holds none".to_owned(),
        parts => format!("money that becomes available: {}", parts.join(", ")),
    }
}
