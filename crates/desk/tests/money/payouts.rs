//! What an account thief does first, and how long nothing leaves the account after that.

use auth::{Entry, PayPassword};
use campaigns::AdServer;
use desk::account_detail::account_detail;
use desk::installation::simulated;
use desk::requests::{MoneyRequestDraft, approve, reject, request};
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::pay_password::Proof;
use foundation::people::pay_password::{ResetOutcome, reset_pay_password};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::people::user_info::{EditUser, edit_user};
use foundation::staff::requests::RequestRef;
use i18n::Lang;
use money::wallet::bank_card::{Binder, NewBankCard, bank_card, bind_card};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::withdrawal_detail;
use store::on_both;

use crate::support::{World, address, bind, funded, why, world};

const DAY: i64 = 86_400;

fn one() -> Withdraw {
    Withdraw { amount: "1".parse().expect("an amount"), key: None }
}

async fn held(w: &World) -> bool {
    let shown = w.property().await.payouts_held_until;
    let asked = withdraw(&w.app, Proof::assumed(w.user), one()).await;
    assert_eq!(shown.is_some(), asked.is_err(), "{shown:?} {asked:?}");
    if asked.is_err() {
        assert_eq!(why(asked), "payout_on_hold");
    }
    shown.is_some()
}

async fn notices(w: &World) -> Vec<String> {
    let listed = list_notifications(&w.app, w.user, Lang::En, NotificationQuery::default()).await.expect("a list");
    listed.items.into_iter().map(|notice| format!("{}: {}", notice.title, notice.body)).collect()
}

on_both!(another_payout_account_waits_a_day_where_money_is_real, |test| {
    let w = world(test.turned_live()).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    w.recharge("100", "first").await;
    assert!(!held(&w).await, "nothing was there to be after");

    bind(&w.app, w.user, address("other")).await.expect("bound anew");
    let until = w.test.clock.now().plus_seconds(DAY);
    assert_eq!(w.property().await.payouts_held_until, Some(until));
    let error = withdraw(&w.app, Proof::assumed(w.user), one()).await.expect_err("refused");
    let foundation::Error::Refused(refusal) = error else { panic!("{error}") };
    assert_eq!(refusal, foundation::Refusal::PayoutOnHold { until, retry_after: DAY });
    let told = notices(&w).await;
    assert!(told.iter().any(|notice| notice.contains("until Jan 6, 2026, 12:00 (UTC)")), "{told:?}");
    let blocks = account_detail(&w.app, "demo").await.expect("shown").withdrawal.blocks;
    let block = blocks.iter().find(|block| block.key == "payout_on_hold").expect("told to staff");
    assert_eq!(block.until, Some(until));

    // The same again is no change, and does not extend the wait.
    w.test.clock.advance_seconds(3_600);
    bind(&w.app, w.user, address("other")).await.expect("bound");
    assert!(held(&w).await);
    w.test.clock.advance_seconds(DAY - 3_600);
    assert!(!held(&w).await);
});

on_both!(the_same_payout_account_again_is_no_change_to_staff, |test| {
    let w = world(test).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    w.recharge("100", "first").await;
    w.test.clock.advance_seconds(3_600);
    let asked = withdraw(&w.app, Proof::assumed(w.user), one()).await.expect("asked");
    w.test.clock.advance_seconds(3_600);
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    let shown = withdrawal_detail(&w.app, asked.id).await.expect("shown");
    assert_eq!((shown.destination_changed_since, shown.destination_history.len()), (false, 1));
    bind(&w.app, w.user, address("other")).await.expect("bound");
    let shown = withdrawal_detail(&w.app, asked.id).await.expect("shown");
    assert_eq!((shown.destination_changed_since, shown.destination_history.len()), (true, 2));
});

on_both!(a_first_transaction_password_waits_where_there_is_something_to_take, |test| {
    let w = world(test.turned_live()).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    let set = SetPayPassword { password: PayPassword::from_digits("839201"), old_password: None };
    set_pay_password(&w.app, w.user, set).await.expect("set");
    assert_eq!(w.property().await.payouts_held_until, None, "nothing was there to be after");
    let w = World { user: w.test.user("mia").await, ..w };
    w.recharge("100", "first").await;
    let set = SetPayPassword { password: PayPassword::from_digits("839201"), old_password: None };
    set_pay_password(&w.app, w.user, set).await.expect("set");
    let until = w.test.clock.now().plus_seconds(DAY);
    assert_eq!(w.property().await.payouts_held_until, Some(until));
});

on_both!(another_number_waits_a_day_where_money_is_real, |test| {
    let w = world(test.turned_live()).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    w.recharge("100", "first").await;
    let edit = |phone: &str| EditUser { phone: Some(phone.into()), ..EditUser::default() };
    // The same again is no change.
    edit_user(&w.app, w.user, Entry::Register, edit("+100000000")).await.expect("saved");
    assert!(!held(&w).await);
    edit_user(&w.app, w.user, Entry::Register, edit("+4915112345678")).await.expect("saved");
    assert!(held(&w).await);
    w.test.clock.advance_seconds(DAY);
    assert!(!held(&w).await);
    let told = notices(&w).await;
    assert!(told.iter().any(|notice| notice.contains("****5678")), "{told:?}");
});

on_both!(a_first_payout_account_waits_where_there_is_something_to_take, |test| {
    let w = funded(test.turned_live(), "100").await;
    assert!(held(&w).await);
    w.test.clock.advance_seconds(DAY);
    assert!(!held(&w).await);
});

on_both!(a_reset_waits_a_day_where_money_is_real, |test| {
    let w = world(test.turned_live()).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    reset_pay_password(&w.app, w.carl.clone(), "demo").await.expect("reset");
    let told = notices(&w).await;
    assert!(told.iter().any(|notice| notice.starts_with("Withdrawals and exchanges are on hold")), "{told:?}");
    w.recharge("100", "first").await;
    assert!(held(&w).await);
    w.test.clock.advance_seconds(DAY);
    assert!(!held(&w).await);
});

on_both!(nothing_waits_where_nothing_is_real, |test| {
    let w = funded(test, "100").await;
    bind(&w.app, w.user, address("other")).await.expect("bound anew");
    assert!(!held(&w).await);
});

on_both!(who_has_a_transaction_password_shows_it_to_bind, |test| {
    let w = funded(test, "100").await;
    let before = bank_card(&w.app, w.user).await.expect("read");
    let command = SetPayPassword { password: PayPassword::from_digits("839201"), old_password: None };
    set_pay_password(&w.app, w.user, command).await.expect("set");
    // The state in the transaction counts: a password set after the request arrived is
    // required.
    let typed = NewBankCard::read(&w.app, address("other")).expect("whole");
    assert_eq!(why(bind_card(&w.app, Binder::WithoutPassword(w.user), typed).await), "password=required");
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), before);
});

on_both!(only_the_demonstration_sets_common_digits, |test| {
    let w = world(test).await;
    let common = || PayPassword::from_digits("123456");
    let command = SetPayPassword { password: common(), old_password: None };
    assert_eq!(why(set_pay_password(&w.app, w.user, command).await), "password=too_common");
    desk::installation::simulated::pay_password(&w.app, w.user, common()).await.expect("set");
    let w = World { test: w.test.turned_live(), ..w };
    let live = AdServer::new(foundation::App::new(
        w.test.db.clone(),
        auth::Secrets::new([1; 32], [2; 32], [3; 32]),
        Default::default(),
    ));
    assert_eq!(why(desk::installation::simulated::pay_password(&live, w.user, common()).await), "not_permitted");
});

on_both!(only_the_demonstration_moves_the_clock, |test| {
    let w = world(test).await;
    let then = w.app.now().plus_days(-200);
    assert!(!simulated::is_untouched(&w.app).await.expect("read"), "it has operators");
    simulated::move_clock(&w.app, then).await.expect("moved");
    assert_eq!(w.app.now(), then);
    // The time has its partitions.
    let missing = w.app.db.write(store::installation::months::create_ahead).await.expect("asked");
    assert_eq!(missing, 0);
    let w = World { test: w.test.turned_live(), ..w };
    let live = AdServer::new(foundation::App::new(
        w.test.db.clone(),
        auth::Secrets::new([1; 32], [2; 32], [3; 32]),
        Default::default(),
    ));
    let refused = [
        simulated::move_clock(&live, then.plus_days(-1)).await.map(|()| false),
        simulated::is_untouched(&live).await,
        simulated::wait_for_leases(&live).await.map(|()| false),
    ];
    for refused in refused {
        assert_eq!(why(refused), "not_permitted");
    }
    assert_eq!(live.now(), then);
});

on_both!(a_reset_of_somebody_with_money_needs_two_people, |test| {
    let w = world(test.turned_live()).await;
    bind(&w.app, w.user, address("TFIRST111111")).await.expect("bound");
    let command = SetPayPassword { password: PayPassword::from_digits("839201"), old_password: None };
    set_pay_password(&w.app, w.user, command).await.expect("set");
    w.recharge("100", "first").await;
    let asked = reset_pay_password(&w.app, w.carl.clone(), "demo").await.expect("asked for");
    let ResetOutcome::Requested(asked) = asked else { panic!("done by one: {asked:?}") };
    assert_eq!((asked.kind.name(), asked.status.name()), ("pay_password_reset", "requested"));
    assert!(w.property().await.pay_password_set && !held(&w).await, "nothing is done yet");
    let id: RequestRef = asked.id.into();
    assert_eq!(why(approve(&w.app, &w.carl, id).await), "not_permitted");
    approve(&w.app, &w.ann, id).await.expect("approved");
    assert!(!w.property().await.pay_password_set && held(&w).await);
    let told = notices(&w).await;
    assert!(told.iter().any(|notice| notice.starts_with("Transaction password removed")), "{told:?}");
    // Nor may an operator with that permission do both.
    let ResetOutcome::Requested(own) = reset_pay_password(&w.app, w.ann.clone(), "demo").await.expect("asked for")
    else {
        panic!("done by one")
    };
    assert_eq!(why(approve(&w.app, &w.ann, own.id.into()).await), "second_person_needed");
});

on_both!(a_reset_needs_two_people_where_credit_or_a_payment_waits_too, |test| {
    let w = world(test).await;
    let reset = async || reset_pay_password(&w.app, w.carl.clone(), "demo").await.expect("asked for");
    assert!(matches!(reset().await, ResetOutcome::Done(_)), "there is nothing to move");
    let payment = request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "10", "B-1")).await.expect("requested");
    assert!(matches!(reset().await, ResetOutcome::Requested(_)), "a payment is on its way");
    reject(&w.app, &w.bob, payment.id.into()).await.expect("rejected");
    assert!(matches!(reset().await, ResetOutcome::Done(_)), "it did not come");
    w.book(MoneyRequestDraft::grant(w.user, "5")).await;
    assert!(matches!(reset().await, ResetOutcome::Requested(_)), "credit can be put on plans");
});
