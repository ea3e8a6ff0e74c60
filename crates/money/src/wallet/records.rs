//! From a line of a statement to the ledger: its transaction, all entries, who caused
//! it, and whether its hash is right.

use base::{AdvertiserId, Money, OperatorId, PlanId, PublisherId, Timestamp, TransactionId, UserId, hex};
use foundation::accounts::finding;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::people::finding as names;
use store::wallet::books::Owner;
use store::wallet::records::{self as rows, Line, Transaction};
use store::{Conn, Page, PageRequest};
use wallet::{Account, FlowKind, TransactionKind};

/// One entry. Amounts are decimals in the platform's currency, signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryView {
    pub id: String,
    pub transaction_id: TransactionId,
    pub time: Timestamp,
    /// `user:7`, `advertiser:3` or `platform`.
    pub owner: String,
    /// `available`, `hold.available`, `claims`, `bank` and so on.
    pub account: String,
    /// The plan, for a hold.
    pub plan_id: Option<PlanId>,
    pub amount: Money,
    /// The balance after it; null for platform accounts, whose balance is the sum of
    /// their entries.
    pub balance: Option<Money>,
    /// Its kind on the user's statement; null if it is not shown there.
    pub kind: Option<FlowKind>,
    #[serde(rename = "ref")]
    pub reference: DocumentRef,
    pub remark: String,
}

/// A document, as the ledger names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentRef {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
}

impl From<Line> for EntryView {
    fn from(line: Line) -> Self {
        let (owner, account, plan) = named(line.account);
        Self {
            id: line.id.to_string(),
            transaction_id: line.transaction,
            time: line.at,
            owner,
            account,
            plan_id: plan,
            amount: line.amount,
            balance: line.balance,
            kind: line.flow,
            reference: DocumentRef { kind: line.ref_type, id: line.ref_id.to_string() },
            remark: line.remark,
        }
    }
}

/// An account's owner, the account's name, and its plan.
fn named(account: Account) -> (String, String, Option<PlanId>) {
    match account {
        Account::User(user, account) => (format!("user:{user}"), account.name().to_owned(), None),
        Account::Hold { user, plan, source } => (format!("user:{user}"), format!("hold.{}", source.name()), Some(plan)),
        Account::Advertiser(id) => (format!("advertiser:{id}"), "claims".to_owned(), None),
        Account::Platform(account) => ("platform".to_owned(), account.name().to_owned(), None),
        Account::Publisher(id) => (format!("publisher:{id}"), "earnings".to_owned(), None),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TransactionView {
    pub id: TransactionId,
    pub kind: TransactionKind,
    /// The owner of its book, and its position there.
    pub book: String,
    pub book_name: Option<String>,
    pub sequence: i64,
    pub event_at: Timestamp,
    pub recorded_at: Timestamp,
    /// `user:7`, `operator:3` or `system`, with the name.
    pub actor: String,
    pub actor_name: Option<String>,
    pub reason: String,
    /// The document that caused it.
    #[serde(rename = "ref")]
    pub reference: DocumentRef,
    /// What makes it happen only once: a bank's reference or a client's key.
    pub idempotency_key: Option<String>,
    pub entries: Vec<EntryView>,
    pub prev_hash: String,
    pub hash: String,
    /// It sums to zero, its hash matches its content, and it continues the one before it
    /// in its book.
    pub intact: bool,
}

/// # Errors
/// `not_found`.
pub async fn transaction(app: &App, id: TransactionId) -> Result<TransactionView, Error> {
    app.db.snapshot(move |conn| read(conn, id)).await
}

/// The transaction of a line on a user's statement.
///
/// # Errors
/// `not_found` for an unknown line or somebody else's.
pub async fn of_line(app: &App, name: &str, line: i64) -> Result<TransactionView, Error> {
    let name = name.to_owned();
    app.db
        .snapshot(move |conn| {
            let user = finding::read_named(conn, &name)?.user;
            let id = rows::of_line(conn, user, line)?.ok_or(Refusal::NotFound)?;
            read(conn, id)
        })
        .await
}

/// The entries on a plan's hold, newest first.
///
/// # Errors
/// `not_found`.
pub async fn of_plan(app: &App, plan_no: &str, page: PageRequest) -> Result<Page<EntryView>, Error> {
    let plan_no = plan_no.to_owned();
    let read = app.db.read(move |conn| {
        let (plan, _) = finding::plan(conn, &plan_no)?;
        Ok::<_, Error>(rows::of_plan(conn, plan.id, page)?)
    });
    Ok(read.await?.map(EntryView::from))
}

fn read(conn: &mut Conn, id: TransactionId) -> Result<TransactionView, Error> {
    let found = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
    let book = Owner::of_book(found.book).to_string();
    let (book_name, actor_name) = (name_of(conn, &book)?, name_of(conn, &found.actor)?);
    Ok(view(found, book, book_name, actor_name))
}

/// The name of `user:7`, `operator:3`, `advertiser:2` or `publisher:5`.
fn name_of(conn: &mut Conn, who: &str) -> Result<Option<String>, Error> {
    let Some((kind, id)) = who.split_once(':') else { return Ok(None) };
    let Ok(id) = id.parse::<i64>() else { return Ok(None) };
    Ok(match kind {
        "user" => names::by_id(conn, UserId(id))?.map(|named| named.username),
        "operator" => names::operator_name(conn, OperatorId(id))?,
        "advertiser" => names::advertiser_name(conn, AdvertiserId(id))?,
        "publisher" => store::delivery::publisher::find(conn, PublisherId(id))?.map(|row| row.name),
        _ => None,
    })
}

fn view(found: Transaction, book: String, book_name: Option<String>, actor_name: Option<String>) -> TransactionView {
    TransactionView {
        id: found.id,
        kind: found.kind,
        book,
        book_name,
        sequence: found.sequence,
        event_at: found.event_at,
        recorded_at: found.recorded_at,
        actor: found.actor,
        actor_name,
        reason: found.reason,
        reference: DocumentRef { kind: found.ref_type, id: found.ref_id.to_string() },
        idempotency_key: found.idempotency_key,
        entries: found.lines.into_iter().map(EntryView::from).collect(),
        prev_hash: hex::encode(&found.prev_hash),
        hash: hex::encode(&found.hash),
        intact: found.intact,
    }
}
