//! Finding an account by what its caller knows, and suggestions.

use base::UserId;
use campaigns::AdServer;
use foundation::people::staff_accounts::find_account;
use foundation::{Error, Refusal};
use store::on_both;
use store::people::users::{self, Edit};

use crate::support::app;

async fn known_as(app: &AdServer, user: UserId, email: &str, phone: &str) {
    let edit = Edit { email: Some(email.into()), phone: Some(phone.into()), ..Edit::default() };
    app.db.write(move |tx| users::edit(tx, user, &edit)).await.expect("edited");
}

/// The possible names, if it is not a single account.
async fn told(app: &AdServer, text: &str) -> Vec<String> {
    match find_account(app, text).await {
        Err(Error::Refused(Refusal::Ambiguous { candidates })) => [vec!["which".to_owned()], candidates].concat(),
        Err(Error::Refused(Refusal::Unknown { suggestions })) => suggestions,
        other => panic!("{text}: {other:?}"),
    }
}

on_both!(an_account_is_found_by_anything_that_its_user_knows, |test| {
    let app = app(&test);
    let ada = test.user("ada").await;
    let bob = test.user("bob").await;
    known_as(&app, ada, "Ada.L@Example.com", "+49 170 1234567").await;
    known_as(&app, bob, "bob@example.com", "(030) 123-456").await;
    for text in ["ada", " ADA ", &ada.to_string(), "ada.l@example.COM", "+491701234567", "0049 170-1234567"] {
        assert_eq!(find_account(&app, text).await.ok(), Some(ada), "{text}");
    }
    for text in ["030123456", "30 12 34 56", "BOB@example.com"] {
        assert_eq!(find_account(&app, text).await.ok(), Some(bob), "{text}");
    }
});

on_both!(what_several_share_is_ambiguous_and_a_name_does_not_win, |test| {
    let app = app(&test);
    let ada = test.user("ada").await;
    let bob = test.user("bob").await;
    known_as(&app, ada, "family@example.com", "+49 170 1234567").await;
    known_as(&app, bob, "family@example.com", "+49 170 1234567").await;
    assert_eq!(told(&app, "family@example.com").await, ["which", "ada", "bob"]);
    assert_eq!(told(&app, "491701234567").await, ["which", "ada", "bob"]);
    let third = test.user("family@example.com").await;
    let itself = format!("user:{third}");
    assert_eq!(told(&app, "family@example.com").await, ["which", "ada", "bob", &itself]);
    assert_eq!(find_account(&app, &itself).await.ok(), Some(third));
    // Somebody chooses another's number or id as a name.
    let number = test.user("491701234567").await;
    assert_eq!(told(&app, "491701234567").await, ["which", "ada", "bob", &format!("user:{number}")]);
    known_as(&app, third, "own@example.com", "+49 170 7654321").await;
    let own = test.user("+491707654321").await;
    assert_eq!(find_account(&app, "+49 170 7654321").await.ok(), Some(third));
    assert_eq!(told(&app, "+491707654321").await, ["which", "family@example.com", &format!("user:{own}")]);
});

on_both!(a_number_is_found_among_many_that_end_like_it, |test| {
    let app = app(&test);
    for n in 10..70 {
        let other = test.user(format!("other{n}").leak()).await;
        known_as(&app, other, "other@example.com", &format!("+49 1{n} 1234567")).await;
    }
    let ada = test.user("ada").await;
    known_as(&app, ada, "ada@example.com", "+49 170 1234567").await;
    for text in ["+491701234567", "0049 170-1234567"] {
        assert_eq!(find_account(&app, text).await.ok(), Some(ada), "{text}");
    }
});

on_both!(what_is_nearly_a_name_or_number_is_suggested, |test| {
    let app = app(&test);
    let demo = test.user("demo").await;
    test.user("demo2").await;
    test.user("mia-lindqvist").await;
    known_as(&app, demo, "demo@example.com", "+49 170 1234567").await;
    assert_eq!(told(&app, "dmeo").await, ["demo"]);
    assert_eq!(told(&app, "Dem").await, ["demo", "demo2"]);
    assert_eq!(told(&app, "mia-lindquist").await, ["mia-lindqvist"]);
    assert_eq!(told(&app, "mia").await, ["mia-lindqvist"]);
    assert_eq!(told(&app, "demo@exmaple.com").await, ["demo"], "an address of another place");
    assert_eq!(told(&app, "0170 1234567").await, ["demo"], "a number as it is dialled at home");
    for nobody in ["quite-another", "", "   ", "%", "999999999", "x@y.example", &"d".repeat(300)] {
        assert!(
            matches!(find_account(&app, nobody).await, Err(Error::Refused(refusal)) if refusal.key() == "not_found")
        );
    }
    assert_eq!(told(&app, "quite-another").await, [""; 0]);
});
