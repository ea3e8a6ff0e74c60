//! The parts of a ledger transaction that are hashed, and their encoding. Each hash covers the hash of the previous
//! transaction of the book.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::Hash;

/// The predecessor of a book's first transaction.
pub const GENESIS: Hash = [0; 32];

/// A transaction but for its entries. Codes are what the ledger's kinds have in its database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction<'a> {
    pub book: i64,
    /// Counts the transactions of the book from 1, without gaps.
    pub sequence: i64,
    pub kind: i64,
    /// The document that caused it, such as `withdrawal` and its id.
    pub ref_type: Cow<'a, str>,
    pub ref_id: i64,
    /// When it happened, in milliseconds since 1970.
    pub event_at: i64,
    /// When it was written.
    pub recorded_at: i64,
    pub idempotency_key: Option<Cow<'a, str>>,
    pub actor: Cow<'a, str>,
    pub reason: Cow<'a, str>,
    /// The digest of the document's terms; older transactions have none.
    pub document: Option<Hash>,
}

/// An entry, and the balance of its account after it, if that account has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub account: i64,
    pub owner: i64,
    /// 0 for an account that is no plan's.
    pub plan: i64,
    pub amount: i64,
    pub balance_after: Option<i64>,
    pub flow: Option<i64>,
}

/// SHA-256 over the previous hash and the transaction. Texts are preceded by their length and lists by their count, so
/// different transactions are encoded differently.
pub fn hash(
    previous: &Hash,
    transaction: &Transaction<'_>,
    entries: impl IntoIterator<Item = Entry, IntoIter: ExactSizeIterator>,
) -> Hash {
    let mut encoder = Encoder(Sha256::new());
    // Without a document's digest, the older encoding is used.
    encoder.text(if transaction.document.is_some() { "placard ledger 2" } else { "placard ledger 1" });
    encoder.0.update(previous);
    encoder.number(transaction.book);
    encoder.number(transaction.sequence);
    encoder.number(transaction.kind);
    encoder.text(&transaction.ref_type);
    encoder.number(transaction.ref_id);
    encoder.number(transaction.event_at);
    encoder.number(transaction.recorded_at);
    encoder.optional(transaction.idempotency_key.as_deref(), Encoder::text);
    encoder.text(&transaction.actor);
    encoder.text(&transaction.reason);
    if let Some(document) = &transaction.document {
        encoder.0.update(document);
    }
    let entries = entries.into_iter();
    encoder.length(entries.len());
    for entry in entries {
        encoder.number(entry.account);
        encoder.number(entry.owner);
        encoder.number(entry.plan);
        encoder.number(entry.amount);
        encoder.optional(entry.flow, Encoder::number);
        encoder.optional(entry.balance_after, Encoder::number);
    }
    encoder.0.finalize().into()
}

struct Encoder(Sha256);

impl Encoder {
    fn number(&mut self, number: i64) {
        self.0.update(number.to_be_bytes());
    }

    fn length(&mut self, length: usize) {
        self.0.update((length as u64).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text.as_bytes());
    }

    fn optional<T>(&mut self, value: Option<T>, encode: impl FnOnce(&mut Self, T)) {
        self.0.update([u8::from(value.is_some())]);
        if let Some(value) = value {
            encode(self, value);
        }
    }
}
