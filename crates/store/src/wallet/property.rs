//! The figures at the top of the wallet, all from the same moment.

use std::collections::HashMap;

use base::{Money, Timestamp, UserId};
use db::bulk::{Statement, ascending};
use db::{codes, row, statement};
use diesel::QueryableByName;
use plans::Status;
use wallet::Wallet;

use crate::reckoned::{fee_on, fee_rate};
use crate::wallet::books::BalancesRow;
use crate::{Conn, Error, Lookup};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    pub wallet: Wallet,
    /// The user's own money that open plans still hold.
    pub to_be_consumed: Money,
    /// The part of it that is used up by delivery that is not billed yet.
    pub unbilled: Money,
    /// The fee that settlements will deduct from pending amounts.
    pub settlement_fees: Money,
    pub pay_password_set: bool,
    pub bank_card_bound: bool,
    pub payouts_held_until: Option<Timestamp>,
}

/// A user whose figures are requested.
pub struct PropertyOfUser(pub UserId);

row! {
    struct Row {
        #[diesel(embed)]
        balances: BalancesRow,
        held: Money,
        unbilled: Money,
        fees: Money,
        pay_password_set: bool,
        bank_card_bound: bool,
        payouts_held_until: Option<Timestamp>,
    }
}

// One statement, so that the figures add up while others write.
//
// Both sums are over all open plans, including those that wait for a match, because their link may bring customers
// already. They are not read if nothing is pending and nothing is unbilled: then nothing was earned either.
//
// Of a plan's unbilled delivery, the user pays only what exceeds the parts of coupon and credit, which are used first;
// `rolled_milli` is in thousandths.
//
// The fees are rounded down plan by plan, as at settlement.
statement!(OF_USERS, each: &format!(
    concat!(
        "SELECT w.user_id, w.available, w.pending, w.withdrawing, w.exchanging, w.deposit, w.promotional, w.advance, \
         (SELECT CAST(COALESCE(SUM(h.available), 0) AS BIGINT) FROM holds h WHERE h.user_id = w.user_id) AS held, \
         CAST(COALESCE(SUM(CASE WHEN o.delivered > o.given THEN o.delivered - o.given ELSE 0 END - \
         CASE WHEN o.billed > o.given THEN o.billed - o.given ELSE 0 END), 0) AS BIGINT) AS unbilled, \
         CAST(COALESCE(SUM(",
        fee_on!("o.revenue", "o.rate"),
        "), 0) AS BIGINT) AS fees, u.pay_password_hash IS NOT NULL AS pay_password_set, \
         EXISTS (SELECT 1 FROM bank_cards b WHERE b.user_id = w.user_id) AS bank_card_bound, u.payouts_held_until \
         FROM wallets w JOIN users u ON u.id = w.user_id LEFT JOIN (SELECT p.user_id, p.rolled_milli / 1000 AS delivered, \
         p.put_amount - p.paid_amount AS given, p.billed, p.revenue, ",
        fee_rate!("p.fee_rate"),
        " AS rate FROM plans p WHERE p.status IN ({open})) o ON o.user_id = w.user_id AND (w.pending <> 0 \
         OR EXISTS (SELECT 1 FROM unbilled_plans b WHERE b.user_id = w.user_id)) WHERE w.user_id = ANY(?) \
         GROUP BY w.user_id, u.id"
    ),
    open = codes(Status::under_way().map(Status::code))
));

impl Lookup for PropertyOfUser {
    type Answer = Option<Property>;
    type Error = Error;
    type Found = HashMap<UserId, Property>;

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Self::Found, Error> {
        let rows: Vec<Row> = OF_USERS.load(conn, &[ascending(asked.iter().map(|of| of.0.0)).into()])?;
        Ok(rows.into_iter().map(|row| (row.balances.user_id, Property::from(row))).collect())
    }

    fn answer(&self, found: &Self::Found) -> Result<Option<Property>, Error> {
        Ok(found.get(&self.0).copied())
    }
}

/// What a user owns, read on an existing connection; `None` for an unknown user.
pub fn of(conn: &mut Conn, user: UserId) -> Result<Option<Property>, Error> {
    let asked = PropertyOfUser(user);
    let found = PropertyOfUser::find(conn, std::slice::from_ref(&asked))?;
    asked.answer(&found)
}

impl From<Row> for Property {
    fn from(row: Row) -> Self {
        Self {
            wallet: row.balances.wallet(),
            to_be_consumed: row.held,
            unbilled: row.unbilled,
            settlement_fees: row.fees,
            pay_password_set: row.pay_password_set,
            bank_card_bound: row.bank_card_bound,
            payouts_held_until: row.payouts_held_until,
        }
    }
}
