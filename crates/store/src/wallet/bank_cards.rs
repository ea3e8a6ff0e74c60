//! Users' payout accounts: one bank card or wallet address each, as a sealed text that
//! only the installation's secrets can open.

use std::collections::HashMap;

use auth::vault::SealContext;
use base::UserId;
use db::bulk::{Statement, ascending};
use db::{row, statement};
use diesel::prelude::*;

use crate::schema::bank_cards;
use crate::{Conn, Error, Tx, will_change};

/// The place that a user's destination is sealed for.
pub const fn place(user: UserId) -> SealContext {
    SealContext { table: "bank_cards", column: "destination", row: user.0 }
}

/// The destination, sealed.
pub fn find(conn: &mut Conn, user: UserId) -> Result<Option<String>, Error> {
    Ok(bank_cards::table.find(user).select(bank_cards::destination).first(conn).optional()?)
}

row! {
    struct Row {
        user_id: UserId,
        destination: String,
    }
}

statement!(FIND, each: "SELECT user_id, destination FROM bank_cards WHERE user_id = ANY(?)");

/// The payout accounts of several users, sealed.
pub fn find_all(conn: &mut Conn, users: impl Iterator<Item = UserId>) -> Result<HashMap<UserId, String>, Error> {
    let rows: Vec<Row> = FIND.load(conn, &[ascending(users.map(|user| user.0)).into()])?;
    Ok(rows.into_iter().map(|row| (row.user_id, row.destination)).collect())
}

/// Binds a destination, replacing the previous one. The caller has locked the user's
/// wallet, or two first bindings at once could collide.
pub fn save(tx: &mut Tx<'_>, user: UserId, sealed: &str) -> Result<(), Error> {
    will_change(tx, "bank_cards", [user.0])?;
    let new = (bank_cards::destination.eq(sealed), bank_cards::updated_at.eq(tx.now()));
    let changed = diesel::update(bank_cards::table.find(user)).set(new).execute(tx.conn())?;
    if changed == 0 {
        tx.run(diesel::insert_into(bank_cards::table).values((bank_cards::user_id.eq(user), new.0, new.1)))?;
    }
    Ok(())
}

pub fn remove(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    will_change(tx, "bank_cards", [user.0])?;
    tx.run(diesel::delete(bank_cards::table.find(user)))
}
