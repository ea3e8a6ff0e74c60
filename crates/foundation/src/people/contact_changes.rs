//! Changes of the e-mail address and the telephone number. Staff use them to verify a user who asks for a new
//! transaction password. So a change needs that password, the user is notified, payouts wait for a day, and staff see
//! the previous values.

use auth::{Vault, hex};
use base::UserId;
use serde_json::{Value, json};
use store::Tx;
use store::people::contacts::{self, ContactKind};
use store::people::users::{Edit, User};
use store::wallet::books::Books;

use crate::Error;
use crate::accounts::restrictions::hold_payouts;
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::staff::Changes;

/// A changed e-mail address or telephone number, with its old and new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedContact {
    kind: ContactKind,
    before: String,
    after: String,
}

/// The e-mail address and telephone number, if an edit would change them.
pub(crate) fn changed(user: &User, edit: &Edit) -> Vec<ChangedContact> {
    let both = [
        (ContactKind::Email, &user.email, edit.email.as_ref()),
        (ContactKind::Phone, &user.phone, edit.phone.as_ref()),
    ];
    let changed = both.into_iter().filter_map(|(kind, before, after)| {
        let after = after.filter(|after| *after != before)?;
        Some(ChangedContact { kind, before: before.clone(), after: after.clone() })
    });
    changed.collect()
}

/// Notes the changes, tells the user, and keeps payouts back for a day in a live installation, unless there is nothing
/// to steal: nothing was there before, and nothing was ever booked. The wallet is locked. Call it last: it writes the
/// audit.
///
/// # Errors
/// `TooManyRequests` after too many on one day.
pub(crate) fn note(
    tx: &mut Tx<'_>,
    (books, vault): (&Books, &Vault),
    user: UserId,
    changes: &[ChangedContact],
) -> Result<(), Error> {
    if changes.is_empty() {
        return Ok(());
    }
    account_audit::may_change_again(tx, user, account_audit::CONTACT_CHANGED)?;
    let mut details = Changes::default();
    for ChangedContact { kind, before, after } in changes {
        contacts::insert(tx, user, *kind, (before.as_str(), after.as_str()))?;
        let shown = masked(*kind, after);
        let notice = match kind {
            ContactKind::Email => NoticeKind::EmailChanged { address: shown },
            ContactKind::Phone => NoticeKind::PhoneChanged { number: shown },
        };
        notify(tx, user, &notice)?;
        // The audit cannot forget, so it has no more than recognises them.
        details = details.about(
            kind.name(),
            json!({
                "from": described(vault, *kind, before),
                "to": described(vault, *kind, after),
            }),
        );
    }
    if changes.iter().any(|change| !change.before.is_empty()) || !books.never_used() {
        hold_payouts(tx, user)?;
    }
    account_audit::record(tx, user, account_audit::CONTACT_CHANGED, details)
}

/// Masked, and with a keyed digest; null if there is none.
fn described(vault: &Vault, kind: ContactKind, value: &str) -> Value {
    if value.is_empty() {
        return Value::Null;
    }
    json!({ "masked": masked(kind, value), "digest": hex::encode(&vault.index(kind.name(), value)) })
}

/// `a***@example.org` and `****4567`.
fn masked(kind: ContactKind, value: &str) -> String {
    match (kind, value.rsplit_once('@')) {
        (ContactKind::Email, Some((local, domain))) => {
            let first: String = local.chars().take(1).collect();
            format!("{first}***@{domain}")
        }
        _ => {
            let digits: Vec<char> = value.chars().filter(char::is_ascii_digit).collect();
            let shown: String = digits.iter().skip(digits.len().saturating_sub(4)).collect();
            format!("****{shown}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_masked_is_recognised_and_no_more() {
        let email = |value| masked(ContactKind::Email, value);
        assert_eq!(
            (email("ada@example.org"), email("ö@x.example")),
            ("a***@example.org".into(), "ö***@x.example".into())
        );
        let phone = |value| masked(ContactKind::Phone, value);
        assert_eq!((phone("+49 (151) 1234-5678"), phone("12")), ("****5678".into(), "****12".into()));
    }
}
