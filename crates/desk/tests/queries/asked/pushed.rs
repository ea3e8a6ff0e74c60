//! Devices that are sent notices while the app is not open.

use ::push::testing::Browser;
use ::push::{Outcome, Subject};
use base::Money;
use foundation::notices::{NoticeKind, notify};
use foundation::notifications::{PushKinds, push};
use foundation::people::{entry, sessions};
use foundation::{App, PushSettings, Settings};

use crate::support::Market;

pub async fn ask(market: &Market) {
    let test = &market.world.test;
    let subject = Subject::parse("mailto:ops@example.com").expect("a subject");
    let settings = Settings { push: Some(PushSettings { subject, test_service: None }), ..Settings::default() };
    let app = &App::new(test.db.clone(), (*market.world.app.secrets).clone(), settings);
    let user = test.user("pia").await;
    let ticket = entry::issue_ticket(app, None, "pia").await.expect("a ticket");
    let token = entry::enter(app, ticket.text(), "a phone").await.expect("signed in").token;
    let caller = sessions::authenticate(app, &token).await.expect("good");
    // Its secret is told from a list of codes by its large bytes.
    let browser = Browser::numbered(200).expect("keys");
    for endpoint in ["https://push.example.net/1", "https://push.example.net/2"] {
        let (p256dh, auth) = (browser.p256dh(), browser.auth());
        let app_url = "https://app.example".to_owned();
        let command = push::Subscribe { endpoint: endpoint.into(), p256dh, auth, kinds: PushKinds::ALL, app_url };
        push::subscribe(app, &caller, command).await.expect("registered");
    }
    for outcome in [Outcome::Again(app.now()), Outcome::Delivered, Outcome::Gone] {
        let kind = NoticeKind::WithdrawalPaid { amount: Money::from_minor(100) };
        app.db.write(move |tx| notify(tx, user, &kind)).await.expect("told");
        for delivery in push::claim(app, 10).await.expect("claimed") {
            push::settle(app, &delivery, outcome).await.expect("stored");
        }
    }
    let devices = push::devices(app, &caller).await.expect("listed");
    assert!(devices.is_empty(), "{devices:?}");
    assert!(push::unsubscribe(app, &caller, 1).await.is_err());
    push::remove_old(app).await.expect("removed");
}
