use campaigns::AdServer;
use std::collections::BTreeSet;

use auth::Role;
use foundation::people::codes::{Activation, issue_codes, list_codes};
use foundation::people::register::{Register, register};
use i18n::Lang;
use store::{PageRequest, on_both};

use crate::support::{app, deeds, staff, why};

fn registration(username: &str, license_key: &str) -> Register {
    Register {
        username: username.into(),
        password: "a-good-password".into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: license_key.into(),
        lang: Lang::En,
        device: String::new(),
        address: None,
    }
}

async fn unused(app: &AdServer) -> usize {
    list_codes(app, true, PageRequest::default()).await.expect("listed").items.len()
}

on_both!(each_code_is_another_and_used_once, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let codes = issue_codes(&app, ann, 10, None, Activation::Automatic).await.expect("issued");
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 10);
    register(&app, registration("ada", &codes[0])).await.expect("registered");
    assert_eq!(unused(&app).await, 9);
    let all = list_codes(&app, false, PageRequest::default()).await.expect("listed").items;
    let used: Vec<_> = all.iter().filter(|code| code.used_by.is_some() && code.used_at.is_some()).collect();
    assert_eq!(used.len(), 1);
    assert_eq!(used[0].code, format!("****-****-{}", &codes[0][10..]), "it tells which, and not what it is");
    assert_eq!(deeds(&app).await, ["ann code.issue codes"]);
});

on_both!(an_expired_code_is_none, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let expires = app.now().plus_seconds(60);
    let codes = issue_codes(&app, ann, 2, Some(expires), Activation::Automatic).await.expect("issued");
    register(&app, registration("ada", &codes[0])).await.expect("in time");
    test.clock.advance_seconds(60);
    assert_eq!(why(register(&app, registration("bob", &codes[1])).await), "authorization_code_not_found");
    assert_eq!(unused(&app).await, 1);
});

on_both!(odd_orders_are_refused, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    assert_eq!(why(issue_codes(&app, ann.clone(), 0, None, Activation::Automatic).await), "count=invalid");
    assert_eq!(why(issue_codes(&app, ann.clone(), 1_001, None, Activation::Automatic).await), "count=invalid");
    assert_eq!(why(issue_codes(&app, ann, 1, Some(app.now()), Activation::Automatic).await), "expires=invalid");
});

on_both!(a_password_is_hashed_only_for_who_has_a_code, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let codes = issue_codes(&app, ann, 1, None, Activation::Automatic).await.expect("issued");
    assert_eq!(why(register(&app, registration("ada", "0000-0000-0000")).await), "authorization_code_not_found");
    assert_eq!(app.hashing().begun, 0);
    register(&app, registration("ada", &codes[0])).await.expect("registered");
    assert_eq!(app.hashing().begun, 1);
    assert_eq!(why(register(&app, registration("bob", &codes[0])).await), "authorization_code_used");
    assert_eq!(app.hashing().begun, 1);
});

on_both!(a_name_that_looks_like_anothers_or_like_a_reserved_word_is_refused, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let codes = issue_codes(&app, ann, 3, None, Activation::Automatic).await.expect("issued");
    register(&app, registration("Finley", &codes[0])).await.expect("the first");
    for name in ["F\u{456}nley", "Fin1ey", "F\u{456}NLEY"] {
        assert_eq!(why(register(&app, registration(name, &codes[1])).await), "username=looks_like_another", "{name}");
    }
    assert_eq!(why(register(&app, registration("Fin\u{3164}ley", &codes[1])).await), "username=invalid");
    for name in ["finley", "\u{ff26}inley", "𝓕𝓲𝓷𝓵𝓮𝔂"] {
        assert_eq!(why(register(&app, registration(name, &codes[1])).await), "user_exists", "{name}");
    }
    for name in ["...", "_._", "---"] {
        assert_eq!(why(register(&app, registration(name, &codes[1])).await), "username=invalid", "{name}");
    }
    for name in
        ["Support", "\u{405}upport", "adm\u{456}n", "p-l-a-c-a-r-d", "\u{440}lacard", "support-team2", "客服小王"]
    {
        assert_eq!(why(register(&app, registration(name, &codes[1])).await), "username=reserved", "{name}");
    }
    assert_eq!(unused(&app).await, 2, "no code was used up");
    register(&app, registration("finlay", &codes[1])).await.expect("another name");
    // Whoever the provider vouches for comes in, and nobody else gets a name like theirs.
    foundation::people::entry::issue_ticket(&app, None, "f\u{456}nlay").await.expect("a ticket");
    foundation::people::entry::issue_ticket(&app, None, "harper").await.expect("a ticket");
    assert_eq!(why(register(&app, registration("h\u{430}rper", &codes[2])).await), "username=looks_like_another");
});
