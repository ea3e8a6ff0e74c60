//! Bids that exchanges said have won, with the leases that reserve their prices. They are deleted with these leases.

use base::Timestamp;
use delivery::{Nonce, WonOffer};

use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::{insert, row, statement};

row! {
    struct Row {
        nonce: Vec<u8>,
        lease_id: i64,
        until: Timestamp,
    }
}

impl Row {
    fn read(self) -> Result<(Nonce, WonOffer), Error> {
        let nonce = self.nonce.try_into().map_err(|_| Error::Corrupt("a nonce is not 16 bytes long".into()))?;
        Ok((Nonce(nonce), WonOffer { lease: self.lease_id, until: self.until }))
    }
}

statement!(LOAD, each: "SELECT nonce, lease_id, until FROM won_offers WHERE nonce = ANY(?)");

/// Those of these bids that have won.
pub fn load(conn: &mut Conn, nonces: &[Nonce]) -> Result<Vec<(Nonce, WonOffer)>, Error> {
    let rows: Vec<Row> = LOAD.load(conn, &[nonces.iter().map(|nonce| nonce.0.to_vec()).collect::<Vec<_>>().into()])?;
    rows.into_iter().map(Row::read).collect()
}

insert! {
    struct Kept, KEEP into "won_offers" {
        nonce: [u8; 16],
        lease_id: i64,
        until: Timestamp,
    }
}

/// Stores new ones. The caller has locked the plans of their leases, which exist.
pub fn keep(tx: &mut Tx<'_>, won: &[(Nonce, WonOffer)]) -> Result<(), Error> {
    let kept = |(nonce, won): &(Nonce, WonOffer)| Kept { nonce: nonce.0, lease_id: won.lease, until: won.until };
    KEEP.execute(tx, &Kept::columns(&won.iter().map(kept).collect::<Vec<_>>()))?;
    Ok(())
}
