//! The figures at the top of the wallet, all of one moment.

use base::{Money, UserId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use wallet::Wallet;

use crate::{Conn, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    pub wallet: Wallet,
    /// What open plans still hold of the user's own money.
    pub to_be_consumed: Money,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    available: i64,
    #[diesel(sql_type = BigInt)]
    pending: i64,
    #[diesel(sql_type = BigInt)]
    withdrawing: i64,
    #[diesel(sql_type = BigInt)]
    exchanging: i64,
    #[diesel(sql_type = BigInt)]
    deposit: i64,
    #[diesel(sql_type = BigInt)]
    promotional: i64,
    #[diesel(sql_type = BigInt)]
    advance: i64,
    #[diesel(sql_type = BigInt)]
    to_be_consumed: i64,
    #[diesel(sql_type = Bool)]
    pay_password_set: bool,
    #[diesel(sql_type = Bool)]
    bank_card_bound: bool,
}

// One statement, so that the figures add up whatever moves beside it.
const QUERY: &str = "SELECT w.available, w.pending, w.withdrawing, w.exchanging, w.deposit, w.promotional, w.advance, \
    (SELECT CAST(COALESCE(SUM(h.available), 0) AS BIGINT) FROM holds h WHERE h.user_id = w.user_id) AS to_be_consumed, \
    u.pay_password_hash IS NOT NULL AS pay_password_set, \
    EXISTS (SELECT 1 FROM bank_cards b WHERE b.user_id = w.user_id) AS bank_card_bound \
    FROM wallets w JOIN users u ON u.id = w.user_id WHERE w.user_id = $1";

pub fn of(conn: &mut Conn, user: UserId) -> Result<Option<Property>, Error> {
    let row: Option<Row> = diesel::sql_query(QUERY).bind::<BigInt, _>(user.0).get_result(conn).optional()?;
    let minor = Money::from_minor;
    Ok(row.map(|row| Property {
        wallet: Wallet {
            user,
            available: minor(row.available),
            pending: minor(row.pending),
            withdrawing: minor(row.withdrawing),
            exchanging: minor(row.exchanging),
            deposit: minor(row.deposit),
            promotional: minor(row.promotional),
            advance: minor(row.advance),
        },
        to_be_consumed: minor(row.to_be_consumed),
        pay_password_set: row.pay_password_set,
        bank_card_bound: row.bank_card_bound,
    }))
}
