//! Nonces of accepted staff calls, so that none is accepted twice, not even by another
//! server or after a restart.

use base::Timestamp;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};

use crate::schema::staff_nonces;
use crate::{Error, Tx};

/// Accepts a nonce that is valid until this time; `false` if it was accepted before. Expired nonces are deleted.
pub fn take(tx: &mut Tx<'_>, nonce: &[u8], good_until: Timestamp) -> Result<bool, Error> {
    tx.run(diesel::delete(staff_nonces::table.filter(staff_nonces::good_until.lt(tx.now()))))?;
    let taken =
        diesel::sql_query("INSERT INTO staff_nonces (nonce, good_until) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind::<Binary, _>(nonce)
            .bind::<BigInt, _>(good_until.millis())
            .execute(tx.conn())?;
    Ok(taken == 1)
}
