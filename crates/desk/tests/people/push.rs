//! Devices that are sent notices while the app is not open.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Money, UserId};
use campaigns::AdServer;
use foundation::notices::{Notice, NoticeKind, notify, notify_all};
use foundation::notifications::push::{
    Delivery, PushDeviceView, Subscribe, claim, devices, public_key, remove_old, settle, subscribe, unsubscribe,
};
use foundation::notifications::{PushKinds, ReadSelection, read};
use foundation::people;
use foundation::people::close_account::{CloseAccount, close_account};
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::register::Register;
use foundation::people::sessions::{Caller, SessionSelection, authenticate, end_sessions, log_out};
use foundation::people::user_info::{EditUser, edit_user};
use foundation::{App, Error, PushSettings, Settings};
use futures_util::future::join_all;
use push::testing::Browser;
use push::{Outcome, Subject};
use serde_json::Value;
use store::on_both;
use store::testing::TestDb;

use crate::support::{app, why};

const ENDPOINT: &str = "https://push.example.net/send/1";
const DAY: i64 = 24 * 3_600;
const LEASE: i64 = 15;

/// An installation that offers it.
fn offering(test: &TestDb) -> AdServer {
    let subject = Subject::parse("mailto:ops@example.com").expect("a subject");
    let settings = Settings { push: Some(PushSettings { subject, test_service: None }), ..Settings::default() };
    AdServer::new(App::new(test.db.clone(), auth::Secrets::new([1; 32], [2; 32], [3; 32]), settings))
}

/// A user, signed in by a ticket on a device of that name.
async fn signed_in(app: &AdServer, name: &str, device: &str) -> (String, Arc<Caller>) {
    let ticket = issue_ticket(app, None, name).await.expect("a ticket");
    let token = enter(app, ticket.text(), device).await.expect("signed in").token;
    let caller = authenticate(app, &token).await.expect("good");
    (token, caller)
}

fn browser() -> Browser {
    Browser::numbered(7).expect("keys")
}

fn asking(endpoint: &str, kinds: PushKinds) -> Subscribe {
    let (p256dh, auth) = (browser().p256dh(), browser().auth());
    Subscribe { endpoint: endpoint.to_owned(), p256dh, auth, kinds, app_url: "https://app.example".to_owned() }
}

async fn register(app: &AdServer, caller: &Caller, endpoint: &str) -> Vec<PushDeviceView> {
    subscribe(app, caller, asking(endpoint, PushKinds::ALL)).await.expect("registered")
}

async fn paid(app: &AdServer, user: UserId, minor: i64) {
    let kind = NoticeKind::WithdrawalPaid { amount: Money::from_minor(minor) };
    app.db.write(move |tx| notify(tx, user, &kind)).await.expect("told");
}

async fn sent(app: &AdServer) -> Vec<Delivery> {
    claim(app, 10).await.expect("claimed")
}

fn opened(delivery: &Delivery) -> Value {
    browser().open(&delivery.body).expect("for this browser")
}

fn header<'a>(delivery: &'a Delivery, name: &str) -> &'a str {
    &delivery.headers.iter().find(|(other, _)| *other == name).expect("a header").1
}

on_both!(a_device_is_sent_what_its_user_asked_for_in_their_language, |test| {
    let (app, user) = (offering(&test), test.user("demo").await);
    let (_, caller) = signed_in(&app, "demo", "a phone").await;
    let lang = EditUser { lang: Some("de".to_owned()), ..EditUser::default() };
    edit_user(&app, user, caller.entry, lang).await.expect("saved");
    let only_money = PushKinds { money: true, ..PushKinds::default() };
    let listed = subscribe(&app, &caller, asking(ENDPOINT, only_money)).await.expect("registered");
    let shown = &listed[0];
    assert_eq!((listed.len(), shown.device.as_str(), shown.current), (1, "a phone", true));
    assert_eq!([shown.money, shown.sign_in, shown.service], [true, false, false]);

    app.db.write(move |tx| notify(tx, user, &NoticeKind::ServiceAnswered {})).await.expect("told");
    app.db.write(move |tx| notify(tx, user, &NoticeKind::LevelReached { level: 2 })).await.expect("told");
    assert!(sent(&app).await.is_empty(), "nobody asked for these");
    paid(&app, user, 125_000).await;
    let found = sent(&app).await;
    let [delivery] = found.as_slice() else { panic!("{found:?}") };
    let message = opened(delivery);
    assert_eq!((&message["web_push"], &message["app_badge"]), (&Value::from(8_030), &Value::from(3)));
    let notice = &message["notification"];
    assert_eq!(notice["lang"], "de");
    assert!(notice["body"].as_str().is_some_and(|body| body.contains("1.250,00")), "{notice}");
    let tag = notice["tag"].as_str().expect("a tag");
    assert_eq!(notice["navigate"], format!("https://app.example/#/notification?id={tag}"));
    assert_eq!(delivery.endpoint.as_str(), ENDPOINT);
    assert_eq!((header(delivery, "TTL"), header(delivery, "Content-Encoding")), ("86400", "aes128gcm"));
    let key = public_key(&app).expect("offered");
    assert!(header(delivery, "Authorization").ends_with(&format!(", k={key}")));

    // The same device may ask for other kinds, and stays the one it is.
    let again = subscribe(&app, &caller, asking(ENDPOINT, PushKinds::ALL)).await.expect("changed");
    assert_eq!((again.len(), &again[0].id, again[0].service), (1, &shown.id, true));
    app.db.write(move |tx| notify(tx, user, &NoticeKind::ServiceAnswered {})).await.expect("told");
    // Nor does what waits get lost when its user signs in again there, and registers it with the new session.
    let (_, later) = signed_in(&app, "demo", "a phone").await;
    let moved = register(&app, &later, ENDPOINT).await;
    assert_eq!((moved.len(), &moved[0].id, moved[0].current), (1, &shown.id, true));
    assert_eq!(sent(&app).await.len(), 1);
});

on_both!(only_public_services_are_registered_and_only_where_it_is_offered, |test| {
    let (offers, silent) = (offering(&test), app(&test));
    test.user("demo").await;
    let (_, caller) = signed_in(&offers, "demo", "a phone").await;
    for endpoint in [
        "http://push.example.net/1",
        "https://push.example.net:444/1",
        "https://127.0.0.1/1",
        "https://[::1]/1",
        "https://10.0.0.1/1",
        "https://localhost/1",
        "file:///etc/passwd",
    ] {
        let refused = subscribe(&offers, &caller, asking(endpoint, PushKinds::ALL)).await;
        assert_eq!(why(refused), "endpoint=invalid", "{endpoint}");
    }
    let wrong = Subscribe { p256dh: "AAAA".to_owned(), ..asking(ENDPOINT, PushKinds::ALL) };
    assert_eq!(why(subscribe(&offers, &caller, wrong).await), "key=invalid");
    assert_eq!(why(subscribe(&silent, &caller, asking(ENDPOINT, PushKinds::ALL)).await), "not_found");
    assert_eq!((public_key(&silent), devices(&offers, &caller).await.expect("listed")), (None, Vec::new()));
});

on_both!(a_device_ends_with_its_session_and_its_account, |test| {
    let (app, user) = (offering(&test), test.user("demo").await);
    let (token, one) = signed_in(&app, "demo", "one").await;
    let (_, two) = signed_in(&app, "demo", "two").await;
    let (_, three) = signed_in(&app, "demo", "three").await;
    for (caller, endpoint) in [(&one, "1"), (&two, "2"), (&three, "3")] {
        register(&app, caller, &format!("https://push.example.net/send/{endpoint}")).await;
    }
    paid(&app, user, 100).await;
    log_out(&app, &token).await.expect("out");
    end_sessions(&app, user, SessionSelection::One(two.session)).await.expect("ended");
    let left = devices(&app, &three).await.expect("listed");
    assert_eq!(left.iter().map(|device| device.device.as_str()).collect::<Vec<_>>(), ["three"]);
    let found = sent(&app).await;
    assert_eq!(found.iter().map(|one| one.endpoint.as_str()).collect::<Vec<_>>(), ["https://push.example.net/send/3"]);
    assert_eq!(why(subscribe(&app, &one, asking(ENDPOINT, PushKinds::ALL)).await), "token_expired");

    assert_eq!(why(unsubscribe(&app, &three, 0).await), "not_found");
    let id = left[0].id.parse().expect("a number");
    test.user("ada").await;
    let (_, stranger) = signed_in(&app, "ada", "hers").await;
    assert_eq!(why(unsubscribe(&app, &stranger, id).await), "not_found");
    assert_eq!(unsubscribe(&app, &three, id).await.expect("gone"), Vec::new());

    register(&app, &three, ENDPOINT).await;
    end_sessions(&app, user, SessionSelection::All).await.expect("ended");
    let (_, back) = signed_in(&app, "demo", "back").await;
    assert_eq!(devices(&app, &back).await.expect("listed"), Vec::new());
    paid(&app, user, 100).await;
    assert!(sent(&app).await.is_empty());
});

on_both!(a_closed_account_leaves_no_device, |test| {
    let app = offering(&test);
    let ada = Register {
        username: "ada".into(),
        password: "seven green bottles".into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: test.code("AAAA-BBBB-CCCC").await.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: None,
    };
    let token = people::register::register(&app, ada).await.expect("registered").token;
    let caller = authenticate(&app, &token).await.expect("good");
    register(&app, &caller, ENDPOINT).await;
    let command = CloseAccount { password: "seven green bottles".to_owned(), address: None };
    close_account(&app, caller.user, "ada", command).await.expect("closed");
    assert_eq!(devices(&app, &caller).await.expect("listed"), Vec::new());
});

on_both!(whoever_signs_in_on_a_device_takes_it_over, |test| {
    let (app, demo, ada) = (offering(&test), test.user("demo").await, test.user("ada").await);
    let (_, first) = signed_in(&app, "demo", "shared").await;
    let (_, second) = signed_in(&app, "ada", "shared").await;
    register(&app, &first, ENDPOINT).await;
    paid(&app, demo, 100).await;
    register(&app, &second, ENDPOINT).await;
    paid(&app, demo, 100).await;
    assert!(sent(&app).await.is_empty(), "nothing of demo's goes to ada's device");
    paid(&app, ada, 100).await;
    assert_eq!((sent(&app).await.len(), devices(&app, &first).await.expect("listed")), (1, Vec::new()));
});

on_both!(what_was_not_told_to_be_taken_is_sent_again_under_the_same_topic, |test| {
    let (app, user) = (offering(&test), test.user("demo").await);
    let (_, caller) = signed_in(&app, "demo", "a phone").await;
    register(&app, &caller, ENDPOINT).await;
    paid(&app, user, 100).await;
    let first = sent(&app).await.remove(0);
    assert!(sent(&app).await.is_empty(), "it is under way");
    test.clock.advance_seconds(LEASE);
    let second = sent(&app).await.remove(0);
    assert_eq!((first.tries, second.tries), (1, 2));
    assert_eq!(header(&first, "Topic"), header(&second, "Topic"));
    assert!(header(&first, "Topic").len() <= 32);
    assert_eq!(opened(&first)["notification"]["tag"], opened(&second)["notification"]["tag"]);

    // The one that took too long says nothing any more about when it is tried again.
    let later = Outcome::Again(app.now().plus_seconds(3_000));
    settle(&app, &first, later).await.expect("stored");
    let soon = Outcome::Again(app.now().plus_seconds(20));
    settle(&app, &second, soon).await.expect("stored");
    test.clock.advance_seconds(19);
    assert!(sent(&app).await.is_empty());
    test.clock.advance_seconds(1);
    let third = sent(&app).await.remove(0);
    settle(&app, &third, Outcome::Delivered).await.expect("stored");
    test.clock.advance_seconds(DAY);
    assert!(sent(&app).await.is_empty());

    paid(&app, user, 200).await;
    let other = sent(&app).await.remove(0);
    assert_ne!(header(&other, "Topic"), header(&third, "Topic"));
});

on_both!(what_is_gone_read_or_a_day_old_is_not_sent, |test| {
    let (app, user) = (offering(&test), test.user("demo").await);
    let (_, caller) = signed_in(&app, "demo", "a phone").await;
    register(&app, &caller, ENDPOINT).await;
    paid(&app, user, 100).await;
    read(&app, user, ReadSelection::All(None)).await.expect("read");
    assert!(sent(&app).await.is_empty(), "it was read in the app");
    assert_eq!(remove_old(&app).await.expect("removed"), 0);

    paid(&app, user, 200).await;
    test.clock.advance_seconds(DAY + 1);
    assert_eq!(remove_old(&app).await.expect("removed"), 1);
    assert!(sent(&app).await.is_empty());

    paid(&app, user, 300).await;
    let last = sent(&app).await.remove(0);
    settle(&app, &last, Outcome::Again(app.now().plus_seconds(DAY))).await.expect("stored");
    assert_eq!(remove_old(&app).await.expect("removed"), 0, "it was given up");

    paid(&app, user, 400).await;
    let gone = sent(&app).await.remove(0);
    // Meanwhile the browser has registered anew, at another address.
    register(&app, &caller, "https://push.example.net/send/2").await;
    settle(&app, &gone, Outcome::Gone).await.expect("stored");
    assert_eq!(devices(&app, &caller).await.expect("listed").len(), 1);
    paid(&app, user, 500).await;
    let gone = sent(&app).await.remove(0);
    settle(&app, &gone, Outcome::Gone).await.expect("stored");
    assert_eq!(devices(&app, &caller).await.expect("listed"), Vec::new());
});

on_both!(servers_share_what_is_to_be_sent, |test| {
    let (app, user) = (offering(&test), test.user("demo").await);
    let (_, caller) = signed_in(&app, "demo", "a phone").await;
    register(&app, &caller, ENDPOINT).await;
    for minor in 1..=24 {
        paid(&app, user, minor).await;
    }
    let taken: Vec<Delivery> = join_all((0..6).map(|_| claim(&app, 4)))
        .await
        .into_iter()
        .collect::<Result<Vec<_>, Error>>()
        .expect("claimed")
        .into_iter()
        .flatten()
        .collect();
    let topics: BTreeSet<&str> = taken.iter().map(|delivery| header(delivery, "Topic")).collect();
    assert_eq!(topics.len(), taken.len(), "nobody has what another one has");
    let rest = claim(&app, 24).await.expect("claimed");
    assert_eq!(taken.len() + rest.len(), 24);
});

on_both!(a_device_that_takes_nothing_is_not_filled_up, |test| {
    let (app, demo, ada) = (offering(&test), test.user("demo").await, test.user("ada").await);
    let (_, silent) = signed_in(&app, "demo", "a phone").await;
    let (_, other) = signed_in(&app, "ada", "a phone").await;
    register(&app, &silent, ENDPOINT).await;
    register(&app, &other, "https://push.example.net/send/2").await;
    for round in 0..4 {
        let kinds = (0..30).map(|n| NoticeKind::WithdrawalPaid { amount: Money::from_minor(100 * round + n) });
        let many: Vec<Notice> = kinds.map(|kind| Notice::of(demo, &kind)).collect();
        app.db.write(move |tx| notify_all(tx, &many)).await.expect("told");
    }
    paid(&app, ada, 100).await;
    let waiting = claim(&app, 200).await.expect("claimed");
    let (others, own): (Vec<_>, Vec<_>) = waiting.iter().partition(|one| one.endpoint.as_str().ends_with("/2"));
    assert_eq!((own.len(), others.len()), (100, 1), "each would be tried again for a day");
    for delivery in &own {
        settle(&app, delivery, Outcome::Delivered).await.expect("stored");
    }
    paid(&app, demo, 100).await;
    assert_eq!(sent(&app).await.len(), 1, "it takes them again");
});
