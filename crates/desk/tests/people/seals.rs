//! Sessions and tickets are sealed: whoever can only write to the database lets nobody in.

use auth::Token;
use campaigns::AdServer;
use diesel::connection::SimpleConnection;
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::sessions::{authenticate_afresh, language_of, log_out};
use foundation::staff::audit_log::{seal_what_was_there, verify_audit};
use store::on_both;

use crate::support::{app, why};

async fn edit(app: &AdServer, sql: String) {
    let edited = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    edited.await.expect("edited");
}

async fn signed_in(app: &AdServer, name: &str) -> String {
    let ticket = issue_ticket(app, None, name).await.expect("a ticket");
    enter(app, ticket.text(), "a phone").await.expect("signed in").token
}

/// Another row like the one of this id, for a token of the intruder's own.
fn copied(columns: &str, values: &str, id: i64) -> String {
    format!("INSERT INTO sessions ({columns}) SELECT {values} FROM sessions WHERE id = {id}")
}

fn literal(app: &AdServer, bytes: &[u8]) -> String {
    let hex = auth::hex::encode(bytes);
    if app.db.sqlite_path().is_some() { format!("x'{hex}'") } else { format!("decode('{hex}', 'hex')") }
}

on_both!(a_session_that_somebody_put_in_lets_nobody_in, |t| {
    t.user("demo").await;
    let app = app(&t);
    let token = signed_in(&app, "demo").await;
    let id = authenticate_afresh(&app, &token).await.expect("good").session;
    let (with, without) = (Token::new(&[1; 32]), Token::new(&[2; 32]));
    for (token, seal) in [(&with, "seal"), (&without, "NULL")] {
        let values =
            format!("user_id, {}, entry, device, created_at, last_seen_at, {seal}", literal(&app, &token.digest()));
        edit(&app, copied("user_id, token_hash, entry, device, created_at, last_seen_at, seal", &values, id)).await;
        assert_eq!(why(authenticate_afresh(&app, token.text()).await), "token_expired", "{seal}");
        assert_eq!(language_of(&app, token.text()).await, None, "{seal}");
    }
    authenticate_afresh(&app, &token).await.expect("the user's own is as good as before");
});

on_both!(a_session_given_to_somebody_else_is_none, |t| {
    let (eve, demo) = (t.user("eve").await, t.user("demo").await);
    let app = app(&t);
    let token = signed_in(&app, "eve").await;
    edit(&app, format!("UPDATE sessions SET user_id = {demo} WHERE user_id = {eve}")).await;
    assert_eq!(why(authenticate_afresh(&app, &token).await), "token_expired");
    log_out(&app, &token).await.expect("it cannot fail");
});

on_both!(a_ticket_that_somebody_put_in_lets_nobody_in, |t| {
    let (eve, demo) = (t.user("eve").await, t.user("demo").await);
    let app = app(&t);
    let own = issue_ticket(&app, None, "eve").await.expect("a ticket");
    edit(&app, format!("UPDATE tickets SET user_id = {demo} WHERE user_id = {eve}")).await;
    assert_eq!(why(enter(&app, own.text(), "a phone").await), "ticket_invalid");
    let made = Token::new(&[3; 32]);
    let good_until = app.now().plus_days(1).millis();
    edit(
        &app,
        format!(
            "INSERT INTO tickets (ticket_hash, user_id, expires_at) VALUES ({}, {demo}, {good_until})",
            literal(&app, &made.digest())
        ),
    )
    .await;
    assert_eq!(why(enter(&app, made.text(), "a phone").await), "ticket_invalid");
});

// Sessions from before there were seals go on: they are sealed at the first start, and only then.
on_both!(sessions_from_before_are_sealed_once, |t| {
    t.user("demo").await;
    let app = app(&t);
    let (old, later) = (signed_in(&app, "demo").await, signed_in(&app, "demo").await);
    let forgotten = authenticate_afresh(&app, &later).await.expect("good").session;
    edit(&app, "UPDATE sessions SET seal = NULL".to_owned()).await;
    assert_eq!(why(authenticate_afresh(&app, &old).await), "token_expired");
    seal_what_was_there(&app).await.expect("sealed");
    authenticate_afresh(&app, &old).await.expect("good again");
    edit(&app, format!("UPDATE sessions SET seal = NULL WHERE id = {forgotten}")).await;
    seal_what_was_there(&app).await.expect("nothing to do");
    assert_eq!(why(authenticate_afresh(&app, &later).await), "token_expired");
    assert!(verify_audit(&app, None).await.expect("verified").ok);
});
