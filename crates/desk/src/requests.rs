//! Deciding on requests, and carrying them out: `carry_out.rs` says what the approval of each kind does.

mod book;
mod carry_out;
mod shown;

use auth::Permission;
use base::Money;
use campaigns::catalogue::counterparty_keys;
use campaigns::delivery::corrections;
use foundation::notices::{NoticeKind, notify};
use foundation::staff::decisions::{Case, Decided, Step, decide};
use foundation::staff::requests::{approving, decision, is_as_requested, kinds, lock};
use foundation::staff::{Changes, Staff, limits};
use foundation::{App, Error, Refusal};
use money::offers::coupon_grants;
use money::wallet::payment_files;
use money::wallet::reconcile::is_credited_once;
use store::Tx;
use store::staff::requests::{self as rows, MoneyRequest};
use store::wallet::books::Books;

pub use foundation::staff::requests::{
    MoneyRequestDraft, RequestFilter, RequestKind, RequestRef, RequestView, Subject, expire_due, request, requests,
};
pub use shown::{show, show_to};

/// Does what was requested, unless it is about a counterparty's key: see
/// [`approve_key`].
///
/// # Errors
/// Those of [`approve_key`].
pub async fn approve(app: &App, by: &Staff, which: RequestRef) -> Result<RequestView, Error> {
    approve_key(app, by, which, None).await
}

/// Does what was requested. The operator must be a different person than the requester,
/// both at the time of the request and now, and the requester must not have been revoked.
/// A counterparty's key counts if `fingerprint` is what its holder read to the operator.
///
/// # Errors
/// The field `fingerprint` and `key_not_claimed`, of keys; `not_permitted`, `not_found`,
/// `second_person_needed`, `already_decided`, `request_expired`, `limit_exceeded`,
/// `founders_missing`; `request_altered` if its row was edited since it was made;
/// `bank_line_credited` if the payment of a line of the bank was credited before;
/// `insufficient_balance` if the credit to be taken back was put on a plan
/// meanwhile; `proposal_stale` if what it would change has changed
/// meanwhile.
pub async fn approve_key(
    app: &App,
    by: &Staff,
    which: RequestRef,
    fingerprint: Option<&str>,
) -> Result<RequestView, Error> {
    let (secrets, settings) = (app.secrets.clone(), app.settings.clone());
    let fingerprint = fingerprint.map(str::to_owned);
    let decided = decide::<RequestCase>(app, by, Step::Second, which, move |tx, by, books, found: &MoneyRequest| {
        let review = found.review.approve(by.second(), |operator| by.person(operator), tx.now())?;
        by.counts_with(found.review.requested_by)?;
        is_as_requested(tx, found)?;
        counterparty_keys::confirm(tx, &secrets, found, fingerprint.as_deref())?;
        is_credited_once(tx, found)?;
        limits::count(tx, by, found.amount)?;
        limits::adds_up(tx, by, found, Step::Second)?;
        let written_off = carry_out::carry_out(tx, (by, &secrets, &settings), books, found)?;
        let decider = (by.id(), by.person(by.id()));
        Ok(rows::decide(tx, found, review, Some(decider), written_off)?)
    });
    let view = decided.await?;
    // The cache of contacts, questions and accounts may be outdated now.
    app.content_cache.forget();
    if let Some(user) = view.user_id.filter(|_| view.kind == RequestKind::AccountCancel) {
        app.memory.forget(user);
    }
    Ok(view)
}

/// Rejects it, whoever requested it; its reference may be used again.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`, `request_expired`.
pub async fn reject(app: &App, by: &Staff, which: RequestRef) -> Result<RequestView, Error> {
    decide::<RequestCase>(app, by, Step::No, which, |tx, by, _, found: &MoneyRequest| {
        let review = found.review.reject(tx.now())?;
        if let (RequestKind::Recharge, Subject::User(user)) = (found.kind, found.subject) {
            let (amount, reason) = (found.amount, by.told_reason()?.to_owned());
            notify(tx, user, &NoticeKind::RechargeRejected { amount, reason })?;
        }
        let decider = (by.id(), by.person(by.id()));
        Ok(rows::decide(tx, found, review, Some(decider), Money::ZERO)?)
    })
    .await
}

/// A request of any kind, on which a second person decides.
struct RequestCase;

impl Case for RequestCase {
    type Id = RequestRef;
    type Row = MoneyRequest;
    type View = RequestView;

    fn lock(tx: &mut Tx<'_>, which: RequestRef) -> Result<(Books, MoneyRequest), Error> {
        let found = which.one(tx)?;
        let books = match found.kind {
            RequestKind::DeliveryCorrection => corrections::lock(tx, &found)?,
            _ => lock(tx, found.subject)?,
        };
        if found.kind == RequestKind::RoleLimits {
            store::staff::operators::lock_all(tx)?;
        }
        if found.kind == RequestKind::CouponGrant {
            coupon_grants::lock(tx, &found)?;
        }
        if found.kind.is_content() {
            store::installation::content::lock(tx)?;
        }
        Ok((books, rows::lock(tx, &found)?))
    }

    /// Who may reject depends on the kind of request.
    fn may_ever(by: &Staff, step: Step) -> Result<(), Error> {
        if step == Step::No { Ok(()) } else { by.may(Permission::Money) }
    }

    /// Whoever may request it may also reject it.
    fn may(tx: &mut Tx<'_>, by: &Staff, step: Step, found: &MoneyRequest) -> Result<(), Error> {
        let money = by.still_may(tx, Permission::Money);
        if step == Step::No { money.or_else(|_| by.still_may(tx, kinds::asked_with(found.kind))) } else { money }
    }

    fn record(tx: &mut Tx<'_>, by: &Staff, decided: &Decided<'_, MoneyRequest>) -> Result<RequestView, Error> {
        let found = decided.after;
        let approved = decision::action(decided.step, found) == approving(RequestKind::PublisherPayout);
        let paid_to = match found.subject {
            Subject::Publisher(id) if approved => {
                let to = store::delivery::publisher::find(tx, id)?.ok_or(Refusal::NotFound)?;
                Changes::default().about(payment_files::PAYS, payment_files::pays_to_publisher(found, &to))
            }
            _ => Changes::default(),
        };
        decision::record(tx, by, decided, paid_to)
    }
}
