//! How much money operators may request and approve: limits per action and per day, by
//! role. One admin lowers them; raising them takes another person, and a month passes before
//! they can be doubled again.

use auth::{ExceededLimit, Limits, Permission, RAISE_DAYS, Role};
use base::{Field, Money};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::staff::requests::{MoneyRequest, Subject, sum_since};
use store::staff::{limits as rows, operators};
use wallet::{BAND_DAYS, RequestKind};

use crate::staff::Staff;
use crate::staff::decisions::Step;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::{App, Error, Refusal};

/// A role's limits, as decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitView {
    pub role: Role,
    /// For one request, or one approval.
    pub each: Money,
    /// For everything that one person requests and approves in any 24 hours.
    pub daily: Money,
}

impl LimitView {
    fn of(role: Role, limits: Option<Limits>) -> Self {
        let Limits { each, daily } = limits.unwrap_or(Limits { each: Money::ZERO, daily: Money::ZERO });
        Self { role, each, daily }
    }

    const fn read(&self) -> (Role, Limits) {
        (self.role, Limits { each: self.each, daily: self.daily })
    }
}

/// The limits of every role.
pub async fn limits(app: &App) -> Result<Vec<LimitView>, Error> {
    app.db
        .read(|conn| {
            let of = |role| Ok(LimitView::of(role, rows::of(conn, role)?));
            Role::ALL.iter().copied().map(of).collect()
        })
        .await
}

/// The outcome: the limits were set, or wait for a second person.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LimitOutcome {
    Set(LimitView),
    Asked(Box<RequestView>),
}

/// Sets a role's limits. One person may lower them; raising one of them needs a request.
///
/// # Errors
/// The fields `each`, and `daily` if it is smaller than `each`; `more_than_double` if it is
/// more than twice of what it was a month ago, and more than a new installation has;
/// `not_permitted`.
pub async fn set_limit(app: &App, by: &Staff, role: Role, each: &str, daily: &str) -> Result<LimitOutcome, Error> {
    by.may(Permission::Operators)?;
    let amount = |name, text: &str| text.parse().map_err(|_| Error::field(name, "invalid_amount"));
    let to = Limits { each: amount(Field::Each, each)?, daily: amount(Field::Daily, daily)? };
    Error::field_if(!to.sound(), Field::Daily, "invalid")?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            operators::lock_all(tx)?;
            by.still_may(tx, Permission::Operators)?;
            let from = rows::of(tx, role)?.ok_or_else(|| Error::field(Field::Role, "invalid"))?;
            if to.within(from) {
                return Ok(LimitOutcome::Set(set(tx, &by, role, (from, to))?));
            }
            check_possible(tx, role, (from, to))?;
            let present = Present { limits: Some(LimitView::of(role, Some(from))) };
            let wanted = Present { limits: Some(LimitView::of(role, Some(to))) };
            let filed = CheckedRequest {
                kind: RequestKind::RoleLimits,
                subject: Subject::New,
                amount: Money::ZERO,
                reference: None,
                proposal: Proposal::between(&present, &wanted),
            };
            Ok(LimitOutcome::Asked(Box::new(file(tx, &by, filed)?)))
        })
        .await
}

/// As requested, approved and recorded: both limits at once, with their role.
#[derive(Debug, Serialize, Deserialize)]
struct Present {
    limits: Option<LimitView>,
}

/// Sets the approved limits, with all operators locked.
///
/// # Errors
/// `proposal_stale` if they have changed since the request; the errors of requesting it.
pub fn agree(tx: &mut Tx<'_>, by: &Staff, proposal: &Proposal) -> Result<(), Error> {
    let unreadable = || Error::Internal("a request for limits names none".to_owned());
    let asked = proposal.target::<Present>()?.limits.ok_or_else(unreadable)?;
    let (role, to) = asked.read();
    let from = rows::of(tx, role)?.ok_or_else(unreadable)?;
    proposal.apply::<Present>(&Present { limits: Some(LimitView::of(role, Some(from))) })?;
    check_possible(tx, role, (from, to))?;
    set(tx, by, role, (from, to)).map(drop)
}

/// Checks the new limits against those at the beginning of the last month, which the audit record of the oldest change
/// since then contains: many small steps must not go further than one.
fn check_possible(tx: &mut Tx<'_>, role: Role, (from, to): (Limits, Limits)) -> Result<(), Error> {
    let since = tx.now().plus_days(-RAISE_DAYS);
    let base = match rows::first_change(tx, role, since)? {
        Some(record) => replaced(&record.details).ok_or_else(|| {
            Error::Internal(format!("audit record {} does not say which limits were changed", record.id))
        })?,
        None => from,
    };
    let most = base.most_raised(role);
    let too_much = |name| Err(Error::field(name, "more_than_double"));
    match (to.each > most.each.max(from.each), to.daily > most.daily.max(from.daily)) {
        (true, _) => too_much(Field::Each),
        (_, true) => too_much(Field::Daily),
        _ => Ok(()),
    }
}

fn replaced(details: &str) -> Option<Limits> {
    let details: Value = serde_json::from_str(details).ok()?;
    let from = |name: &str| details.get(name)?.get("from")?.as_str()?.parse().ok();
    Some(Limits { each: from("each")?, daily: from("daily")? })
}

fn set(tx: &mut Tx<'_>, by: &Staff, role: Role, (from, to): (Limits, Limits)) -> Result<LimitView, Error> {
    rows::set(tx, role, to)?;
    let details = serde_json::json!({
        "role": role.name(),
        "each": { "from": from.each.to_string(), "to": to.each.to_string() },
        "daily": { "from": from.daily.to_string(), "to": to.daily.to_string() },
    });
    by.record(tx, rows::CHANGED, format!("role:{}", role.name()), &details)?;
    Ok(LimitView::of(role, Some(to)))
}

/// Counts an amount that the operator is about to approve or request.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub fn count(tx: &mut Tx<'_>, by: &Staff, amount: Money) -> Result<(), Error> {
    count_as(tx, by, Permission::Money, amount)
}

/// Like counting an action about money, with another permission. The audit record of the action, in the same
/// transaction, contains the counted amount; the sum of 24 hours is the sum of their records.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn count_as(tx: &mut Tx<'_>, by: &Staff, permission: Permission, amount: Money) -> Result<(), Error> {
    let (limits, moved) = locked(tx, by, permission)?;
    limits.allow(amount, moved).map_err(|ExceededLimit { limit }| Refusal::LimitExceeded { limit })?;
    Ok(rows::count(tx, amount)?)
}

/// The operator's limits, and the amount that was counted in the last 24 hours. Like counting, this locks the person.
///
/// # Errors
/// `not_permitted`.
pub fn room(tx: &mut Tx<'_>, by: &Staff) -> Result<(Limits, Money), Error> {
    locked(tx, by, Permission::Money)
}

/// The operator's limits, and what the person has used of them in the last 24 hours with any of their operators:
/// whoever adds operators does not get more. The operator's and the person's rows are locked, after the money's owner. So
/// two actions of one person see each other, and a revoked operator can do nothing more.
fn locked(tx: &mut Tx<'_>, by: &Staff, permission: Permission) -> Result<(Limits, Money), Error> {
    let operator = operators::lock(tx, by.id())?.filter(|operator| !operator.revoked && operator.role.may(permission));
    let operator = operator.ok_or(Refusal::NotPermitted)?;
    let person = operators::people(tx)?.person(operator.id);
    if person != operator.id {
        operators::lock(tx, person)?;
    }
    let limits = rows::binding(tx, operator.role)?.ok_or(Refusal::NotPermitted)?;
    let moved = rows::sum_moved(tx, person, Limits::counted_period(tx.now()))?;
    Ok((limits, moved))
}

/// Checks that the sum for one user or publisher in a month, including this request, is within what the operator may
/// request and approve at once. For a requester, waiting requests are included. The operator and the money's owner are
/// locked.
///
/// # Errors
/// `limit_exceeded`.
pub fn adds_up(tx: &mut Tx<'_>, by: &Staff, request: &MoneyRequest, step: Step) -> Result<(), Error> {
    if !request.kind.adds_up() {
        return Ok(());
    }
    let limit = operators::lock(tx, by.id())?.map(|operator| rows::binding(tx, operator.role)).transpose()?.flatten();
    let limit = limit.ok_or(Refusal::NotPermitted)?.each;
    let since = tx.now().plus_days(-BAND_DAYS);
    let (approved, waiting) = sum_since(tx, (request.kind, request.subject), since)?;
    let sum = approved.plus(if step == Step::First { waiting } else { request.amount })?;
    if sum > limit { Err(Refusal::LimitExceeded { limit }.into()) } else { Ok(()) }
}
