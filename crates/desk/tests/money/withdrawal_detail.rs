//! What staff look at before they pay.

use auth::Role;
use base::WithdrawalId;
use foundation::people::pay_password::Proof;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{WithdrawalDetail, approve_withdrawal, pay_withdrawal, withdrawal_detail};
use payee::testing::tron_address;
use store::on_both;

use crate::support::{World, address, bind, funded, money, why};

async fn asked(w: &World, amount: &str) -> WithdrawalId {
    let asked = withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: money(amount), key: None }).await;
    asked.expect("asked").id
}

async fn paid(w: &World, amount: &str) -> WithdrawalId {
    let id = asked(w, amount).await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    w.test.clock.advance_seconds(60);
    pay_withdrawal(&w.app, &w.bob, id, None).await.expect("paid");
    id
}

async fn detail(w: &World, id: WithdrawalId) -> WithdrawalDetail {
    withdrawal_detail(&w.app, id).await.expect("a detail")
}

fn events(of: &WithdrawalDetail) -> Vec<String> {
    let told = |event: &money::wallet::withdrawals::DestinationEvent| {
        format!(
            "{} {} {}",
            event.event,
            event.by,
            event.amount.map_or_else(|| "-".to_owned(), |amount| amount.to_string())
        )
    };
    of.destination_history.iter().map(told).collect()
}

on_both!(it_tells_where_money_goes_and_where_it_came_from, |test| {
    let w = funded(test, "100").await;
    w.recharge("20", "second").await;
    let bound_at = detail(&w, asked(&w, "1").await).await.destination_bound_at.expect("bound");
    w.test.clock.advance_seconds(60);
    paid(&w, "10").await;
    let user = format!("user:{}", w.user);

    w.test.clock.advance_seconds(60);
    bind(&w.app, w.user, address("other")).await.expect("bound anew");
    w.test.clock.advance_seconds(60);
    let elsewhere = detail(&w, paid(&w, "5").await).await;
    assert_eq!(elsewhere.withdrawal.destination["address"], tron_address("other"));
    assert_eq!((elsewhere.paid_total, elsewhere.paid_here_total), (money("15"), money("5")));
    assert!(!elsewhere.destination_changed_since && elsewhere.destination_bound_at.as_ref() > Some(&bound_at));

    let first = detail(&w, WithdrawalId(1)).await;
    // Support answers questions, and pays nothing.
    let seen_by = |role: Role| first.clone().as_seen_by(role).withdrawal.destination["address"].clone();
    assert_eq!(seen_by(Role::Finance), tron_address("first"));
    let address = tron_address("first");
    assert_eq!(seen_by(Role::Support), format!("****{}", &address[address.len() - 4..]));
    assert_eq!((first.withdrawal.user.as_str(), first.withdrawal.destination_doubt.clone()), ("demo", None));
    assert_eq!(first.destination_bound_at.as_ref(), Some(&bound_at));
    assert!(first.destination_changed_since, "by the second binding");
    assert_eq!(
        events(&first),
        [format!("bound {user} -"), format!("paid bob {}", money("10")), format!("bound {user} -")]
    );
    let received: Vec<_> = first.received.iter().map(|r| (r.kind.name(), r.amount, r.lines)).collect();
    assert_eq!(received, [("system_top_up", money("120"), 2)]);
    assert_eq!((first.received_total, first.paid_here_total), (money("120"), money("10")));

    assert_eq!(why(withdrawal_detail(&w.app, WithdrawalId(77)).await), "not_found");
});
