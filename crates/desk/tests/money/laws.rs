//! Random operations on the wallet: the ledger's laws hold after them, and both databases
//! agree.

mod balances;
mod log_copies;
mod log_renewal;
mod log_size;
mod proof_file;
mod public_log;
mod rewritten;
mod witnesses;

use base::UserId;
use campaigns::AdServer;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::Error;
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use money::wallet::payment_files::unpaid::GivenBack;
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal, reject_withdrawal};
use store::on_both;
use store::testing::{TestDb, postgres, sqlite};

use crate::support::{World, address, bind, funded, money};

/// Knuth's multiplier: pseudo-random numbers that are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// The result of a step: `Ok` or the key of its refusal; faults fail the test.
fn told<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(Error::Refused(refusal)) => refusal.key().to_owned(),
        Err(Error::Fields(fields)) => format!("{fields:?}"),
        Err(fault) => panic!("a fault: {fault}"),
    }
}

async fn step(w: &World, app: &AdServer, user: UserId, dice: &mut Dice) -> String {
    let written = format!("{}.{:02}", dice.roll(40), dice.roll(100));
    let amount = money(&written);
    let key = || Key::parse("again").ok();
    let id = base::WithdrawalId(1 + i64::try_from(dice.roll(30)).expect("small"));
    match dice.roll(9) {
        0 => told(withdraw(app, Proof::assumed(user), Withdraw { amount, key: key() }).await),
        1 | 2 => told(withdraw(app, Proof::assumed(user), Withdraw { amount, key: None }).await),
        3 => told(approve_withdrawal(app, &w.ann, id).await),
        4 => told(pay_withdrawal(app, &w.bob, id, None).await),
        5 => told(pay_withdrawal(app, &w.ann, id, None).await),
        6 => match reject_withdrawal(app, &w.bob, id).await {
            Ok(GivenBack::Asked(asked)) => told(approve(app, &w.ann, asked.id.into()).await),
            done => told(done),
        },
        7 => match request(app, &w.ann, MoneyRequestDraft::startup_loan(user, &written)).await {
            Ok(asked) => told(approve(app, &w.bob, asked.id.into()).await),
            refused => told(refused),
        },
        _ => told(repay_startup_loan(app, Proof::assumed(user), RepayStartupLoan { amount: None, key: None }).await),
    }
}

on_both!(the_laws_hold_after_random_work_by_many, |test| {
    let w = funded(test, "500").await;
    let other = w.test.user("other").await;
    bind(&w.app, other, address("other")).await.expect("bound");
    let w = std::sync::Arc::new(w);
    let workers: Vec<_> = (0..8_u64)
        .map(|seed| {
            let (w, user) = (w.clone(), if seed % 2 == 0 { w.user } else { other });
            tokio::spawn(async move {
                let mut dice = Dice(seed);
                for _ in 0..40 {
                    step(&w, &w.app, user, &mut dice).await;
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("no fault");
    }
    let found = verify(&w.app).await.expect("verified");
    assert!(found.ok && found.transactions > 20, "{found:?}");
});

async fn story(test: TestDb) -> Vec<String> {
    let w = funded(test, "500").await;
    let mut dice = Dice(77);
    let mut story = Vec::new();
    for _ in 0..250 {
        w.test.clock.advance_seconds(3_600);
        story.push(step(&w, &w.app, w.user, &mut dice).await);
    }
    story.extend(w.lines().await);
    story.extend(w.statement().await.months.iter().map(|m| format!("{} {} {}", m.month, m.income, m.expense)));
    story.push(format!("{:?}", w.property().await));
    story
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases_tell_the_same_story() {
    let (one, two) = (story(sqlite()).await, story(postgres()).await);
    assert_eq!(one, two);
    for seen in
        ["ok", "already_decided", "not_approved", "second_person_needed", "startup_funds_outstanding", "not_found"]
    {
        assert!(one.iter().any(|told| told == seen), "never {seen}");
    }
}
