//! Requesting withdrawals.

use std::collections::BTreeMap;

use desk::requests::MoneyRequestDraft;
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use money::wallet::property::property;
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{reject_withdrawal, withdrawals};
use store::{PageRequest, on_both};

use crate::support::{World, address, bind, funded, money, why, world};

fn of(amount: &str) -> Withdraw {
    Withdraw { amount: amount.parse().expect("an amount"), key: None }
}

fn keyed(amount: &str, key: &str) -> Withdraw {
    Withdraw { key: Some(Key::parse(key).expect("a key")), ..of(amount) }
}

async fn count(w: &World) -> usize {
    withdrawals(&w.app, w.user, PageRequest { before: None, limit: 100 }).await.expect("a list").items.len()
}

on_both!(sets_the_amount_aside, |test| {
    let w = funded(test, "100.00").await;
    let view = withdraw(&w.app, Proof::assumed(w.user), of("40.5")).await.expect("accepted");
    assert_eq!((&*view.amount.to_string(), view.status.name(), &*view.fee.to_string()), ("40.50", "pending", "0.00"));
    let figures = w.property().await;
    assert_eq!(
        (figures.available, figures.withdrawing, figures.total_assets),
        (money("59.50"), money("40.50"), money("100"))
    );
    assert_eq!(w.lines().await, ["manual_withdrawal -40.50 59.50", "system_top_up 100.00 100.00"]);
});

on_both!(odd_amounts_change_nothing, |test| {
    let w = funded(test, "100.00").await;
    let before = w.property().await;
    let forty = "4".repeat(40);
    for amount in ["NaN", "1e9", "0.001", forty.as_str(), "", " 1", "1,0", "Infinity", "0x1", "1000000000000.01", "٣"]
    {
        assert_eq!(why(Withdraw::read(amount, None)), "amount=invalid_amount", "{amount}");
    }
    for amount in ["0", "-1", "-0.01", "0.00", "-0"] {
        assert_eq!(why(Withdraw::read(amount, None)), "amount_out_of_range", "{amount}");
        assert_eq!(why(withdraw(&w.app, Proof::assumed(w.user), of(amount)).await), "amount_out_of_range", "{amount}");
    }
    for amount in ["100.01", "1000000000000"] {
        assert_eq!(why(withdraw(&w.app, Proof::assumed(w.user), of(amount)).await), "insufficient_balance", "{amount}");
    }
    assert_eq!(w.property().await, before);
    assert_eq!((count(&w).await, w.lines().await.len()), (0, 1));
});

on_both!(needs_a_card, |test| {
    let w = world(test).await;
    w.recharge("10", "r").await;
    assert_eq!(why(withdraw(&w.app, Proof::assumed(w.user), of("1")).await), "bank_card_not_bound");
    assert_eq!(count(&w).await, 0);
});

on_both!(start_up_funds_come_first, |test| {
    let w = funded(test, "10").await;
    w.advance("30").await;
    let error = withdraw(&w.app, Proof::assumed(w.user), of("1")).await.expect_err("refused");
    let foundation::Error::Refused(foundation::Refusal::StartupFundsOutstanding { outstanding }) = error else {
        panic!("{error}")
    };
    assert_eq!(outstanding, money("30"));
});

on_both!(a_key_has_one_effect_and_one_answer, |test| {
    let w = funded(test, "100").await;
    let first = withdraw(&w.app, Proof::assumed(w.user), keyed("60", "k")).await.expect("accepted");
    let again = withdraw(&w.app, Proof::assumed(w.user), keyed("60.00", "k")).await.expect("answered again");
    assert_eq!(first, again);
    assert_eq!(why(withdraw(&w.app, Proof::assumed(w.user), keyed("61", "k")).await), "idempotency_key_reused");
    assert_eq!((count(&w).await, w.property().await.available), (1, money("40")));
});

on_both!(a_refused_request_leaves_its_key_unused, |test| {
    let w = funded(test, "10").await;
    assert_eq!(why(withdraw(&w.app, Proof::assumed(w.user), keyed("60", "k")).await), "insufficient_balance");
    w.recharge("60", "second").await;
    assert!(withdraw(&w.app, Proof::assumed(w.user), keyed("60", "k")).await.is_ok());
});

on_both!(keys_belong_to_their_user, |test| {
    let w = funded(test, "10").await;
    withdraw(&w.app, Proof::assumed(w.user), keyed("5", "k")).await.expect("accepted");
    let other = w.test.user("other").await;
    assert_eq!(why(withdraw(&w.app, Proof::assumed(other), keyed("5", "k")).await), "bank_card_not_bound");
});

on_both!(sixty_four_at_once_pay_the_whole_balance_exactly_once, |test| {
    let w = funded(test, "100").await;
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let (app, user) = (w.app.clone(), w.user);
            tokio::spawn(async move { withdraw(&app, Proof::assumed(user), of("100")).await })
        })
        .collect();
    let mut paid = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => paid += 1,
            refused => assert_eq!(why(refused), "insufficient_balance"),
        }
    }
    let figures = w.property().await;
    assert_eq!((paid, count(&w).await), (1, 1));
    assert_eq!((figures.available, figures.withdrawing), (money("0"), money("100")));
});

on_both!(of_many_at_once_those_too_large_are_refused_and_the_others_set_aside, |test| {
    let w = funded(test, "100").await;
    let mut users = vec![(w.user, 100)];
    for (name, had) in [("ada", 60), ("ben", 7), ("cleo", 0)] {
        let user = w.test.user(name).await;
        bind(&w.app, user, address("first")).await.expect("bound");
        w.test.clock.advance_seconds(2 * 86_400);
        if had > 0 {
            w.book(MoneyRequestDraft::recharge(user, &had.to_string(), name)).await;
        }
        users.push((user, had));
    }
    // Some that add up to everything, one that is always too large, and small ones.
    let amounts = [101, 50, 30, 8, 8, 5, 1, 1, 1];
    let tasks: Vec<_> = amounts
        .into_iter()
        .flat_map(|amount| users.iter().map(move |(user, _)| (*user, amount)))
        .map(|(user, amount)| {
            let (app, command) = (w.app.clone(), of(&amount.to_string()));
            (user, amount, tokio::spawn(async move { withdraw(&app, Proof::assumed(user), command).await }))
        })
        .collect();
    let mut paid = BTreeMap::<i64, Vec<i32>>::new();
    let mut refused = BTreeMap::<i64, Vec<i32>>::new();
    for (user, amount, task) in tasks {
        match task.await.expect("no panic") {
            Ok(view) => {
                assert_eq!(view.amount, money(&amount.to_string()));
                paid.entry(user.0).or_default().push(amount);
            }
            too_large => {
                assert_eq!(why(too_large), "insufficient_balance");
                refused.entry(user.0).or_default().push(amount);
            }
        }
    }
    for (user, had) in users {
        let (paid, refused) = (paid.remove(&user.0).unwrap_or_default(), refused.remove(&user.0).unwrap_or_default());
        let (out, left) = (paid.iter().sum::<i32>(), had - paid.iter().sum::<i32>());
        let figures = property(&w.app, user).await.expect("figures");
        assert_eq!((figures.available, figures.withdrawing), (money(&left.to_string()), money(&out.to_string())));
        assert_eq!(paid.len() + refused.len(), amounts.len());
        assert!(refused.iter().all(|amount| *amount > left) && !refused.is_empty(), "{refused:?} of {left}");
        assert_eq!(paid.is_empty(), had == 0);
        let listed = withdrawals(&w.app, user, PageRequest { before: None, limit: 100 }).await.expect("a list").items;
        let mut listed: Vec<_> = listed.into_iter().map(|view| view.amount).collect();
        let mut asked: Vec<_> = paid.iter().map(|amount| money(&amount.to_string())).collect();
        listed.sort();
        asked.sort();
        assert_eq!(listed, asked);
    }
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(sixty_four_with_one_key_are_one, |test| {
    let w = funded(test, "100").await;
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let (app, user) = (w.app.clone(), w.user);
            tokio::spawn(async move { withdraw(&app, Proof::assumed(user), keyed("1", "same")).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.expect("no panic").expect("answered"));
    }
    answers.dedup();
    assert_eq!((answers.len(), count(&w).await, w.property().await.available), (1, 1, money("99")));
});

on_both!(the_list_is_ones_own_and_goes_on, |test| {
    let w = funded(test, "100").await;
    for amount in ["1", "2", "3"] {
        withdraw(&w.app, Proof::assumed(w.user), of(amount)).await.expect("accepted");
    }
    let first = withdrawals(&w.app, w.user, PageRequest { before: None, limit: 2 }).await.expect("a page");
    assert_eq!(first.items.iter().map(|v| v.amount.to_string()).collect::<Vec<_>>(), ["3.00", "2.00"]);
    withdraw(&w.app, Proof::assumed(w.user), of("4")).await.expect("accepted");
    let second = withdrawals(&w.app, w.user, PageRequest { before: first.next, limit: 2 }).await.expect("a page");
    assert_eq!(second.items.iter().map(|v| v.amount.to_string()).collect::<Vec<_>>(), ["1.00"]);
    assert_eq!(second.next, None);
    let other = w.test.user("other").await;
    let foreign = withdrawals(&w.app, other, PageRequest::default()).await.expect("a page");
    assert!(foreign.items.is_empty());
});

on_both!(a_repeat_shows_the_withdrawal_as_it_is_now, |test| {
    let w = funded(test, "100").await;
    let ask = || withdraw(&w.app, Proof::assumed(w.user), keyed("60", "k"));
    let first = ask().await.expect("accepted");
    assert_eq!(w.kept().await, format!(r#"{{"id":"{}"}}"#, first.id));
    let id = first.id;
    reject_withdrawal(&w.app, &w.bob, id).await.expect("rejected");
    let again = ask().await.expect("answered again");
    assert_eq!((&again.id, again.status.name(), &*again.reason), (&first.id, "rejected", "a test"));
    w.keep(&format!(
        r#"{{"id":"{}","amount":"60.00","fee":"0.00","status":"pending","requested_at":"2026-01-05T12:00:00.000Z","decided_at":null,"reason":""}}"#,
        first.id
    ))
    .await;
    assert_eq!(ask().await.expect("kept by the version before"), again);
    assert_eq!((count(&w).await, w.property().await.available), (1, money("100")));
});
