//! Verifies the terms in documents: the hash of the transaction that moved the money covers their digest.

use std::collections::HashMap;

use wallet::TransactionKind;

use super::faults::{Faults, Law};
use super::walk::TransactionRow;
use crate::installation::protected::BY_USERS;
use crate::wallet::books::digest;
use crate::{Conn, Error};

/// The digest and the transaction, by kind of transaction and document.
#[derive(Default)]
pub(super) struct DocumentDigests(HashMap<(TransactionKind, i64), ([u8; 32], i64)>);

impl DocumentDigests {
    pub fn take(&mut self, kind: TransactionKind, row: &TransactionRow, faults: &mut Faults) {
        let Some(said) = &row.document else { return };
        match digest(said) {
            Ok(said) => {
                self.0.insert((kind, row.ref_id), (said, row.id));
            }
            Err(_) => faults.add(Law::Rows, || format!("transaction {} has no digest of its document", row.id)),
        }
    }

    /// Compares every document with its digest.
    pub fn check(&self, conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
        for (kind, protected) in BY_USERS {
            protected.each(conn, |_, part| {
                for row in part {
                    let Some((said, transaction)) = self.0.get(&(*kind, row.id)) else { continue };
                    if *said != protected.digest(row) {
                        let (what, id) = (protected.name, row.id);
                        faults.add(Law::Rows, || {
                            format!("{what} {id} is not as it was when transaction {transaction} moved its money")
                        });
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
