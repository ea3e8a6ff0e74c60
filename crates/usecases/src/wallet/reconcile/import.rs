//! Importing a statement.

use std::collections::BTreeMap;

use auth::{Permission, Vault};
use bank::{Finding, Line, Statement};
use base::{BankLineId, BankStatementId, Money, Timestamp};
use serde::Serialize;
use serde_json::json;
use store::wallet::bank::{self as rows, OverlappingLine, matches};
use store::{Conn, Tx};

use super::compare::{Comparison, certain, compare};
use super::view::Leftover;
use crate::staff::Staff;
use crate::{App, Error, Refusal};

/// The result of importing a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedStatement {
    /// The statement's number; `None` for a dry run.
    pub id: Option<String>,
    pub dry_run: bool,
    pub account: String,
    pub currency: String,
    pub number: String,
    pub from: String,
    pub to: String,
    pub opening: Option<String>,
    pub closing: Option<String>,
    /// The number of lines in the file, and of those already known from another
    /// statement.
    pub lines: usize,
    pub known: usize,
    /// Entries that move nothing or are not booked.
    pub left_out: u64,
    /// Lines with a certain match, which wait for a second person.
    pub matched: usize,
    pub differences: usize,
    pub suggestions: usize,
    pub unknown: usize,
    /// Documents that the bank should have shown by the statement's end.
    pub missing: usize,
    /// The first lines and documents without a match.
    pub leftovers: Vec<Leftover>,
}

/// The most leftovers listed; `open` lists all of them.
const SHOWN: usize = 200;

/// Stores a statement and proposes the certain matches; nothing is booked. With `dry_run`
/// nothing is stored.
///
/// # Errors
/// `not_permitted`; `statement_imported` if the file or all of its lines were imported
/// before; `bank_line_changed` if a line differs from before.
pub async fn import(
    app: &App,
    by: &Staff,
    statement: Statement,
    digest: [u8; 32],
    dry_run: bool,
) -> Result<ImportedStatement, Error> {
    by.may(Permission::Money)?;
    let (by, now, vault) = (by.clone(), app.now(), app.secrets.vault());
    if dry_run {
        return app.db.snapshot(move |conn| look_at(conn, &vault, &statement, &digest, now)).await;
    }
    app.db.write(move |tx| keep(tx, &vault, &by, &statement, &digest)).await
}

fn look_at(
    conn: &mut Conn,
    vault: &Vault,
    statement: &Statement,
    digest: &[u8; 32],
    now: Timestamp,
) -> Result<ImportedStatement, Error> {
    let new = new_lines(conn, statement, digest)?;
    let compared = compare(conn, vault, &new, statement.to)?;
    ImportedStatement::of(statement, &new, &compared, now)
}

fn keep(
    tx: &mut Tx<'_>,
    vault: &Vault,
    by: &Staff,
    statement: &Statement,
    digest: &[u8; 32],
) -> Result<ImportedStatement, Error> {
    let new = new_lines(tx, statement, digest)?;
    let id = rows::insert(tx, statement, digest, by.id()).map_err(|error| {
        // Somebody else imported the same file at the same time.
        if error.is_unique_violation() {
            Refusal::StatementImported { statement: None }.into()
        } else {
            Error::Store(error)
        }
    })?;
    let written = rows::insert_lines(tx, id, &statement.account, &new)?;
    let compared = compare(tx, vault, &new, statement.to)?;
    let rows_of_new: Vec<BankLineId> = new
        .iter()
        .map(|line| written.get(&line.id).copied().ok_or_else(|| not_written(line)))
        .collect::<Result<_, _>>()?;
    let proposals: Vec<_> = certain(rows_of_new.into_iter(), &compared.findings).collect();
    matches::propose(tx, &proposals, by.reason(), by.id())?;
    let shown = ImportedStatement::of(statement, &new, &compared, tx.now())?.kept(id, &written);
    let details = json!({
        "account": statement.account,
        "from": shown.from,
        "to": shown.to,
        "lines": new.len(),
        "matched": shown.matched,
    });
    by.record(tx, "bank.import", format!("bank_statement:{id}"), &details)?;
    Ok(shown)
}

fn not_written(line: &Line) -> Error {
    Error::Internal(format!("the bank's line {} was not kept", line.id))
}

/// The lines that no other statement of the account has.
fn new_lines<'a>(conn: &mut Conn, statement: &'a Statement, digest: &[u8; 32]) -> Result<Vec<&'a Line>, Error> {
    if let Some(id) = rows::find_by_digest(conn, digest)? {
        return Err(Refusal::StatementImported { statement: Some(id) }.into());
    }
    let known: BTreeMap<String, OverlappingLine> = rows::overlapping(conn, &statement.account, &statement.lines)?
        .into_iter()
        .map(|k| (k.line_key.clone(), k))
        .collect();
    let mut new = Vec::with_capacity(statement.lines.len());
    for line in &statement.lines {
        match known.get(&line.id) {
            None => new.push(line),
            Some(before) if before.agrees(line) => {}
            Some(_) => return Err(Refusal::BankLineChanged { line: line.id.clone() }.into()),
        }
    }
    match known.values().next() {
        Some(before) if new.is_empty() => {
            Err(Refusal::StatementImported { statement: Some(before.statement()) }.into())
        }
        _ => Ok(new),
    }
}

impl ImportedStatement {
    fn of(statement: &Statement, new: &[&Line], compared: &Comparison, now: Timestamp) -> Result<Self, Error> {
        let count = |wanted: fn(&Finding<_>) -> bool| compared.findings.lines.iter().filter(|f| wanted(f)).count();
        let missing = compared.missing(now)?;
        let mut leftovers = compared.leftovers(new, now);
        let of_documents = missing.len();
        leftovers.extend(missing);
        leftovers.truncate(SHOWN);
        Ok(Self {
            id: None,
            dry_run: true,
            account: statement.account.clone(),
            currency: statement.currency.clone(),
            number: statement.number.clone(),
            from: statement.from.to_string(),
            to: statement.to.to_string(),
            opening: statement.opening.as_ref().map(Money::to_string),
            closing: statement.closing.as_ref().map(Money::to_string),
            lines: statement.lines.len(),
            known: statement.lines.len() - new.len(),
            left_out: statement.left_out,
            matched: count(|f| matches!(f, Finding::Match(_))),
            differences: count(|f| matches!(f, Finding::Difference(_))),
            suggestions: count(|f| matches!(f, Finding::Suggestion(_))),
            unknown: count(|f| matches!(f, Finding::Unknown)),
            missing: of_documents,
            leftovers,
        })
    }

    /// With the numbers of its lines.
    fn kept(mut self, id: BankStatementId, written: &BTreeMap<String, BankLineId>) -> Self {
        self.id = Some(id.to_string());
        self.dry_run = false;
        for leftover in &mut self.leftovers {
            leftover.line = leftover.key.as_ref().and_then(|key| written.get(key)).map(BankLineId::to_string);
        }
        self
    }
}
