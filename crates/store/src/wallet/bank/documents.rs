//! The documents that a bank line can match: approved requests, and withdrawals that are paid or in a payment file.

use std::collections::BTreeMap;

use bank::Day;
use base::{AdvertiserId, Money, PublisherId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{BankDocument, RequestKind, RequestStatus, WithdrawalStatus};

use super::matches;
use crate::schema::payment_references as references;
use crate::wallet::books::Owner;
use crate::wallet::references::WITHDRAWAL;
use crate::{Conn, Error};
use db::{NumberedQuery, codes, row};

/// The kind of a document, and its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub kind: BankDocument,
    pub row: i64,
    /// Its number, as people know it.
    pub number: i64,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.kind, self.number)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub key: Key,
    pub owner: Owner,
    /// The user's, advertiser's or publisher's name.
    pub name: String,
    /// Positive in either direction.
    pub amount: Money,
    pub reference: String,
    /// Where a withdrawal is paid to, as bound at that time.
    pub destination: String,
    /// The day when it was approved or paid.
    pub day: Day,
    /// Whether it is approved, paid or in a payment file, so that the bank must show it.
    pub settled: bool,
}

row! {
    struct Row {
        id: i64,
        number: i64,
        kind: i16,
        user_id: Option<UserId>,
        advertiser_id: Option<AdvertiserId>,
        publisher_id: Option<PublisherId>,
        name: String,
        amount: Money,
        reference: String,
        destination: String,
        decided_at: Timestamp,
        settled: bool,
    }
}

impl Row {
    fn document(self, kind: BankDocument) -> Result<Document, Error> {
        let owner = owner(self.user_id, self.advertiser_id, self.publisher_id);
        let owner = owner.ok_or_else(|| Error::Corrupt(format!("{kind} {} is nobody's", self.number)))?;
        Ok(Document {
            key: Key { kind, row: self.id, number: self.number },
            owner,
            name: self.name,
            amount: self.amount,
            reference: self.reference,
            destination: self.destination,
            day: Day::of(self.decided_at),
            settled: self.settled,
        })
    }
}

/// Whose money a document is about.
pub(super) fn owner(
    user: Option<UserId>,
    advertiser: Option<AdvertiserId>,
    publisher: Option<PublisherId>,
) -> Option<Owner> {
    let owner = user.map(Owner::User).or(advertiser.map(Owner::Advertiser));
    owner.or(publisher.map(Owner::Publisher))
}

// An outgoing payment is on no statement before it is paid or the bank was told to pay it.
fn requests() -> String {
    format!(
        "SELECT r.id, COALESCE(r.old_number, r.id) AS number, r.kind, r.user_id, r.advertiser_id, r.publisher_id, \
     COALESCE(u.username, a.name, p.name, '') AS name, r.amount, COALESCE(r.reference, i.end_to_end, '') AS reference, \
     '' AS destination, COALESCE(r.paid_at, f.execute_on, r.decided_at, r.requested_at) AS decided_at, \
     (r.status = {approved} AND (r.kind <> {payout} OR r.paid_at IS NOT NULL OR i.id IS NOT NULL)) AS settled FROM money_requests r \
     LEFT JOIN exported_payments i ON i.request_id = r.id AND i.freed_at IS NULL \
     LEFT JOIN payment_files f ON f.id = i.file_id \
     LEFT JOIN users u ON u.id = r.user_id LEFT JOIN advertisers a ON a.id = r.advertiser_id \
     LEFT JOIN publishers p ON p.id = r.publisher_id WHERE ",
        approved = RequestStatus::Approved.code(),
        payout = RequestKind::PublisherPayout.code()
    )
}

fn withdrawals() -> String {
    format!(
        "SELECT w.id, w.id AS number, CAST(0 AS SMALLINT) AS kind, w.user_id, \
     CAST(NULL AS BIGINT) AS advertiser_id, CAST(NULL AS BIGINT) AS publisher_id, u.username AS name, w.amount, \
     COALESCE(w.reference, i.end_to_end, '') AS reference, w.destination, \
     COALESCE(w.decided_at, f.execute_on, w.requested_at) AS decided_at, \
     (w.status = {paid} OR (w.status = {approved} AND i.id IS NOT NULL)) AS settled FROM withdrawals w \
     LEFT JOIN exported_payments i ON i.withdrawal_id = w.id AND i.freed_at IS NULL \
     LEFT JOIN payment_files f ON f.id = i.file_id \
     JOIN users u ON u.id = w.user_id WHERE ",
        paid = WithdrawalStatus::Paid.code(),
        approved = WithdrawalStatus::Approved.code()
    )
}

/// The kind of bank document that this kind of request is.
pub(super) fn kind_of(request: RequestKind) -> Result<BankDocument, Error> {
    match request {
        RequestKind::Recharge => Ok(BankDocument::Recharge),
        RequestKind::Chargeback => Ok(BankDocument::Chargeback),
        RequestKind::AdvertiserFund => Ok(BankDocument::AdvertiserFund),
        RequestKind::PublisherPayout => Ok(BankDocument::PublisherPayout),
        _ => Err(Error::Corrupt(format!("a request of kind {} is on no statement", request.code()))),
    }
}

/// The conditions for requests that no line shows and no proposed match names. Each condition has an index.
fn uncleared_requests() -> [String; 2] {
    let on_statements =
        [RequestKind::Recharge, RequestKind::Chargeback, RequestKind::AdvertiserFund, RequestKind::PublisherPayout];
    let kinds = codes(on_statements.map(RequestKind::code));
    let (approved, payout) = (RequestStatus::Approved.code(), RequestKind::PublisherPayout.code());
    [
        format!(
            "r.status = {approved} AND r.kind IN ({kinds}) AND (r.kind <> {payout} OR r.paid_at IS NOT NULL) \
             AND r.cleared_at IS NULL"
        ),
        format!("r.status = {approved} AND r.kind = {payout} AND r.paid_at IS NULL AND i.id IS NOT NULL"),
    ]
}

fn uncleared_withdrawals() -> [String; 2] {
    let (paid, approved) = (WithdrawalStatus::Paid.code(), WithdrawalStatus::Approved.code());
    [format!("w.status = {paid} AND w.cleared_at IS NULL"), format!("w.status = {approved} AND i.id IS NOT NULL")]
}

/// Documents that no line shows and no proposed match names, at most `limit` of each kind, oldest first: those that are
/// booked, and those that the bank was told to pay.
pub fn find_uncleared(conn: &mut Conn, limit: i64) -> Result<Vec<Document>, Error> {
    let mut found = Vec::new();
    for condition in uncleared_requests() {
        let rows: Vec<Row> = unmatched(&requests(), &condition, "m.request_id = r.id", "r.id", limit).load(conn)?;
        let documents = rows.into_iter().map(|row| kind_of(row.kind.try_into()?).and_then(|kind| row.document(kind)));
        found.extend(documents.collect::<Result<Vec<_>, _>>()?);
    }
    for condition in uncleared_withdrawals() {
        let rows: Vec<Row> =
            unmatched(&withdrawals(), &condition, "m.withdrawal_id = w.id", "w.id", limit).load(conn)?;
        let documents = rows.into_iter().map(|row| row.document(BankDocument::Withdrawal));
        found.extend(documents.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(found)
}

fn unmatched(select: &str, condition: &str, matched: &str, key: &str, limit: i64) -> NumberedQuery {
    let rest = format!(
        "{condition} AND NOT EXISTS (SELECT 1 FROM bank_matches m WHERE {matched} AND m.status IN ({})) \
         ORDER BY {key} LIMIT ?",
        matches::current()
    );
    NumberedQuery::new(select).and(&rest).bind(limit)
}

/// A document by its kind and number.
pub fn find(conn: &mut Conn, kind: BankDocument, number: i64) -> Result<Option<Document>, Error> {
    let request = match kind {
        BankDocument::Withdrawal => {
            let row: Option<Row> =
                NumberedQuery::new(&withdrawals()).and("w.id = ?").bind(number).get_result(conn).optional()?;
            return row.map(|row| row.document(kind)).transpose();
        }
        BankDocument::Recharge => RequestKind::Recharge,
        BankDocument::Chargeback => RequestKind::Chargeback,
        BankDocument::AdvertiserFund => RequestKind::AdvertiserFund,
        BankDocument::PublisherPayout => RequestKind::PublisherPayout,
    };
    let row: Option<Row> = NumberedQuery::new(&requests())
        .and("r.kind = ? AND (r.old_number = ? OR (r.old_number IS NULL AND r.id = ?))")
        .bind(request.code().into())
        .bind(number)
        .bind(number)
        .get_result(conn)
        .optional()?;
    row.map(|row| row.document(kind)).transpose()
}

/// References that are looked up at a time.
const AT_ONCE: usize = 1_000;

/// The payouts with one of these references, in the form in which references are compared.
pub fn paid_under(conn: &mut Conn, compared: &[String]) -> Result<BTreeMap<String, Document>, Error> {
    let kinds = [WITHDRAWAL, RequestKind::PublisherPayout.code()];
    let mut found = BTreeMap::new();
    for part in compared.chunks(AT_ONCE) {
        let held: Vec<(i16, String, Option<i64>)> = references::table
            .filter(references::kind.eq_any(kinds).and(references::compared.eq_any(part)))
            .select((references::kind, references::compared, references::holder))
            .load(conn)?;
        for (kind, reference, row) in held {
            let kind = if kind == WITHDRAWAL { BankDocument::Withdrawal } else { BankDocument::PublisherPayout };
            let Some(row) = row else { continue };
            if let Some(document) = find(conn, kind, row)? {
                found.insert(reference, document);
            }
        }
    }
    Ok(found)
}
