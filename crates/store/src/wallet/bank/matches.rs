//! Matches between bank lines and documents: who proposed them, and who confirmed.

use std::collections::BTreeMap;

use base::{AdvertiserId, BankLineId, BankMatchId, BankStatementId, Money, OperatorId, PublisherId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{BankDocument, MatchReview, MatchStatus, RequestKind};

use super::documents::{Key, kind_of, owner};
use crate::wallet::books::Owner;
use crate::{Conn, Error, Tx, will_change};
use db::bulk::Statement as _;
use db::{NumberedQuery, One, codes, insert, row, statement, update};

/// A proposed match of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewMatch {
    pub line: BankLineId,
    /// `None` if the line concerns none of our documents.
    pub document: Option<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub id: BankMatchId,
    pub line: BankLineId,
    pub document: Option<MatchedDocument>,
    pub review: MatchReview,
    pub reason: String,
    pub proposed_by: OperatorId,
    pub confirmed_by: Option<OperatorId>,
    pub confirmed_at: Option<Timestamp>,
}

/// The document of a match, with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedDocument {
    pub key: Key,
    pub owner: Owner,
    pub amount: Money,
}

row! {
    struct Row {
        id: BankMatchId,
        line_id: BankLineId,
        status: MatchStatus,
        reason: String,
        proposed_by: OperatorId,
        confirmed_by: Option<OperatorId>,
        confirmed_at: Option<Timestamp>,
        acted_by: OperatorId,
        acted_at: Timestamp,
        document: Option<i64>,
        kind: Option<RequestKind>,
        number: Option<i64>,
        user_id: Option<UserId>,
        advertiser_id: Option<AdvertiserId>,
        publisher_id: Option<PublisherId>,
        amount: Option<Money>,
    }
}

impl TryFrom<Row> for Match {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let status = row.status;
        Ok(Self {
            id: row.id,
            line: row.line_id,
            document: row.matched()?,
            review: MatchReview { status, by: row.acted_by, at: row.acted_at },
            reason: row.reason,
            proposed_by: row.proposed_by,
            confirmed_by: row.confirmed_by,
            confirmed_at: row.confirmed_at,
        })
    }
}

impl Row {
    fn matched(&self) -> Result<Option<MatchedDocument>, Error> {
        let (Some(row), Some(number), Some(amount)) = (self.document, self.number, self.amount) else {
            return Ok(None);
        };
        let kind = self.kind.map_or(Ok(BankDocument::Withdrawal), kind_of)?;
        let owner = owner(self.user_id, self.advertiser_id, self.publisher_id);
        let owner = owner.ok_or_else(|| Error::Corrupt(format!("match {} is nobody's", self.id)))?;
        Ok(Some(MatchedDocument { key: Key { kind, row, number }, owner, amount }))
    }
}

fn select(rest: &str) -> String {
    format!(
        "SELECT m.id, m.line_id, m.status, m.reason, m.proposed_by, m.confirmed_by, m.confirmed_at, \
         COALESCE(m.undone_by, m.doubted_by, m.confirmed_by, m.proposed_by) AS acted_by, \
         COALESCE(m.undone_at, m.doubted_at, m.confirmed_at, m.proposed_at) AS acted_at, \
         COALESCE(m.request_id, m.withdrawal_id) AS document, r.kind, \
         COALESCE(r.old_number, r.id, w.id) AS number, COALESCE(r.user_id, w.user_id) AS user_id, \
         r.advertiser_id, r.publisher_id, COALESCE(r.amount, w.amount) AS amount FROM bank_matches m \
         LEFT JOIN money_requests r ON r.id = m.request_id LEFT JOIN withdrawals w ON w.id = m.withdrawal_id {rest}"
    )
}

/// The statuses of matches that a second person must decide on.
fn undecided() -> String {
    codes([MatchStatus::Proposed, MatchStatus::Doubted].map(MatchStatus::code))
}

/// The statuses of matches that nobody dropped or undid.
pub(crate) fn current() -> String {
    codes([MatchStatus::Proposed, MatchStatus::Confirmed, MatchStatus::Doubted].map(MatchStatus::code))
}

statement!(
    OF_REQUESTS,
    each: &format!(
        "SELECT m.request_id, m.line_id, m.status FROM bank_matches m WHERE m.request_id = ANY(?) AND m.status IN ({})",
        current()
    ),
);
statement!(OF_LINES, each: &select(&format!("WHERE m.line_id = ANY(?) AND m.status IN ({})", current())));
insert! {
    struct InsertedMatch<'a>, INSERT into "bank_matches" {
        line_id: BankLineId,
        request_id: Option<i64>,
        withdrawal_id: Option<i64>,
        status: MatchStatus,
        reason: &'a str,
        proposed_by: OperatorId,
        proposed_at: Timestamp,
    } then "ON CONFLICT DO NOTHING RETURNING id, line_id"
}
/// The condition that a match still has the status from which the decision leads on.
fn expecting(status: MatchStatus) -> String {
    format!("t.status = {}", status.code())
}
/// The condition that a match can be doubted: nobody doubts it yet, or whoever did was revoked since.
fn doubtable() -> String {
    format!(
        "({} OR ({} AND EXISTS (SELECT 1 FROM operators o WHERE o.id = t.doubted_by AND o.revoked_at IS NOT NULL)))",
        expecting(MatchStatus::Confirmed),
        expecting(MatchStatus::Doubted)
    )
}
update! {
    struct Confirmed, CONFIRM of "bank_matches" {
        status: MatchStatus,
        confirmed_by: OperatorId,
        confirmed_at: Timestamp,
    } by { id: BankMatchId } only (expecting(MatchStatus::Proposed)) returning ("id")
}
update! {
    struct Dropped, DROP of "bank_matches" {
        status: MatchStatus,
        doubted_by: OperatorId,
        doubted_at: Timestamp,
    } by { id: BankMatchId } only (expecting(MatchStatus::Proposed)) returning ("id")
}
update! {
    struct Doubted, DOUBT of "bank_matches" {
        status: MatchStatus,
        doubted_by: OperatorId,
        doubted_at: Timestamp,
    } by { id: BankMatchId } only (doubtable()) returning ("id")
}
update! {
    struct Undone, UNDO of "bank_matches" {
        status: MatchStatus,
        undone_by: OperatorId,
        undone_at: Timestamp,
    } by { id: BankMatchId } only (expecting(MatchStatus::Doubted)) returning ("id")
}
update! {
    struct ClearedRequest, CLEAR_REQUESTS of "money_requests" { cleared_at: Option<Timestamp> } by { id: i64 }
}
update! {
    struct ClearedWithdrawal, CLEAR_WITHDRAWALS of "withdrawals" { cleared_at: Option<Timestamp> } by { id: i64 }
}

row! {
    struct Proposed {
        id: i64,
        line_id: BankLineId,
    }
}

/// The current matches of these lines, at most one each.
pub fn of_lines(conn: &mut Conn, lines: &[BankLineId]) -> Result<Vec<Match>, Error> {
    let rows: Vec<Row> = OF_LINES.load(conn, &[lines.iter().collect()])?;
    rows.into_iter().map(Match::try_from).collect()
}

row! {
    struct MatchedRequest {
        request_id: i64,
        line_id: BankLineId,
        status: MatchStatus,
    }
}

/// The lines that these requests are matched with, by the request's row.
pub fn lines_of(conn: &mut Conn, requests: &[i64]) -> Result<BTreeMap<i64, (BankLineId, MatchStatus)>, Error> {
    let rows: Vec<MatchedRequest> = OF_REQUESTS.load(conn, &[requests.iter().copied().collect()])?;
    Ok(rows.into_iter().map(|row| (row.request_id, (row.line_id, row.status))).collect())
}

/// A statement's matches that nobody has decided on, in the order they were proposed.
pub fn waiting(
    conn: &mut Conn,
    statement: BankStatementId,
    after: BankMatchId,
    limit: i64,
) -> Result<Vec<Match>, Error> {
    let waiting = select(&format!(
        "JOIN bank_lines l ON l.id = m.line_id WHERE m.status IN ({}) AND l.statement_id = ? AND m.id > ? \
         ORDER BY m.id LIMIT ?",
        undecided()
    ));
    let query = NumberedQuery::new(&waiting).bind(statement.0).bind(after.0).bind(limit);
    let rows: Vec<Row> = query.load(conn)?;
    rows.into_iter().map(Match::try_from).collect()
}

row! {
    /// A match that waits for a second person, with the amount of its line.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Proposal {
        pub id: BankMatchId,
        pub line_id: BankLineId,
        pub status: MatchStatus,
        pub request_id: Option<i64>,
        pub withdrawal_id: Option<i64>,
        pub amount: Money,
    }
}

/// All proposals of a statement that a second person may confirm, in the order in which they were proposed. Proposals
/// of operators who were revoked since are left out.
pub fn proposals(conn: &mut Conn, statement: BankStatementId) -> Result<Vec<Proposal>, Error> {
    let waiting = format!(
        "SELECT m.id, m.line_id, m.status, m.request_id, m.withdrawal_id, l.amount \
         FROM bank_matches m JOIN bank_lines l ON l.id = m.line_id \
         JOIN operators o ON o.id = COALESCE(m.doubted_by, m.proposed_by) \
         WHERE m.status IN ({}) AND l.statement_id = ? AND o.revoked_at IS NULL ORDER BY m.id",
        undecided()
    );
    Ok(NumberedQuery::new(&waiting).bind(statement.0).load(conn)?)
}

/// Inserts proposals, except for lines or documents that have a match already; returns
/// the lines that have one now.
pub fn propose(tx: &mut Tx<'_>, new: &[NewMatch], reason: &str, by: OperatorId) -> Result<Vec<BankLineId>, Error> {
    let proposed_at = tx.now();
    let row_of = |of: &NewMatch, withdrawn: bool| {
        of.document.filter(|key| (key.kind == BankDocument::Withdrawal) == withdrawn).map(|key| key.row)
    };
    let inserted = |of: &NewMatch| InsertedMatch {
        line_id: of.line,
        request_id: row_of(of, false),
        withdrawal_id: row_of(of, true),
        status: MatchStatus::Proposed,
        reason,
        proposed_by: by,
        proposed_at,
    };
    let written: Vec<Proposed> =
        INSERT.load(tx, &InsertedMatch::columns(&new.iter().map(inserted).collect::<Vec<_>>()))?;
    for row in &written {
        tx.notes().vouches("bank_matches", row.id);
    }
    Ok(written.into_iter().map(|row| row.line_id).collect())
}

/// Applies a decision to matches, and returns those that still had the expected status: of two callers, the second gets
/// none.
pub fn decide(
    tx: &mut Tx<'_>,
    ids: &[BankMatchId],
    to: MatchStatus,
    by: OperatorId,
) -> Result<Vec<BankMatchId>, Error> {
    will_change(tx, "bank_matches", ids.iter().map(|id| id.0))?;
    let (status, at) = (to, tx.now());
    macro_rules! decide {
        ($statement:ident, $row:ident { $by:ident, $at:ident }) => {{
            let row = |id: &BankMatchId| $row { status, $by: by, $at: at, id: *id };
            $statement.load(tx, &$row::columns(&ids.iter().map(row).collect::<Vec<_>>()))
        }};
    }
    let rows: Vec<One<BankMatchId>> = match to {
        MatchStatus::Confirmed => decide!(CONFIRM, Confirmed { confirmed_by, confirmed_at }),
        MatchStatus::Dropped => decide!(DROP, Dropped { doubted_by, doubted_at }),
        MatchStatus::Doubted => decide!(DOUBT, Doubted { doubted_by, doubted_at }),
        MatchStatus::Undone => decide!(UNDO, Undone { undone_by, undone_at }),
        MatchStatus::Proposed => Err(Error::Corrupt("a match is proposed only once".into())),
    }?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Stores that the bank has shown these documents, or that it has not.
pub fn set_cleared(tx: &mut Tx<'_>, documents: &[Key], cleared: bool) -> Result<(), Error> {
    let cleared_at = cleared.then_some(tx.now());
    let rows = |withdrawn: bool| {
        let of_table = documents.iter().filter(move |key| (key.kind == BankDocument::Withdrawal) == withdrawn);
        of_table.map(|key| key.row)
    };
    let requests: Vec<_> = rows(false).map(|id| ClearedRequest { cleared_at, id }).collect();
    CLEAR_REQUESTS.execute(tx, &ClearedRequest::columns(&requests))?;
    let withdrawals: Vec<_> = rows(true).map(|id| ClearedWithdrawal { cleared_at, id }).collect();
    CLEAR_WITHDRAWALS.execute(tx, &ClearedWithdrawal::columns(&withdrawals))?;
    Ok(())
}
