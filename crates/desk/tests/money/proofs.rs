//! What the transaction password costs a movement, and what guessing at the same time
//! achieves.

use campaigns::AdServer;
use std::time::Duration;

use auth::{Guard, PayPassword, Secrets};
use foundation::people::pay_password::{check, verify};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::{App, Error, Settings};
use futures_util::future::join_all;
use money::wallet::withdraw::{Withdraw, withdraw};
use store::on_both;
use store::people::pay_passwords;
use store::testing::{execute, sqlite};

use crate::support::{World, funded, money, why};

fn right() -> PayPassword {
    PayPassword::from_digits("839201")
}

fn wrong() -> PayPassword {
    PayPassword::from_digits("000001")
}

async fn set(w: &World, password: PayPassword, old_password: Option<PayPassword>) {
    set_pay_password(&w.app, w.user, SetPayPassword { password, old_password }).await.expect("set");
}

async fn protected(test: store::testing::TestDb) -> World {
    let w = funded(test, "100.00").await;
    set(&w, right(), None).await;
    w
}

/// Another server on the same database.
fn elsewhere(w: &World) -> AdServer {
    AdServer::new(App::new(w.test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), Settings::default()))
}

fn of(amount: &str) -> Withdraw {
    Withdraw::read(amount, None).expect("an amount")
}

async fn shown(app: &AdServer, w: &World, password: &PayPassword, amount: &str) -> Result<(), Error> {
    let proof = verify(app, w.user, password).await?;
    withdraw(app, proof, of(amount)).await.map(|_| ())
}

async fn guard(w: &World) -> Guard {
    let (user, now) = (w.user, w.test.clock.now());
    w.app.db.read(move |conn| pay_passwords::look(conn, user, now)).await.expect("read").expect("a user").guard
}

async fn wait_for_streak(w: &World, streak: u32) {
    let counted = async {
        while guard(w).await.streak != streak {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), counted).await.expect("counted");
}

/// Identifies an SQLite log, and counts its transactions: frames that contain the
/// database's size.
fn log(w: &World) -> (Vec<u8>, usize) {
    let mut log = w.test.db.sqlite_path().expect("SQLite").clone().into_os_string();
    log.push("-wal");
    let log = std::fs::read(log).expect("a log");
    let word = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().expect("four bytes"));
    let (salt, frame) = (&log[16..24], 24 + word(8) as usize);
    let commits = (32..log.len()).step_by(frame).filter(|at| log[at + 8..at + 16] == *salt && word(at + 4) > 0);
    (salt.to_vec(), commits.count())
}

/// The number of commits of a withdrawal. If the log was restarted meanwhile, the
/// measurement is repeated.
async fn commits(w: &World, wrong_before: bool) -> usize {
    loop {
        if wrong_before {
            assert_eq!(why(shown(&w.app, w, &wrong(), "1.00").await), "wrong_pay_password");
        }
        let before = log(w);
        shown(&w.app, w, &right(), "1.00").await.expect("accepted");
        let after = log(w);
        if before.0 == after.0 {
            return after.1 - before.1;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_accepted_withdrawal_is_one_commit() {
    let w = protected(sqlite()).await;
    assert_eq!(commits(&w, false).await, 1);
    // After a wrong one, the attempt is counted before it is hashed.
    assert_eq!(commits(&w, true).await, 2);
}

on_both!(a_right_one_that_comes_after_the_limit_is_refused, |test| {
    let w = protected(test).await;
    let there = elsewhere(&w);
    let proof = verify(&w.app, w.user, &right()).await.expect("right");
    let guess = wrong();
    let told = join_all((0..40).map(|_| check(&there, w.user, &guess))).await;
    let told: Vec<String> = told.into_iter().map(why).collect();
    assert_eq!(told.iter().filter(|key| *key == "wrong_pay_password").count(), 5);
    let before = guard(&w).await;
    assert_eq!(why(withdraw(&w.app, proof, of("1.00")).await), "pay_password_locked");
    assert_eq!((w.property().await.available, guard(&w).await), (money("100.00"), before));
});

on_both!(what_many_servers_hash_at_once_is_answered_five_times, |test| {
    let w = protected(test).await;
    let servers: Vec<AdServer> = (0..12).map(|_| elsewhere(&w)).collect();
    let guess = wrong();
    // Each has checked the guard before any of them has hashed.
    let told = join_all(servers.iter().map(|server| check(server, w.user, &guess))).await;
    let told: Vec<String> = told.into_iter().map(why).collect();
    assert_eq!(told.iter().filter(|key| *key == "wrong_pay_password").count(), 5);
    assert_eq!(told.iter().filter(|key| *key == "pay_password_locked").count(), 7);
    assert_eq!(guard(&w).await.recent, 5);
});

on_both!(a_right_one_among_four_wrong_clears_the_row, |test| {
    let w = protected(test).await;
    let there = elsewhere(&w);
    let proof = verify(&w.app, w.user, &right()).await.expect("right");
    for _ in 0..4 {
        assert_eq!(why(check(&there, w.user, &wrong()).await), "wrong_pay_password");
    }
    withdraw(&w.app, proof, of("1.00")).await.expect("in time");
    assert_eq!(guard(&w).await, Guard { recent: 4, ..Guard::default() });
});

on_both!(guesses_and_one_right_at_once_are_as_if_one_after_the_other, |test| {
    let w = protected(test).await;
    let servers = [elsewhere(&w), elsewhere(&w), elsewhere(&w)];
    for round in 1..=4 {
        let (guess, known) = (wrong(), right());
        let guesses = (0..60).map(|n| shown(&servers[n % 3], &w, &guess, "1.00"));
        let (told, granted) = tokio::join!(join_all(guesses), shown(&w.app, &w, &known, "1.00"));
        let told: Vec<String> = told.into_iter().map(why).collect();
        let evaluated = told.iter().filter(|key| *key == "wrong_pay_password").count();
        assert_eq!(told.iter().filter(|key| *key == "pay_password_locked").count(), 60 - evaluated);
        let left = w.property().await.available;
        let recent = guard(&w).await.recent as usize;
        match granted {
            // Those before it and those after it. Only four, if all the others came while it held the fifth place.
            Ok(()) => assert!((4..=9).contains(&evaluated) && left == money("99.00"), "{evaluated}, {left}"),
            refused => {
                assert_eq!((why(refused).as_str(), evaluated), ("pay_password_locked", 5));
                assert_eq!(left, money("100.00"));
            }
        }
        assert_eq!(recent, evaluated, "each one that was told to be wrong was counted, and no other");
        if evaluated > 4 {
            assert_eq!(why(check(&w.app, w.user, &right()).await), "pay_password_locked", "round {round}");
        }
        // Again from the start, with the same money and attempts.
        let user = w.user;
        w.app.db.write(move |tx| pay_passwords::reset(tx, user)).await.expect("reset");
        set(&w, right(), None).await;
        if left == money("99.00") {
            w.recharge("1.00", &format!("again {round}")).await;
        }
    }
});

on_both!(a_right_one_whose_movement_is_refused_is_no_guess, |test| {
    let w = protected(test).await;
    for _ in 0..3 {
        assert_eq!(why(shown(&w.app, &w, &wrong(), "1.00").await), "wrong_pay_password");
        for _ in 0..3 {
            assert_eq!(why(shown(&w.app, &w, &right(), "100.01").await), "insufficient_balance");
        }
    }
    assert_eq!(guard(&w).await, Guard { recent: 3, ..Guard::default() });
});

on_both!(a_reserved_attempt_is_cleared_with_the_movement, |test| {
    let w = protected(test).await;
    assert_eq!(why(check(&w.app, w.user, &wrong()).await), "wrong_pay_password");
    let proof = verify(&w.app, w.user, &right()).await.expect("right");
    assert_eq!(guard(&w).await, Guard { streak: 2, recent: 2, ..Guard::default() });
    let next = tokio::time::timeout(Duration::from_millis(300), check(&w.app, w.user, &right())).await;
    assert!(next.is_err(), "another right one waits, and is not counted beside it");
    assert_eq!(guard(&w).await.streak, 2);
    withdraw(&w.app, proof, of("1.00")).await.expect("accepted");
    assert_eq!(guard(&w).await, Guard { recent: 1, ..Guard::default() });
});

on_both!(right_ones_at_once_after_a_wrong_one_lock_nobody_out, |test| {
    let w = protected(test).await;
    assert_eq!(why(check(&w.app, w.user, &wrong()).await), "wrong_pay_password");
    let known = right();
    for granted in join_all((0..16).map(|_| shown(&w.app, &w, &known, "1.00"))).await {
        granted.expect("right");
    }
    assert_eq!(w.property().await.available, money("84.00"));
});

on_both!(a_proof_is_of_the_password_that_is_set, |test| {
    let w = protected(test).await;
    let (first, second) = (verify(&w.app, w.user, &right()).await, verify(&w.app, w.user, &right()).await);
    set(&w, PayPassword::from_digits("730184"), Some(right())).await;
    assert_eq!(why(withdraw(&w.app, first.expect("right"), of("1.00")).await), "wrong_pay_password");
    let user = w.user;
    w.app.db.write(move |tx| pay_passwords::reset(tx, user)).await.expect("reset");
    assert_eq!(why(withdraw(&w.app, second.expect("right"), of("1.00")).await), "pay_password_not_set");
    assert_eq!(w.property().await.available, money("100.00"));
});

on_both!(who_does_not_wait_for_the_answer_has_guessed, |test| {
    let w = protected(test).await;
    let (app, user, begun) = (w.app.clone(), w.user, w.app.hashing().begun);
    let leaving = tokio::spawn(async move { check(&app, user, &wrong()).await });
    while w.app.hashing().begun == begun {
        tokio::task::yield_now().await;
    }
    leaving.abort();
    wait_for_streak(&w, 1).await;
});

on_both!(what_cannot_be_counted_keeps_the_users_turn, |test| {
    let w = protected(test).await;
    let (refuse, allow) = if w.test.url.starts_with("sqlite") {
        let refuse =
            "CREATE TRIGGER refuse BEFORE INSERT ON pay_password_failures BEGIN SELECT RAISE(ABORT, 'full'); END";
        (refuse, "DROP TRIGGER refuse")
    } else {
        let refuse = "ALTER TABLE pay_password_failures ADD CONSTRAINT refuse CHECK (id < 0) NOT VALID";
        (refuse, "ALTER TABLE pay_password_failures DROP CONSTRAINT refuse")
    };
    execute(&w.test.url, refuse).expect("refused from now on");
    assert!(matches!(check(&w.app, w.user, &wrong()).await, Err(Error::Store(_))));
    let next = tokio::time::timeout(Duration::from_millis(300), check(&w.app, w.user, &right())).await;
    assert!(next.is_err(), "no further guess before the last is counted");
    execute(&w.test.url, allow).expect("allowed again");
    wait_for_streak(&w, 1).await;
    check(&w.app, w.user, &right()).await.expect("right");
});
