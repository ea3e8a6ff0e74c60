//! Values in columns, read and written as what they are on both databases.

use base::{Money, PlanId, Rate, Timestamp};
use db::bulk::Statement;
use db::{insert, statement, update};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Text};
use plans::{Cause, Pricing, Status};
use store::{Conn, Error, on_both};

const TABLE: &str = "CREATE TABLE tried (id BIGINT NOT NULL UNIQUE, status SMALLINT NOT NULL, reason TEXT NOT NULL, \
     amount BIGINT NOT NULL, rate TEXT NOT NULL, at BIGINT, pricing SMALLINT)";

#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Tried {
    #[diesel(sql_type = BigInt)]
    id: PlanId,
    #[diesel(sql_type = SmallInt)]
    status: Status,
    #[diesel(sql_type = Text)]
    reason: Cause,
    #[diesel(sql_type = BigInt)]
    amount: Money,
    #[diesel(sql_type = Text)]
    rate: Rate,
    #[diesel(sql_type = Nullable<BigInt>)]
    at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    pricing: Option<Pricing>,
}

insert! {
    struct New<'a>, INSERT into "tried" {
        id: PlanId,
        status: Status,
        reason: Cause,
        amount += Money,
        rate = &'a Rate,
        at: Option<Timestamp>,
        pricing: Option<Pricing>,
    } then "ON CONFLICT (id)"
}
update! {
    struct Changed, CHANGE of "tried" {
        status: Status,
        amount -= Money,
        at: Option<Timestamp>,
    } by { id: PlanId } only ("t.pricing IS NULL") returning ("id, status, reason, amount, rate, at, pricing")
}
statement!(FIND, each: "SELECT id, status, reason, amount, rate, at, pricing FROM tried WHERE id = ANY(?)", lock: "ORDER BY id FOR NO KEY UPDATE");

fn all(conn: &mut Conn, ids: [i64; 2]) -> Result<Vec<Tried>, Error> {
    FIND.load(conn, &[ids.map(PlanId).to_vec().into()])
}

on_both!(values_come_back_as_they_went, |test| {
    let at = Timestamp::from_millis(1_700_000_000_123);
    let rates = ["0.05", "0.5"].map(|rate| rate.parse::<Rate>().expect("a rate"));
    let (first, changed, found) = test
        .db
        .write(move |tx| {
            let conn: &mut Conn = tx;
            conn.batch_execute(TABLE)?;
            let row = |id, pricing: Option<Pricing>, rate| New {
                id: PlanId(id),
                status: Status::Putting,
                reason: Cause::FirstDelivery,
                amount: Money::from_minor(-5),
                rate,
                at: pricing.map(|_| at),
                pricing,
            };
            let rows = [row(1, None, &rates[0]), row(2, Some(Pricing::Cpc), &rates[0])];
            INSERT.execute(conn, &New::columns(&rows))?;
            let first = all(conn, [1, 2])?;
            // A row that is there is raised in one column, set in another, and stays as it is besides.
            INSERT.execute(conn, &New::columns(&[row(2, None, &rates[1])]))?;
            let change =
                |id| Changed { status: Status::Settled, amount: Money::from_minor(7), at: Some(at), id: PlanId(id) };
            let changed: Vec<Tried> = CHANGE.load(conn, &Changed::columns(&[change(1), change(2)]))?;
            let found = all(conn, [1, 2])?;
            conn.batch_execute("DROP TABLE tried")?;
            Ok::<_, Error>((first, changed, found))
        })
        .await
        .expect("tried");
    let row = |id, pricing, at| Tried {
        id: PlanId(id),
        status: Status::Putting,
        reason: Cause::FirstDelivery,
        amount: Money::from_minor(-5),
        rate: rates[0],
        at,
        pricing,
    };
    assert_eq!(first, [row(1, None, None), row(2, Some(Pricing::Cpc), Some(at))]);
    let one = Tried { status: Status::Settled, amount: Money::from_minor(-12), ..row(1, None, Some(at)) };
    let two = Tried { amount: Money::from_minor(-10), rate: rates[1], ..row(2, Some(Pricing::Cpc), Some(at)) };
    assert_eq!(changed, std::slice::from_ref(&one), "the other has a price");
    assert_eq!(found, [one, two]);
});

on_both!(what_no_value_has_is_a_damaged_row, |test| {
    for (select, what) in [
        ("SELECT CAST(99 AS SMALLINT) AS status, 'put' AS reason, '0.05' AS rate", "no such code: 99"),
        ("SELECT CAST(1 AS SMALLINT) AS status, 'a whim' AS reason, '0.05' AS rate", "a whim is no Cause"),
        ("SELECT CAST(1 AS SMALLINT) AS status, 'put' AS reason, 'much' AS rate", "not a plain decimal number"),
    ] {
        let read =
            test.db.read(move |conn| Ok::<_, Error>(diesel::sql_query(select).get_result::<Damaged>(conn)?)).await;
        assert!(matches!(&read, Err(Error::Corrupt(why)) if why.contains(what)), "{read:?}");
    }
});

#[derive(Debug, QueryableByName)]
#[allow(dead_code, reason = "it cannot be read")]
struct Damaged {
    #[diesel(sql_type = SmallInt)]
    status: Status,
    #[diesel(sql_type = Text)]
    reason: Cause,
    #[diesel(sql_type = Text)]
    rate: Rate,
}
