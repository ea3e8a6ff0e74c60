//! The bookings of approved requests for money, for each kind.

use base::{Money, UserId};
use foundation::Error;
use foundation::notices::{NoticeKind, notify};
use foundation::staff::Staff;
use foundation::staff::requests::{may_receive, may_waive, postings};
use money::offers::level_and_credit::{FactSource, record_fact};
use money::wallet::recharges::announcements;
use standing::Fact;
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::{Books, Note, Owner};
use store::wallet::chargebacks;
use wallet::{Account, Document, PlatformAccount, Postings, RequestKind};

/// Waives an amount that the user owes because of chargebacks. It was written off already, so nothing is booked.
pub(super) fn waive(tx: &mut Tx<'_>, user: UserId, found: &MoneyRequest) -> Result<(), Error> {
    let amount = found.amount;
    may_waive(tx, user, amount)?;
    // The approval is not stored yet.
    let outstanding = chargebacks::due(tx, user)?.minus(amount)?;
    notify(tx, user, &NoticeKind::ChargebackWaived { amount, outstanding })
}

/// The part of a chargeback that the platform bears.
fn written_off(postings: &Postings) -> Result<Money, Error> {
    let write_offs = Account::Platform(PlatformAccount::WriteOffs);
    let entries = postings.entries().iter().filter(|entry| entry.account == write_offs);
    Ok(Money::sum(entries.map(|entry| entry.amount))?.negated()?)
}

/// Books an approved request and notifies its owner; returns what was written off.
pub(super) fn book(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, found: &MoneyRequest) -> Result<Money, Error> {
    may_receive(tx, found.kind, found.subject)?;
    let owner = match found.subject {
        Subject::User(id) => Owner::User(id),
        Subject::Advertiser(id) => Owner::Advertiser(id),
        _ => return Err(Error::Internal(format!("request {} is about nobody's money", found.id))),
    };
    let postings = postings(tx, books, found.kind, found.subject, found.amount)?;
    let written_off = written_off(&postings)?;
    let note = Note {
        document: Document::Request(found.kind.document(), found.id),
        event_at: tx.now(),
        actor: by.actor(),
        // The remark on the user's line.
        reason: found.reference.clone().unwrap_or_else(|| found.reason.clone()),
        idempotency_key: None,
    };
    let Subject::User(user) = found.subject else {
        books.post_about(tx, owner, &postings, note)?;
        tx.notes().changes_catalogue();
        return Ok(Money::ZERO);
    };
    books.post_about(tx, owner, &postings, note)?;
    let amount = found.amount;
    match found.kind {
        RequestKind::Recharge => {
            announcements::close_credited(tx, user, amount)?;
            notify(tx, user, &NoticeKind::RechargeCredited { amount })?;
        }
        RequestKind::Chargeback => {
            record_fact(tx, user, &Fact::Chargeback, FactSource { kind: "chargeback", id: found.id.0 })?;
            let reference = found.reference.clone().unwrap_or_default();
            notify(tx, user, &NoticeKind::Chargeback { amount: amount.minus(written_off)?, reference })?;
            if written_off.is_positive() {
                // The approval is not stored yet.
                let outstanding = chargebacks::due(tx, user)?.plus(written_off)?;
                notify(tx, user, &NoticeKind::ChargebackDue { outstanding })?;
            }
            return Ok(written_off);
        }
        RequestKind::ChargebackCollection => {
            let outstanding = chargebacks::due(tx, user)?.minus(amount)?;
            notify(tx, user, &NoticeKind::ChargebackCollected { amount, outstanding })?;
        }
        RequestKind::PromotionGrant => {
            notify(tx, user, &NoticeKind::PromotionGranted { amount })?;
        }
        RequestKind::PromotionRevoke => {
            notify(tx, user, &NoticeKind::PromotionRevoked { amount })?;
        }
        RequestKind::StartupLoan => {
            let outstanding = books.wallet()?.startup_loan_outstanding()?;
            notify(tx, user, &NoticeKind::StartupAdvanced { amount, outstanding })?;
        }
        _ => {}
    }
    Ok(Money::ZERO)
}
