//! Requests to move money.

use auth::{AccountStatus, Permission};
use base::{AdvertiserId, Field, Money, UserId};
use store::Tx;
use store::staff::requests::Subject;
use store::wallet::books::Books;
use store::wallet::chargebacks;
use wallet::{Postings, RequestKind};

use super::{CheckedRequest, RequestView, expire_due, file, lock, read_reference, view};
use crate::accounts::restrictions;
use crate::staff::Staff;
use crate::{App, Error, Refusal, amount};

/// An operator's request to move money.
#[derive(Clone, Debug)]
pub struct MoneyRequestDraft {
    kind: RequestKind,
    subject: Subject,
    amount: String,
    /// The bank's reference of the payment, if there is one.
    reference: Option<String>,
}

impl MoneyRequestDraft {
    /// Credits a user's payment.
    pub fn recharge(user: UserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::Recharge, Subject::User(user), amount).referring(reference)
    }

    /// Books a payment that the bank took back: from what the user has available, then from
    /// the deposit; the platform writes off the rest, which stays due.
    pub fn chargeback(user: UserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::Chargeback, Subject::User(user), amount).referring(reference)
    }

    /// Takes what is due of chargebacks from what the user has by now.
    pub fn collect_chargeback(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::ChargebackCollection, Subject::User(user), amount)
    }

    /// Gives up what is due of chargebacks.
    pub fn waive_chargeback(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::ChargebackWaiver, Subject::User(user), amount)
    }

    /// Promotional credit.
    pub fn grant(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::PromotionGrant, Subject::User(user), amount)
    }

    /// Takes back promotional credit that is on no plan.
    pub fn revoke(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::PromotionRevoke, Subject::User(user), amount)
    }

    /// Start-up funds, which the user must return.
    pub fn startup_loan(user: UserId, amount: &str) -> Self {
        Self::new(RequestKind::StartupLoan, Subject::User(user), amount)
    }

    /// Books an advertiser's payment, for conversions to claim.
    pub fn fund(advertiser: AdvertiserId, amount: &str, reference: &str) -> Self {
        Self::new(RequestKind::AdvertiserFund, Subject::Advertiser(advertiser), amount).referring(reference)
    }

    fn new(kind: RequestKind, subject: Subject, amount: &str) -> Self {
        Self { kind, subject, amount: amount.to_owned(), reference: None }
    }

    fn referring(self, reference: &str) -> Self {
        Self { reference: Some(reference.to_owned()), ..self }
    }

    fn read(&self, by: &Staff) -> Result<(Money, Option<String>), Error> {
        by.may(Permission::Money)?;
        let reference = match &self.reference {
            Some(written) => Some(read_reference(written)?),
            None if self.kind.needs_reference() => return Err(Error::field(Field::Reference, "required")),
            None => None,
        };
        Ok((amount::positive(Field::Amount, &self.amount)?, reference))
    }
}

/// Makes the request. Nothing moves yet.
///
/// # Errors
/// The fields `amount` and `reference`; `not_permitted`, `not_found`, `limit_exceeded`,
/// `amount_out_of_range`, `account_not_active`; `reference_used` if a payment with it was
/// requested before; `insufficient_balance` if more credit is to be taken back, or more of
/// what is due of chargebacks, than there is; `funds_set_aside`, see [`wallet::charge_back`].
pub async fn request(app: &App, by: &Staff, ask: MoneyRequestDraft) -> Result<RequestView, Error> {
    let (amount, reference) = ask.read(by)?;
    // After a request expires, its reference can be used again.
    expire_due(app).await?;
    let by = by.clone();
    app.db.write(move |tx| ask_for(tx, &by, &ask, amount, reference.clone())).await
}

fn ask_for(
    tx: &mut Tx<'_>,
    by: &Staff,
    ask: &MoneyRequestDraft,
    amount: Money,
    reference: Option<String>,
) -> Result<RequestView, Error> {
    let books = lock(tx, ask.subject)?;
    // A request for something that could not be booked is refused.
    may_receive(tx, ask.kind, ask.subject)?;
    match (ask.kind, ask.subject) {
        (RequestKind::ChargebackWaiver, Subject::User(user)) => may_waive(tx, user, amount)?,
        _ => drop(postings(tx, &books, ask.kind, ask.subject, amount)?),
    }
    let filed = CheckedRequest { kind: ask.kind, subject: ask.subject, amount, reference, proposal: None };
    let made = file::write(tx, by, filed)?;
    let shown = view::with_figures(tx, &books, made.clone())?;
    file::record(tx, by, &made)?;
    Ok(shown)
}

/// Checks that this much of what is due from chargebacks can be given up. The user's books are locked.
///
/// # Errors
/// `amount_out_of_range` if less is due.
pub fn may_waive(tx: &mut Tx<'_>, user: UserId, amount: Money) -> Result<(), Error> {
    Ok(wallet::waive_chargeback(chargebacks::due(tx, user)?, amount)?)
}

/// The postings that an approval books.
pub fn postings(
    tx: &mut Tx<'_>,
    books: &Books,
    kind: RequestKind,
    of: Subject,
    amount: Money,
) -> Result<Postings, Error> {
    if let (RequestKind::AdvertiserFund, Subject::Advertiser(id)) = (kind, of) {
        return Ok(wallet::fund_advertiser(&books.advertiser(id)?, amount)?);
    }
    let wallet = books.wallet()?;
    Ok(match kind {
        RequestKind::Recharge => wallet::recharge(wallet, amount)?,
        RequestKind::Chargeback => wallet::charge_back(wallet, amount)?,
        RequestKind::ChargebackCollection => {
            wallet::collect_chargeback(wallet, chargebacks::due(tx, wallet.user)?, amount)?
        }
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
pub fn may_receive(tx: &mut Tx<'_>, kind: RequestKind, of: Subject) -> Result<(), Error> {
    let Subject::User(user) = of else { return Ok(()) };
    let status = restrictions::of(tx, user)?.status;
    let refused = match kind {
        RequestKind::PromotionGrant | RequestKind::StartupLoan | RequestKind::CouponGrant => {
            matches!(status, AccountStatus::Disabled | AccountStatus::Cancelled)
        }
        RequestKind::Recharge => status == AccountStatus::Cancelled,
        _ => false,
    };
    if refused { Err(Refusal::AccountNotActive { status }.into()) } else { Ok(()) }
}
