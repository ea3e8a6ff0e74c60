//! Reads the ledger back: transactions with their entries, and the entries of one account
//! or plan.

use std::collections::BTreeMap;

use base::{Money, PlanId, Timestamp, TransactionId, UserId};
use db::{codes, row};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use plans::Status;
use wallet::{Account, AccountKey, Document, FlowKind, Record, TransactionKind, UserAccount};

use crate::schema::{entries, transactions};
use crate::wallet::books::{TransactionRow, digest};
use crate::{Conn, Error, Page, PageRequest};

/// One entry, with the figures after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub id: i64,
    pub transaction: TransactionId,
    pub at: Timestamp,
    pub account: Account,
    pub amount: Money,
    /// `None` for platform accounts, which have no stored balance.
    pub balance: Option<Money>,
    /// Its kind on the user's statement, if it is shown there.
    pub flow: Option<FlowKind>,
    pub ref_type: String,
    pub ref_id: i64,
    pub remark: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    pub id: TransactionId,
    /// A user's id, or an advertiser's negated.
    pub book: i64,
    pub sequence: i64,
    pub kind: TransactionKind,
    pub ref_type: String,
    pub ref_id: i64,
    pub event_at: Timestamp,
    pub recorded_at: Timestamp,
    pub idempotency_key: Option<String>,
    /// `user:7`, `operator:3` or `system`.
    pub actor: String,
    pub reason: String,
    pub prev_hash: [u8; 32],
    pub hash: [u8; 32],
    pub lines: Vec<Line>,
    /// Whether it sums to zero, its hash matches its content, and it continues the previous transaction of its book.
    pub intact: bool,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = entries)]
struct Row {
    id: i64,
    transaction_id: TransactionId,
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: Money,
    balance_after: Option<Money>,
    flow: Option<FlowKind>,
    ref_type: String,
    ref_id: i64,
    remark: String,
    recorded_at: Timestamp,
}

impl TryFrom<Row> for Line {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let key = AccountKey { code: row.account_kind, owner: row.owner_id, plan: row.plan_id.unwrap_or(0) };
        let unknown = |_| Error::Corrupt(format!("entry {} is on no account", row.id));
        Ok(Self {
            id: row.id,
            transaction: row.transaction_id,
            at: row.recorded_at,
            account: Account::try_from(key).map_err(unknown)?,
            amount: row.amount,
            balance: row.balance_after,
            flow: row.flow,
            ref_type: row.ref_type,
            ref_id: row.ref_id,
            remark: row.remark,
        })
    }
}

pub fn find(conn: &mut Conn, id: TransactionId) -> Result<Option<Transaction>, Error> {
    let found = transactions::table.find(id).select(TransactionRow::as_select()).first(conn).optional()?;
    let Some(head) = found else { return Ok(None) };
    let rows: Vec<Row> = entries::table
        .filter(entries::transaction_id.eq(id).and(entries::recorded_at.eq(head.recorded_at)))
        .order(entries::position)
        .select(Row::as_select())
        .load(conn)?;
    let lines: Vec<Line> = rows.into_iter().map(Line::try_from).collect::<Result<_, _>>()?;
    let before: Option<Vec<u8>> = transactions::table
        .filter(transactions::book.eq(head.book).and(transactions::book_seq.eq(head.book_seq - 1)))
        .select(transactions::hash)
        .first(conn)
        .optional()?;
    transaction(head, lines, before.as_deref()).map(Some)
}

fn transaction(head: TransactionRow, lines: Vec<Line>, before: Option<&[u8]>) -> Result<Transaction, Error> {
    let kind = TransactionKind::try_from(head.kind)?;
    let (prev_hash, hash) = (digest(&head.prev_hash)?, digest(&head.hash)?);
    let document = head.document.as_deref().map(digest).transpose()?;
    let entries: Vec<_> = lines
        .iter()
        .map(|line| (wallet::Entry { account: line.account, amount: line.amount, flow: line.flow }, line.balance))
        .collect();
    let says = wallet::hash(
        &prev_hash,
        &Record {
            book: head.book,
            sequence: head.book_seq,
            kind,
            ref_type: &head.ref_type,
            ref_id: head.ref_id,
            event_at: head.event_time,
            recorded_at: head.recorded_at,
            idempotency_key: head.idempotency_key.as_deref(),
            actor: &head.actor,
            reason: &head.reason,
            document: document.as_ref(),
            entries: &entries,
        },
    );
    let sum: i64 = lines.iter().map(|line| line.amount.minor()).sum();
    let follows = before.unwrap_or(&wallet::GENESIS) == prev_hash && (before.is_some() || head.book_seq == 1);
    Ok(Transaction {
        id: TransactionId(head.id),
        book: head.book,
        sequence: head.book_seq,
        kind,
        ref_type: head.ref_type,
        ref_id: head.ref_id,
        event_at: head.event_time,
        recorded_at: head.recorded_at,
        idempotency_key: head.idempotency_key,
        actor: head.actor,
        reason: head.reason,
        prev_hash,
        hash,
        intact: sum == 0 && says == hash && follows,
        lines,
    })
}

/// The transaction of a line on this user's statement.
pub fn of_line(conn: &mut Conn, user: UserId, line: i64) -> Result<Option<TransactionId>, Error> {
    Ok(entries::table
        // Advertisers and publishers have entries with the same numbers, which are on no
        // statement.
        .filter(entries::id.eq(line).and(entries::owner_id.eq(user)).and(entries::flow.is_not_null()))
        .select(entries::transaction_id)
        .first(conn)
        .optional()?)
}

/// The entries of one of a user's accounts, newest first.
pub fn of_account(
    conn: &mut Conn,
    user: UserId,
    account: UserAccount,
    request: PageRequest,
) -> Result<Page<Line>, Error> {
    let code = Account::User(user, account).key().code;
    let rows: Vec<Row> = entries::table
        .filter(entries::owner_id.eq(user).and(entries::account_kind.eq(code)))
        // The index covers only users' accounts.
        .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("account_kind < 200"))
        .filter(entries::id.lt(request.below()))
        .order(entries::id.desc())
        .limit(request.fetch())
        .select(Row::as_select())
        .load(conn)?;
    cut(rows, request)
}

/// Whether this document set exactly this amount aside in this account of the user, and none of it has left since. What
/// was paid or given back is not set aside, whatever the document's row says.
pub fn is_set_aside(
    conn: &mut Conn,
    (user, account): (UserId, UserAccount),
    (document, amount): (Document, Money),
) -> Result<bool, Error> {
    let code = Account::User(user, account).key().code;
    let booked = entries::table
        .filter(entries::owner_id.eq(user).and(entries::account_kind.eq(code)))
        // The index covers only users' accounts.
        .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("account_kind < 200"))
        .filter(entries::ref_type.eq(document.name()).and(entries::ref_id.eq(document.number())));
    let left = booked.select(diesel::dsl::sql::<BigInt>("CAST(COALESCE(SUM(amount), 0) AS BIGINT)"));
    Ok(left.get_result::<i64>(conn)? == amount.minor())
}

/// The entries on a plan's hold, newest first.
pub fn of_plan(conn: &mut Conn, plan: PlanId, request: PageRequest) -> Result<Page<Line>, Error> {
    let rows: Vec<Row> = entries::table
        .filter(entries::plan_id.eq(plan).and(entries::id.lt(request.below())))
        .order(entries::id.desc())
        .limit(request.fetch())
        .select(Row::as_select())
        .load(conn)?;
    cut(rows, request)
}

fn cut(rows: Vec<Row>, request: PageRequest) -> Result<Page<Line>, Error> {
    let lines = rows.into_iter().map(Line::try_from).collect::<Result<_, _>>()?;
    Ok(Page::cut(lines, request, |line| line.id))
}

row! {
    struct Unsettled {
        plan_id: i64,
        payout: Money,
    }
}

/// What accepted conversions of the user's plans pay and is not settled yet, by plan.
pub fn sum_unsettled(conn: &mut Conn, user: UserId) -> Result<BTreeMap<i64, Money>, Error> {
    let open = Status::ALL.iter().filter(|status| !status.is_final());
    let rows: Vec<Unsettled> = diesel::sql_query(format!(
        "SELECT c.plan_id AS plan_id, CAST(SUM(c.payout) AS BIGINT) AS payout FROM plans p \
         JOIN conversions c ON c.plan_id = p.id WHERE p.user_id = $1 AND p.status IN ({}) \
         AND c.accepted AND c.reversed_at IS NULL GROUP BY c.plan_id",
        codes(open.map(|status| status.code()))
    ))
    .bind::<BigInt, _>(user.0)
    .load(conn)?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.payout)).collect())
}
