//! Offers that exchanges said they have won, and the leases that their prices are reserved in. They
//! go with these leases.

use base::Timestamp;
use delivery::{Nonce, WonOffer};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};

use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::statement;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Binary)]
    nonce: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    lease_id: i64,
    #[diesel(sql_type = BigInt)]
    until: i64,
}

impl Row {
    fn read(self) -> Result<(Nonce, WonOffer), Error> {
        let nonce = self.nonce.try_into().map_err(|_| Error::Corrupt("a nonce is not 16 bytes long".into()))?;
        Ok((Nonce(nonce), WonOffer { lease: self.lease_id, until: Timestamp::from_millis(self.until) }))
    }
}

statement!(LOAD, each: "SELECT nonce, lease_id, until FROM won_offers WHERE nonce = ANY(?)");

/// Those of these offers that have won.
pub fn load(conn: &mut Conn, nonces: &[Nonce]) -> Result<Vec<(Nonce, WonOffer)>, Error> {
    let rows: Vec<Row> = LOAD.load(conn, &[bytes(nonces.iter()).into()])?;
    rows.into_iter().map(Row::read).collect()
}

statement!(
    KEEP,
    postgres: "INSERT INTO won_offers (nonce, lease_id, until) SELECT * FROM unnest(?, ?, ?)",
    sqlite: "INSERT INTO won_offers (nonce, lease_id, until) VALUES (?, ?, ?)",
);

/// Stores new ones. The caller has locked the plans of their leases, which exist.
pub fn keep(tx: &mut Tx<'_>, won: &[(Nonce, WonOffer)]) -> Result<(), Error> {
    KEEP.execute(
        tx,
        &[
            bytes(won.iter().map(|(nonce, _)| nonce)).into(),
            won.iter().map(|(_, won)| won.lease).collect::<Vec<_>>().into(),
            won.iter().map(|(_, won)| won.until.millis()).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(())
}

fn bytes<'a>(nonces: impl Iterator<Item = &'a Nonce>) -> Vec<Vec<u8>> {
    nonces.map(|nonce| nonce.0.to_vec()).collect()
}
