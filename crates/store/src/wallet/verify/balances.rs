//! Compares stored figures with the sums of their entries.

use std::collections::HashMap;

use db::{One, codes};
use diesel::prelude::*;
use wallet::{Account, AccountKey, ExchangeStatus, WithdrawalStatus};

use super::faults::{Faults, Law};
use super::lines::Lines;
use crate::schema::{advertisers, holds, wallets};
use crate::{Conn, Error};

/// Compares every stored balance with its entries, and reserved amounts with their
/// documents.
pub(super) fn check(conn: &mut Conn, lines: &Lines, faults: &mut Faults) -> Result<(), Error> {
    let mut summed = lines.balances.clone();
    for (key, kept) in read_kept_balances(conn)? {
        let sum = summed.remove(&key).unwrap_or(0);
        if sum != kept {
            faults.add(Law::Balances, || format!("{} keeps {kept}, its entries sum to {sum}", named(key)));
        }
    }
    let mut homeless: Vec<AccountKey> = summed.into_keys().collect();
    homeless.sort_unstable();
    for key in homeless {
        faults.add(Law::Balances, || format!("{} has entries and is kept nowhere", named(key)));
    }
    check_incomes(conn, &lines.income, faults)?;
    for (sql, what) in laws() {
        for id in broken(conn, &sql)? {
            faults.add(Law::Balances, || what.replace("{}", &id.to_string()));
        }
    }
    Ok(())
}

/// Compares the totals of everything that was ever credited to `available`.
fn check_incomes(conn: &mut Conn, summed: &HashMap<i64, i64>, faults: &mut Faults) -> Result<(), Error> {
    let kept: Vec<(i64, i64)> = wallets::table.select((wallets::user_id, wallets::income)).load(conn)?;
    for (user, kept) in kept {
        let sum = summed.get(&user).copied().unwrap_or(0);
        if sum != kept {
            faults.add(Law::Balances, || {
                format!("the income of user {user} is kept as {kept}, its entries sum to {sum}")
            });
        }
    }
    Ok(())
}

fn named(key: AccountKey) -> String {
    match Account::try_from(key) {
        Ok(Account::User(user, account)) => format!("account {} of user {user}", account.name()),
        Ok(Account::Hold { user, plan, source }) => {
            format!("the hold of plan {plan} of user {user} ({})", source.name())
        }
        Ok(Account::Advertiser(id)) => format!("the claims of advertiser {id}"),
        _ => format!("account {} of {}", key.code, key.owner),
    }
}

/// Every stored balance, by account.
fn read_kept_balances(conn: &mut Conn) -> Result<Vec<(AccountKey, i64)>, Error> {
    type Balances = (i64, i64, i64, i64, i64, i64, i64, i64);
    let users: Vec<Balances> = wallets::table
        .select((
            wallets::user_id,
            wallets::available,
            wallets::pending,
            wallets::withdrawing,
            wallets::exchanging,
            wallets::deposit,
            wallets::promotional,
            wallets::advance,
        ))
        .load(conn)?;
    let held: Vec<(i64, i64, i64, i64, i64)> = holds::table
        .select((holds::user_id, holds::plan_id, holds::available, holds::promotional, holds::coupon))
        .load(conn)?;
    let claims: Vec<(i64, i64)> = advertisers::table.select((advertisers::id, advertisers::claims)).load(conn)?;
    let mut kept = Vec::with_capacity(users.len() * 7 + held.len() * 3 + claims.len());
    for (user, available, pending, withdrawing, exchanging, deposit, promotional, advance) in users {
        let balances = [available, pending, withdrawing, exchanging, deposit, promotional, advance];
        kept.extend((101..).zip(balances).map(|(code, b)| (AccountKey { code, owner: user, plan: 0 }, b)));
    }
    for (owner, plan, available, promotional, coupon) in held {
        kept.extend(
            (201..).zip([available, promotional, coupon]).map(|(code, b)| (AccountKey { code, owner, plan }, b)),
        );
    }
    kept.extend(claims.into_iter().map(|(owner, b)| (AccountKey { code: 301, owner, plan: 0 }, b)));
    Ok(kept)
}

/// Queries that must find nothing, and what a result means.
fn laws() -> [(String, &'static str); 5] {
    [
        (HOLD_OF_OTHERS.to_owned(), "the hold of plan {} is not its user's, or the plan is not there"),
        (HOLD_NOT_LEFT.to_owned(), "the hold of plan {} is not what the plan has left"),
        (set_aside_to_exchange(), "what user {} has set aside to exchange is not what the open order says"),
        (set_aside_to_withdraw(), "what user {} is withdrawing is not what the open withdrawals say"),
        (COUPONS_GIVEN.to_owned(), "coupon definition {} does not count the coupons that users were given"),
    ]
}

const HOLD_OF_OTHERS: &str = "SELECT h.plan_id AS id FROM holds h LEFT JOIN plans p ON p.id = h.plan_id \
     AND p.user_id = h.user_id WHERE p.id IS NULL ORDER BY h.plan_id LIMIT 20";
/// A hold must be the plan's budget less what was billed and returned.
const HOLD_NOT_LEFT: &str = "SELECT p.id AS id FROM plans p LEFT JOIN holds h ON h.plan_id = p.id \
     WHERE COALESCE(h.available + h.promotional + h.coupon, 0) <> p.put_amount - p.billed - p.returned \
     ORDER BY p.id LIMIT 20";
/// Compares the amount set aside with the user's pending exchange orders.
fn set_aside_to_exchange() -> String {
    format!(
        "SELECT w.user_id AS id FROM wallets w LEFT JOIN (SELECT user_id, \
     CAST(SUM(amount) AS BIGINT) AS open FROM exchange_orders WHERE status = {} GROUP BY user_id) o \
     ON o.user_id = w.user_id WHERE w.exchanging <> COALESCE(o.open, 0) LIMIT 20",
        ExchangeStatus::Pending.code()
    )
}

/// Compares the amount set aside with withdrawals that are pending or approved.
fn set_aside_to_withdraw() -> String {
    format!(
        "SELECT w.user_id AS id FROM wallets w LEFT JOIN (SELECT user_id, \
     CAST(SUM(amount) AS BIGINT) AS open FROM withdrawals WHERE status IN ({}) GROUP BY user_id) o \
     ON o.user_id = w.user_id WHERE w.withdrawing <> COALESCE(o.open, 0) LIMIT 20",
        codes([WithdrawalStatus::Pending, WithdrawalStatus::Approved].map(WithdrawalStatus::code))
    )
}

/// Compares the count that limits how many coupons may still be given out.
const COUPONS_GIVEN: &str = "SELECT d.id AS id FROM coupon_definitions d LEFT JOIN (SELECT definition_id, \
     COUNT(*) AS given FROM coupons GROUP BY definition_id) c ON c.definition_id = d.id \
     WHERE d.given <> COALESCE(c.given, 0) ORDER BY d.id LIMIT 20";

fn broken(conn: &mut Conn, sql: &str) -> Result<Vec<i64>, Error> {
    let rows: Vec<One<i64>> = diesel::sql_query(sql).load(conn)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
