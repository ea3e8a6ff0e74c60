//! Reading statements in CAMT.053 (ISO 20022). All versions are accepted: the elements
//! we need have the same names in each, and namespaces are ignored.

mod draft;
mod entry;
mod pages;
mod walk;

use crate::account::plain_account;
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::Statement;
use draft::{Drafts, Read};

/// Reads the statements of `account`, or of the one account in the file. Pages of a statement are one.
///
/// # Errors
/// Each wrong value with its line and element. Document types and entities are
/// refused, so that entity expansion cannot use up memory.
pub fn camt_053(text: &str, currency: &str, account: Option<&str>) -> Result<Vec<Statement>, Mistakes> {
    camt_as(text, currency, account, None)
}

/// Like the function above. Nothing is booked after `latest`.
///
/// # Errors
/// Those of [`camt_053`].
pub fn camt_as(
    text: &str,
    currency: &str,
    account: Option<&str>,
    latest: Option<Day>,
) -> Result<Vec<Statement>, Mistakes> {
    let account = account.map(plain_account);
    let mut drafts = Drafts::new(currency, account.clone(), latest);
    let outermost = walk::walk(text, &mut drafts);
    let read = drafts.finish()?;
    if read.statements.is_empty() && read.others.is_empty() && !outermost.contains("BkToCstmrStmt") {
        let nothing = outermost.is_empty();
        let problem = if nothing { Problem::Nothing } else { Problem::OtherElements { found: outermost } };
        return Err(Mistakes::one(1, "the file", problem));
    }
    choose(read, account)
}

fn choose(read: Read, account: Option<String>) -> Result<Vec<Statement>, Mistakes> {
    let Read { statements, others } = read;
    if let Some(account) = account.filter(|_| statements.is_empty()) {
        let in_another_currency = others.into_iter().find(|(other, _)| *other == account);
        let none = || Mistakes::one(1, "the file", Problem::NoStatement { account });
        return Err(in_another_currency.map_or_else(none, |(_, mistakes)| mistakes));
    }
    let Some(first) = statements.first().map(|statement| statement.account.clone()) else {
        let missing = || Mistakes::one(1, "Stmt", Problem::Missing);
        return Err(others.into_iter().next().map_or_else(missing, |(_, mistakes)| mistakes));
    };
    if statements.iter().any(|statement| statement.account != first) {
        let mut all: Vec<String> = statements.into_iter().map(|statement| statement.account).collect();
        all.sort();
        all.dedup();
        return Err(Mistakes::one(1, "the file", Problem::ManyStatements { accounts: all.join(", ") }));
    }
    Ok(statements)
}

#[cfg(test)]
mod forms_tests;
#[cfg(test)]
mod tests;
