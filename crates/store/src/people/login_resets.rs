//! Codes with which users who forgot their login password set a new one: one for each approved request.

use auth::Digest;
use auth::code::reset::{CodeOf, ResetStatus};
use base::{RequestId, Timestamp, UserId};
use diesel::prelude::*;

use crate::schema::login_resets;
use crate::{Conn, Error, Tx, will_change};

pub use auth::code::reset::Side;

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = login_resets)]
pub struct LoginReset {
    pub id: i64,
    pub user_id: UserId,
    pub request_id: RequestId,
    /// The keyed hashes of the halves, once these were shown.
    asker_half: Option<Vec<u8>>,
    approver_half: Option<Vec<u8>>,
    pub good_until: Timestamp,
    pub wrong_tries: i16,
    pub status: ResetStatus,
}

impl LoginReset {
    pub const fn of(&self) -> CodeOf {
        (self.user_id, self.request_id)
    }

    pub const fn is_shown(&self, side: Side) -> bool {
        match side {
            Side::Asker => self.asker_half.is_some(),
            Side::Approver => self.approver_half.is_some(),
        }
    }

    /// Both halves, the asker's first, once both were shown.
    pub fn halves(&self) -> Option<[&[u8]; 2]> {
        Some([self.asker_half.as_deref()?, self.approver_half.as_deref()?])
    }
}

/// Inserts the code of a request that is approved now. Its halves are made when they are shown.
pub fn insert(tx: &mut Tx<'_>, user: UserId, request: RequestId, good_until: Timestamp) -> Result<(), Error> {
    let id: i64 = diesel::insert_into(login_resets::table)
        .values((
            login_resets::user_id.eq(user),
            login_resets::request_id.eq(request),
            login_resets::good_until.eq(good_until),
        ))
        .returning(login_resets::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("login_resets", id);
    Ok(())
}

/// Makes the user's open codes void. The wallet is locked.
pub fn replace(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let open =
        || login_resets::table.filter(login_resets::user_id.eq(user).and(login_resets::status.eq(ResetStatus::Open)));
    let ids: Vec<i64> = open().select(login_resets::id).load(tx.conn())?;
    will_change(tx, "login_resets", ids)?;
    tx.run(diesel::update(open()).set(login_resets::status.eq(ResetStatus::Replaced)))
}

pub fn of_request(conn: &mut Conn, request: RequestId) -> Result<Option<LoginReset>, Error> {
    let found = login_resets::table.filter(login_resets::request_id.eq(request));
    Ok(found.select(LoginReset::as_select()).first(conn).optional()?)
}

/// The user's newest code, whatever its status. The wallet is locked.
pub fn newest(conn: &mut Conn, user: UserId) -> Result<Option<LoginReset>, Error> {
    let own = login_resets::table.filter(login_resets::user_id.eq(user)).order(login_resets::id.desc());
    Ok(own.select(LoginReset::as_select()).first(conn).optional()?)
}

/// Stores the hash of a half that is being shown.
pub fn keep_half(tx: &mut Tx<'_>, id: i64, side: Side, digest: &Digest) -> Result<(), Error> {
    will_change(tx, "login_resets", [id])?;
    let row = diesel::update(login_resets::table.find(id));
    match side {
        Side::Asker => row.set(login_resets::asker_half.eq(digest.to_vec())).execute(tx.conn())?,
        Side::Approver => row.set(login_resets::approver_half.eq(digest.to_vec())).execute(tx.conn())?,
    };
    Ok(())
}

/// Stores the result of a try.
pub fn note_try(tx: &mut Tx<'_>, id: i64, wrong_tries: i16, status: ResetStatus) -> Result<(), Error> {
    will_change(tx, "login_resets", [id])?;
    tx.run(
        diesel::update(login_resets::table.find(id))
            .set((login_resets::wrong_tries.eq(wrong_tries), login_resets::status.eq(status))),
    )
}
