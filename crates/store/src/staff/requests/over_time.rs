//! The sums that were requested and approved over time, for limits on sums.

use base::{Money, Timestamp};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use wallet::{RequestKind, RequestStatus};

use super::{MoneyRequest, Named, Subject, request};
use crate::schema::{
    acceptors, advertisers, coupon_definitions, money_requests as requests, products, publishers, users,
};
use crate::{Conn, Error, Tx};

/// The sum of a kind for a user or publisher: what was approved since a time, and what waits.
pub fn sum_since(
    tx: &mut Tx<'_>,
    (kind, subject): (RequestKind, Subject),
    since: Timestamp,
) -> Result<(Money, Money), Error> {
    let (user, publisher) = match subject {
        Subject::User(id) => (Some(id.0), None),
        Subject::Publisher(id) => (None, Some(id.0)),
        _ => return Err(Error::Corrupt(format!("a {kind} is for a user or a publisher"))),
    };
    let asked = requests::status.eq(RequestStatus::Requested).and(requests::requested_at.ge(since));
    let open = asked.and(requests::expires_at.gt(tx.now()));
    // An approved request counts from the time of its approval.
    let approved = requests::status.eq(RequestStatus::Approved).and(requests::decided_at.ge(since));
    let of_status = |status: RequestStatus| {
        let code = status.code();
        sql::<BigInt>(&format!("CAST(COALESCE(SUM(CASE status WHEN {code} THEN amount ELSE 0 END), 0) AS BIGINT)"))
    };
    let mut query = requests::table
        .filter(requests::kind.eq(kind).and(approved.or(open)))
        .select((of_status(RequestStatus::Approved), of_status(RequestStatus::Requested)))
        .into_boxed();
    query = match (user, publisher) {
        (Some(user), _) => query.filter(requests::user_id.eq(user)),
        (_, publisher) => query.filter(requests::publisher_id.eq(publisher)),
    };
    let (approved, open): (i64, i64) = query.get_result(tx.conn())?;
    Ok((Money::from_minor(approved), Money::from_minor(open)))
}

/// The proposals of approved requests of a kind about a subject that were decided since a time.
pub fn find_agreed_since(
    conn: &mut Conn,
    kind: RequestKind,
    subject: Subject,
    since: Timestamp,
) -> Result<Vec<MoneyRequest>, Error> {
    let about = |name: &str| subject.named().filter(|(named, _)| *named == name).map(|(_, id)| id);
    let mut query = named!()
        .filter(requests::kind.eq(kind).and(requests::status.eq(RequestStatus::Approved)))
        .filter(requests::decided_at.ge(since))
        .order(requests::id)
        .into_boxed();
    query = match (about("advertiser"), about("publisher")) {
        (Some(advertiser), _) => query.filter(requests::advertiser_id.eq(advertiser)),
        (_, Some(publisher)) => query.filter(requests::publisher_id.eq(publisher)),
        _ => return Err(Error::Corrupt(format!("a {kind} is about an advertiser or a publisher"))),
    };
    let found: Vec<Named> = query.load(conn)?;
    found.into_iter().map(request).collect()
}
