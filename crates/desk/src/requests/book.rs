//! What is booked when a request for money is approved, for each kind of them.

use auth::AccountStatus;
use base::Money;
use standing::Fact;
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::{Books, Note, Owner};
use wallet::{Document, Postings, RequestKind};

use crate::notifications::{NoticeKind, notify};
use crate::offers::level_and_credit::{FactSource, record_fact};
use crate::people::account_restrictions;
use crate::staff::Staff;
use crate::wallet::recharges::announcements;
use crate::{Error, Refusal};

/// What an approval moves.
pub(super) fn postings(books: &Books, kind: RequestKind, of: Subject, amount: Money) -> Result<Postings, Error> {
    if let (RequestKind::AdvertiserFund, Subject::Advertiser(id)) = (kind, of) {
        return Ok(wallet::fund_advertiser(&books.advertiser(id)?, amount)?);
    }
    let wallet = books.wallet()?;
    Ok(match kind {
        RequestKind::Recharge => wallet::recharge(wallet, amount)?,
        RequestKind::Chargeback => wallet::charge_back(wallet, amount)?,
        RequestKind::PromotionGrant => wallet::grant_promotion(wallet, amount)?,
        RequestKind::PromotionRevoke => wallet::revoke_promotion(wallet, amount)?,
        RequestKind::StartupLoan => wallet::advance_startup_loan(wallet, amount)?,
        other => return Err(Error::Internal(format!("a user's request is {other}"))),
    })
}

/// Whether an account may receive this. The platform's own money goes only to accounts
/// that are active or not yet activated. Money from outside is also credited to a
/// disabled account, but never to a cancelled one.
///
/// # Errors
/// `account_not_active`.
pub(crate) fn may_receive(tx: &mut Tx<'_>, kind: RequestKind, of: Subject) -> Result<(), Error> {
    let Subject::User(user) = of else { return Ok(()) };
    let status = account_restrictions::of(tx, user)?.status;
    let refused = match kind {
        RequestKind::PromotionGrant | RequestKind::StartupLoan | RequestKind::CouponGrant => {
            matches!(status, AccountStatus::Disabled | AccountStatus::Cancelled)
        }
        RequestKind::Recharge => status == AccountStatus::Cancelled,
        _ => false,
    };
    if refused { Err(Refusal::AccountNotActive { status }.into()) } else { Ok(()) }
}

/// Books an approved request and notifies its owner; returns what was written off.
pub(super) fn book(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, found: &MoneyRequest) -> Result<Money, Error> {
    may_receive(tx, found.kind, found.subject)?;
    let owner = match found.subject {
        Subject::User(id) => Owner::User(id),
        Subject::Advertiser(id) => Owner::Advertiser(id),
        _ => return Err(Error::Internal(format!("request {} is about nobody's money", found.id))),
    };
    let postings = postings(books, found.kind, found.subject, found.amount)?;
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
    let before = books.wallet()?.available;
    books.post_about(tx, owner, &postings, note)?;
    let amount = found.amount;
    match found.kind {
        RequestKind::Recharge => {
            announcements::credited(tx, user, amount)?;
            notify(tx, user, &NoticeKind::RechargeCredited { amount })?;
        }
        RequestKind::Chargeback => {
            let from_user = before.minus(books.wallet()?.available)?;
            record_fact(tx, user, &Fact::Chargeback, FactSource { kind: "chargeback", id: found.id.0 })?;
            let reference = found.reference.clone().unwrap_or_default();
            notify(tx, user, &NoticeKind::Chargeback { amount: from_user, reference })?;
            return Ok(found.amount.minus(from_user)?);
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
