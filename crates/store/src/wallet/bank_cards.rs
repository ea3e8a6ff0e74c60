//! Where a user is paid to: one bank card or wallet address each, as a sealed
//! text. Only what has the installation's secrets can read it.

use auth::vault::Place;
use base::UserId;
use diesel::prelude::*;

use crate::schema::bank_cards;
use crate::{Conn, Error, Tx};

/// Where a user's destination is sealed for.
pub const fn place(user: UserId) -> Place {
    Place { table: "bank_cards", column: "destination", row: user.0 }
}

/// The destination, sealed.
pub fn find(conn: &mut Conn, user: UserId) -> Result<Option<String>, Error> {
    Ok(bank_cards::table.find(user.0).select(bank_cards::destination).first(conn).optional()?)
}

/// Binds a destination in place of the one before. The user's wallet must be
/// locked, or two first bindings at once could collide.
pub fn save(tx: &mut Tx<'_>, user: UserId, sealed: &str) -> Result<(), Error> {
    tx.notes().vouches("bank_cards", user.0);
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let new = (bank_cards::destination.eq(sealed), bank_cards::updated_at.eq(now));
    let changed = diesel::update(bank_cards::table.find(user.0)).set(new).execute(conn)?;
    if changed == 0 {
        diesel::insert_into(bank_cards::table).values((bank_cards::user_id.eq(user.0), new.0, new.1)).execute(conn)?;
    }
    Ok(())
}

pub fn remove(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    let removed = diesel::delete(bank_cards::table.find(user.0)).execute(conn)?;
    if removed > 0 {
        tx.notes().vouches("bank_cards", user.0);
    }
    Ok(())
}
