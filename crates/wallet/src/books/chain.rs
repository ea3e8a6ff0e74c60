//! The hash chain: the hash of each transaction covers the hash of the one before it
//! in its book, so edited, removed and inserted rows are detected.

use base::{Money, Timestamp};
use proof::ledger::{self, Transaction};

use crate::books::postings::Entry;
use crate::kinds::TransactionKind;

pub use ledger::GENESIS;

/// The parts of a stored transaction that the hash covers.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// A user's id, or an advertiser's negated.
    pub book: i64,
    /// Counts the transactions of the book from 1, without gaps.
    pub sequence: i64,
    pub kind: TransactionKind,
    /// The document that caused it, such as `withdrawal` and its id.
    pub ref_type: &'a str,
    pub ref_id: i64,
    /// When it happened.
    pub event_at: Timestamp,
    /// When it was written.
    pub recorded_at: Timestamp,
    pub idempotency_key: Option<&'a str>,
    pub actor: &'a str,
    pub reason: &'a str,
    /// The digest of the document's terms; older transactions have none.
    pub document: Option<&'a [u8; 32]>,
    /// Every entry in order, with the balance after it; `None` for accounts without
    /// one.
    pub entries: &'a [(Entry, Option<Money>)],
}

/// The hash of a transaction. `previous` is the hash of the transaction before it in its book.
pub fn hash(previous: &[u8; 32], record: &Record<'_>) -> [u8; 32] {
    let transaction = Transaction {
        book: record.book,
        sequence: record.sequence,
        kind: record.kind.code().into(),
        ref_type: record.ref_type.into(),
        ref_id: record.ref_id,
        event_at: record.event_at.millis(),
        recorded_at: record.recorded_at.millis(),
        idempotency_key: record.idempotency_key.map(Into::into),
        actor: record.actor.into(),
        reason: record.reason.into(),
        document: record.document.copied(),
    };
    ledger::hash(previous, &transaction, record.entries.iter().map(hashed))
}

fn hashed((entry, balance): &(Entry, Option<Money>)) -> ledger::Entry {
    let key = entry.account.key();
    ledger::Entry {
        account: key.code.into(),
        owner: key.owner,
        plan: key.plan,
        amount: entry.amount.minor(),
        balance_after: balance.map(Money::minor),
        flow: entry.flow.map(|flow| flow.code().into()),
    }
}

#[cfg(test)]
mod tests {
    use base::hex;

    use super::*;
    use crate::model::Wallet;
    use crate::testing::{money, wallet};
    use crate::{Withdraw, withdraw};

    fn entries() -> Vec<(Entry, Option<Money>)> {
        let wallet = Wallet { available: money(100), ..wallet() };
        let command = Withdraw { amount: money(40), card_bound: true, due: Money::ZERO };
        let postings = withdraw(&wallet, &command).expect("accepted");
        postings.entries().iter().map(|entry| (*entry, Some(money(60)))).collect()
    }

    fn record(entries: &[(Entry, Option<Money>)]) -> Record<'_> {
        Record {
            book: 5,
            sequence: 1,
            kind: TransactionKind::WithdrawalAsked,
            ref_type: "withdrawal",
            ref_id: 12,
            event_at: Timestamp::from_millis(1_700_000_000_000),
            recorded_at: Timestamp::from_millis(1_700_000_000_001),
            idempotency_key: Some("key"),
            actor: "user:1",
            reason: "",
            document: None,
            entries,
        }
    }

    /// The encoding is a promise: a chain written today is verified for ever.
    #[test]
    fn the_encoding_is_pinned() {
        let entries = entries();
        let hex = hex::encode(&hash(&GENESIS, &record(&entries)));
        assert_eq!(hex, "d6a1a7df1a4c1bfe7291cf2a5caf0228b0f63a85a01641b0da613bbb3dd40c7b");
    }

    #[test]
    fn every_part_counts() {
        let entries = entries();
        let one = record(&entries);
        let mut other_amount = entries.clone();
        other_amount[0].0.amount = money(-41);
        let mut other_balance = entries.clone();
        other_balance[0].1 = None;
        let mut other_flow = entries.clone();
        other_flow[0].0.flow = None;
        let variants = [
            one,
            Record { book: 2, ..one },
            Record { sequence: 2, ..one },
            Record { kind: TransactionKind::WithdrawalPaid, ..one },
            Record { ref_type: "plan", ..one },
            Record { ref_id: 13, ..one },
            Record { event_at: one.recorded_at, ..one },
            Record { recorded_at: one.event_at, ..one },
            Record { idempotency_key: None, ..one },
            Record { idempotency_key: Some(""), ..one },
            Record { actor: "user:2", ..one },
            Record { actor: "user:", reason: "1", ..one },
            Record { document: Some(&[0; 32]), ..one },
            Record { document: Some(&[1; 32]), ..one },
            Record { entries: &entries[..1], ..one },
            Record { entries: &other_amount, ..one },
            Record { entries: &other_balance, ..one },
            Record { entries: &other_flow, ..one },
        ];
        let mut hashes: Vec<_> = variants.iter().map(|record| hash(&GENESIS, record)).collect();
        hashes.push(hash(&hash(&GENESIS, &one), &one));
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), variants.len() + 1);
    }
}
