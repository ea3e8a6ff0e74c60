//! What staff may not do at once, they may not do in small steps either, and not by editing
//! what is counted.

use auth::{Limits, Role};
use base::AcceptorId;
use campaigns::catalogue::advertisers::{self, CapOutcome, cap};
use campaigns::catalogue::counterparty_keys::KeyOffer;
use desk::requests::{MoneyRequestDraft, approve, reject, request};
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::staff::limits::{LimitOutcome, limits, set_limit};
use foundation::staff::requests::{RequestRef, RequestView};
use money::wallet::acceptor_admin::set_rate;
use money::wallet::exchange::cancel_exchange;
use money::wallet::exchange_review::{approve_exchange, complete_exchange};
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use rust_decimal::Decimal;
use store::on_both;
use store::wallet::books::{Books, Note};
use store::wallet::exchange::{self as orders, NewOrder, Order};

use crate::exchange::{Shop, shop};
use crate::support::{World, funded, money, why, world};

const DAY: i64 = 86_400;

fn which(asked: &RequestView) -> RequestRef {
    asked.id.into()
}

/// As somebody with access to the database does it.
async fn edit(w: &World, sql: &'static str) {
    let edited = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(sql)?)).await;
    edited.expect("edited");
}

impl Shop {
    fn id(&self) -> AcceptorId {
        self.acceptor.parse().expect("an id")
    }

    async fn asks(&self, by: &Staff, rate: &str) -> RequestView {
        set_rate(&self.w.app, by, self.id(), "EUR", rate).await.expect("asked for")
    }

    async fn rate(&self) -> Decimal {
        self.look().await.rates[0].rate.parse().expect("a rate")
    }

    /// Support asks for the rate times this and finance approves, until that needs an admin.
    async fn in_steps_of(&self, factor: &str) -> usize {
        for step in 0..95 {
            let next = (self.rate().await * factor.parse::<Decimal>().expect("a factor")).round_dp(10).normalize();
            let asked = self.asks(&self.w.carl, &next.to_string()).await;
            let told = approve(&self.w.app, &self.w.ann, which(&asked)).await;
            if told.is_err() {
                assert_eq!(why(told), "admin_needed");
                reject(&self.w.app, &self.w.ann, which(&asked)).await.expect("rejected");
                return step;
            }
        }
        panic!("95 steps were not too many");
    }
}

on_both!(a_rate_goes_no_further_in_small_steps_than_in_one, |test| {
    let s = shop(test, "100").await;
    assert_eq!(s.in_steps_of("1.0495").await, 1);
    assert_eq!(s.rate().await.to_string(), "0.95892815");
    // Down from there, it is also held against the highest.
    assert_eq!(s.in_steps_of("0.9505").await, 1);
    assert_eq!(s.in_steps_of("0.98").await, 0);
    // What was in force a month ago counts no longer.
    s.w.test.clock.advance_seconds(29 * DAY);
    assert_eq!(s.in_steps_of("0.9505").await, 0);
    s.w.test.clock.advance_seconds(2 * DAY);
    assert_eq!(s.in_steps_of("0.9505").await, 1);
});

on_both!(each_step_counts_with_all_that_changed_in_a_month, |test| {
    let s = shop(test, "100").await;
    let (app, ann, carl) = (&s.w.app, &s.w.ann, &s.w.carl);
    // Of a day's 80.00.
    let first = s.asks(carl, "0.95").await;
    assert_eq!(first.amount.to_string(), "3.18");
    approve(app, ann, which(&first)).await.expect("approved");
    assert_eq!(s.asks(carl, "0.959").await.amount.to_string(), "3.97", "with the first step");
    let down = s.asks(carl, "0.9137").await;
    assert_eq!(down.amount.to_string(), "3.06", "what users lose");
    approve(app, ann, which(&down)).await.expect("approved");
    s.w.test.clock.advance_seconds(31 * DAY);
    assert_eq!(s.asks(carl, "0.95").await.amount.to_string(), "3.18");
});

on_both!(an_order_counts_at_the_lowest_rate_of_a_month, |test| {
    let s = shop(test, "100").await;
    let (app, ann, bob) = (&s.w.app, &s.w.ann, &s.w.bob);
    let eve = Staff::new(s.w.test.operator("eve", Role::Admin).await, "a test").expect("a reason");
    for rate in ["1.8", "3.6"] {
        approve(app, &eve, which(&s.asks(bob, rate).await)).await.expect("approved");
    }
    s.w.test.clock.advance_seconds(DAY);
    set_limit(app, bob, Role::Finance, "30", "60").await.expect("set");
    // 36.00 EUR, which cost 39.40 before, and 20.00 at the rate between.
    let order = s.asked("10").await;
    assert_eq!(why(approve_exchange(app, ann, order).await), "limit_exceeded");
    approve_exchange(app, bob, order).await.expect("an admin may");
    assert_eq!(why(complete_exchange(app, ann, order).await), "limit_exceeded");
});

on_both!(a_currency_that_was_dropped_comes_back_at_what_it_was, |test| {
    let s = shop(test, "100").await;
    edit(&s.w, "DELETE FROM acceptor_rates WHERE currency = 'EUR'").await;
    let asked = s.asks(&s.w.carl, "1.2").await;
    assert_eq!(asked.amount.to_string(), "25.07", "as much more as before");
    assert_eq!(why(approve(&s.w.app, &s.w.ann, which(&asked)).await), "admin_needed");
});

on_both!(a_quote_that_was_edited_is_not_put, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    edit(&s.w, "UPDATE exchange_quotes SET rate = '9200' WHERE currency = 'EUR'").await;
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "quote_expired");
    assert_eq!(s.figures().await, ("100.00".into(), "0.00".into()));
    // The acceptor's own rate, as two people agreed on it, is shown and put as before.
    assert_eq!(s.rate().await.to_string(), "0.9137");
    assert_eq!(s.put(s.order("10", "EUR")).await.expect("put").receives, "9.13");
});

on_both!(a_rate_of_the_acceptor_that_was_edited_is_not_put, |test| {
    let s = shop(test, "100").await;
    edit(&s.w, "UPDATE acceptor_rates SET rate = '9200' WHERE currency = 'EUR'").await;
    s.look().await;
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "quote_expired");
});

on_both!(a_rate_that_was_replaced_more_than_a_day_ago_is_not_put, |test| {
    let s = shop(test, "100").await;
    let (app, ann, bob) = (&s.w.app, &s.w.ann, &s.w.bob);
    approve(app, ann, which(&s.asks(bob, "0.95").await)).await.expect("approved");
    s.w.test.clock.advance_seconds(DAY - 1);
    s.look().await;
    edit(&s.w, "UPDATE exchange_quotes SET rate = '0.9137' WHERE currency = 'EUR'").await;
    // Nobody was shown it for longer than a day.
    s.w.test.clock.advance_seconds(2);
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "quote_expired");
});

on_both!(an_order_that_was_edited_is_neither_approved_nor_completed, |test| {
    let s = shop(test, "100").await;
    let (app, ann, bob) = (&s.w.app, &s.w.ann, &s.w.bob);
    let order = s.asked("1").await;
    edit(&s.w, "UPDATE exchange_orders SET receives = '0.92'").await;
    assert_eq!(why(approve_exchange(app, ann, order).await), "rate_not_agreed");
    edit(&s.w, "UPDATE exchange_orders SET rate = '9.2', receives = '9.20'").await;
    assert_eq!(why(approve_exchange(app, ann, order).await), "rate_not_agreed");
    edit(&s.w, "UPDATE exchange_orders SET rate = '0.9137', receives = '0.91'").await;
    approve_exchange(app, ann, order).await.expect("as it was put");
    edit(&s.w, "UPDATE exchange_orders SET rate = '9.2', receives = '9.20'").await;
    assert_eq!(why(complete_exchange(app, bob, order).await), "rate_not_agreed");
});

on_both!(a_rate_that_nobody_agreed_on_is_found_in_an_order, |test| {
    let s = shop(test, "100").await;
    let (app, user, acceptor) = (&s.w.app, s.w.user, s.id());
    let honest = s.asked("10").await;
    cancel_exchange(app, user, honest, None).await.expect("cancelled");
    let found = verify(app).await.expect("verified");
    assert!(found.ok, "{found:?}");
    // By a program that does not compare it, with everything else as it should be.
    let put = app.db.write(move |tx| {
        let mut books = Books::lock_user(tx, user)?;
        let Order { amount, currency, terms, day_ends_at, .. } = orders::find(tx, honest)?.expect("an order");
        assert!(terms.is_some(), "it says who agreed");
        let day_ends_at = day_ends_at.expect("it says until when it counts");
        let (rate, receives) = (Decimal::from(9_200), Decimal::new(9_200_000, 2));
        let id =
            orders::insert(tx, &NewOrder { user, acceptor, amount, currency, rate, receives, terms, day_ends_at })?;
        let note = Note {
            document: wallet::Document::Exchange(id),
            event_at: tx.now(),
            actor: format!("user:{user}"),
            reason: String::new(),
            idempotency_key: None,
        };
        let postings = wallet::put_exchange(books.wallet()?, amount, base::Money::ZERO)?;
        books.post(tx, &postings, &note)?;
        Ok::<_, foundation::Error>(id)
    });
    let id = put.await.expect("put");
    let found = verify(app).await.expect("verified");
    assert_eq!(found.faults, [format!("exchange {id} has a rate that its acceptor had not agreed to then")]);
    assert_eq!(why(approve_exchange(app, &s.w.bob, id).await), "rate_not_agreed");
});

/// What was counted in a table of its own before version 45 of the schema.
const FORGET: &str = "DELETE FROM operator_days";
/// Records that count less than nothing, and others that are of before, put in by somebody who may add to the audit.
const TAKE_BACK: &str = "INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, \
     prev_hash, hash, version) SELECT id + n.later, at - n.earlier, operator_id, operator_name, action, subject, \
     '{\"counted\":\"-50.00\"}', reason, prev_hash, hash, version FROM audit CROSS JOIN \
     (SELECT 1000000 AS later, 0 AS earlier UNION ALL SELECT 2000000, 100000000) n WHERE action = 'promotion.request'";

/// A record by which a role's limits were higher before they were changed.
const WERE_HIGHER: &str = "INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, \
     prev_hash, hash, version) SELECT -id, at, operator_id, operator_name, action, subject, \
     '{\"each\":{\"from\":\"900000.00\"},\"daily\":{\"from\":\"900000.00\"}}', reason, prev_hash, hash, version \
     FROM audit WHERE subject = 'role:finance'";

on_both!(a_day_is_counted_from_what_was_done, |test| {
    let w = world(test).await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "100").await.expect("set");
    let ask = async |by: &Staff, amount: &str| request(&w.app, by, MoneyRequestDraft::grant(w.user, amount)).await;
    let first = ask(&w.ann, "60").await.expect("requested");
    reject(&w.app, &w.bob, which(&first)).await.expect("rejected");
    let other = ask(&w.bob, "30").await.expect("requested");
    approve(&w.app, &w.ann, which(&other)).await.expect("approved");
    edit(&w, FORGET).await;
    assert_eq!(why(ask(&w.ann, "10.01").await), "limit_exceeded");
    edit(&w, TAKE_BACK).await;
    assert_eq!(why(ask(&w.ann, "10.01").await), "limit_exceeded");
    edit(&w, "UPDATE money_requests SET amount = 1, requested_by = 2, requested_at = 0, status = 2").await;
    assert_eq!(why(ask(&w.ann, "10.01").await), "limit_exceeded");
    ask(&w.ann, "10").await.expect("all of the day");
    w.test.clock.advance_seconds(DAY);
    ask(&w.ann, "90").await.expect("another day");
});

on_both!(payments_and_completions_are_counted_from_what_was_done, |test| {
    let w = funded(test, "200").await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "100").await.expect("set");
    let of = async |amount: &str| {
        let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
        withdraw(&w.app, Proof::assumed(w.user), command).await.expect("asked").id
    };
    w.test.clock.advance_seconds(DAY);
    let (one, two, three) = (of("60").await, of("40").await, of("0.01").await);
    approve_withdrawal(&w.app, &w.bob, one).await.expect("approved");
    pay_withdrawal(&w.app, &w.ann, one, None).await.expect("60 of 100");
    edit(&w, FORGET).await;
    approve_withdrawal(&w.app, &w.ann, two).await.expect("100 of 100");
    edit(&w, FORGET).await;
    assert_eq!(why(approve_withdrawal(&w.app, &w.ann, three).await), "limit_exceeded");
});

on_both!(orders_are_counted_from_what_was_done, |test| {
    let s = shop(test, "100").await;
    s.w.test.clock.advance_seconds(DAY);
    set_limit(&s.w.app, &s.w.bob, Role::Finance, "30", "60").await.expect("set");
    let first = s.asked("30").await;
    approve_exchange(&s.w.app, &s.w.ann, first).await.expect("30 of 60");
    complete_exchange(&s.w.app, &s.w.bob, first).await.expect("completed");
    edit(&s.w, FORGET).await;
    let second = s.asked("30").await;
    approve_exchange(&s.w.app, &s.w.bob, second).await.expect("approved");
    complete_exchange(&s.w.app, &s.w.ann, second).await.expect("60 of 60");
    edit(&s.w, FORGET).await;
    let third = s.asked("0.10").await;
    assert_eq!(why(approve_exchange(&s.w.app, &s.w.ann, third).await), "limit_exceeded");
});

/// What two people raised a limit to; Bob requests it.
async fn raise(w: &World, each: &str, daily: &str) -> Result<RequestView, foundation::Error> {
    match set_limit(&w.app, &w.bob, Role::Finance, each, daily).await? {
        LimitOutcome::Asked(asked) => Ok(*asked),
        LimitOutcome::Set(set) => panic!("one person set {set:?}"),
    }
}

on_both!(a_limit_is_raised_by_two_people_and_doubled_in_a_month_at_most, |test| {
    let w = world(test).await;
    let of = async || {
        let all = limits(&w.app).await.expect("limits");
        (all[1].each, all[1].daily)
    };
    for (role, view) in Role::ALL.iter().copied().zip(limits(&w.app).await.expect("limits")) {
        let Limits { each, daily } = Limits::initial(role);
        assert_eq!((view.each, view.daily), (each, daily));
    }
    let agreed = async |each: &str, daily: &str| {
        let asked = raise(&w, each, daily).await.expect("requested");
        assert_eq!(why(approve(&w.app, &w.bob, which(&asked)).await), "second_person_needed");
        approve(&w.app, &w.ann, which(&asked)).await.expect("approved");
    };
    let other = raise(&w, "50000", "200001").await.expect("requested");
    assert_eq!(of().await, (money("50000"), money("200000")), "nothing before it is approved");
    agreed("90000", "300000").await;
    assert_eq!(of().await, (money("90000"), money("300000")));
    assert_eq!(why(approve(&w.app, &w.ann, which(&other)).await), "proposal_stale");
    // However often: no more than twice of what it was, as the audit says, whatever somebody puts in before it.
    edit(&w, WERE_HIGHER).await;
    assert_eq!(why(raise(&w, "100000.01", "400000").await), "each=more_than_double");
    assert_eq!(why(raise(&w, "90000", "400000.01").await), "daily=more_than_double");
    agreed("100000", "400000").await;
    // One person lowers it, and two bring it back.
    set_limit(&w.app, &w.bob, Role::Finance, "0", "0").await.expect("set");
    assert_eq!(of().await, (money("0"), money("0")));
    assert_eq!(why(raise(&w, "100000.01", "400000").await), "each=more_than_double");
    let asked = raise(&w, "100000", "400000").await.expect("requested");
    approve(&w.app, &w.ann, which(&asked)).await.expect("approved");
    w.test.clock.advance_seconds(29 * DAY);
    assert_eq!(why(raise(&w, "100000.01", "400000").await), "each=more_than_double");
    w.test.clock.advance_seconds(2 * DAY);
    agreed("200000", "800000").await;
    assert_eq!(why(raise(&w, "200000", "800000.01").await), "daily=more_than_double");
});

on_both!(many_small_gifts_are_no_more_than_one, |test| {
    let w = world(test).await;
    let other = w.test.user("other").await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "1000").await.expect("set");
    let grant =
        async |by: &Staff, user, amount: &str| request(&w.app, by, MoneyRequestDraft::grant(user, amount)).await;
    let first = grant(&w.ann, w.user, "60").await.expect("requested");
    assert_eq!(why(grant(&w.ann, w.user, "40.01").await), "limit_exceeded");
    grant(&w.ann, other, "60").await.expect("somebody else's");
    reject(&w.app, &w.bob, which(&first)).await.expect("rejected");
    let first = grant(&w.ann, w.user, "60").await.expect("the first is given to nobody");
    approve(&w.app, &w.bob, which(&first)).await.expect("approved");
    // An admin may ask for more, and Ann may not approve it.
    let second = grant(&w.bob, w.user, "40").await.expect("requested");
    let third = grant(&w.bob, w.user, "30").await.expect("requested");
    approve(&w.app, &w.ann, which(&second)).await.expect("100 of 100");
    assert_eq!(why(approve(&w.app, &w.ann, which(&third)).await), "limit_exceeded");
    // Another kind is counted by itself, and a month later all begins anew.
    request(&w.app, &w.ann, MoneyRequestDraft::startup_loan(w.user, "100")).await.expect("requested");
    assert_eq!(why(request(&w.app, &w.ann, MoneyRequestDraft::startup_loan(w.user, "1")).await), "limit_exceeded");
    w.test.clock.advance_seconds(31 * DAY);
    grant(&w.ann, w.user, "100").await.expect("requested");
});

on_both!(what_was_approved_late_counts_a_month_from_then, |test| {
    let w = world(test).await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "1000").await.expect("set");
    let grant = async |amount: &str| request(&w.app, &w.ann, MoneyRequestDraft::grant(w.user, amount)).await;
    let first = grant("60").await.expect("requested");
    w.test.clock.advance_seconds(6 * DAY);
    approve(&w.app, &w.bob, which(&first)).await.expect("approved");
    // Of what was asked for 31 days ago, and given 25 days ago.
    w.test.clock.advance_seconds(25 * DAY);
    assert_eq!(why(grant("40.01").await), "limit_exceeded");
    let second = grant("40").await.expect("100 of 100");
    approve(&w.app, &w.bob, which(&second)).await.expect("approved");
    w.test.clock.advance_seconds(6 * DAY);
    grant("60").await.expect("the first was given a month ago");
    assert_eq!(why(grant("0.01").await), "limit_exceeded");
});

on_both!(a_cap_that_is_raised_in_steps_counts_from_the_lowest, |test| {
    let w = world(test).await;
    let added = advertisers::add(&w.app, &w.carl, "Aurora", KeyOffer::default()).await.expect("added");
    let id = added.id;
    w.book(MoneyRequestDraft::fund(id, "1000", "A-1")).await;
    let ask = async |daily| match cap(&w.app, &w.carl, id, daily).await.expect("asked for") {
        CapOutcome::Asked(asked) => *asked,
        CapOutcome::Set(set) => panic!("one person set {set:?}"),
    };
    cap(&w.app, &w.carl, id, Some("100")).await.expect("set");
    cap(&w.app, &w.carl, id, Some("40")).await.expect("lowered");
    for (daily, counts) in [("100", "60.00"), ("120", "80.00"), ("121", "81.00")] {
        let asked = ask(Some(daily)).await;
        assert_eq!(asked.amount.to_string(), counts);
        approve(&w.app, &w.ann, which(&asked)).await.expect("approved");
    }
    assert_eq!(ask(None).await.amount.to_string(), "960.00", "all that was paid in");
    w.test.clock.advance_seconds(31 * DAY);
    assert_eq!(ask(Some("122")).await.amount.to_string(), "1.00");
});

on_both!(a_cap_that_counts_with_more_by_now_is_asked_for_anew, |test| {
    let w = world(test).await;
    let id = advertisers::add(&w.app, &w.carl, "Aurora", KeyOffer::default()).await.expect("added").id;
    let ask = async || match cap(&w.app, &w.carl, id, None).await.expect("asked for") {
        CapOutcome::Asked(asked) => *asked,
        CapOutcome::Set(set) => panic!("one person set {set:?}"),
    };
    // Nothing can be claimed of one that has paid nothing in.
    let early = ask().await;
    assert_eq!(early.amount.to_string(), "0.00");
    w.book(MoneyRequestDraft::fund(id, "5000", "A-1")).await;
    assert_eq!(why(approve(&w.app, &w.ann, which(&early)).await), "proposal_stale");
    reject(&w.app, &w.ann, which(&early)).await.expect("rejected");
    let anew = ask().await;
    assert_eq!(anew.amount.to_string(), "4000.00");
    // What it pays in later would be claimed without a cap, too.
    assert_eq!(why(approve(&w.app, &w.ann, which(&anew)).await), "admin_needed");
    approve(&w.app, &w.bob, which(&anew)).await.expect("approved");
});
