//! Matches between bank lines and documents: who proposed them, and who confirmed.

use base::{BankLineId, BankMatchId, BankStatementId, Money, OperatorId, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Text};
use wallet::{BankDocument, MatchReview, MatchStatus};

use super::documents::{Key, kind_of, owner};
use crate::wallet::books::Owner;
use crate::{Conn, Error, Tx};
use db::NumberedQuery;
use db::bulk::Statement as _;
use db::statement;

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

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    line_id: i64,
    #[diesel(sql_type = SmallInt)]
    status: i16,
    #[diesel(sql_type = Text)]
    reason: String,
    #[diesel(sql_type = BigInt)]
    proposed_by: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    confirmed_by: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    confirmed_at: Option<i64>,
    #[diesel(sql_type = BigInt)]
    acted_by: i64,
    #[diesel(sql_type = BigInt)]
    acted_at: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    document: Option<i64>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    kind: Option<i16>,
    #[diesel(sql_type = Nullable<BigInt>)]
    number: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    user_id: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    advertiser_id: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    publisher_id: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    amount: Option<i64>,
}

impl TryFrom<Row> for Match {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let status = MatchStatus::try_from(row.status)?;
        Ok(Self {
            id: BankMatchId(row.id),
            line: BankLineId(row.line_id),
            document: row.matched()?,
            review: MatchReview { status, by: OperatorId(row.acted_by), at: Timestamp::from_millis(row.acted_at) },
            reason: row.reason,
            proposed_by: OperatorId(row.proposed_by),
            confirmed_by: row.confirmed_by.map(OperatorId),
            confirmed_at: row.confirmed_at.map(Timestamp::from_millis),
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
        Ok(Some(MatchedDocument { key: Key { kind, row, number }, owner, amount: Money::from_minor(amount) }))
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, m.line_id, m.status, m.reason, m.proposed_by, m.confirmed_by, m.confirmed_at, ",
            "COALESCE(m.undone_by, m.doubted_by, m.confirmed_by, m.proposed_by) AS acted_by, ",
            "COALESCE(m.undone_at, m.doubted_at, m.confirmed_at, m.proposed_at) AS acted_at, ",
            "COALESCE(m.request_id, m.withdrawal_id) AS document, r.kind, ",
            "COALESCE(r.old_number, r.id, w.id) AS number, COALESCE(r.user_id, w.user_id) AS user_id, ",
            "r.advertiser_id, r.publisher_id, COALESCE(r.amount, w.amount) AS amount FROM bank_matches m ",
            "LEFT JOIN money_requests r ON r.id = m.request_id LEFT JOIN withdrawals w ON w.id = m.withdrawal_id ",
            $rest
        )
    };
}

statement!(
    OF_LINES,
    postgres: select!("WHERE m.line_id = ANY(?) AND m.status IN (0, 1, 3)"),
    sqlite: select!("WHERE m.line_id = ? AND m.status IN (0, 1, 3)"),
);
const WAITING: &str = select!(
    "JOIN bank_lines l ON l.id = m.line_id WHERE m.status IN (0, 3) AND l.statement_id = ? AND m.id > ? \
     ORDER BY m.id LIMIT ?"
);
statement!(
    INSERT,
    postgres: "INSERT INTO bank_matches (line_id, request_id, withdrawal_id, status, reason, proposed_by, proposed_at) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id, line_id",
    sqlite: "INSERT INTO bank_matches (line_id, request_id, withdrawal_id, status, reason, proposed_by, proposed_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id, line_id",
);
statement!(
    CONFIRM,
    postgres: "UPDATE bank_matches m SET status = 1, confirmed_by = u.b, confirmed_at = u.t \
         FROM unnest(?, ?, ?) AS u(b, t, id) WHERE m.id = u.id AND m.status = 0 RETURNING m.id",
    sqlite: "UPDATE bank_matches SET status = 1, confirmed_by = ?, confirmed_at = ? WHERE id = ? AND status = 0 \
         RETURNING id",
);
statement!(
    DROP,
    postgres: "UPDATE bank_matches m SET status = 2, doubted_by = u.b, doubted_at = u.t \
         FROM unnest(?, ?, ?) AS u(b, t, id) WHERE m.id = u.id AND m.status = 0 RETURNING m.id",
    sqlite: "UPDATE bank_matches SET status = 2, doubted_by = ?, doubted_at = ? WHERE id = ? AND status = 0 \
         RETURNING id",
);
statement!(
    DOUBT,
    postgres: "UPDATE bank_matches m SET status = 3, doubted_by = u.b, doubted_at = u.t \
         FROM unnest(?, ?, ?) AS u(b, t, id) WHERE m.id = u.id AND m.status = 1 RETURNING m.id",
    sqlite: "UPDATE bank_matches SET status = 3, doubted_by = ?, doubted_at = ? WHERE id = ? AND status = 1 \
         RETURNING id",
);
statement!(
    UNDO,
    postgres: "UPDATE bank_matches m SET status = 4, undone_by = u.b, undone_at = u.t \
         FROM unnest(?, ?, ?) AS u(b, t, id) WHERE m.id = u.id AND m.status = 3 RETURNING m.id",
    sqlite: "UPDATE bank_matches SET status = 4, undone_by = ?, undone_at = ? WHERE id = ? AND status = 3 \
         RETURNING id",
);
statement!(
    CLEAR_REQUESTS,
    postgres: "UPDATE money_requests r SET cleared_at = u.t FROM unnest(?, ?) AS u(t, id) WHERE r.id = u.id",
    sqlite: "UPDATE money_requests SET cleared_at = ? WHERE id = ?",
);
statement!(
    CLEAR_WITHDRAWALS,
    postgres: "UPDATE withdrawals w SET cleared_at = u.t FROM unnest(?, ?) AS u(t, id) WHERE w.id = u.id",
    sqlite: "UPDATE withdrawals SET cleared_at = ? WHERE id = ?",
);

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
struct Proposed {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    line_id: i64,
}

/// The current matches of these lines, at most one each.
pub fn of_lines(conn: &mut Conn, lines: &[BankLineId]) -> Result<Vec<Match>, Error> {
    let ids: Vec<i64> = lines.iter().map(|line| line.0).collect();
    let rows: Vec<Row> = OF_LINES.load(conn, &[ids.into()])?;
    rows.into_iter().map(Match::try_from).collect()
}

/// A statement's matches that wait for a second person, in the order they were proposed.
pub fn waiting(
    conn: &mut Conn,
    statement: BankStatementId,
    after: BankMatchId,
    limit: i64,
) -> Result<Vec<Match>, Error> {
    let query = NumberedQuery::new(WAITING).bind(statement.0).bind(after.0).bind(limit);
    let rows: Vec<Row> = query.load(conn)?;
    rows.into_iter().map(Match::try_from).collect()
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    found: i64,
}

/// How many of a statement's lines wait for a second person.
pub fn count_waiting(conn: &mut Conn, statement: BankStatementId) -> Result<i64, Error> {
    let query = NumberedQuery::new(
        "SELECT COUNT(*) AS found FROM bank_matches m JOIN bank_lines l ON l.id = m.line_id \
         WHERE m.status IN (0, 3) AND l.statement_id = ?",
    );
    let counted: Count = query.bind(statement.0).get_result(conn)?;
    Ok(counted.found)
}

/// Inserts proposals, except for lines or documents that have a match already; returns
/// the lines that have one now.
pub fn propose(tx: &mut Tx<'_>, new: &[NewMatch], reason: &str, by: OperatorId) -> Result<Vec<BankLineId>, Error> {
    let (now, many) = (tx.now().millis(), new.len());
    let rows_of = |wanted: fn(BankDocument) -> bool| -> Vec<Option<i64>> {
        new.iter().map(|m| m.document.filter(|key| wanted(key.kind)).map(|key| key.row)).collect()
    };
    let written: Vec<Proposed> = INSERT.load(
        tx,
        &[
            new.iter().map(|m| m.line.0).collect::<Vec<_>>().into(),
            rows_of(|kind| kind != BankDocument::Withdrawal).into(),
            rows_of(|kind| kind == BankDocument::Withdrawal).into(),
            vec![MatchStatus::Proposed.code(); many].into(),
            vec![reason.to_owned(); many].into(),
            vec![by.0; many].into(),
            vec![now; many].into(),
        ],
    )?;
    for row in &written {
        tx.notes().vouches("bank_matches", row.id);
    }
    Ok(written.into_iter().map(|row| BankLineId(row.line_id)).collect())
}

/// Applies a decision to matches, and returns those that still had the expected state:
/// the second of two callers gets none.
pub fn decided(
    tx: &mut Tx<'_>,
    ids: &[BankMatchId],
    to: MatchStatus,
    by: OperatorId,
) -> Result<Vec<BankMatchId>, Error> {
    let now = tx.now().millis();
    let numbers: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let columns = [vec![by.0; numbers.len()].into(), vec![now; numbers.len()].into(), numbers.into()];
    let rows: Vec<Id> = match to {
        MatchStatus::Confirmed => CONFIRM.load(tx, &columns),
        MatchStatus::Dropped => DROP.load(tx, &columns),
        MatchStatus::Doubted => DOUBT.load(tx, &columns),
        MatchStatus::Undone => UNDO.load(tx, &columns),
        MatchStatus::Proposed => Err(Error::Corrupt("a match is proposed only once".into())),
    }?;
    for row in &rows {
        tx.notes().vouches("bank_matches", row.id);
    }
    Ok(rows.into_iter().map(|row| BankMatchId(row.id)).collect())
}

/// Stores that the bank has shown these documents, or that it has not.
pub fn set_cleared(tx: &mut Tx<'_>, documents: &[Key], cleared: bool) -> Result<(), Error> {
    let now = cleared.then_some(tx.now().millis());
    let columns = |withdrawn: bool| {
        let of_table = documents.iter().filter(|key| (key.kind == BankDocument::Withdrawal) == withdrawn);
        let rows: Vec<i64> = of_table.map(|key| key.row).collect();
        [vec![now; rows.len()].into(), rows.into()]
    };
    CLEAR_REQUESTS.execute(tx, &columns(false))?;
    CLEAR_WITHDRAWALS.execute(tx, &columns(true))?;
    Ok(())
}
