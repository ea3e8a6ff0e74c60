use campaigns::AdServer;
use std::time::{Duration, Instant};

use auth::{AccountStatus, Entry, Role};
use base::UserId;
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::opening_store::open_store;
use foundation::people::sessions;
use foundation::people::sessions::{
    SessionSelection, authenticate, authenticate_afresh, end_sessions, find_known, language_of, list_sessions, log_out,
};
use foundation::people::staff_accounts::{change_status, end_account_sessions};
use foundation::people::user_info::{EditUser, edit_user};
use foundation::with_patience;
use futures_util::future::join_all;
use store::on_both;
use store::testing::TestDb;

use crate::support::{app, staff, why};

/// The longest that another process's change may go unnoticed, with room for a slow
/// machine.
const AT_MOST: Duration = Duration::from_millis(3_500);

/// Signs `demo` in by ticket, and makes sure that the session is cached here.
async fn signed_in(app: &AdServer) -> String {
    let ticket = issue_ticket(app, None, "demo").await.expect("a ticket");
    let token = enter(app, ticket.text(), "a phone").await.expect("signed in").token;
    authenticate(app, &token).await.expect("good");
    assert!(find_known(app, &token).is_some());
    token
}

async fn last_seen(app: &AdServer, user: UserId) -> String {
    list_sessions(app, user, None).await.expect("sessions").remove(0).last_seen.to_string()
}

on_both!(another_process_notices_at_once_or_within_three_seconds, |test| {
    test.user("demo").await;
    let (here, there) = (app(&test), app(&test));
    let (one, two) = (signed_in(&here).await, signed_in(&here).await);
    for token in [&one, &two] {
        authenticate(&there, token).await.expect("good");
        log_out(&here, token).await.expect("out");
        assert_eq!(why(authenticate(&here, token).await), "token_expired");
    }
    let ended = Instant::now();
    assert_eq!(why(authenticate_afresh(&there, &one).await), "token_expired");
    // Once it was noticed, reads know it too.
    assert_eq!(why(authenticate(&there, &one).await), "token_expired");
    while authenticate(&there, &two).await.is_ok() {
        assert!(ended.elapsed() < AT_MOST, "still good after {:?}", ended.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
});

on_both!(a_caller_waits_for_a_slow_write_no_longer_than_it_wants, |test| {
    let user = test.user("demo").await;
    let app = app(&test);
    let token = signed_in(&app).await;
    let slow = app.write_and_forget(user, |_| {
        std::thread::sleep(Duration::from_millis(300));
        Ok(())
    });
    assert_eq!(why(with_patience(Duration::from_millis(30), slow).await), "outcome_unknown");
    // It is done nevertheless.
    while find_known(&app, &token).is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
});

on_both!(a_session_ended_here_is_never_good_again, |test| {
    let user = test.user("demo").await;
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;

    let token = signed_in(&app).await;
    log_out(&app, &token).await.expect("out");
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");

    let token = signed_in(&app).await;
    let id = authenticate(&app, &token).await.expect("good").session;
    end_sessions(&app, user, SessionSelection::One(id)).await.expect("ended");
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");

    let token = signed_in(&app).await;
    end_sessions(&app, user, SessionSelection::All).await.expect("ended");
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");

    let token = signed_in(&app).await;
    end_account_sessions(&app, ann.clone(), "demo").await.expect("ended");
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");

    // A sixth session ends the first.
    let token = signed_in(&app).await;
    for _ in 0..5 {
        test.clock.advance_seconds(1);
        signed_in(&app).await;
    }
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");

    let token = signed_in(&app).await;
    change_status(&app, ann, "demo", AccountStatus::Disabled).await.expect("disabled");
    assert_eq!(why(authenticate(&app, &token).await), "account_disabled");
});

on_both!(what_a_session_says_changes_at_once, |test| {
    let user = test.user_with_store("demo", false).await;
    let app = app(&test);
    let token = signed_in(&app).await;
    let edit = EditUser { lang: Some("zh".into()), ..EditUser::default() };
    edit_user(&app, user, Entry::App, edit).await.expect("edited");
    let caller = authenticate(&app, &token).await.expect("good");
    assert_eq!((caller.lang.code(), caller.store_opened), ("zh", false));
    assert_eq!(language_of(&app, &token).await.map(i18n::Lang::code), Some("zh"));
    test.code("AAAA").await;
    open_store(&app, (user, Entry::App), "AAAA", None).await.expect("opened");
    assert!(authenticate(&app, &token).await.expect("good").store_opened);
});

on_both!(a_known_session_grows_old_like_any, |test| {
    let user = test.user("demo").await;
    let app = app(&test);
    let token = signed_in(&app).await;
    let begun = last_seen(&app, user).await;
    test.clock.advance_seconds(60);
    authenticate(&app, &token).await.expect("good");
    assert_eq!(last_seen(&app, user).await, begun);
    test.clock.advance_seconds(1);
    assert!(find_known(&app, &token).is_none(), "it is to be marked as seen");
    authenticate(&app, &token).await.expect("good");
    assert_eq!(last_seen(&app, user).await, test.clock.now().to_string());
    assert!(find_known(&app, &token).is_some());
    test.clock.advance_seconds(24 * 3_600);
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");
});

on_both!(no_reader_brings_an_ended_session_back, |test| {
    let app = app(&test);
    signing_out_while_others_read(&test, &app).await;
});

async fn signing_out_while_others_read(test: &TestDb, app: &AdServer) {
    test.user("demo").await;
    for _ in 0..20 {
        let token = signed_in(app).await;
        let readers = (0..8).map(|_| {
            let (app, token) = (app.clone(), token.clone());
            // Never from memory, so that answers from before the end arrive after it.
            tokio::spawn(async move { while sessions::authenticate_afresh(&app, &token).await.is_ok() {} })
        });
        let readers: Vec<_> = readers.collect();
        log_out(app, &token).await.expect("out");
        assert!(find_known(app, &token).is_none());
        for ended in join_all(readers).await {
            ended.expect("ended");
        }
        assert!(find_known(app, &token).is_none());
    }
}

on_both!(a_clock_that_is_set_back_lets_no_session_live_longer, |test| {
    test.user("demo").await;
    let token = signed_in(&app(&test)).await;
    test.clock.advance_seconds(-3 * 86_400);
    // Another process has nothing cached.
    assert_eq!(why(authenticate(&app(&test), &token).await), "token_expired");
    let again = signed_in(&app(&test)).await;
    test.clock.advance_seconds(25 * 3_600);
    assert_eq!(why(authenticate(&app(&test), &again).await), "token_expired");
});
