//! Movements of their money that users were refused lately. They decide nothing: staff read them to say why.

use std::collections::BTreeSet;

use base::{Timestamp, UserId};
use db::bulk::{Column, Statement as _};
use db::statement;
use diesel::prelude::*;

use crate::schema::refused_movements;
use crate::{Conn, Error, Tx};

/// How many of each user are kept, the latest.
pub const KEPT: i64 = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMovement {
    pub user: UserId,
    pub at: Timestamp,
    /// The method and the path of the request.
    pub endpoint: String,
    /// The key of the refusal, and what accompanied it, as JSON.
    pub reason: String,
    pub details: String,
    /// The language and the words in which the user was told.
    pub lang: String,
    pub message: String,
    pub request_id: String,
}

statement!(
    INSERT,
    postgres: "INSERT INTO refused_movements (user_id, refused_at, endpoint, reason, details, lang, message, request_id) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)",
    sqlite: "INSERT INTO refused_movements (user_id, refused_at, endpoint, reason, details, lang, message, request_id) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
);
// The latest twenty stay: `KEPT`.
statement!(
    PRUNE,
    postgres: "DELETE FROM refused_movements d USING unnest(?) AS u(id) WHERE d.user_id = u.id AND d.id <= \
         (SELECT r.id FROM refused_movements r WHERE r.user_id = u.id ORDER BY r.id DESC LIMIT 1 OFFSET 20)",
    sqlite: "DELETE FROM refused_movements WHERE id IN \
         (SELECT id FROM refused_movements WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET 20)",
);

/// Keeps these, and forgets those of their users beyond the latest, and all from before a time.
pub fn keep(tx: &mut Tx<'_>, refused: &[RefusedMovement], forget_before: Timestamp) -> Result<(), Error> {
    let numbers = |of: fn(&RefusedMovement) -> i64| -> Column { refused.iter().map(of).collect::<Vec<i64>>().into() };
    let texts = |of: fn(&RefusedMovement) -> &String| -> Column {
        refused.iter().map(of).cloned().collect::<Vec<String>>().into()
    };
    INSERT.execute(
        tx,
        &[
            numbers(|refused| refused.user.0),
            numbers(|refused| refused.at.millis()),
            texts(|refused| &refused.endpoint),
            texts(|refused| &refused.reason),
            texts(|refused| &refused.details),
            texts(|refused| &refused.lang),
            texts(|refused| &refused.message),
            texts(|refused| &refused.request_id),
        ],
    )?;
    let users: BTreeSet<i64> = refused.iter().map(|refused| refused.user.0).collect();
    PRUNE.execute(tx, &[users.into_iter().collect::<Vec<i64>>().into()])?;
    let conn: &mut Conn = tx;
    let old = refused_movements::table.filter(refused_movements::refused_at.lt(forget_before.millis()));
    diesel::delete(old).execute(conn)?;
    Ok(())
}

/// The user's since then, newest first.
pub fn since(conn: &mut Conn, user: UserId, since: Timestamp) -> Result<Vec<RefusedMovement>, Error> {
    let rows: Vec<(i64, String, String, String, String, String, String)> = refused_movements::table
        .filter(refused_movements::user_id.eq(user.0).and(refused_movements::refused_at.ge(since.millis())))
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
        at: Timestamp::from_millis(at),
        endpoint,
        reason,
        details,
        lang,
        message,
        request_id,
    };
    Ok(rows.into_iter().map(refused).collect())
}
