//! Bank cards and wallet addresses.

use foundation::Error;
use foundation::notifications::{NotificationQuery, list_notifications};
use money::wallet::bank_card::{CardView, bank_card};
use store::on_both;

use crate::support::{address, bind, hidden, why, world};

fn card() -> CardView {
    CardView::BankCard {
        card_name: "Main".into(),
        user_name: "Ann Lee".into(),
        mobile: "+49 170 1234567".into(),
        bank_name: "Bank".into(),
        bank_account: "1234 5678 9012".into(),
        branch_name: "Mitte".into(),
        beneficiary_name: None,
        bank_address: None,
    }
}

on_both!(bound_bound_anew_and_masked, |test| {
    let w = world(test).await;
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), None);
    assert!(!w.property().await.bank_card_bound);

    let shown = bind(&w.app, w.user, card()).await.expect("bound");
    let CardView::BankCard { bank_account, user_name, .. } = &shown else { panic!("no card") };
    assert_eq!((bank_account.as_str(), user_name.as_str()), ("****9012", "Ann Lee"));
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), Some(shown));

    let shown = bind(&w.app, w.user, address("first")).await.expect("bound anew");
    assert_eq!(shown, hidden("first"));
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), Some(shown));
    assert!(w.property().await.bank_card_bound);
    let other = w.test.user("other").await;
    assert_eq!(bank_card(&w.app, other).await.expect("read"), None);
});

on_both!(a_refused_binding_leaves_the_one_before, |test| {
    let w = world(test).await;
    bind(&w.app, w.user, card()).await.expect("bound");
    let before = bank_card(&w.app, w.user).await.expect("read");
    assert_eq!(why(bind(&w.app, w.user, hidden("first")).await), "address=invalid_address");
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), before);
});

// Each change stays in the audit for ever.
on_both!(twenty_bindings_in_a_day_are_enough, |test| {
    let w = world(test).await;
    for n in 0..20 {
        bind(&w.app, w.user, address(&n.to_string())).await.expect("bound");
        w.test.clock.advance_seconds(60);
    }
    let left = 86_400 - 20 * 60;
    let refused = bind(&w.app, w.user, address("20")).await;
    assert!(matches!(refused, Err(Error::TooManyRequests { retry_after }) if retry_after == left), "{refused:?}");
    bind(&w.app, w.user, address("19")).await.expect("it is bound, so nothing changes");
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), Some(hidden("19")));
    bind(&w.app, w.test.user("other").await, address("other")).await.expect("another user's");
    w.test.clock.advance_seconds(left);
    bind(&w.app, w.user, address("20")).await.expect("bound");
    assert!(bind(&w.app, w.user, address("21")).await.is_err(), "one place is free each minute");
});

// Each call is answered with its own card, and one of them remains, complete.
on_both!(of_first_bindings_at_once_the_last_one_stands, |test| {
    let w = world(test).await;
    let typed = |n: usize| address(&n.to_string());
    let shown = |n: usize| hidden(&n.to_string());
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let (app, user, typed) = (w.app.clone(), w.user, typed(n));
            tokio::spawn(async move { bind(&app, user, typed).await })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.expect("no panic").expect("bound"), shown(n));
    }
    let bound = bank_card(&w.app, w.user).await.expect("read").expect("one of them");
    let last = (0..8).find(|n| bound == shown(*n));
    let last = last.unwrap_or_else(|| panic!("none of them: {bound:?}"));
    // Each differed from the one before, and the user was notified of each.
    let wanted = NotificationQuery { limit: Some(100), ..NotificationQuery::default() };
    let told = list_notifications(&w.app, w.user, i18n::Lang::En, wanted).await.expect("a list").items;
    assert_eq!(told.len(), 8, "{told:?}");
    let CardView::WalletAddress { address: number, .. } = shown(last) else { panic!("no address") };
    assert!(told[0].body.contains(&number), "{last}: {}", told[0].body);
});
