//! What publishers have earned, what they were paid, what was requested, and what was corrected.

use std::collections::BTreeMap;

use base::{Money, PublisherId, SlotId, Timestamp};
use delivery::{Outcome, ViewsOfDay};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use supply::{Account, Auctions, Correction, Figures, Movements, Payment, SlotDay};
use wallet::{PUBLISHER_EARNINGS, RequestKind, RequestStatus};

use crate::delivery::slot_figures::DAY_MILLIS;
use crate::delivery::ssp;
use crate::schema::{money_requests as requests, slot_day_filtered as filtered, slot_days, slots};
use crate::{Conn, Error};
use db::row;

row! {
    struct Sums {
        earned: Money,
        paid: Money,
        added: Money,
        taken_back: Money,
        given_back: Money,
        by_day: Money,
        settled: Money,
        asked: Money,
    }
}

/// A publisher's account. Only plans that were settled by `settled_by` count as payable. Decide on it only under the
/// lock on the publisher; then only bills may still add to it.
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
    let (credit, debit) = (RequestKind::PublisherCredit.code(), RequestKind::PublisherDebit.code());
    let (requested, approved) = (RequestStatus::Requested.code(), RequestStatus::Approved.code());
    let sql = format!(
        "SELECT CAST(e.balance + p.paid - c.added + c.taken_back + r.taken AS BIGINT) AS earned, p.paid, c.added, c.taken_back, \
         r.taken AS given_back, \
         d.by_day, d.settled, a.asked FROM \
         (SELECT COALESCE(SUM(amount), 0) AS balance FROM entries WHERE account_kind = {PUBLISHER_EARNINGS} AND owner_id = $1) e, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS paid FROM money_requests \
         WHERE publisher_id = $1 AND kind = {payout} AND paid_at IS NOT NULL) p, \
         (SELECT CAST(COALESCE(SUM(CASE kind WHEN {credit} THEN amount ELSE 0 END), 0) AS BIGINT) AS added, \
         CAST(COALESCE(SUM(CASE kind WHEN {debit} THEN amount ELSE 0 END), 0) AS BIGINT) AS taken_back \
         FROM money_requests WHERE publisher_id = $1 AND kind IN ({credit}, {debit}) AND status = {approved}) c, \
         (SELECT CAST(COALESCE(SUM(taken), 0) AS BIGINT) AS taken FROM delivery_refunds WHERE publisher_id = $1) r, \
         (SELECT CAST(COALESCE(SUM(d.earned), 0) AS BIGINT) AS by_day, CAST(COALESCE(SUM(CASE WHEN n.settled_at <= $2 \
         THEN d.earned ELSE 0 END), 0) AS BIGINT) AS settled FROM slot_days d JOIN plans n ON n.id = d.plan_id \
         WHERE d.publisher_id = $1) d, \
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS asked FROM money_requests WHERE publisher_id = $1 \
         AND kind = {payout} AND paid_at IS NULL AND (status = {approved} OR (status = {requested} AND expires_at > $3))) a"
    );
    let sums: Sums = diesel::sql_query(sql)
        .bind::<BigInt, _>(publisher.0)
        .bind::<BigInt, _>(settled_by.millis())
        .bind::<BigInt, _>(now.millis())
        .get_result(conn)?;
    if sums.by_day != sums.earned {
        return Err(Error::Corrupt(format!("the days of publisher {publisher} do not come to what it earned")));
    }
    Ok(Account {
        earned: sums.earned,
        settled: sums.settled,
        paid: sums.paid,
        asked: sums.asked,
        added: sums.added,
        taken_back: sums.taken_back,
        given_back: sums.given_back,
    })
}

/// A publisher's part of the bills of the days (UTC) since a time.
pub fn sum_earned_since(conn: &mut Conn, publisher: PublisherId, since: Timestamp) -> Result<Money, Error> {
    Ok(slot_days::table
        .filter(slot_days::publisher_id.eq(publisher))
        .filter(slot_days::day.ge(since.millis().div_euclid(DAY_MILLIS)))
        .select(diesel::dsl::sql::<BigInt>("CAST(COALESCE(SUM(earned), 0) AS BIGINT)"))
        .get_result(conn)?)
}

/// The content of a publisher's statement.
#[derive(Clone, Debug)]
pub struct MonthOfPublisher {
    /// The balances of its account at the beginning and at the end.
    pub opening: Money,
    pub closing: Money,
    pub days: Vec<SlotDay>,
    pub movements: Movements,
    /// The keys of its slots.
    pub keys: BTreeMap<SlotId, String>,
}

row! {
    struct Balances {
        opening: Money,
        closing: Money,
    }
}

/// A publisher's account from a time until another, both midnights (UTC).
pub fn month(
    conn: &mut Conn,
    publisher: PublisherId,
    from: Timestamp,
    until: Timestamp,
) -> Result<MonthOfPublisher, Error> {
    let before = |time: &str| {
        format!(
            "(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entries \
             WHERE account_kind = {PUBLISHER_EARNINGS} AND owner_id = $1 AND recorded_at < {time})"
        )
    };
    let sql = format!("SELECT {} AS opening, {} AS closing", before("$2"), before("$3"));
    let balances: Balances = diesel::sql_query(sql)
        .bind::<BigInt, _>(publisher.0)
        .bind::<BigInt, _>(from.millis())
        .bind::<BigInt, _>(until.millis())
        .get_result(conn)?;
    let days = days(conn, publisher, (from, until))?;
    let numbers: Vec<i64> = days.iter().map(|row| row.slot.0).collect();
    let keys: Vec<(SlotId, String)> = if numbers.is_empty() {
        Vec::new()
    } else {
        slots::table.filter(slots::id.eq_any(numbers)).select((slots::id, slots::key)).load(conn)?
    };
    Ok(MonthOfPublisher {
        opening: balances.opening,
        closing: balances.closing,
        days,
        movements: Movements {
            payments: payments(conn, publisher, (from, until))?,
            corrections: corrections(conn, publisher, (from, until))?,
        },
        keys: keys.into_iter().collect(),
    })
}

type ShownOfDay = (i64, i64, i64, i64, i64, Money, (i64, i64, i64));

/// The days of its slots, summed over all plans.
fn days(conn: &mut Conn, publisher: PublisherId, (from, until): (Timestamp, Timestamp)) -> Result<Vec<SlotDay>, Error> {
    use diesel::dsl::sql;
    let between = (from.millis().div_euclid(DAY_MILLIS), until.millis().div_euclid(DAY_MILLIS));
    let whole = |column: &str| sql::<BigInt>(&format!("CAST(SUM({column}) AS BIGINT)"));
    let shown: Vec<ShownOfDay> = slot_days::table
        .filter(slot_days::publisher_id.eq(publisher))
        .filter(slot_days::day.ge(between.0).and(slot_days::day.lt(between.1)))
        .group_by((slot_days::slot_id, slot_days::day))
        .select((
            slot_days::slot_id,
            slot_days::day,
            whole("impressions"),
            whole("clicks"),
            whole("viewable"),
            whole("earned"),
            (whole("by_picture"), whole("by_notice"), whole("confirmed")),
        ))
        .load(conn)?;
    let refused: Vec<(i64, i64, i16, i64)> = filtered::table
        .filter(filtered::publisher_id.eq(publisher))
        .filter(filtered::day.ge(between.0).and(filtered::day.lt(between.1)))
        .group_by((filtered::slot_id, filtered::day, filtered::reason))
        .select((filtered::slot_id, filtered::day, filtered::reason, whole("number")))
        .load(conn)?;
    let mut days = BTreeMap::<(i64, i64), Figures>::new();
    for (slot, day, impressions, clicks, viewable, earned, (by_picture, by_notice, confirmed)) in shown {
        let unconfirmed = ViewsOfDay { by_picture, by_notice, confirmed }.unconfirmed();
        let auctions = Auctions { unconfirmed, ..Auctions::default() };
        let figures = Figures { impressions, clicks, viewable, auctions, earned, ..Figures::default() };
        days.insert((slot, day), figures);
    }
    for (slot, day, reason, number) in refused {
        days.entry((slot, day)).or_default().filtered.insert(reason, number);
    }
    for (slot, day, outcome, number) in ssp::bids_and_wins(conn, publisher, between)? {
        let auctions = &mut days.entry((slot, day)).or_default().auctions;
        match outcome {
            Outcome::Bid => auctions.bids = number,
            _ => auctions.wins = number,
        }
    }
    let row = |((slot, day), figures): ((i64, i64), Figures)| {
        let day = Timestamp::from_millis(day.saturating_mul(DAY_MILLIS));
        SlotDay { day, slot: SlotId(slot), figures }
    };
    Ok(days.into_iter().map(row).collect())
}

fn payments(
    conn: &mut Conn,
    publisher: PublisherId,
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<Payment>, Error> {
    let rows: Vec<(Option<Timestamp>, Money, Option<String>)> = requests::table
        .filter(requests::publisher_id.eq(publisher).and(requests::kind.eq(RequestKind::PublisherPayout)))
        .filter(requests::paid_at.ge(from).and(requests::paid_at.lt(until)))
        .select((requests::paid_at, requests::amount, requests::reference))
        .load(conn)?;
    let payment = |(at, amount, reference): (Option<Timestamp>, Money, Option<String>)| {
        Some(Payment { at: at?, amount, reference: reference.unwrap_or_default() })
    };
    Ok(rows.into_iter().filter_map(payment).collect())
}

/// What corrections of the account and of delivery added or took back.
fn corrections(
    conn: &mut Conn,
    publisher: PublisherId,
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<Correction>, Error> {
    let mut all = of_account(conn, publisher, (from, until))?;
    all.extend(of_delivery(conn, publisher, (from, until))?);
    all.sort_by_key(|correction| correction.at);
    Ok(all)
}

row! {
    struct TakenBack {
        refunded_at: Timestamp,
        taken: i64,
        reason: String,
    }
}

fn of_delivery(
    conn: &mut Conn,
    publisher: PublisherId,
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<Correction>, Error> {
    let rows: Vec<TakenBack> = diesel::sql_query(
        "SELECT r.refunded_at, CAST(SUM(r.taken) AS BIGINT) AS taken, q.reason FROM delivery_refunds r \
         JOIN money_requests q ON q.id = r.request_id WHERE r.publisher_id = $1 AND r.refunded_at >= $2 AND r.refunded_at < $3 \
         GROUP BY q.id, q.reason, r.refunded_at HAVING SUM(r.taken) > 0 ORDER BY r.refunded_at, q.id",
    )
    .bind::<BigInt, _>(publisher.0)
    .bind::<BigInt, _>(from.millis())
    .bind::<BigInt, _>(until.millis())
    .load(conn)?;
    let correction = |row: TakenBack| {
        let amount = Money::from_minor(row.taken.saturating_neg());
        Correction { at: row.refunded_at, amount, reason: row.reason }
    };
    Ok(rows.into_iter().map(correction).collect())
}

fn of_account(
    conn: &mut Conn,
    publisher: PublisherId,
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<Correction>, Error> {
    let debit = RequestKind::PublisherDebit.code();
    let rows: Vec<(Option<Timestamp>, i16, i64, String)> = requests::table
        .filter(requests::publisher_id.eq(publisher))
        .filter(requests::kind.eq_any([RequestKind::PublisherCredit.code(), debit]))
        .filter(requests::status.eq(RequestStatus::Approved))
        .filter(requests::decided_at.ge(from).and(requests::decided_at.lt(until)))
        .select((requests::decided_at, requests::kind, requests::amount, requests::reason))
        .load(conn)?;
    let correction = |(at, kind, amount, reason): (Option<Timestamp>, i16, i64, String)| {
        let amount = Money::from_minor(if kind == debit { amount.saturating_neg() } else { amount });
        Some(Correction { at: at?, amount, reason })
    };
    Ok(rows.into_iter().filter_map(correction).collect())
}
