//! Recently refused requests of users to move money. They decide nothing: staff read them to explain a refusal.

use base::{Timestamp, UserId};
use db::bulk::{Statement as _, ascending};
use db::{insert, statement};
use diesel::prelude::*;

use crate::schema::refused_movements;
use crate::{Conn, Error, Tx};

/// How many of each user's latest refusals are kept.
pub const KEPT: i64 = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMovement {
    pub user: UserId,
    pub at: Timestamp,
    /// The method and the path of the request.
    pub endpoint: String,
    /// The key of the refusal, and its parameters as JSON.
    pub reason: String,
    pub details: String,
    /// The language and the text that the user was shown.
    pub lang: String,
    pub message: String,
    pub request_id: String,
}

insert! {
    struct Inserted<'a>, INSERT into "refused_movements" {
        user_id: UserId,
        refused_at: Timestamp,
        endpoint: &'a str,
        reason: &'a str,
        details: &'a str,
        lang: &'a str,
        message: &'a str,
        request_id: &'a str,
    }
}
// The number of rows that stay is `KEPT`.
statement!(
    PRUNE,
    postgres: "DELETE FROM refused_movements d USING unnest(?) AS u(id) WHERE d.user_id = u.id AND d.id <= \
         (SELECT r.id FROM refused_movements r WHERE r.user_id = u.id ORDER BY r.id DESC LIMIT 1 OFFSET 20)",
    sqlite: "DELETE FROM refused_movements WHERE id IN \
         (SELECT id FROM refused_movements WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET 20)",
);

/// Stores these refusals, and deletes older ones of their users beyond the limit, and all from before a time.
pub fn keep(tx: &mut Tx<'_>, refused: &[RefusedMovement], forget_before: Timestamp) -> Result<(), Error> {
    let rows = refused.iter().map(|refused| Inserted {
        user_id: refused.user,
        refused_at: refused.at,
        endpoint: &refused.endpoint,
        reason: &refused.reason,
        details: &refused.details,
        lang: &refused.lang,
        message: &refused.message,
        request_id: &refused.request_id,
    });
    INSERT.execute(tx, &Inserted::columns(&rows.collect::<Vec<_>>()))?;
    PRUNE.execute(tx, &[ascending(refused.iter().map(|refused| refused.user)).into()])?;
    let old = refused_movements::table.filter(refused_movements::refused_at.lt(forget_before));
    tx.run(diesel::delete(old))
}

/// The user's since then, newest first.
pub fn since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<RefusedMovement>, Error> {
    let rows: Vec<(Timestamp, String, String, String, String, String, String)> = refused_movements::table
        .filter(refused_movements::user_id.eq(user).and(refused_movements::refused_at.ge(since)))
        .select((
            refused_movements::refused_at,
            refused_movements::endpoint,
            refused_movements::reason,
            refused_movements::details,
            refused_movements::lang,
            refused_movements::message,
            refused_movements::request_id,
        ))
        .order(refused_movements::id.desc())
        .limit(KEPT)
        .load(conn)?;
    let refused = |(at, endpoint, reason, details, lang, message, request_id)| RefusedMovement {
        user,
        at,
        endpoint,
        reason,
        details,
        lang,
        message,
        request_id,
    };
    Ok(rows.into_iter().map(refused).collect())
}
