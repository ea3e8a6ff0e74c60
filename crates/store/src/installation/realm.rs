//! Whether an installation's money is real.

use base::Timestamp;
use diesel::prelude::*;

use crate::schema::installation;
use crate::{Conn, Error};

/// Whether events and money are real. An installation is one or the other from
/// its first migration on, and for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Realm {
    Live,
    Simulated,
}

impl Realm {
    pub const fn code(self) -> i16 {
        match self {
            Self::Live => 1,
            Self::Simulated => 2,
        }
    }

    pub const fn from_code(code: i16) -> Option<Self> {
        match code {
            1 => Some(Self::Live),
            2 => Some(Self::Simulated),
            _ => None,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Simulated => "simulated",
        }
    }
}

/// Which realm the database is of.
///
/// # Errors
/// `Corrupt` where it is none.
pub fn realm(conn: &mut Conn) -> Result<Realm, Error> {
    let recorded: i16 = installation::table.select(installation::realm).first(conn)?;
    Realm::from_code(recorded).ok_or_else(|| Error::Corrupt(format!("there is no realm {recorded}")))
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
            let was = Realm::from_code(code).map_or("unknown", Realm::name);
            Err(Error::Migrate(format!("PLACARD_REALM: this database is {was} for ever, not {}", realm.name())))
        }
    }
}
