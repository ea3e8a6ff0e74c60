//! The bank's lines with a request's reference and amount, for whoever decides on it. A line has two references: the
//! bank's own, and what the payer wrote. Without these lines, a member of staff could have a payment credited under
//! each.

use bank::{Day, Document, Finding, LineFacts, match_up};
use base::{BankLineId, Timestamp};
use foundation::Error;
use foundation::staff::requests::view::BankLineUse;
use store::Conn;
use store::staff::requests::MoneyRequest;
use store::wallet::bank::matches::{self, Match};
use store::wallet::bank::{self as rows, StoredLine};
use wallet::{BankDocument, RequestKind};

use super::compare::texts;

/// How long before the day on which the request is shown its statement may end.
const LOOKED_BACK_DAYS: i64 = 62;
/// The most lines of the amount that are looked at.
const MOST_LINES: i64 = 500;

/// The lines of the last statements that have the request's reference and amount, and what they are matched with.
pub fn lines_named(conn: &mut Conn, request: &MoneyRequest, now: Timestamp) -> Result<Vec<BankLineUse>, Error> {
    let kind = match request.kind {
        RequestKind::Recharge => BankDocument::Recharge,
        RequestKind::AdvertiserFund => BankDocument::AdvertiserFund,
        RequestKind::Chargeback => BankDocument::Chargeback,
        _ => return Ok(Vec::new()),
    };
    let Some(reference) = request.reference.clone() else { return Ok(Vec::new()) };
    let (amount, from) = (kind.moves(request.amount)?, Day::of(now.plus_days(-LOOKED_BACK_DAYS)));
    let sought = Document { key: request.row(), amount, reference, counterparty: String::new(), day: Day::of(now) };
    let mut lines = rows::moving(conn, amount, from, MOST_LINES)?;
    lines.retain(|kept| names(kept, &sought));
    let ids: Vec<BankLineId> = lines.iter().map(|kept| kept.id).collect();
    let said = matches::of_lines(conn, &ids)?;
    Ok(lines.into_iter().map(|kept| view(kept, &said)).collect())
}

/// Whether the line names the document, as a certain match requires.
fn names(kept: &StoredLine, sought: &Document<i64>) -> bool {
    let line = &kept.line;
    let texts = texts(line);
    let facts = LineFacts {
        id: &line.id,
        booked_on: line.booked_on,
        amount: line.amount,
        texts: &texts,
        counterparty: &line.counterparty,
    };
    match_up(&[facts], std::slice::from_ref(sought), sought.day).lines == [Finding::Match(sought.key)]
}

fn view(kept: StoredLine, said: &[Match]) -> BankLineUse {
    let StoredLine { id, line, .. } = kept;
    let matched = said.iter().find(|found| found.line == id);
    let matched = matched.map(|found| found.document.map_or_else(|| "ignored".to_owned(), |of| of.key.to_string()));
    BankLineUse { line: id, on: line.booked_on.to_string(), counterparty: line.counterparty, matched }
}
