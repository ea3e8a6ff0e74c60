//! Sessions: started by signing in, checked on every call, ended by the user.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use auth::{AccountStatus, Digest, Entry, Token, session};
use base::{OperatorId, Timestamp, UserId, refuse_if};
use i18n::Lang;
use serde::Serialize;
use store::people::sessions::{Holder, SessionOfToken};
use store::people::{sessions, users};
use store::staff::operators;
use store::{Conn, Tx};
use utoipa::ToSchema;

use crate::notices::{Device, NoticeKind, notify};
use crate::people::account_audit::{self, SESSIONS_ENDED, STAFF_SESSION_ENDED};
use crate::people::session_cache::CachedSession;
use crate::people::staff_access::StaffAccess;
use crate::people::user_info::{self, LoadedUser, UserView};
use crate::staff::Changes;
use crate::{App, Error, Refusal, random};

/// The last use of a session is stored at most this often.
const SEEN_EVERY_MILLIS: i64 = 60_000;
const SEEN_AT_MOST: Duration = Duration::from_millis(200);
const LONGEST_DEVICE: usize = 100;

/// The caller, by token.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    pub username: String,
    pub lang: Lang,
    pub entry: Entry,
    pub store_opened: bool,
    pub session: i64,
    /// If it is a session of staff in the user's account, which only reads.
    pub staff: Option<StaffAccess>,
}

impl Caller {
    /// # Errors
    /// `store_not_opened` until an authorization code was used.
    pub fn with_store(&self) -> Result<(), Error> {
        Ok(opened(self.store_opened)?)
    }
}

/// # Errors
/// `store_not_opened`.
pub fn opened(store_opened: bool) -> Result<(), Refusal> {
    if store_opened { Ok(()) } else { Err(Refusal::StoreNotOpened) }
}

/// The answer to registering and signing in. The token is shown only here.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SignedIn {
    pub token: String,
    pub user: UserView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SessionView {
    pub id: String,
    pub created_at: Timestamp,
    pub last_seen: Timestamp,
    pub device: String,
    /// Whether this session made the request.
    pub current: bool,
    /// The operator who started it in the user's account; null for the user's own sessions.
    pub operator: Option<String>,
    /// Why staff started it.
    pub reason: Option<String>,
}

impl SessionView {
    fn of(session: sessions::Session, current: Option<i64>, names: &BTreeMap<OperatorId, String>) -> Self {
        let (operator, reason) = session.staff.map(|staff| (staff.operator, staff.reason)).unzip();
        Self {
            operator: operator.map(|id| names.get(&id).cloned().unwrap_or_default()),
            reason,
            id: session.id.to_string(),
            created_at: session.created_at,
            last_seen: session.last_seen,
            device: session.device,
            current: Some(session.id) == current,
        }
    }
}

/// Which sessions to end.
#[derive(Clone, Copy, Debug)]
pub enum SessionSelection {
    One(i64),
    All,
}

/// A session about to start, with what the transaction must write.
#[derive(Clone, Debug)]
pub(crate) struct NewSession {
    pub token: Token,
    pub entry: Entry,
    pub device: String,
}

impl NewSession {
    pub fn new(entry: Entry, device: &str) -> Result<Self, Error> {
        let device = device.chars().take(LONGEST_DEVICE).collect();
        Ok(Self { token: Token::new(&random()?), entry, device })
    }

    /// Inserts the session if the account may act, and ends the least recently used ones
    /// if there are too many.
    pub fn write(&self, tx: &mut Tx<'_>, user: UserId) -> Result<LoadedUser, Error> {
        // The lock makes simultaneous calls see each other.
        users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?.may_act()?;
        if sessions::is_elsewhere(tx, user, &self.device)? {
            notify(tx, user, &NoticeKind::NewDevice { device: Device(self.device.clone()) })?;
        }
        sessions::insert(tx, user, &self.token.digest(), self.entry, &self.device)?;
        end_surplus(tx, user, false)?;
        user_info::load(tx, user)
    }

    /// Call this after it was written.
    pub fn answer(&self, app: &App, (user, deposit): LoadedUser) -> SignedIn {
        // Some sessions may have ended, and the language may have changed.
        app.memory.forget(user.id);
        SignedIn { token: self.token.text().to_owned(), user: user_info::view(app, user, deposit, Some(self.entry)) }
    }
}

/// Ends the least recently used sessions if there are too many: of the user's own, or of staff's in the account. Neither
/// takes the place of the other.
pub(crate) fn end_surplus(tx: &mut Tx<'_>, user: UserId, of_staff: bool) -> Result<(), Error> {
    let open = sessions::open_of(tx, user)?;
    let same = open.iter().filter(|session| session.staff.is_some() == of_staff);
    for surplus in same.skip(session::AT_MOST) {
        sessions::end(tx, user, surplus.id)?;
    }
    Ok(())
}

/// The caller with a token. Changes by other processes may be noticed three seconds late:
/// use [`authenticate_afresh`] for calls that do more than read.
///
/// # Errors
/// `SessionExpired` for an unknown token or one that has ended; `Barred` if the account
/// may not act.
pub async fn authenticate(app: &App, token: &str) -> Result<Arc<Caller>, Error> {
    match find_known(app, token) {
        Some(caller) => Ok(caller),
        None => authenticate_afresh(app, token).await,
    }
}

/// The caller with a token, if known without querying the database.
pub fn find_known(app: &App, token: &str) -> Option<Arc<Caller>> {
    let (digest, now) = (session::digest_shown(token)?, app.now());
    let good = app.memory.sessions.find(&digest)?;
    // If its last use is to be stored, the session is read from the database.
    let is_to_be_seen = good.caller.staff.is_none() && to_be_seen(good.last_seen, now);
    (good.alive(now) && !is_to_be_seen).then_some(good.caller)
}

/// The caller with a token, checked in the database, for calls that move money or change anything.
pub async fn authenticate_afresh(app: &App, token: &str) -> Result<Arc<Caller>, Error> {
    let digest = session::digest_shown(token).ok_or(Error::SessionExpired)?;
    let read_at = Instant::now();
    let holder = holder_of(app, digest).await?;
    let holder = match judge(holder, app.now()) {
        Ok(holder) => holder,
        Err(error) => {
            app.memory.sessions.remove(&digest);
            return Err(error);
        }
    };
    let last_seen = see(app, &holder.session).await;
    let created_at = holder.session.created_at;
    let caller = Arc::new(Caller::from(holder));
    app.memory.sessions.keep(digest, CachedSession { caller: Arc::clone(&caller), created_at, last_seen, read_at });
    Ok(caller)
}

/// The caller with a token, for the conversation with customer service: also of an account
/// that waits for activation or is disabled.
///
/// # Errors
/// `SessionExpired`; `Barred` for a cancelled account.
pub async fn authenticate_for_service(app: &App, token: &str) -> Result<Caller, Error> {
    let digest = session::digest_shown(token).ok_or(Error::SessionExpired)?;
    let holder = holder_of(app, digest).await?.ok_or(Error::SessionExpired)?;
    refuse_if(!alive(&holder.session, app.now()), Error::SessionExpired)?;
    holder.status.may_ask()?;
    see(app, &holder.session).await;
    Ok(holder.into())
}

/// The session of a token, if this installation started it.
async fn holder_of(app: &App, token: Digest) -> Result<Option<Holder>, Error> {
    let found = app.db.lookup(SessionOfToken(token)).await?;
    Ok(found.filter(|holder| holder.is_sealed(&token, &app.secrets.sealer())))
}

fn judge(holder: Option<Holder>, now: Timestamp) -> Result<Holder, Error> {
    let holder = holder.ok_or(Error::SessionExpired)?;
    let found = &holder.session;
    refuse_if(!alive(found, now), Error::SessionExpired)?;
    holder.status.may_act()?;
    Ok(holder)
}

/// Checks that a session is still valid, for work that takes longer than one answer.
///
/// # Errors
/// `SessionExpired` if it was ended; `Barred` if the account was barred.
pub async fn goes_on(app: &App, session: i64) -> Result<(), Error> {
    still_good(app.db.read(move |conn| sessions::standing(conn, session)).await?)
}

/// Checks that a session is valid, by the state of its account; `None` if the session has ended.
///
/// # Errors
/// Those of [`goes_on`].
pub(crate) fn still_good(standing: Option<AccountStatus>) -> Result<(), Error> {
    Ok(standing.ok_or(Error::SessionExpired)?.may_act()?)
}

fn to_be_seen(last_seen: Timestamp, now: Timestamp) -> bool {
    now.since(last_seen) > SEEN_EVERY_MILLIS
}

/// Stores the use of a session if it is time to, and returns when it was last used. A session of staff leaves no trace
/// but its beginning.
async fn see(app: &App, found: &sessions::Session) -> Timestamp {
    let (id, now) = (found.id, app.now());
    if found.staff.is_some() || !to_be_seen(found.last_seen, now) {
        return found.last_seen;
    }
    let seen = app.db.write(move |tx| sessions::note_seen(tx, id));
    // It is written in any case, but perhaps later: a slow writer must not delay readers.
    let _ = tokio::time::timeout(SEEN_AT_MOST, seen).await;
    now
}

impl From<Holder> for Caller {
    fn from(holder: Holder) -> Self {
        Self {
            user: holder.session.user,
            username: holder.username,
            lang: Lang::parse(&holder.lang).unwrap_or_default(),
            entry: holder.session.entry,
            staff: StaffAccess::of(&holder.session),
            store_opened: holder.store_opened,
            session: holder.session.id,
        }
    }
}

/// The language of a token's user, whatever the account's state is.
pub async fn language_of(app: &App, token: &str) -> Option<Lang> {
    let digest = session::digest_shown(token)?;
    let holder = holder_of(app, digest).await.ok()??;
    Lang::parse(&holder.lang)
}

pub async fn list_sessions(app: &App, user: UserId, current: Option<i64>) -> Result<Vec<SessionView>, Error> {
    let now = app.now();
    app.db.read(move |conn| views(conn, user, current, now)).await
}

/// The sessions that are valid, the last used ones first.
pub fn views(conn: &mut Conn, user: UserId, current: Option<i64>, now: Timestamp) -> Result<Vec<SessionView>, Error> {
    let open = sessions::open_of(conn, user)?;
    let staff = open.iter().filter_map(|session| Some(session.staff.as_ref()?.operator));
    let names = operators::names(conn, staff)?;
    let alive = open.into_iter().filter(|session| alive(session, now));
    Ok(alive.map(|session| SessionView::of(session, current, &names)).collect())
}

fn alive(found: &sessions::Session, now: Timestamp) -> bool {
    if found.staff.is_some() {
        return session::alive_for_staff(found.created_at, found.ended, now);
    }
    session::alive(found.created_at, found.last_seen, found.ended, now)
}

/// The user ends sessions. Ending all of them, all but one, or one of staff keeps staff out for a day, so it is in the
/// audit.
///
/// # Errors
/// `not_found` if the user has no such session.
pub async fn end_sessions(app: &App, user: UserId, which: SessionSelection) -> Result<(), Error> {
    app.write_and_forget(user, move |tx| match which {
        SessionSelection::All => end_every(tx, user),
        SessionSelection::One(id) => end_one(tx, user, id),
    })
    .await
}

fn end_every(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    // Staff who enter at the same moment wait for this, or are ended with the others.
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    let ended = sessions::end_all(tx, user)?;
    account_audit::record(tx, user, SESSIONS_ENDED, Changes::default().and("sessions", ended, 0))
}

fn end_one(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<(), Error> {
    users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
    let of_staff = sessions::open_of(tx, user)?.into_iter().find(|open| open.id == id && open.staff.is_some());
    refuse_if(!sessions::end(tx, user, id)?, Refusal::NotFound)?;
    if let Some(staff) = of_staff.and_then(|session| session.staff) {
        let changes = Changes::default().about("session", id).about("operator", staff.operator.0);
        return account_audit::record(tx, user, STAFF_SESSION_ENDED, changes);
    }
    // The app ends all others one by one, and keeps its own.
    let now = tx.now();
    let left = sessions::open_of(tx, user)?.iter().filter(|session| alive(session, now)).count();
    if left > 1 {
        return Ok(());
    }
    account_audit::record(tx, user, SESSIONS_ENDED, Changes::default().and("sessions", left + 1, left))
}

/// Ends the session of a token, if there is one: signing out cannot fail.
pub async fn log_out(app: &App, token: &str) -> Result<(), Error> {
    let Some(digest) = session::digest_shown(token) else { return Ok(()) };
    let Some(holder) = holder_of(app, digest).await? else { return Ok(()) };
    let (user, id) = (holder.session.user, holder.session.id);
    app.write_and_forget(user, move |tx| Ok(sessions::end(tx, user, id).map(|_| ())?)).await
}
