//! The sums by kind of account.

use base::Money;
use diesel::prelude::*;
use wallet::{Account, AccountKey, PUBLISHER_EARNINGS, PlatformAccount};

use crate::{Conn, Error};
use db::{One, row};

/// A kind of account: its name, the number of its entries, and their sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub account: String,
    pub entries: i64,
    pub balance: Money,
}

row! {
    struct LineRow {
        code: i16,
        entries: i64,
        balance: Money,
    }
}

pub fn trial_balance(conn: &mut Conn) -> Result<Vec<Line>, Error> {
    let rows: Vec<LineRow> = diesel::sql_query(
        "SELECT account_kind AS code, COUNT(*) AS entries, CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS balance \
         FROM entries GROUP BY account_kind ORDER BY account_kind",
    )
    .load(conn)?;
    let line = |row: LineRow| Line { account: name(row.code), entries: row.entries, balance: row.balance };
    Ok(rows.into_iter().map(line).collect())
}

/// What publishers and exchanges are owed: their accounts in [`trial_balance`], and the common account from before each
/// had one.
pub fn sum_owed_to_publishers(conn: &mut Conn) -> Result<Money, Error> {
    let before = Account::Platform(PlatformAccount::PublisherPayable).key().code;
    let sum = |code: i16| {
        format!("(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entries WHERE account_kind = {code})")
    };
    let sql = format!("SELECT {} + {} AS balance", sum(PUBLISHER_EARNINGS), sum(before));
    let row: One<Money> = diesel::sql_query(sql).get_result(conn)?;
    Ok(row.0)
}

/// What conversions may still claim, as stored in advertisers' rows; `ledger verify` compares each with its entries.
pub fn claims(conn: &mut Conn) -> Result<Money, Error> {
    let sql = "SELECT CAST(COALESCE(SUM(claims), 0) AS BIGINT) AS balance FROM advertisers";
    let row: One<Money> = diesel::sql_query(sql).get_result(conn)?;
    Ok(row.0)
}

fn name(code: i16) -> String {
    match Account::try_from(AccountKey { code, owner: 1, plan: 1 }) {
        Ok(Account::User(_, account)) => account.name().into(),
        Ok(Account::Hold { source, .. }) => format!("held_{}", source.name()),
        Ok(Account::Advertiser(_)) => "claims".into(),
        Ok(Account::Platform(account)) => account.name().into(),
        Ok(Account::Publisher(_)) => "publisher_earnings".into(),
        Err(_) => format!("unknown_{code}"),
    }
}
