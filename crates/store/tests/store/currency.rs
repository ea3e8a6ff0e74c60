//! What the amounts of a database are in.

use store::installation::identity::{keep_currency, record_currency};
use store::on_both;

on_both!(the_first_currency_stays, |test| {
    let keep = |code: &'static str| test.db.here(move |conn| keep_currency(conn, code)).expect("a currency");
    assert_eq!(["EUR", "USD", "EUR"].map(keep), ["EUR"; 3]);
});

on_both!(only_the_server_says_what_older_amounts_are_in, |test| {
    test.user("demo").await;
    let keep = |code: &'static str| test.db.here(move |conn| keep_currency(conn, code)).expect("a currency");
    let record = |code: &'static str| test.db.here(move |conn| record_currency(conn, code)).expect("a currency");
    assert_eq!(["USD", "EUR"].map(keep), ["USD", "EUR"], "a command of staff decides nothing");
    assert_eq!((record("EUR"), keep("USD"), record("USD")), ("EUR".into(), "EUR".into(), "EUR".into()));
});
