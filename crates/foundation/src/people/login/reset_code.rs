//! The code with which a user who forgot the login password sets a new one. One operator, who has checked the user's
//! identity, requests it, and another approves it. `request show` then shows each of them their half of the code, once.
//! A half is made when it is shown, and only its keyed hash is stored, so that nobody can find the other half anywhere.

use auth::code::reset::{self, ResetStatus};
use auth::{AccountStatus, Permission};
use base::{Money, Timestamp, UserId};
use store::people::finding::NamedUser;
use store::people::login_resets::{self as rows, LoginReset, Side};
use store::people::users;
use store::staff::operators;
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::Books;
use store::{Conn, Tx};
use wallet::{Approval, FirstDecision, RequestKind, SecondOperator};

use crate::accounts::finding::find_named;
use crate::notices::{NoticeKind, notify};
use crate::staff::requests::{CheckedRequest, RequestRef, RequestView, file, is_as_agreed, lock_request, subject};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal, random};

const SHOWN: &str = "login_password_reset.show_half";

/// Asks for a code. One that the user has, or that halves of were shown, opens nothing any more.
///
/// # Errors
/// `not_permitted`, `not_found`; `cannot_change` for a cancelled account, or one whose user the provider signs in.
pub async fn reset_login_password(app: &App, by: Staff, name: &str) -> Result<RequestView, Error> {
    by.may(Permission::Accounts)?;
    let NamedUser { user, .. } = find_named(app, name).await?;
    let asked = app.db.write(move |tx| {
        Books::lock_user(tx, user)?;
        has_password(tx, user)?;
        rows::replace(tx, user)?;
        let filed = CheckedRequest {
            kind: RequestKind::LoginPasswordReset,
            subject: Subject::User(user),
            // Nothing moves, so it does not count towards limits.
            amount: Money::ZERO,
            reference: None,
            proposal: None,
        };
        file(tx, &by, filed)
    });
    asked.await
}

fn has_password(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let status = users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    let has = users::password_hash(tx, user)?.is_some();
    if has && status != AccountStatus::Cancelled { Ok(()) } else { Err(Refusal::CannotChange.into()) }
}

/// Two people agreed to it: the code is good for a day. The user is told, on every device that is signed in. The wallet
/// is locked.
///
/// # Errors
/// `cannot_change`.
pub fn agree(tx: &mut Tx<'_>, user: UserId, found: &MoneyRequest) -> Result<(), Error> {
    has_password(tx, user)?;
    rows::replace(tx, user)?;
    let until = reset::good_until(tx.now());
    rows::insert(tx, user, found.id, until)?;
    notify(tx, user, &NoticeKind::PasswordResetAllowed { moment: until })
}

/// This operator's half of the code, the first time that they look after the approval.
///
/// # Errors
/// `not_permitted` if the operator's role has changed, `second_person_needed` if the two have become one person since,
/// `request_altered` if the request's row was edited since its approval, or the code moved to another account.
pub async fn show_half(app: &App, by: &Staff, which: RequestRef) -> Result<Option<String>, Error> {
    let half = reset::half(&random()?);
    let (by, secrets, kept) = (by.clone(), app.secrets.clone(), half.clone());
    let is_shown = app.db.write(move |tx| {
        let (_, found) = lock_request(tx, which)?;
        let Some((row, side)) = to_show(tx, &by, &found)? else { return Ok(false) };
        rows::keep_half(tx, row.id, side, &reset::digest(&kept, side, row.of(), &secrets))?;
        let changes = Changes::default().about("user", row.user_id.to_string()).about("half", side.name());
        by.record(tx, SHOWN, subject(&found), &changes.details())?;
        Ok::<_, Error>(true)
    });
    Ok(is_shown.await?.then_some(half))
}

/// The code, and which half of it this operator has yet to see, if any.
fn to_show(tx: &mut Tx<'_>, by: &Staff, found: &MoneyRequest) -> Result<Option<(LoginReset, Side)>, Error> {
    let Some(row) = rows::of_request(tx, found.id)? else { return Ok(None) };
    let (side, permission) = match by.id() {
        id if id == found.review.requested_by => (Side::Asker, Permission::Accounts),
        id if Some(id) == found.decided_by => (Side::Approver, Permission::Money),
        _ => return Ok(None),
    };
    if row.is_shown(side) || !is_good(&row, tx.now())? {
        return Ok(None);
    }
    by.still_may(tx, permission)?;
    check_two_people(tx, found)?;
    is_as_agreed(tx, found)?;
    if found.subject != Subject::User(row.user_id) {
        return Err(Refusal::RequestAltered { document: subject(found) }.into());
    }
    Ok(Some((row, side)))
}

pub(super) fn is_good(row: &LoginReset, now: Timestamp) -> Result<bool, Error> {
    Ok(row.status == ResetStatus::Open && now < row.good_until)
}

/// Checks that the requester and the approver still count as two people, because one may have obtained the other's key
/// since the approval.
fn check_two_people(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<(), Error> {
    let people = operators::people(tx)?;
    let second = found.decided_by.ok_or(Refusal::NotApproved)?;
    let asked = FirstDecision {
        by: found.review.requested_by,
        person: Some(found.review.requested_person),
        at: Some(found.requested_at),
    };
    let second = SecondOperator { by: second, confirmed_at: people.confirmed_at(second) };
    Ok(Approval::Asked(asked).agree(second, |operator| people.person(operator))?)
}

/// Adds the status of its code to the view of a request.
pub fn complete_view(
    conn: &mut Conn,
    view: RequestView,
    found: &MoneyRequest,
    now: Timestamp,
) -> Result<RequestView, Error> {
    if found.kind != RequestKind::LoginPasswordReset {
        return Ok(view);
    }
    let Some(row) = rows::of_request(conn, found.id)? else { return Ok(view) };
    let code_status = match row.status {
        ResetStatus::Open if now >= row.good_until => "expired",
        ResetStatus::Open if row.halves().is_none() => "halves_not_shown",
        status => status.name(),
    };
    let code_until = Some(row.good_until);
    Ok(RequestView { code_status: Some(code_status.to_owned()), code_until, ..view })
}
