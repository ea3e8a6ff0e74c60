//! What the amounts of a database are in.

use store::installation::identity::keep_currency;
use store::on_both;

on_both!(the_first_currency_stays, |test| {
    let keep = |code: &'static str| test.db.here(move |conn| keep_currency(conn, code)).expect("a currency");
    assert_eq!(["EUR", "USD", "EUR"].map(keep), ["EUR"; 3]);
});
