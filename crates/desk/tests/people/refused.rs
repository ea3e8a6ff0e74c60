//! Why a movement was refused, kept for some days.

use base::{Timestamp, UserId};
use campaigns::work::round;
use diesel::connection::SimpleConnection;
use foundation::people::refused_movements::{Told, note, of, save};
use foundation::{App, Error};
use serde_json::{Value, json};
use store::on_both;
use store::people::refused_movements::KEPT;

use crate::support::app;

fn refuse(app: &App, user: UserId, number: i64, details: &Value) {
    let request_id = number.to_string();
    let endpoint = "POST /api/user/withdraw".to_owned();
    let told =
        Told { endpoint, reason: "insufficient_balance", details, lang: "en", message: "no", request_id: &request_id };
    note(app, user, told);
}

async fn kept(app: &App, user: UserId) -> Vec<String> {
    let now: Timestamp = app.now();
    let found = app.db.read(move |conn| of(conn, user, now)).await;
    found.map_err(|error: Error| error.to_string()).expect("read").into_iter().map(|kept| kept.request_id).collect()
}

async fn rename(app: &App, from: &str, to: &str) {
    let sql = format!("ALTER TABLE {from} RENAME TO {to}");
    let renamed = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    renamed.await.expect("renamed");
}

// Such as on PostgreSQL while a new table has no grants yet.
on_both!(who_cannot_be_told_of_keeps_no_bill_waiting, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    rename(&app, "refused_movements", "away").await;
    refuse(&app, user, 1, &json!({}));
    round(&app).await.expect("the other work is done");
    rename(&app, "away", "refused_movements").await;
    round(&app).await.expect("done");
    assert_eq!(kept(&app, user).await, ["1"]);
});

on_both!(the_latest_of_each_user_are_kept_for_two_weeks, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let other = test.user("other").await;
    for round in 0..3 {
        (0..15).for_each(|number| refuse(&app, user, round * 15 + number, &json!({})));
        refuse(&app, other, round, &json!({}));
        save(&app).await.expect("saved");
    }
    let latest: Vec<String> = (45 - KEPT..45).rev().map(|number| number.to_string()).collect();
    assert_eq!(kept(&app, user).await, latest);
    assert_eq!(kept(&app, other).await, ["2", "1", "0"]);
    test.clock.advance_seconds(15 * 86_400);
    assert_eq!(kept(&app, user).await, Vec::<String>::new());
    refuse(&app, other, 7, &json!({ "long": "x".repeat(5_000) }));
    save(&app).await.expect("saved");
    test.clock.advance_seconds(-15 * 86_400);
    assert_eq!((kept(&app, user).await, kept(&app, other).await), (Vec::new(), vec!["7".to_owned()]));
});
