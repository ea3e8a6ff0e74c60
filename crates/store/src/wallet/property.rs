//! The figures at the top of the wallet, all of one moment.

use base::{Money, Timestamp, UserId};
use diesel::backend::Backend;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Bool, HasSqlType, Nullable};
use wallet::Wallet;

use crate::{Conn, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    pub wallet: Wallet,
    /// What open plans still hold of the user's own money.
    pub to_be_consumed: Money,
    /// What settlements will take as the platform's fee of what is pending.
    pub settlement_fees: Money,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
    pub payouts_held_until: Option<Timestamp>,
}

/// One statement, so that the figures add up whatever moves beside it. It is
/// a query of its own kind because diesel prepares any other written text anew each time.
#[derive(QueryId)]
struct OfUser(i64);

/// The fees are rounded down plan by plan, as settlement does: whole numbers of
/// both databases, at a rate in hundred millionths (statuses 1, 2, 4 and 5 are
/// matching, whose link may bring customers already, putting, put finished and
/// waiting for settlement). Where nothing is pending, nothing was earned.
const BEFORE_USER: &str = "SELECT w.available, w.pending, w.withdrawing, w.exchanging, w.deposit, w.promotional, \
    w.advance, \
    (SELECT CAST(COALESCE(SUM(h.available), 0) AS BIGINT) FROM holds h WHERE h.user_id = w.user_id), \
    CASE WHEN w.pending = 0 THEN 0 ELSE \
    (SELECT CAST(COALESCE(SUM(f.whole * f.rate + f.rest * f.rate / 100000000), 0) AS BIGINT) FROM (\
    SELECT p.revenue / 100000000 AS whole, p.revenue % 100000000 AS rest, \
    CAST(ROUND(CAST(p.fee_rate AS NUMERIC) * 100000000) AS BIGINT) AS rate FROM plans p \
    WHERE p.user_id = w.user_id AND p.status IN (1, 2, 4, 5) AND p.revenue > 0) f) END, \
    u.pay_password_hash IS NOT NULL, \
    EXISTS (SELECT 1 FROM bank_cards b WHERE b.user_id = w.user_id), \
    u.payouts_held_until \
    FROM wallets w JOIN users u ON u.id = w.user_id WHERE w.user_id = ";

impl<DB: Backend> QueryFragment<DB> for OfUser
where
    DB: HasSqlType<BigInt>,
    i64: ToSql<BigInt, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(BEFORE_USER);
        out.push_bind_param::<BigInt, _>(&self.0)
    }
}

/// Seven accounts, what holds hold, the fees to come, the two flags, and until when payouts wait.
impl Query for OfUser {
    type SqlType =
        (BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, Bool, Bool, Nullable<BigInt>);
}

impl RunQueryDsl<Conn> for OfUser {}

type Row = (i64, i64, i64, i64, i64, i64, i64, i64, i64, bool, bool, Option<i64>);

pub fn of(conn: &mut Conn, user: UserId) -> Result<Option<Property>, Error> {
    let row: Option<Row> = OfUser(user.0).get_result(conn).optional()?;
    Ok(row.map(|row| property(user, row)))
}

fn property(user: UserId, row: Row) -> Property {
    let (
        available,
        pending,
        withdrawing,
        exchanging,
        deposit,
        promotional,
        advance,
        to_be_consumed,
        fees,
        set,
        bound,
        held,
    ) = row;
    let minor = Money::from_minor;
    Property {
        wallet: Wallet {
            user,
            available: minor(available),
            pending: minor(pending),
            withdrawing: minor(withdrawing),
            exchanging: minor(exchanging),
            deposit: minor(deposit),
            promotional: minor(promotional),
            advance: minor(advance),
        },
        to_be_consumed: minor(to_be_consumed),
        settlement_fees: minor(fees),
        pay_password_set: set,
        bank_card_bound: bound,
        payouts_held_until: held.map(Timestamp::from_millis),
    }
}
