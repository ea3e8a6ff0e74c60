//! Staff sessions in a user's account. They read what the user sees and change nothing. The user is notified of each
//! one, and for a day after the user has ended all sessions none can start.
//!
//! The notice is sent when the session starts, not when its ticket is issued: a ticket that nobody uses shows nothing
//! to anybody. The audit log records both.

use auth::session;
use base::{Timestamp, UserId};
use serde::Serialize;
use serde_json::{Value, json};
use store::people::sessions::{self, StaffEntry};
use store::people::tickets::{self, TicketIssuer, UsedTicket};
use store::people::users;
use store::staff::audit::{self, Action, Actor};
use store::staff::operators;
use store::{Conn, Tx};
use utoipa::ToSchema;

use crate::accounts::finding;
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit::{PASSWORD_CHANGED, PASSWORD_RESET, SESSIONS_ENDED, STAFF_SESSION_ENDED};
use crate::people::sessions::{Caller, NewSession, end_surplus};
use crate::people::user_info::{self, LoadedUser};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

/// The actions with which a user has ended all sessions, or a staff session.
const ENDINGS: [&str; 4] = [SESSIONS_ENDED, STAFF_SESSION_ENDED, PASSWORD_CHANGED, PASSWORD_RESET];

/// What a session of staff is told about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadOnlySession {
    /// Always true: a session of the user has no such object.
    pub read_only: bool,
    /// The name of the operator.
    pub operator: String,
    /// The reason, as the user is told.
    pub reason: String,
    /// When it ends at the latest.
    pub until: Timestamp,
}

/// A staff session: its operator, the reason, and when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffAccess {
    entry: StaffEntry,
    until: Timestamp,
}

impl StaffAccess {
    pub(crate) fn of(found: &sessions::Session) -> Option<Self> {
        found.staff.clone().map(|entry| Self::begun(entry, found.created_at))
    }

    fn begun(entry: StaffEntry, at: Timestamp) -> Self {
        Self { entry, until: at.plus_seconds(session::STAFF_SECONDS) }
    }

    fn read_session(&self, conn: &mut Conn) -> Result<ReadOnlySession, Error> {
        let operator = name(conn, &self.entry)?;
        Ok(ReadOnlySession { read_only: true, operator, reason: self.entry.reason.clone(), until: self.until })
    }
}

fn name(conn: &mut Conn, entry: &StaffEntry) -> Result<String, Error> {
    let mut names = operators::names(conn, std::iter::once(entry.operator))?;
    Ok(names.remove(&entry.operator).unwrap_or_default())
}

/// What a session is told about itself; `None` for a user's own session.
pub async fn read_only(app: &App, caller: &Caller) -> Result<Option<ReadOnlySession>, Error> {
    match caller.staff.clone() {
        None => Ok(None),
        Some(access) => app.db.read(move |conn| access.read_session(conn).map(Some)).await,
    }
}

/// Issues a ticket for an existing account, which staff may name by anything that they know about it. Its user is told
/// the reason.
///
/// # Errors
/// The field `reason` with `link`; `not_found`, `ambiguous`, `sessions_ended_by_user`.
pub(crate) fn issue(tx: &mut Tx<'_>, by: &Staff, named: &str, ticket: &auth::Digest) -> Result<(), Error> {
    let reason = by.told_reason()?;
    let user = finding::read_named(tx, named)?.user;
    may_enter(tx, user)?;
    let expires_at = tx.now().plus_seconds(session::TICKET_SECONDS);
    let entry = StaffEntry { operator: by.id(), reason: reason.to_owned() };
    let id = tickets::insert(tx, ticket, user, expires_at, &TicketIssuer::Staff(entry))?;
    let changes = Changes::default().about("ticket", id).about("ticket_digest", auth::hex::encode(ticket)).and(
        "ticket_until",
        Value::Null,
        expires_at.to_string(),
    );
    by.record(tx, "ticket.issue", format!("user:{user}"), &changes.details())
}

/// Whether staff may start a session in the account now.
///
/// # Errors
/// `sessions_ended_by_user`.
fn may_enter(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let now = tx.now();
    let ended = audit::last_of_any(tx, &format!("user:{user}"), &ENDINGS)?;
    match ended.and_then(|record| session::staff_barred_until(record.at, now)) {
        None => Ok(()),
        Some(until) => {
            let retry_after = until.since(now).max(0).saturating_add(999).div_euclid(1000);
            Err(Refusal::SessionsEndedByUser { until, retry_after }.into())
        }
    }
}

/// Starts the session of a ticket, and tells the user.
///
/// # Errors
/// `TicketInvalid` if the operator was revoked meanwhile; `Barred` if the account may not act;
/// `sessions_ended_by_user`.
pub(crate) fn enter(
    tx: &mut Tx<'_>,
    new: &NewSession,
    used: &UsedTicket,
    entry: &StaffEntry,
) -> Result<(LoadedUser, ReadOnlySession), Error> {
    let user = used.user;
    // The lock makes simultaneous calls see each other, and what the user ends.
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?.may_act()?;
    may_enter(tx, user)?;
    let operator = operators::lock(tx, entry.operator)?.filter(|operator| !operator.revoked);
    let operator = operator.ok_or(Error::TicketInvalid)?;
    let digest = new.token.digest();
    let session = sessions::insert_for_staff(tx, user, &digest, &new.device, entry)?;
    end_surplus(tx, user, true)?;
    let (name, reason) = (operator.name, entry.reason.clone());
    notify(tx, user, &NoticeKind::StaffEntered { operator: name.clone(), reason: reason.clone() })?;
    let told = StaffAccess::begun(entry.clone(), tx.now()).read_session(tx)?;
    let loaded = user_info::load(tx, user)?;
    let details = json!({
        "ticket": used.id,
        "session": session,
        "session_digest": auth::hex::encode(&digest),
        "session_until": { "from": Value::Null, "to": told.until },
    });
    let deed = Action { action: "ticket.enter", subject: format!("user:{user}"), details: details.to_string(), reason };
    audit::append(tx, &Actor { id: Some(operator.id), name }, &deed)?;
    Ok((loaded, told))
}

/// Ends sessions that staff started before such sessions only read. A server does this when it starts.
pub async fn end_those_of_before(app: &App) -> Result<usize, Error> {
    Ok(app.db.write(sessions::end_those_of_staff_before).await?)
}
