//! Giving a user a coupon: one operator requests it and another approves. The
//! request records who gets which coupon, and its value.

use auth::Permission;
use base::{CouponDefinitionId, Field, Money, Timestamp, UserId, refuse_if};
use calendar::Zone;
use coupons::Effect;
use foundation::notices::{NoticeKind, notify};
use foundation::people::staff_accounts::find_account;
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, may_receive, waiting};
use foundation::{App, Error, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::offers::coupons::{self as rows, StoredDefinition};
use store::staff::requests::{MoneyRequest, Subject};
use store::wallet::books::Books;
use store::{Conn, Realm, Tx};
use wallet::RequestKind;

use crate::offers::coupon_terms::{CouponTerms, most};

/// As requested, approved and recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Grant {
    /// The coupon's name, and the id of its definition.
    coupon: String,
    definition: i64,
    effect: Effect,
    value: String,
    max_value: Option<Money>,
    min_amount: Money,
    operated_id: Option<String>,
    /// If it differs from the definition's.
    expires_at: Option<Timestamp>,
}

impl Grant {
    fn of(defined: &StoredDefinition, expires: Option<Timestamp>) -> Self {
        let CouponTerms { effect, value, max_value, min_amount, operated_id, .. } =
            CouponTerms::of(&defined.definition);
        Self {
            coupon: defined.definition.name.clone(),
            definition: defined.id.0,
            effect,
            value,
            max_value,
            min_amount,
            operated_id,
            expires_at: expires,
        }
    }
}

/// Requests a coupon for a user, by its definition's name or id. An expiry of its own
/// must be in the future, except in the demonstration.
///
/// # Errors
/// `not_permitted`, `not_found`, `limit_exceeded`; the field `expires`; whatever would be
/// refused if it were given now.
pub async fn grant_coupon(
    app: &App,
    by: &Staff,
    username: &str,
    coupon: &str,
    expires: Option<Timestamp>,
) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    if expires.is_some_and(|at| at <= app.now()) && app.realm() == Realm::Live {
        return Err(Error::field(Field::Expires, "invalid"));
    }
    let user = find_account(app, username).await?;
    let (by, coupon) = (by.clone(), coupon.trim().to_owned());
    app.db
        .write(move |tx| {
            Books::lock_user(tx, user)?;
            let known = find_named(tx, &coupon)?.ok_or(Refusal::NotFound)?;
            let defined = lock_definition(tx, known.id)?;
            check(tx, user, &defined, expires)?;
            let about = (RequestKind::CouponGrant, Subject::User(user));
            let proposal = Proposal::between(&Value::Null, &Grant::of(&defined, expires));
            let proposal = proposal.ok_or_else(|| Error::Internal("a grant of nothing".to_owned()))?;
            if let Some(waiting) = waiting(tx, about, &proposal)? {
                return Ok(waiting);
            }
            let amount = most(tx, &defined.definition)?;
            let (kind, subject) = about;
            file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal: Some(proposal) })
        })
        .await
}

fn find_named(conn: &mut Conn, text: &str) -> Result<Option<StoredDefinition>, Error> {
    if let Some(found) = rows::find_definition_by_name(conn, text)? {
        return Ok(Some(found));
    }
    match text.parse::<CouponDefinitionId>() {
        Ok(id) => Ok(rows::find_definition(conn, id)?),
        Err(_) => Ok(None),
    }
}

fn lock_definition(tx: &mut Tx<'_>, id: CouponDefinitionId) -> Result<StoredDefinition, Error> {
    rows::lock_definition(tx, id)?;
    Ok(rows::find_definition(tx, id)?.ok_or(Refusal::NotFound)?)
}

/// Locks the coupon to be given; the user was locked before.
pub fn lock(tx: &mut Tx<'_>, request: &MoneyRequest) -> Result<(), Error> {
    let grant: Grant = Proposal::of(request)?.target()?;
    Ok(rows::lock_definition(tx, CouponDefinitionId(grant.definition))?)
}

/// Whether the user can be given one now, with both locked; returns when it would expire.
///
/// # Errors
/// `account_not_active`, `not_approved`, `coupon_exhausted`,
/// `coupon_daily_limit`, `coupon_expired`.
fn check(
    tx: &mut Tx<'_>,
    user: UserId,
    defined: &StoredDefinition,
    expires: Option<Timestamp>,
) -> Result<Timestamp, Error> {
    let now = tx.now();
    may_receive(tx, RequestKind::CouponGrant, Subject::User(user))?;
    refuse_if(defined.draft, Refusal::NotApproved)?;
    refuse_if(!defined.is_left(), Refusal::CouponExhausted)?;
    // Staff have no time zone that the user would know.
    refuse_if(rows::has_received_within(tx, user, defined.id, Zone::UTC.day_period(now))?, Refusal::CouponDailyLimit)?;
    let expires_at = expires.unwrap_or_else(|| defined.definition.expires_at(now));
    refuse_if(expires.is_none() && expires_at <= now, Refusal::CouponExpired)?;
    Ok(expires_at)
}

/// Gives the user the approved coupon, with everything locked, and notifies them.
///
/// # Errors
/// `proposal_stale` if the coupon's value has changed; `coupon_expired` if its expiry has
/// passed; and the refusals of requesting it.
pub fn give(tx: &mut Tx<'_>, user: UserId, found: &MoneyRequest) -> Result<(), Error> {
    let grant: Grant = Proposal::of(found)?.target()?;
    let id = CouponDefinitionId(grant.definition);
    let defined = rows::find_definition(tx, id)?.ok_or(Refusal::NotFound)?;
    let expires = grant.expires_at;
    refuse_if(grant != Grant::of(&defined, expires), Refusal::ProposalStale)?;
    // Only the demonstration requests an expiry that is in the past already.
    refuse_if(expires.is_some_and(|at| at > found.requested_at && at <= tx.now()), Refusal::CouponExpired)?;
    let expires_at = check(tx, user, &defined, expires)?;
    rows::give(tx, user, &defined, None, expires_at)?.ok_or(Refusal::CouponExhausted)?;
    notify(tx, user, &NoticeKind::CouponGranted { name: defined.definition.name.clone() })?;
    Ok(())
}
