//! Sessions. A token is found by its digest; the token itself is not stored.

use std::collections::HashMap;

use auth::{AccountStatus, Digest, Entry, Sealer};
use base::{Timestamp, UserId};
use db::bulk::Statement;
use db::statement;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, SmallInt, Text};

use crate::people::users as user_rows;
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
}

const PURPOSE: &str = "placard session 1";

/// What a session's seal covers: whoever can only write to the database can neither make a session, nor give one of
/// their own to somebody else.
fn sealed(token: &[u8], user: i64, entry: i16, created_at: i64) -> Vec<u8> {
    let numbers = [user, entry.into(), created_at];
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
        let sealed = sealed(token, session.user.0, session.entry.code(), session.created_at.millis());
        self.seal.as_ref().is_some_and(|seal| sealer.fits(PURPOSE, &sealed, seal))
    }
}

type Row = (i64, i64, i16, String, i64, i64, Option<i64>);

fn session((id, user, entry, device, created_at, last_seen, ended_at): Row) -> Result<Session, Error> {
    Ok(Session {
        id,
        user: UserId(user),
        entry: Entry::try_from(entry).map_err(|_| Error::Corrupt(format!("session {id} came no way")))?,
        device,
        created_at: Timestamp::from_millis(created_at),
        last_seen: Timestamp::from_millis(last_seen),
        ended: ended_at.is_some(),
    })
}

const COLUMNS: (
    sessions::id,
    sessions::user_id,
    sessions::entry,
    sessions::device,
    sessions::created_at,
    sessions::last_seen_at,
    sessions::ended_at,
) = (
    sessions::id,
    sessions::user_id,
    sessions::entry,
    sessions::device,
    sessions::created_at,
    sessions::last_seen_at,
    sessions::ended_at,
);

pub fn insert(tx: &mut Tx<'_>, user: UserId, token: &Digest, entry: Entry, device: &str) -> Result<(), Error> {
    let now = tx.now().millis();
    let seal = tx.context().sealer()?.seal(PURPOSE, &sealed(token, user.0, entry.code(), now));
    let conn: &mut Conn = tx;
    diesel::insert_into(sessions::table)
        .values((
            sessions::user_id.eq(user.0),
            sessions::token_hash.eq(token.to_vec()),
            sessions::entry.eq(entry.code()),
            sessions::device.eq(device),
            sessions::created_at.eq(now),
            sessions::last_seen_at.eq(now),
            sessions::seal.eq(seal.to_vec()),
        ))
        .execute(conn)?;
    Ok(())
}

/// Seals the open sessions from before there were seals; returns how many.
pub fn seal_open(tx: &mut Tx<'_>) -> Result<usize, Error> {
    let (sealer, mut above, mut done) = (tx.context().sealer()?, 0, 0);
    loop {
        let conn: &mut Conn = tx;
        let rows: Vec<(i64, Vec<u8>, i64, i16, i64)> = sessions::table
            .filter(sessions::id.gt(above).and(sessions::ended_at.is_null()).and(sessions::seal.is_null()))
            .select((sessions::id, sessions::token_hash, sessions::user_id, sessions::entry, sessions::created_at))
            .order(sessions::id)
            .limit(SEALED_AT_ONCE)
            .load(conn)?;
        let Some(last) = rows.last() else { return Ok(done) };
        above = last.0;
        let seal = |(_, token, user, entry, created_at): &(i64, Vec<u8>, i64, i16, i64)| {
            sealer.seal(PURPOSE, &sealed(token, *user, *entry, *created_at)).to_vec()
        };
        let seals: Vec<Vec<u8>> = rows.iter().map(seal).collect();
        let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
        done += SEAL.execute(tx, &[seals.into(), ids.into()])?;
    }
}

const SEALED_AT_ONCE: i64 = 1_000;

statement!(
    SEAL,
    postgres: "UPDATE sessions s SET seal = u.b FROM unnest(?, ?) AS u(b, id) WHERE s.id = u.id",
    sqlite: "UPDATE sessions SET seal = ? WHERE id = ?",
);

/// Whether the user has signed in before, but never on this device.
pub fn is_elsewhere(conn: &mut Conn, user: UserId, device: &str) -> Result<bool, Error> {
    let own = sessions::table.filter(sessions::user_id.eq(user.0));
    if diesel::select(diesel::dsl::exists(own.filter(sessions::device.eq(device)))).get_result(conn)? {
        return Ok(false);
    }
    Ok(diesel::select(diesel::dsl::exists(own)).get_result(conn)?)
}

/// A token whose session is looked up.
pub struct SessionOfToken(pub Digest);

#[derive(QueryableByName)]
struct HolderRow {
    #[diesel(sql_type = Binary)]
    token_hash: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    user_id: i64,
    #[diesel(sql_type = SmallInt)]
    entry: i16,
    #[diesel(sql_type = Text)]
    device: String,
    #[diesel(sql_type = BigInt)]
    created_at: i64,
    #[diesel(sql_type = BigInt)]
    last_seen_at: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    ended_at: Option<i64>,
    #[diesel(sql_type = Nullable<Binary>)]
    seal: Option<Vec<u8>>,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = SmallInt)]
    status: i16,
    #[diesel(sql_type = Text)]
    lang: String,
    #[diesel(sql_type = Bool)]
    store_opened: bool,
}

impl HolderRow {
    fn holder(self) -> Result<Holder, Error> {
        let status = user_rows::status(self.user_id, self.status)?;
        let Self {
            id, user_id, entry, device, created_at, last_seen_at, ended_at, seal, username, lang, store_opened, ..
        } = self;
        let session = session((id, user_id, entry, device, created_at, last_seen_at, ended_at))?;
        Ok(Holder { session, seal, username, status, lang, store_opened })
    }
}

macro_rules! of_tokens {
    ($which:literal) => {
        concat!(
            "SELECT s.token_hash, s.id, s.user_id, s.entry, s.device, s.created_at, s.last_seen_at, s.ended_at, s.seal, \
             u.username, u.status, u.lang, u.store_opened FROM sessions s JOIN users u ON u.id = s.user_id \
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
        rows.into_iter().map(|mut row| Ok((std::mem::take(&mut row.token_hash), row.holder()?))).collect()
    }

    fn answer(&self, found: &Self::Found) -> Result<Option<Holder>, Error> {
        Ok(found.get(self.0.as_slice()).cloned())
    }
}

/// The account state of the user of a session; `None` if the session has ended.
pub fn standing(conn: &mut Conn, id: i64) -> Result<Option<AccountStatus>, Error> {
    let row: Option<(i64, i16)> = sessions::table
        .inner_join(users::table)
        .filter(sessions::id.eq(id).and(sessions::ended_at.is_null()))
        .select((users::id, users::status))
        .first(conn)
        .optional()?;
    row.map(|(user, code)| user_rows::status(user, code)).transpose()
}

/// The open sessions, last used first.
pub fn open_of(conn: &mut Conn, user: UserId) -> Result<Vec<Session>, Error> {
    let rows: Vec<Row> = sessions::table
        .filter(sessions::user_id.eq(user.0).and(sessions::ended_at.is_null()))
        .select(COLUMNS)
        .order((sessions::last_seen_at.desc(), sessions::id.desc()))
        .load(conn)?;
    rows.into_iter().map(session).collect()
}

pub fn seen(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(sessions::table.find(id)).set(sessions::last_seen_at.eq(now)).execute(conn)?;
    Ok(())
}

/// Ends one of the user's sessions; false if there is no such open one.
pub fn end(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<bool, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let open =
        sessions::table.filter(sessions::id.eq(id).and(sessions::user_id.eq(user.0)).and(sessions::ended_at.is_null()));
    Ok(diesel::update(open).set(sessions::ended_at.eq(now)).execute(conn)? == 1)
}

pub fn end_all(tx: &mut Tx<'_>, user: UserId) -> Result<usize, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let open = sessions::table.filter(sessions::user_id.eq(user.0).and(sessions::ended_at.is_null()));
    Ok(diesel::update(open).set(sessions::ended_at.eq(now)).execute(conn)?)
}
