//! The effects of approving a request, for each kind.

use auth::Secrets;
use base::Money;
use campaigns::catalogue::{advertisers, counterparty_keys, product_terms};
use campaigns::delivery::{corrections as delivery_corrections, publishers};
use campaigns::plans::operated;
use foundation::people::login::reset_code;
use foundation::people::pay_password::reset::reset;
use foundation::people::staff_accounts;
use foundation::staff::requests::Proposal;
use foundation::staff::{Staff, limits};
use foundation::{Error, Settings};
use money::offers::{coupon_grants, coupon_terms};
use money::wallet::payment_files::unpaid;
use money::wallet::publishers::{corrections, payouts, terms};
use money::wallet::{acceptor_changes, acceptor_terms, public_log};
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::Books;
use wallet::RequestKind;

use crate::installation::content::notices::announce;
use crate::installation::content::published;
use crate::requests::book;

/// Does it in the transaction of the decision, with everything locked that it is about;
/// returns what was written off.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    (by, secrets, settings): (&Staff, &Secrets, &Settings),
    books: &mut Books,
    found: &MoneyRequest,
) -> Result<Money, Error> {
    match (found.kind, found.subject) {
        (
            RequestKind::Recharge
            | RequestKind::Chargeback
            | RequestKind::ChargebackCollection
            | RequestKind::PromotionGrant
            | RequestKind::PromotionRevoke
            | RequestKind::StartupLoan
            | RequestKind::AdvertiserFund,
            _,
        ) => return book::book(tx, by, books, found),
        (RequestKind::ChargebackWaiver, Subject::User(user)) => book::waive(tx, user, found)?,
        (RequestKind::ProductTerms, Subject::Product(id)) => product_terms::agree(tx, id, &Proposal::of(found)?)?,
        (RequestKind::AcceptorTerms, Subject::Acceptor(id)) => {
            acceptor_terms::agree(tx, by, id, found, &Proposal::of(found)?)?;
        }
        (RequestKind::CouponTerms, Subject::Coupon(id)) => coupon_terms::agree(tx, id, &Proposal::of(found)?)?,
        (RequestKind::CouponGrant, Subject::User(user)) => coupon_grants::give(tx, user, found)?,
        (RequestKind::PayPasswordReset, Subject::User(user)) => drop(reset(tx, user)?),
        (RequestKind::LoginPasswordReset, Subject::User(user)) => reset_code::agree(tx, user, found)?,
        (RequestKind::AdvertiserKey | RequestKind::SspKey | RequestKind::PublisherKey, _) => {
            counterparty_keys::agree(tx, (by, secrets), found)?;
        }
        (RequestKind::AdvertiserCap, Subject::Advertiser(id)) => {
            advertisers::agree_cap(tx, by, id, found)?;
        }
        (RequestKind::PublisherTerms, Subject::Publisher(id)) => terms::agree(tx, by, id, found)?,
        (RequestKind::PublisherPayout, Subject::Publisher(id)) => {
            payouts::is_covered(tx, (&secrets.vault(), &settings.payouts), id, found)?;
        }
        (RequestKind::PublisherCredit | RequestKind::PublisherDebit, Subject::Publisher(id)) => {
            corrections::book(tx, by, books, (id, found))?;
        }
        (RequestKind::DeliveryCorrection, Subject::Publisher(id)) => {
            delivery_corrections::carry_out(tx, by, books, (id, found))?;
        }
        (RequestKind::Unpaid, _) => unpaid::agree(tx, by, books, found)?,
        (RequestKind::RoleLimits, Subject::New) => limits::agree(tx, by, &Proposal::of(found)?)?,
        (RequestKind::Announcement, Subject::New) => announce(tx, &Proposal::of(found)?)?,
        (RequestKind::Contact | RequestKind::PayIn | RequestKind::Faq | RequestKind::Activity, Subject::New) => {
            published::agree(tx, found.kind, &Proposal::of(found)?)?;
        }
        (RequestKind::AcceptorChange, Subject::Acceptor(id)) => {
            acceptor_changes::agree(tx, id, &Proposal::of(found)?)?;
        }
        (RequestKind::PublisherClosing, Subject::Publisher(id)) => publishers::close(tx, id)?,
        (RequestKind::AccountCancel, Subject::User(user)) => staff_accounts::cancel(tx, by, user, &found.reason)?,
        (RequestKind::PublicLog, Subject::New) => public_log::agree(tx, secrets, &Proposal::of(found)?)?,
        (RequestKind::OperatedAccount, Subject::User(user)) => operated::agree(tx, user, &Proposal::of(found)?)?,
        (kind, _) => return Err(Error::Internal(format!("request {} is no {kind}", found.id))),
    }
    Ok(Money::ZERO)
}
