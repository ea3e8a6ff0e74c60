//! What staff are told prevents a withdrawal is what refuses the user's.

use auth::{AccountStatus, PayPassword};
use campaigns::AdServer;
use desk::account_detail::{Block, account_detail};
use desk::requests::MoneyRequestDraft;
use foundation::Error;
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::pay_password::verify_in_session;
use foundation::people::sessions::authenticate_afresh;
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::people::staff_accounts::change_status;
use money::wallet::withdraw::{Withdraw, withdraw};
use store::on_both;
use store::wallet::books::{Books, Note};

use crate::support::{World, bind, funded, world};

const DIGITS: &str = "839201";

async fn blocks(app: &AdServer) -> Vec<Block> {
    account_detail(app, "demo").await.expect("shown").withdrawal.blocks
}

async fn keys(app: &AdServer) -> Vec<String> {
    blocks(app).await.into_iter().map(|block| block.key).collect()
}

/// A request as at the edge: session, store, password, wallet.
async fn tried(app: &AdServer, token: &str, digits: &str) -> Result<(), Error> {
    let caller = authenticate_afresh(app, token).await?;
    caller.with_store()?;
    let proof = verify_in_session(app, &caller, &PayPassword::from_digits(digits)).await?;
    withdraw(app, proof, Withdraw::read("0.01", None)?).await.map(|_| ())
}

async fn signed_in(app: &AdServer) -> String {
    let ticket = issue_ticket(app, None, "demo").await.expect("a ticket");
    enter(app, ticket.text(), "a phone").await.expect("signed in").token
}

async fn set_password(world: &World) {
    let command = SetPayPassword { password: PayPassword::from_digits(DIGITS), old_password: None };
    set_pay_password(&world.app, world.user, command).await.expect("set");
}

/// Start-up funds, without the required operators.
async fn advance(world: &World, amount: &str) {
    let (user, amount) = (world.user, crate::support::money(amount));
    let advanced = world.app.db.write(move |tx| {
        let mut books = Books::lock_user(tx, user)?;
        let postings = wallet::advance_startup_loan(books.wallet()?, amount)?;
        let event_at = tx.now();
        let (actor, reason) = ("system".to_owned(), "a test".to_owned());
        let note = Note {
            document: wallet::Document::Startup(base::UserId(1)),
            event_at,
            actor,
            reason,
            idempotency_key: None,
        };
        Ok::<_, Error>(books.post(tx, &postings, &note)?)
    });
    advanced.await.expect("advanced");
}

/// The first barrier is the refusal of an attempt.
async fn agree(world: &World, token: &str, expected: &[&str]) {
    assert_eq!(keys(&world.app).await, expected);
    let refused = tried(&world.app, token, DIGITS).await.map_err(|error| error.key());
    assert_eq!(refused.err(), expected.first().copied());
}

on_both!(each_barrier_is_told_with_its_key_and_lifted_one_after_the_other, |test| {
    let world = world(test).await;
    let token = signed_in(&world.app).await;
    agree(&world, &token, &["pay_password_not_set", "bank_card_not_bound", "insufficient_balance"]).await;
    set_password(&world).await;
    let card = crate::support::address("first");
    bind(&world.app, world.user, card).await.expect("bound");
    agree(&world, &token, &["insufficient_balance"]).await;
    world.recharge("50.00", "first").await;
    agree(&world, &token, &[]).await;
    let shown = account_detail(&world.app, "demo").await.expect("shown");
    assert_eq!((shown.withdrawal.possible, &*shown.withdrawal.most.to_string()), (true, "49.99"));
    assert_eq!(shown.withdrawals.len(), 1, "the one that was tried");
});

on_both!(what_is_owed_and_what_is_barred_is_told_with_its_figures, |test| {
    let world = funded(test, "50.00").await;
    let token = signed_in(&world.app).await;
    set_password(&world).await;
    advance(&world, "20.00").await;
    agree(&world, &token, &["startup_funds_outstanding"]).await;
    let block = blocks(&world.app).await.remove(0);
    assert_eq!(block.data["outstanding"], "20.00");
    assert_eq!(block.lifted_by, "the user returns 20.00 in the wallet, of 70.00 available");
    // A chargeback of 80.00 finds 70.00.
    world.book(MoneyRequestDraft::chargeback(world.user, "80.00", "CB-1")).await;
    agree(&world, &token, &["startup_funds_outstanding", "chargeback_due", "insufficient_balance"]).await;
    let block = blocks(&world.app).await.remove(1);
    assert_eq!(block.data["outstanding"], "10.00");
    assert_eq!(block.lifted_by, "two of staff collect 10.00, of 0.00 available, or waive it");
    assert_eq!(block.command.as_deref(), Some("placard chargeback collect demo AMOUNT --reason …"));
    let registered_at = world.test.clock.now();
    world.test.clock.advance_seconds(60);
    change_status(&world.app, world.bob.clone(), "demo", AccountStatus::Disabled).await.expect("disabled");
    let since = world.test.clock.now();
    world.test.clock.advance_seconds(60);
    let all = ["account_disabled", "startup_funds_outstanding", "chargeback_due", "insufficient_balance"];
    agree(&world, &token, &all).await;
    let shown = account_detail(&world.app, "demo").await.expect("shown");
    let command = shown.withdrawal.blocks[0].command.clone();
    assert_eq!(command.as_deref(), Some("placard account activate demo --reason …"));
    assert_eq!((shown.withdrawal.possible, &*shown.withdrawal.most.to_string()), (false, "0.00"));
    assert_eq!((shown.status.by.as_deref(), shown.status.reason.as_str()), (Some("bob"), "a test"));
    assert_eq!((shown.status.registered_at, shown.status.since), (registered_at, Some(since)));
});

on_both!(a_locked_password_is_told_with_when_it_opens, |test| {
    let world = funded(test, "50.00").await;
    let token = signed_in(&world.app).await;
    set_password(&world).await;
    for _ in 0..5 {
        assert_eq!(tried(&world.app, &token, "000007").await.map_err(|e| e.key()), Err("wrong_pay_password"));
    }
    agree(&world, &token, &["pay_password_locked"]).await;
    let block = blocks(&world.app).await.remove(0);
    assert_eq!(block.data["retry_after"], 3_600);
    let until = block.until.expect("a moment");
    assert_eq!(until, world.test.clock.now().plus_seconds(3_600));
    world.test.clock.advance_seconds(3_600);
    agree(&world, &token, &[]).await;
});

on_both!(a_shop_that_is_not_open_bars_too, |test| {
    let world = world(test).await;
    world.test.user_with_store("closed", false).await;
    let shown = account_detail(&world.app, "closed").await.expect("shown");
    assert_eq!(shown.withdrawal.blocks[0].key, "store_not_opened");
    assert!(shown.withdrawal.blocks[0].command.as_deref().is_some_and(|c| c.starts_with("placard code issue")));
});
