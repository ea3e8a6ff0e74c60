//! Whether an installation's money is real.

use base::{Timestamp, coded};
use diesel::prelude::*;

use crate::schema::installation;
use crate::{Conn, Error};

coded!(
    /// Whether events and money are real. An installation is one or the other from
    /// its first migration on, and for ever.
    Realm as "DataSource" {
        Live = 1 "live",
        Simulated = 2 "simulated",
    }
);

/// Which realm the database is of.
///
/// # Errors
/// `Corrupt` where it is none.
pub fn realm(conn: &mut Conn) -> Result<Realm, Error> {
    let recorded: i16 = installation::table.select(installation::realm).first(conn)?;
    Ok(Realm::try_from(recorded)?)
}

/// Records the realm of a new installation, and holds another one to its own.
pub(crate) fn record(conn: &mut Conn, realm: Realm, now: Timestamp) -> Result<(), Error> {
    let recorded: Option<i16> = installation::table.select(installation::realm).first(conn).optional()?;
    match recorded {
        None => {
            diesel::insert_into(installation::table)
                .values((
                    installation::id.eq(1),
                    installation::realm.eq(realm.code()),
                    installation::created_at.eq(now.millis()),
                ))
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
