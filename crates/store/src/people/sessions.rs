//! Sessions. A token is found by its digest; the token itself is not stored.

use std::collections::HashMap;

use auth::{AccountStatus, Digest, Entry, Sealer};
use base::{OperatorId, Timestamp, UserId};
use db::bulk::Statement;
use db::{row, statement, update};
use diesel::prelude::*;

use crate::notifications::push;
use crate::schema::{sessions, users};
use crate::{Conn, Error, Lookup, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: i64,
    pub user: UserId,
    /// How the session was started.
    pub entry: Entry,
    pub device: String,
    pub created_at: Timestamp,
    pub last_seen: Timestamp,
    pub ended: bool,
    /// The operator, if staff started the session in the user's account. Such a session can only read.
    pub staff: Option<StaffEntry>,
}

/// The operator who enters a user's account, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffEntry {
    pub operator: OperatorId,
    pub reason: String,
}

impl StaffEntry {
    pub(crate) fn of(operator: Option<OperatorId>, reason: String) -> Option<Self> {
        operator.map(|operator| Self { operator, reason })
    }
}

const PURPOSE: &str = "placard session 1";

/// The text that a session's seal covers. So somebody who can only write to the database can neither create a session,
/// nor move one to another user, nor do more than read with a staff session.
fn sealed(token: &[u8], user: UserId, entry: Entry, created_at: Timestamp, operator: Option<OperatorId>) -> Vec<u8> {
    let numbers = [user.0, entry.code().into(), created_at.millis(), operator.map_or(0, |operator| operator.0)];
    token.iter().copied().chain(numbers.iter().flat_map(|number| number.to_be_bytes())).collect()
}

/// A session, with what every call needs to know about its user.
#[derive(Clone, Debug)]
pub struct Holder {
    pub session: Session,
    seal: Option<Vec<u8>>,
    pub username: String,
    pub status: AccountStatus,
    pub lang: String,
    pub store_opened: bool,
}

impl Holder {
    /// Whether this installation started the session, for this token and user.
    pub fn is_sealed(&self, token: &Digest, sealer: &Sealer) -> bool {
        let session = &self.session;
        let operator = session.staff.as_ref().map(|staff| staff.operator);
        let sealed = sealed(token, session.user, session.entry, session.created_at, operator);
        self.seal.as_ref().is_some_and(|seal| sealer.fits(PURPOSE, &sealed, seal))
    }
}

type Row = (i64, UserId, Entry, String, Timestamp, Timestamp, Option<Timestamp>, Option<OperatorId>, String);

fn session(row: Row) -> Session {
    let (id, user, entry, device, created_at, last_seen, ended_at, operator, reason) = row;
    Session {
        id,
        user,
        entry,
        device,
        created_at,
        last_seen,
        ended: ended_at.is_some(),
        staff: StaffEntry::of(operator, reason),
    }
}

#[diesel::dsl::auto_type]
fn columns() -> _ {
    (
        sessions::id,
        sessions::user_id,
        sessions::entry,
        sessions::device,
        sessions::created_at,
        sessions::last_seen_at,
        sessions::ended_at,
        sessions::operator_id,
        sessions::reason,
    )
}

pub fn insert(tx: &mut Tx<'_>, user: UserId, token: &Digest, entry: Entry, device: &str) -> Result<(), Error> {
    insert_row(tx, user, token, (entry, device), None).map(|_| ())
}

/// Inserts a staff session in the user's account; returns its id.
pub fn insert_for_staff(
    tx: &mut Tx<'_>,
    user: UserId,
    token: &Digest,
    device: &str,
    staff: &StaffEntry,
) -> Result<i64, Error> {
    insert_row(tx, user, token, (Entry::App, device), Some(staff))
}

fn insert_row(
    tx: &mut Tx<'_>,
    user: UserId,
    token: &Digest,
    (entry, device): (Entry, &str),
    staff: Option<&StaffEntry>,
) -> Result<i64, Error> {
    let now = tx.now();
    let operator = staff.map(|staff| staff.operator);
    let seal = tx.context().sealer()?.seal(PURPOSE, &sealed(token, user, entry, now, operator));
    let id = diesel::insert_into(sessions::table)
        .values((
            sessions::user_id.eq(user),
            sessions::token_hash.eq(token.to_vec()),
            sessions::entry.eq(entry),
            sessions::device.eq(device),
            sessions::created_at.eq(now),
            sessions::last_seen_at.eq(now),
            sessions::operator_id.eq(operator),
            sessions::reason.eq(staff.map_or("", |staff| staff.reason.as_str())),
            sessions::seal.eq(seal.to_vec()),
        ))
        .returning(sessions::id)
        .get_result(tx.conn())?;
    Ok(id)
}

/// A session to be sealed: its id, digest, user, entry, beginning and operator.
type Unsealed = (i64, Vec<u8>, UserId, Entry, Timestamp, Option<OperatorId>);

const SEALED_AT_ONCE: i64 = 1_000;

update! {
    struct Sealed, SEAL of "sessions" { seal: Vec<u8> } by { id: i64 }
}

/// Seals the open sessions from before sessions were sealed; returns their number.
pub fn seal_open(tx: &mut Tx<'_>) -> Result<usize, Error> {
    let (sealer, mut above, mut done) = (tx.context().sealer()?, 0, 0);
    loop {
        let rows: Vec<Unsealed> = sessions::table
            .filter(sessions::id.gt(above).and(sessions::ended_at.is_null()).and(sessions::seal.is_null()))
            .select((
                sessions::id,
                sessions::token_hash,
                sessions::user_id,
                sessions::entry,
                sessions::created_at,
                sessions::operator_id,
            ))
            .order(sessions::id)
            .limit(SEALED_AT_ONCE)
            .load(tx.conn())?;
        let Some(last) = rows.last() else { return Ok(done) };
        above = last.0;
        let seal = |(id, token, user, entry, created_at, operator): &Unsealed| Sealed {
            seal: sealer.seal(PURPOSE, &sealed(token, *user, *entry, *created_at, *operator)).to_vec(),
            id: *id,
        };
        done += SEAL.execute(tx, &Sealed::columns(&rows.iter().map(seal).collect::<Vec<_>>()))?;
    }
}

/// Whether the user has signed in before, but never on this device. Staff sessions do not count.
pub fn is_elsewhere(conn: &mut Conn, user: UserId, device: &str) -> Result<bool, Error> {
    let own = sessions::table.filter(sessions::user_id.eq(user).and(sessions::operator_id.is_null()));
    if diesel::select(diesel::dsl::exists(own.filter(sessions::device.eq(device)))).get_result(conn)? {
        return Ok(false);
    }
    Ok(diesel::select(diesel::dsl::exists(own)).get_result(conn)?)
}

/// A token whose session is looked up.
pub struct SessionOfToken(pub Digest);

row! {
    struct HolderRow {
        token_hash: Vec<u8>,
        id: i64,
        user_id: UserId,
        entry: Entry,
        device: String,
        created_at: Timestamp,
        last_seen_at: Timestamp,
        ended_at: Option<Timestamp>,
        operator_id: Option<OperatorId>,
        reason: String,
        seal: Option<Vec<u8>>,
        username: String,
        status: AccountStatus,
        lang: String,
        store_opened: bool,
    }
}

impl HolderRow {
    fn holder(self) -> Holder {
        let Self { id, user_id, entry, device, created_at, last_seen_at, ended_at, operator_id, reason, .. } = self;
        let row = (id, user_id, entry, device, created_at, last_seen_at, ended_at, operator_id, reason);
        let Self { seal, username, status, lang, store_opened, .. } = self;
        Holder { session: session(row), seal, username, status, lang, store_opened }
    }
}

macro_rules! of_tokens {
    ($which:literal) => {
        concat!(
            "SELECT s.token_hash, s.id, s.user_id, s.entry, s.device, s.created_at, s.last_seen_at, s.ended_at, \
             s.operator_id, s.reason, s.seal, u.username, u.status, u.lang, u.store_opened FROM sessions s JOIN users u ON u.id = s.user_id \
             WHERE s.token_hash ",
            $which
        )
    };
}

statement!(OF_TOKENS, postgres: of_tokens!("= ANY(?)"), sqlite: of_tokens!("= ?"));

impl Lookup for SessionOfToken {
    type Answer = Option<Holder>;
    type Error = Error;
    type Found = HashMap<Vec<u8>, Holder>;

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Self::Found, Error> {
        let tokens: Vec<Vec<u8>> = asked.iter().map(|of| of.0.to_vec()).collect();
        let rows: Vec<HolderRow> = OF_TOKENS.load(conn, &[tokens.into()])?;
        Ok(rows.into_iter().map(|mut row| (std::mem::take(&mut row.token_hash), row.holder())).collect())
    }

    fn answer(&self, found: &Self::Found) -> Result<Option<Holder>, Error> {
        Ok(found.get(self.0.as_slice()).cloned())
    }
}

/// The account state of the user of a session; `None` if the session has ended.
pub fn standing(conn: &mut Conn, id: i64) -> Result<Option<AccountStatus>, Error> {
    Ok(sessions::table
        .inner_join(users::table)
        .filter(sessions::id.eq(id).and(sessions::ended_at.is_null()))
        .select(users::status)
        .first(conn)
        .optional()?)
}

/// The open sessions, last used first.
pub fn open_of(conn: &mut Conn, user: UserId) -> Result<Vec<Session>, Error> {
    let rows: Vec<Row> = sessions::table
        .filter(sessions::user_id.eq(user).and(sessions::ended_at.is_null()))
        .select(columns())
        .order((sessions::last_seen_at.desc(), sessions::id.desc()))
        .load(conn)?;
    Ok(rows.into_iter().map(session).collect())
}

pub fn note_seen(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    tx.run(diesel::update(sessions::table.find(id)).set(sessions::last_seen_at.eq(tx.now())))
}

/// Ends one of the user's sessions, and what is pushed to its device; `false` if there is no such open session.
pub fn end(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<bool, Error> {
    let open =
        sessions::table.filter(sessions::id.eq(id).and(sessions::user_id.eq(user)).and(sessions::ended_at.is_null()));
    let ended = diesel::update(open).set(sessions::ended_at.eq(tx.now())).execute(tx.conn())? == 1;
    if ended {
        push::end_session(tx, id)?;
    }
    Ok(ended)
}

pub fn end_all(tx: &mut Tx<'_>, user: UserId) -> Result<usize, Error> {
    let open = sessions::table.filter(sessions::user_id.eq(user).and(sessions::ended_at.is_null()));
    let ended = diesel::update(open).set(sessions::ended_at.eq(tx.now())).execute(tx.conn())?;
    push::end_all(tx, user)?;
    Ok(ended)
}

/// Ends every session that an operator has in anybody's account.
pub fn end_all_of_operator(tx: &mut Tx<'_>, operator: OperatorId) -> Result<usize, Error> {
    let open = sessions::table.filter(sessions::operator_id.eq(operator).and(sessions::ended_at.is_null()));
    Ok(diesel::update(open).set(sessions::ended_at.eq(tx.now())).execute(tx.conn())?)
}

/// Ends the sessions that staff started before staff sessions could only read. Their tickets name neither an operator
/// nor a request of the provider, and were used in the transaction that created the session.
pub fn end_those_of_staff_before(tx: &mut Tx<'_>) -> Result<usize, Error> {
    let now = tx.now().millis();
    let sql = format!(
        "UPDATE sessions SET ended_at = {now} WHERE ended_at IS NULL AND operator_id IS NULL AND EXISTS (SELECT 1 \
         FROM tickets t WHERE t.user_id = sessions.user_id AND t.used_at = sessions.created_at \
         AND t.call_hash IS NULL AND t.operator_id IS NULL)"
    );
    Ok(diesel::sql_query(sql).execute(tx.conn())?)
}
