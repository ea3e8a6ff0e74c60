//! What publishers have earned and were paid, and what was asked for.

use base::{Money, PublisherId, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use supply::Account;
use wallet::RequestKind;

use crate::{Conn, Error};

#[derive(QueryableByName)]
struct Sums {
    #[diesel(sql_type = BigInt)]
    earned: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    by_day: i64,
    #[diesel(sql_type = BigInt)]
    settled: i64,
    #[diesel(sql_type = BigInt)]
    asked: i64,
}

/// A publisher's account. `settled_by` is when its plans must have been settled. Decide on
/// it only under the lock on the publisher: bills may add to it meanwhile, and nothing else
/// changes it.
///
/// # Errors
/// [`Error::Corrupt`] if its days do not come to what its entries say: they tell how much
/// of it is settled.
pub fn account(
    conn: &mut Conn,
    publisher: PublisherId,
    settled_by: Timestamp,
    now: Timestamp,
) -> Result<Account, Error> {
    let payout = RequestKind::PublisherPayout.code();
    let sql = format!(
        "SELECT CAST(e.balance + p.paid AS BIGINT) AS earned, p.paid, d.by_day, d.settled, a.asked FROM \
         (SELECT COALESCE(SUM(amount), 0) AS balance FROM entries WHERE account_kind = 501 AND owner_id = $1) e, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS paid FROM money_requests \
         WHERE publisher_id = $1 AND kind = {payout} AND paid_at IS NOT NULL) p, \
         (SELECT CAST(COALESCE(SUM(d.earned), 0) AS BIGINT) AS by_day, CAST(COALESCE(SUM(CASE WHEN n.settled_at <= $2 \
         THEN d.earned ELSE 0 END), 0) AS BIGINT) AS settled FROM slot_days d JOIN plans n ON n.id = d.plan_id \
         WHERE d.publisher_id = $1) d, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS asked FROM money_requests WHERE publisher_id = $1 \
         AND kind = {payout} AND paid_at IS NULL AND (status = 1 OR (status = 0 AND expires_at > $3))) a"
    );
    let sums: Sums = diesel::sql_query(sql)
        .bind::<BigInt, _>(publisher.0)
        .bind::<BigInt, _>(settled_by.millis())
        .bind::<BigInt, _>(now.millis())
        .get_result(conn)?;
    if sums.by_day != sums.earned {
        return Err(Error::Corrupt(format!("the days of publisher {publisher} do not come to what it earned")));
    }
    let minor = Money::from_minor;
    Ok(Account {
        earned: minor(sums.earned),
        settled: minor(sums.settled),
        paid: minor(sums.paid),
        asked: minor(sums.asked),
    })
}
