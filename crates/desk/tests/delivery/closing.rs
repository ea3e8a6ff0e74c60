//! An account cannot be closed while either side owes anything: each kind of money, plan
//! and request prevents it, and its end allows it.

use auth::AccountStatus;
use base::Money;
use calendar::Zone;
use campaigns::plans::plan_control::reject as reject_plan;
use campaigns::plans::plan_views::PlanView;
use desk::requests::{MoneyRequestDraft, approve, reject, request};
use diesel::connection::SimpleConnection;
use foundation::Error;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::close_account::{CloseAccount, close_account};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::{StatusOutcome, change_status};
use foundation::people::user_info::user_info;
use i18n::Lang;
use money::wallet::acceptor_admin::{AcceptorFile, add_acceptor};
use money::wallet::acceptors::acceptor_detail;
use money::wallet::bank_card::bank_card;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use money::wallet::exchange::{PutExchange, put_exchange};
use money::wallet::exchange_review::{approve_exchange, complete_exchange};
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::verify::trial_balance;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use store::on_both;
use store::wallet::books::Owner;

use crate::money::{World, funded, why, world};
use crate::publishers::earnings::number;
use crate::publishers::refunds;
use crate::support::{Market, market};

const PASSWORD: &str = "seven green bottles";

/// Lets the user sign in with a password, like a registered one.
async fn with_password(w: &World) {
    let (user, hash) = (w.user, auth::hashing::hash(PASSWORD.as_bytes(), &[7; 16]).expect("a hash"));
    let set = w.app.db.write(move |tx| store::people::users::set_password(tx, user, &hash));
    set.await.expect("set");
}

async fn close(w: &World) -> Result<(), Error> {
    let command = CloseAccount { password: PASSWORD.into(), address: None };
    close_account(&w.app, w.user, "demo", command).await
}

/// Everything that closing erases, and the figures.
async fn kept(w: &World) -> String {
    let user = user_info(&w.app, w.user, None).await.expect("a user");
    let card = bank_card(&w.app, w.user).await.expect("read");
    format!("{user:?} {card:?} {:?}", w.property().await)
}

/// Closing is refused, and nothing has changed.
async fn stays_open(w: &World, because: &str) {
    is_refused(w, because, "funds_remaining").await;
}

async fn is_refused(w: &World, because: &str, key: &str) {
    let before = kept(w).await;
    match close(w).await {
        Ok(()) => panic!("closed in spite of {because}"),
        refused => assert_eq!(why(refused), key, "{because}"),
    }
    assert_eq!(kept(w).await, before, "{because}");
}

async fn closes(w: &World) {
    close(w).await.expect("closed");
    let user = user_info(&w.app, w.user, None).await.expect("a user");
    assert_eq!((user.status.name(), user.email.as_str()), ("cancelled", ""));
    assert_eq!(bank_card(&w.app, w.user).await.expect("read"), None);
}

async fn pay_out(w: &World, amount: &str) {
    let asked =
        withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
            .await
            .expect("asked");
    let id = asked.id;
    if w.property().await.available.to_string() == "0.00" {
        stays_open(w, "what is being withdrawn").await;
    }
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    pay_withdrawal(&w.app, &w.bob, id, None).await.expect("paid");
}

on_both!(what_is_available_and_what_is_being_withdrawn, |test| {
    let w = funded(test, "0.01").await;
    with_password(&w).await;
    stays_open(&w, "what is available").await;
    pay_out(&w, "0.01").await;
    closes(&w).await;
});

on_both!(what_is_being_exchanged, |test| {
    let w = funded(test, "10.00").await;
    with_password(&w).await;
    let file = AcceptorFile {
        name: "Bright Exchange".into(),
        kind: "personal".into(),
        limit: "50.00".into(),
        daily_limit: None,
        quote_seconds: 600,
        code: None,
        rates: [("EUR".to_owned(), "0.92".to_owned())].into(),
    };
    let asked = add_acceptor(&w.app, &w.bob, &file).await.expect("asked for");
    approve(&w.app, &w.ann, asked.request.id.into()).await.expect("approved");
    acceptor_detail(&w.app, w.user, "personal", &asked.code, Zone::UTC).await.expect("shown");
    let order = PutExchange {
        acceptor: asked.request.acceptor_id.expect("an id").to_string(),
        code: asked.code,
        amount: Money::from_minor(1_000),
        currency: "EUR".into(),
        quote: None,
        rate: None,
        zone: Zone::UTC,
        key: None,
    };
    let id = put_exchange(&w.app, Proof::assumed(w.user), order).await.expect("put").id;
    assert_eq!(w.property().await.available.to_string(), "0.00");
    stays_open(&w, "what is being exchanged").await;
    approve_exchange(&w.app, &w.ann, id).await.expect("approved");
    stays_open(&w, "what is being exchanged").await;
    complete_exchange(&w.app, &w.bob, id).await.expect("completed");
    closes(&w).await;
});

on_both!(a_deposit, |test| {
    let w = funded(test, "10.00").await;
    with_password(&w).await;
    let all = || MoveDeposit { amount: "10.00".parse().expect("an amount"), key: None };
    pay_deposit(&w.app, Proof::assumed(w.user), all()).await.expect("paid");
    assert_eq!(w.property().await.available.to_string(), "0.00");
    stays_open(&w, "a deposit").await;
    return_deposit(&w.app, Proof::assumed(w.user), all()).await.expect("returned");
    pay_out(&w, "10.00").await;
    closes(&w).await;
});

on_both!(money_that_was_asked_for_and_may_come, |test| {
    let w = world(test).await;
    with_password(&w).await;
    for ask in [
        MoneyRequestDraft::recharge(w.user, "5.00", "R-1"),
        MoneyRequestDraft::startup_loan(w.user, "5.00"),
        MoneyRequestDraft::chargeback(w.user, "5.00", "CB-1"),
    ] {
        let asked = request(&w.app, &w.ann, ask).await.expect("requested");
        stays_open(&w, &asked.kind.to_string()).await;
        reject(&w.app, &w.bob, asked.id.into()).await.expect("rejected");
    }
    // Promotional credit, which can only be spent here, is not the user's money.
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::grant(w.user, "5.00")).await.expect("requested");
    closes(&w).await;
    assert_eq!(why(approve(&w.app, &w.bob, asked.id.into()).await), "account_not_active");
});

on_both!(what_a_chargeback_did_not_find, |test| {
    let w = world(test).await;
    with_password(&w).await;
    w.book(MoneyRequestDraft::chargeback(w.user, "5.00", "CB-1")).await;
    is_refused(&w, "what a chargeback did not find", "chargeback_due").await;
    let asked = change_status(&w.app, w.ann.clone(), "demo", AccountStatus::Cancelled).await.expect("asked");
    let StatusOutcome::Requested(asked) = asked else { panic!("one person gave up what is due: {asked:?}") };
    let owns = &asked.proposal.as_ref().expect("what it owns")["owns"]["to"];
    assert_eq!(owns["chargeback_due"], "5.00");
    w.book(MoneyRequestDraft::waive_chargeback(w.user, "5.00")).await;
    closes(&w).await;
});

on_both!(a_correction_of_delivery_that_waits, |test| {
    let market = market(test).await;
    let w = &market.world;
    with_password(w).await;
    pay_out(w, "990.00").await;
    let plan = market.put("10.00").await;
    market.visit().await;
    market.visit().await;
    market.work().await;
    settled(&market, &plan).await;
    let year = || refunds::year("");
    let asked = refunds::ask(&market, year()).await.expect("requested");
    stays_open(w, "a correction that can be approved").await;
    let other = w.test.user("other").await;
    let at = w.app.now();
    let waits = w.app.db.read(move |conn| store::wallet::corrections::has_waiting(conn, other, at));
    assert!(!waits.await.expect("looked"), "it is of somebody else's plan");
    reject(&w.app, &w.ann, asked.id.into()).await.expect("rejected");
    refunds::ask(&market, year()).await.expect("requested");
    stays_open(w, "a correction that can be approved").await;
    market.wait(7 * 86_400);
    closes(w).await;
    market.check().await;
});

on_both!(a_correction_that_finds_the_account_cancelled, |test| {
    let market = market(test).await;
    let w = &market.world;
    refunds::promote(&market, "3.00").await;
    let plan = market.put("10.00").await;
    market.visit().await;
    for days in [8, 4] {
        market.wait(days * 86_400);
        market.work().await;
    }
    assert_eq!(market.status(&plan).await, "settled");
    let asked = refunds::ask(&market, refunds::year("")).await.expect("requested");
    let before = w.property().await;
    // Two people cancelled it meanwhile.
    execute(w, format!("UPDATE users SET status = {} WHERE id = {}", AccountStatus::Cancelled.code(), w.user)).await;
    let approved = refunds::approved(&market, &asked).await.expect("approved");
    assert_eq!(approved.to_cancelled_accounts.map(|own| own.to_string()).as_deref(), Some("2.00"));
    let after = w.property().await;
    assert_eq!(after.promotional, before.promotional, "nobody could use the credit");
    assert_eq!(after.available, before.available.plus(Money::from_minor(200)).expect("in range"));
    let lines = trial_balance(&w.app).await.expect("balances");
    let cost = lines.iter().find(|line| line.account == "promotion_cost").expect("a line");
    assert_eq!(cost.balance.to_string(), "0.00");
    market.check().await;
});

on_both!(a_correction_of_which_nothing_is_the_users_is_in_their_book, |test| {
    let market = market(test).await;
    let w = &market.world;
    refunds::promote(&market, "10.00").await;
    market.put("10.00").await;
    market.visit().await;
    market.close_day().await;
    let asked = refunds::ask(&market, refunds::year("")).await.expect("requested");
    // All of it was paid with credit, which goes to the platform once the account is cancelled.
    execute(w, format!("UPDATE users SET status = {} WHERE id = {}", AccountStatus::Cancelled.code(), w.user)).await;
    refunds::approved(&market, &asked).await.expect("approved");
    market.check().await;
    let book = number(&market, "SELECT book AS n FROM transactions WHERE ref_type = 'delivery_refund'").await;
    assert_eq!(Owner::of_book(book), Owner::User(w.user));
    let told = list_notifications(&w.app, w.user, Lang::En, NotificationQuery::default()).await.expect("notices");
    let refunded = told.items.iter().filter(|notice| notice.kind.as_deref() == Some("delivery_refunded"));
    assert_eq!(refunded.count(), 0, "nothing came back to the user");
});

async fn execute(w: &World, sql: String) {
    let done = w.test.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    done.await.expect("executed");
}

/// The plan ends without having earned anything, and nothing is available.
async fn settled(market: &Market, plan: &PlanView) {
    market.wait(3 * 86_400 + 60);
    market.work().await;
    assert_eq!(market.status(plan).await, "settled");
    let figures = market.world.property().await;
    assert_eq!((figures.available.minor(), figures.to_be_settled.minor()), (0, 0));
}

on_both!(a_plan_what_it_earns_and_what_was_advanced_for_it, |test| {
    let market = market(test).await;
    let w = &market.world;
    with_password(w).await;
    let plan = market.put("500.00").await;
    stays_open(w, "a plan that waits for a slot").await;
    reject_plan(&w.app, &w.bob, &plan.plan_no).await.expect("rejected");
    pay_out(w, "990.00").await;

    let plan = market.put("10.00").await;
    assert_eq!(w.property().await.available.to_string(), "0.00");
    stays_open(w, "a plan that waits for a slot").await;
    let first = market.visit().await;
    stays_open(w, "a plan that is delivered").await;
    assert!(market.convert("order-1", &first.click_id).await.accepted);
    // It cannot be settled yet; only its future earnings keep the account open.
    let status = |of: &str| format!("UPDATE plans SET status = {of} WHERE id = {}", plan.id);
    execute(w, status(&plans::Status::Settled.code().to_string())).await;
    stays_open(w, "what is to be settled").await;
    execute(w, status(&plans::Status::Putting.code().to_string())).await;
    market.visit().await;
    market.work().await;
    stays_open(w, "a plan that waits for its settlement").await;
    assert!(market.reverse("order-1").await.accepted);
    settled(&market, &plan).await;

    w.advance("10.00").await;
    let plan = market.put("10.00").await;
    market.visit().await;
    market.visit().await;
    market.work().await;
    settled(&market, &plan).await;
    stays_open(w, "what was advanced and is spent").await;
    w.recharge("10.00", "back").await;
    repay_startup_loan(&w.app, Proof::assumed(w.user), RepayStartupLoan { amount: None, key: None })
        .await
        .expect("returned");
    closes(w).await;
    market.check().await;
});
