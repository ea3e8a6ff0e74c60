//! Bank cards and wallet addresses.

use store::on_both;
use usecases::bank_card::{CardView, bank_card};

use crate::support::{address, bind, why, world};

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

    let shown = bind(&w.app, w.user, address("TXYZ12345678")).await.expect("bound anew");
    assert_eq!(shown, address("****5678"));
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), Some(shown));
    assert!(w.property().await.bank_card_bound);
    let other = w.test.user("other").await;
    assert_eq!(bank_card(&w.app, other).await.expect("read"), None);
});

on_both!(a_refused_binding_leaves_the_one_before, |test| {
    let w = world(test).await;
    bind(&w.app, w.user, card()).await.expect("bound");
    let before = bank_card(&w.app, w.user).await.expect("read");
    assert_eq!(why(bind(&w.app, w.user, address("****5678")).await), "address=invalid");
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), before);
});

on_both!(two_first_bindings_at_once_both_answer, |test| {
    let w = world(test).await;
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let (app, user) = (w.app.clone(), w.user);
            tokio::spawn(async move { bind(&app, user, address(&format!("TXYZ0000{n}"))).await })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic").expect("bound");
    }
});
