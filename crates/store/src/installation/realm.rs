//! Whether an installation's money is real.

use base::{Timestamp, coded};
use diesel::prelude::*;

use crate::schema::installation;
use crate::{Conn, Error};

coded!(
    /// Whether events and money are real. The first migration of an installation fixes it.
    Realm as "DataSource" {
        Live = 1 "live",
        Simulated = 2 "simulated",
    }
);

/// The realm of the database.
///
/// # Errors
/// `Corrupt` if it is unknown.
pub fn realm(conn: &mut Conn) -> Result<Realm, Error> {
    let recorded: i16 = installation::table.select(installation::realm).first(conn)?;
    Ok(Realm::try_from(recorded)?)
}

/// Stores the realm of a new installation, and refuses a different one later.
pub(crate) fn record(conn: &mut Conn, realm: Realm, now: Timestamp) -> Result<(), Error> {
    let recorded: Option<i16> = installation::table.select(installation::realm).first(conn).optional()?;
    match recorded {
        None => {
            diesel::insert_into(installation::table)
                .values((installation::id.eq(1), installation::realm.eq(realm), installation::created_at.eq(now)))
                .execute(conn)?;
            Ok(())
        }
        Some(code) if code == realm.code() => Ok(()),
        Some(code) => {
            let was = Realm::try_from(code).map_or("unknown", Realm::name);
            Err(Error::Migrate(format!("PLACARD_REALM: this database is {was} for ever, not {}", realm.name())))
        }
    }
}
