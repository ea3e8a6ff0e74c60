//! Reading statements in CAMT.053 (ISO 20022). All versions are accepted: the elements
//! we need have the same names in each, and namespaces are ignored.

mod draft;
mod entry;
mod walk;

use crate::mistakes::{Mistakes, Problem};
use crate::statement::Statement;
use crate::{MOST_BYTES, text};
use draft::Drafts;

/// Reads the statement of `account`, or of the one account in the file.
///
/// # Errors
/// Each wrong value with its line and element. Document types and entities are
/// refused, so that entity expansion cannot use up memory.
pub fn camt_053(bytes: &[u8], currency: &str, account: Option<&str>) -> Result<Statement, Mistakes> {
    if bytes.len() > MOST_BYTES {
        return Err(Mistakes::one(1, "the file", Problem::TooManyBytes { most: MOST_BYTES }));
    }
    let mut drafts = Drafts::new(currency);
    walk::walk(bytes, &mut drafts);
    choose(drafts.statements()?, account)
}

fn choose(mut statements: Vec<Statement>, account: Option<&str>) -> Result<Statement, Mistakes> {
    let plain = |account: &str| account.split_whitespace().collect::<String>().to_uppercase();
    let all: Vec<String> = statements.iter().map(|statement| statement.account.clone()).collect();
    if let Some(account) = account {
        statements.retain(|statement| plain(&statement.account) == plain(account));
        if statements.is_empty() {
            let account = text::tidy(account);
            return Err(Mistakes::one(1, "the file", Problem::NoStatement { account }));
        }
    }
    match (statements.pop(), statements.len()) {
        (Some(statement), 0) => Ok(statement),
        (None, _) => Err(Mistakes::one(1, "Stmt", Problem::Missing)),
        _ => Err(Mistakes::one(1, "the file", Problem::ManyStatements { accounts: all.join(", ") })),
    }
}

#[cfg(test)]
mod tests;
