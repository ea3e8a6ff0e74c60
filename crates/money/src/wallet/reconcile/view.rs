//! Statements and lines, as operators see them.

use bank::{Gap, Line, gaps};
use base::{BankLineId, BankStatementId, Money, OperatorId, Timestamp};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::wallet::bank::matches::{self, Match};
use store::wallet::bank::spans::{self, Spans};
use store::wallet::bank::{self as rows, Books, StoredLine, StoredStatement, Sums};
use store::{Conn, Page, PageRequest};
use wallet::{LineStatus, MatchStatus};

use super::compare::leftovers_of;
use super::proposals::ProposalsView;
use super::returned;
use crate::wallet::payment_files::PayoutView;

/// A statement, and the state of its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatementView {
    pub id: BankStatementId,
    pub account: String,
    pub currency: String,
    /// The bank's own number.
    pub number: String,
    /// Days, as `2026-01-31`.
    pub from: String,
    pub to: String,
    /// Decimals in the platform's currency, if the file has them.
    pub opening: Option<Money>,
    pub closing: Option<Money>,
    pub lines: i64,
    /// The sum of all its lines.
    pub moved: Money,
    pub matched: i64,
    pub matched_amount: Money,
    pub ignored: i64,
    pub ignored_amount: Money,
    pub open: i64,
    pub open_amount: Money,
    /// Entries of the file that moved nothing or were not booked.
    pub left_out: i64,
    pub imported_by: OperatorId,
    pub imported_at: Timestamp,
}

impl StatementView {
    pub(super) fn of(kept: StoredStatement, sums: &Sums) -> Result<Self, Error> {
        let sum = |status| sums.get(&(kept.id, status)).copied().unwrap_or_default();
        let (open, matched, ignored) = (sum(LineStatus::Open), sum(LineStatus::Matched), sum(LineStatus::Ignored));
        let moved = Money::sum([open.amount, matched.amount, ignored.amount])?;
        Ok(Self {
            id: kept.id,
            account: kept.account,
            currency: kept.currency,
            number: kept.number,
            from: kept.from.to_string(),
            to: kept.to.to_string(),
            opening: kept.opening,
            closing: kept.closing,
            lines: open.lines.saturating_add(matched.lines).saturating_add(ignored.lines),
            moved,
            matched: matched.lines,
            matched_amount: matched.amount,
            ignored: ignored.lines,
            ignored_amount: ignored.amount,
            open: open.lines,
            open_amount: open.amount,
            left_out: kept.left_out,
            imported_by: kept.imported_by,
            imported_at: kept.imported_at,
        })
    }
}

/// The ledger compared with all statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BooksView {
    /// Whether the ledger's bank balance is the sum of all lines, and nothing is in
    /// transit.
    pub agrees: bool,
    /// The sum of all lines: the bank's closing balances less its opening ones.
    pub statements: Money,
    /// The bank's balance in the ledger.
    pub bank: Money,
    /// The first less the second: open and ignored lines, and chargebacks that no line
    /// shows yet.
    pub difference: Money,
    /// Credited, but not on a line yet.
    pub recharge_clearing: Money,
    /// Paid out, but not on a line yet.
    pub payout_transit: Money,
}

impl BooksView {
    pub(super) fn of(books: &Books) -> Result<Self, Error> {
        let Books { lines: statements, bank, recharge_clearing, payout_transit } = *books;
        let difference = statements.minus(bank)?;
        let agrees = [difference, recharge_clearing, payout_transit].iter().all(|amount| amount.is_zero());
        Ok(Self { agrees, statements, bank, difference, recharge_clearing, payout_transit })
    }
}

/// A line's match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchView {
    /// Such as `recharge:5`; null if the line is none of ours.
    pub document: Option<String>,
    /// `proposed`, `confirmed`, `dropped`, `doubted` or `undone`.
    pub status: MatchStatus,
    pub reason: String,
    pub proposed_by: OperatorId,
    pub confirmed_by: Option<OperatorId>,
    pub confirmed_at: Option<Timestamp>,
}

impl From<&Match> for MatchView {
    fn from(found: &Match) -> Self {
        Self {
            document: found.document.map(|document| document.key.to_string()),
            status: found.review.status,
            reason: found.reason.clone(),
            proposed_by: found.proposed_by,
            confirmed_by: found.confirmed_by,
            confirmed_at: found.confirmed_at,
        }
    }
}

/// A bank line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineView {
    pub id: BankLineId,
    pub statement: BankStatementId,
    /// The bank's own reference.
    pub key: String,
    pub booked_on: String,
    /// A decimal in the platform's currency; negative if money went out.
    pub amount: Money,
    pub references: Vec<String>,
    pub counterparty: String,
    pub description: String,
    pub reversal: bool,
    /// `open`, `matched` or `ignored`.
    pub status: LineStatus,
    #[serde(rename = "match")]
    pub matched: Option<MatchView>,
}

impl LineView {
    pub(super) fn of(kept: StoredLine, matched: Option<&Match>) -> Self {
        let Line { id, booked_on, amount, references, counterparty, description, reversal } = kept.line;
        Self {
            id: kept.id,
            statement: kept.statement,
            key: id,
            booked_on: booked_on.to_string(),
            amount,
            references,
            counterparty,
            description,
            reversal,
            status: kept.status,
            matched: matched.map(MatchView::from),
        }
    }

    /// A line in its current state.
    pub(super) fn read(conn: &mut Conn, id: BankLineId) -> Result<Self, Error> {
        let kept = rows::find_line(conn, id)?.ok_or(Refusal::NotFound)?;
        let matched = matches::of_lines(conn, &[id])?.pop();
        Ok(Self::of(kept, matched.as_ref()))
    }
}

/// A line or a document without a counterpart, or with a different one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leftover {
    /// `waiting` for a second person, proposed by somebody who was `revoked` since,
    /// `difference`, `suggestion`, a payout that was `returned`, `unknown`, or `missing` at the bank.
    pub finding: String,
    /// The line; null for a missing document.
    pub line: Option<BankLineId>,
    /// The bank's own reference of the line.
    pub key: Option<String>,
    /// The day when it was booked, approved or paid.
    pub on: String,
    pub age_days: u64,
    /// A decimal in the platform's currency; negative if money went out.
    pub amount: Money,
    pub counterparty: String,
    /// The payment's references and its text.
    pub text: String,
    /// The username of the account whose reference the payment has, as the recharge page shows it.
    pub user: Option<String>,
    /// The documents that it is, differs from, or may be.
    pub documents: Vec<String>,
    /// The payout that came back with this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<PayoutView>,
}

/// Where something is missing between two statements of an account, or may be: with equal balances, no statement has
/// the days between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapView {
    /// The last day before it and the first day after it.
    pub after: String,
    pub before: String,
    /// The balances there.
    pub from: Money,
    pub to: Money,
}

impl From<&Gap> for GapView {
    fn from(gap: &Gap) -> Self {
        Self { after: gap.after.to_string(), before: gap.before.to_string(), from: gap.from, to: gap.to }
    }
}

/// A statement with the ledger's balances and its lines without a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownStatement {
    #[serde(flatten)]
    pub statement: StatementView,
    /// The number of lines that wait for a second person.
    pub waiting: usize,
    pub proposals: ProposalsView,
    pub books: BooksView,
    /// Whether nothing proves yet that its lines are all there were.
    pub unproven: bool,
    /// What is missing between the statements of its account.
    pub gaps: Vec<GapView>,
    /// The first unmatched lines, in the file's order.
    pub leftovers: Vec<Leftover>,
}

/// The most leftovers shown with a statement; `open` lists more.
const SHOWN: i64 = 200;

/// # Errors
/// `not_found`.
pub async fn show(app: &App, id: BankStatementId) -> Result<ShownStatement, Error> {
    let (now, vault) = (app.now(), app.secrets.vault());
    app.db
        .snapshot(move |conn| {
            let kept = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let (until, sums) = (kept.to, rows::sums(conn, &[id])?);
            let proposals = matches::proposals(conn, id)?;
            let lines = rows::open_of(conn, id, BankLineId(0), SHOWN)?;
            let unproven = spans::unproven(conn, &kept.account)?.contains(&id);
            let extents = Spans::of(conn, &kept.account)?.extents(&[]);
            let mut leftovers = leftovers_of(conn, &vault, lines, until, now)?.lines;
            returned::name(conn, &vault, &mut leftovers)?;
            Ok(ShownStatement {
                statement: StatementView::of(kept, &sums)?,
                waiting: proposals.len(),
                proposals: ProposalsView::of(&proposals)?,
                books: BooksView::of(&rows::books(conn)?)?,
                unproven,
                gaps: gaps(&extents).iter().map(GapView::from).collect(),
                leftovers,
            })
        })
        .await
}

/// All statements, newest first.
pub async fn statements(app: &App, page: PageRequest) -> Result<Page<StatementView>, Error> {
    app.db
        .read(move |conn| {
            let found = rows::page(conn, page)?;
            let ids: Vec<BankStatementId> = found.items.iter().map(|kept| kept.id).collect();
            let sums = rows::sums(conn, &ids)?;
            let items = found.items.into_iter().map(|kept| StatementView::of(kept, &sums)).collect::<Result<_, _>>()?;
            Ok(Page { items, next: found.next })
        })
        .await
}
