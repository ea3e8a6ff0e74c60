//! The end of the audit log's chain, sealed with a key that is not in the database.

use std::ops::RangeInclusive;

use auth::Sealer;
use base::Timestamp;
use diesel::prelude::*;

use super::{FIRST_VERSION, Record};
use crate::schema::{audit, audit_head as table};
use crate::{Conn, Error, Tx};

/// The purpose of the seal. Its number increases when the seal covers something else.
const PURPOSE: &str = "placard audit head 1";
const ONLY: i16 = 1;

/// The stored end of the chain.
#[derive(Clone, Debug, Queryable)]
pub struct Head {
    _id: i16,
    /// The number of records.
    pub records: i64,
    pub last_id: i64,
    pub last_at: Timestamp,
    pub hash: Vec<u8>,
    pub seal: Vec<u8>,
}

impl Head {
    fn sealed(&self) -> Vec<u8> {
        let numbers = [self.records, self.last_id, self.last_at.millis()];
        numbers.iter().flat_map(|number| number.to_be_bytes()).chain(self.hash.iter().copied()).collect()
    }

    /// Whether this program sealed it. An unsealed head is accepted as long as all records are from before heads were
    /// sealed.
    pub fn is_sealed(&self, conn: &mut Conn, sealer: &Sealer) -> Result<bool, Error> {
        if !self.seal.is_empty() {
            return Ok(sealer.fits(PURPOSE, &self.sealed(), &self.seal));
        }
        let last: Option<i16> = audit::table.select(audit::version).order(audit::id.desc()).first(conn).optional()?;
        Ok(last.is_none_or(|version| version == FIRST_VERSION))
    }
}

/// `None` if somebody removed the row.
pub fn head(conn: &mut Conn) -> Result<Option<Head>, Error> {
    Ok(table::table.find(ONLY).first(conn).optional()?)
}

/// The numbers of the records that the sealed end covers. Whoever can write to the database can put in others before
/// and behind them, which match their own hashes.
pub fn covered(conn: &mut Conn) -> Result<RangeInclusive<i64>, Error> {
    Ok(1..=head(conn)?.map_or(0, |head| head.last_id))
}

/// Locks the end of the chain; all audited actions wait for each other here.
pub(super) fn lock(tx: &mut Tx<'_>) -> Result<Head, Error> {
    let locked: Option<Head> = diesel::update(table::table.find(ONLY))
        .set(table::records.eq(table::records))
        .returning(table::all_columns)
        .get_result(tx.conn())
        .optional()?;
    locked.ok_or_else(|| Error::Corrupt("the audit's head is missing".into()))
}

/// Seals the present end with new secrets, which somebody accepted for the installation. Seals of the old secrets can
/// no longer be verified.
pub fn seal_anew(tx: &mut Tx<'_>) -> Result<(), Error> {
    let sealer = tx.context().sealer()?;
    let head = lock(tx)?;
    let seal = sealer.seal(PURPOSE, &head.sealed()).to_vec();
    tx.run(diesel::update(table::table.find(ONLY)).set(table::seal.eq(seal)))
}

/// Moves the end forward. A head that was edited by hand is not sealed again, so the edit is found whatever is written
/// later.
pub(super) fn advance(tx: &mut Tx<'_>, before: &Head, record: &Record, sealer: Option<&Sealer>) -> Result<(), Error> {
    let mut head = Head {
        _id: ONLY,
        records: before.records + 1,
        last_id: record.id,
        last_at: record.at,
        hash: record.hash.clone(),
        seal: Vec::new(),
    };
    if let Some(sealer) = sealer {
        head.seal = sealer.seal(PURPOSE, &head.sealed()).to_vec();
    }
    tx.run(diesel::update(table::table.find(ONLY)).set((
        table::records.eq(head.records),
        table::last_id.eq(head.last_id),
        table::last_at.eq(head.last_at),
        table::hash.eq(&head.hash),
        table::seal.eq(&head.seal),
    )))
}
