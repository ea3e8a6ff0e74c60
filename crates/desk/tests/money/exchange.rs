//! Exchanging with an acceptor.

mod cancelling;
mod guessing;
mod meanwhile;

use std::collections::BTreeMap;

use auth::{AccountStatus, Role};
use base::{AcceptorId, ExchangeOrderId};
use calendar::Zone;
use desk::requests::{MoneyRequestDraft, approve, reject};
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::change_status;
use foundation::staff::Staff;
use foundation::staff::requests::{RequestRef, RequestView};
use foundation::{Error, Refusal};
use money::wallet::acceptor_admin::{
    AcceptorFile, RequestedAcceptor, add_acceptor, close_acceptor, open_acceptor, renew_code, set_rate,
};
use money::wallet::acceptors::{AcceptorDetail, acceptor_detail, acceptors};
use money::wallet::exchange::{OrderView, PutExchange, cancel_exchange, orders, put_exchange};
use money::wallet::exchange_review::{OrderFilter, all_orders, approve_exchange, complete_exchange, reject_exchange};
use money::wallet::payment_files::unpaid::GivenBack;
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::verify::verify;
use store::{PageRequest, on_both};

use crate::support::{World, funded, money, why};

fn file() -> AcceptorFile {
    AcceptorFile {
        name: "Bright Exchange".into(),
        kind: "enterprise".into(),
        limit: "50.00".into(),
        daily_limit: Some("80.00".into()),
        quote_seconds: 600,
        code: None,
        rates: BTreeMap::from([("EUR".into(), "0.9137".into()), ("JPY".into(), "157.46".into())]),
    }
}

pub struct Shop {
    pub w: World,
    /// The acceptor's id.
    pub acceptor: String,
    pub code: String,
}

pub async fn shop(test: store::testing::TestDb, amount: &str) -> Shop {
    let w = funded(test, amount).await;
    let RequestedAcceptor { request, code } = add_acceptor(&w.app, &w.bob, &file()).await.expect("asked for");
    agree(&w, &request).await;
    Shop { w, acceptor: request.acceptor_id.expect("an id").to_string(), code }
}

/// Ann approves what Bob requested.
async fn agree(w: &World, asked: &RequestView) {
    approve(&w.app, &w.ann, asked.id.into()).await.expect("approved");
}

impl Shop {
    pub async fn look(&self) -> AcceptorDetail {
        self.look_with(&self.code).await.expect("the right code")
    }

    async fn look_with(&self, code: &str) -> Result<AcceptorDetail, Error> {
        acceptor_detail(&self.w.app, self.w.user, "enterprise", code, Zone::UTC).await
    }

    pub fn order(&self, amount: &str, currency: &str) -> PutExchange {
        PutExchange {
            acceptor: self.acceptor.clone(),
            code: self.code.clone(),
            amount: amount.parse().expect("an amount"),
            currency: currency.into(),
            quote: None,
            rate: None,
            zone: Zone::UTC,
            key: None,
        }
    }

    pub async fn put(&self, command: PutExchange) -> Result<OrderView, Error> {
        put_exchange(&self.w.app, Proof::assumed(self.w.user), command).await
    }

    pub async fn asked(&self, amount: &str) -> ExchangeOrderId {
        self.look().await;
        self.put(self.order(amount, "EUR")).await.expect("put").id
    }

    pub async fn figures(&self) -> (String, String) {
        let figures = self.w.property().await;
        (figures.available.to_string(), figures.exchanging.to_string())
    }
}

on_both!(an_order_takes_exactly_the_rate_that_was_shown, |test| {
    let s = shop(test, "100").await;
    let detail = s.look().await;
    let shown: Vec<_> = detail.rates.iter().map(|r| (r.currency.as_str(), r.rate.as_str(), r.decimals)).collect();
    assert_eq!(shown, [("EUR", "0.9137", 2), ("JPY", "157.46", 0)]);
    assert_eq!(detail.left_today, Some(money("80")));
    let id: AcceptorId = s.acceptor.parse().expect("an id");
    agree(&s.w, &set_rate(&s.w.app, &s.w.bob, id, "EUR", "0.5").await.expect("asked for")).await;

    let put = s.put(s.order("10.01", "EUR")).await.expect("put");
    assert_eq!((put.rate.as_str(), put.receives.as_str(), put.status.name()), ("0.9137", "9.14", "pending"));
    assert_eq!((put.acceptor.name.as_str(), put.cancellable), ("Bright Exchange", true));
    assert_eq!(s.figures().await, ("89.99".into(), "10.01".into()));
    assert_eq!(s.w.lines().await[0], "exchange -10.01 89.99");
    assert_eq!(s.w.property().await.total_assets, money("100"));
    let renewed = s.look().await;
    assert_eq!(renewed.rates[0].rate, "0.5");
    assert_eq!(renewed.left_today, Some(money("69.99")));
});

on_both!(a_rate_that_ended_or_was_never_shown_is_refused, |test| {
    let s = shop(test, "100").await;
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "quote_expired");
    let quote = s.look().await.rates[0].quote_id;
    let with = |quote: &str, rate: &str| PutExchange {
        quote: Some(quote.into()),
        rate: Some(rate.into()),
        ..s.order("10", "EUR")
    };
    assert_eq!(why(s.put(with("999", "0.9137")).await), "quote_expired");
    assert_eq!(why(s.put(with("x", "0.9137")).await), "quote_expired");
    assert_eq!(why(s.put(with(&quote.to_string(), "0.92")).await), "quote_expired");
    assert_eq!(why(s.put(with(&quote.to_string(), "much")).await), "rate=invalid");
    for another in ["JPY", "GBP"] {
        let order = PutExchange { currency: another.into(), ..with(&quote.to_string(), "0.9137") };
        assert_eq!(why(s.put(order).await), "quote_expired", "{another}");
    }
    for not_offered in ["GBP", "EURO"] {
        assert_eq!(why(s.put(s.order("10", not_offered)).await), "currency=invalid", "{not_offered}");
    }
    s.w.test.clock.advance_seconds(600);
    assert_eq!(why(s.put(with(&quote.to_string(), "0.9137")).await), "quote_expired");
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "quote_expired");
    assert_eq!(s.figures().await, ("100.00".into(), "0.00".into()));
    let again = s.look().await.rates[0].quote_id;
    assert_ne!(again, quote);
    assert!(s.put(with(&again.to_string(), "0.9137")).await.is_ok());
});

on_both!(another_users_quote_is_nobodys, |test| {
    let s = shop(test, "100").await;
    let other = s.w.test.user("other").await;
    let shown = acceptor_detail(&s.w.app, other, "enterprise", &s.code, Zone::UTC).await.expect("shown");
    let stolen = PutExchange { quote: Some(shown.rates[0].quote_id.to_string()), ..s.order("10", "EUR") };
    assert_eq!(why(s.put(stolen).await), "quote_expired");
});

on_both!(limits_are_for_the_order_and_the_day, |test| {
    let s = shop(test, "500").await;
    s.look().await;
    let refused = s.put(s.order("50.01", "EUR")).await;
    let limit = |result: &Result<OrderView, Error>| match result {
        Err(Error::Refused(Refusal::AcceptorLimitExceeded { limit })) => limit.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(limit(&refused), "50.00");
    let id = s.asked("50").await;
    cancel_exchange(&s.w.app, s.w.user, id, None).await.expect("cancelled");
    let id = s.asked("50").await;
    approve_exchange(&s.w.app, &s.w.ann, id).await.expect("approved");
    complete_exchange(&s.w.app, &s.w.bob, id).await.expect("completed");
    assert_eq!(limit(&s.put(s.order("30.01", "EUR")).await), "80.00");
    s.w.test.clock.advance_seconds(12 * 3_600);
    s.look().await;
    assert!(s.put(s.order("30.01", "EUR")).await.is_ok());
});

impl Shop {
    /// Orders from a place with this in the `X-TZ` header; the acceptor is paid.
    async fn paid_from(&self, place: &str, amount: &str) -> Result<(), Error> {
        self.look().await;
        let order = self.put(PutExchange { zone: Zone::from_header(place), ..self.order(amount, "EUR") }).await?;
        approve_exchange(&self.w.app, &self.w.ann, order.id).await?;
        complete_exchange(&self.w.app, &self.w.bob, order.id).await.map(drop)
    }

    async fn wait(&self, minutes: i64) {
        self.w.test.clock.advance_seconds(minutes * 60);
    }
}

// It is noon in UTC, and a place with midnight at any minute is an offset away.
on_both!(a_day_ends_when_it_was_said_to_wherever_the_user_goes, |test| {
    let s = shop(test, "500").await;
    s.paid_from("Etc/UTC GMT+00:00", "50").await.expect("put");
    s.wait(5).await;
    // There, a day began a minute ago, and ends in a minute.
    for place in ["x GMT+11:56", "x GMT-12:00", "x GMT+11:54", "Asia/Tokyo GMT+09:00"] {
        assert_eq!(why(s.paid_from(place, "30.01").await), "acceptor_limit_exceeded", "{place}");
        let there = acceptor_detail(&s.w.app, s.w.user, "enterprise", &s.code, Zone::from_header(place)).await;
        assert_eq!(there.expect("shown").left_today, Some(money("30")), "{place}");
    }
    s.paid_from("x GMT+11:54", "30").await.expect("all of the day");
    s.wait(2).await;
    assert_eq!(
        why(s.paid_from("x GMT+11:54", "0.10").await),
        "acceptor_limit_exceeded",
        "it goes on until midnight in UTC"
    );
    s.wait(12 * 60 - 7).await;
    s.paid_from("Etc/UTC GMT+00:00", "50").await.expect("another day");
});

on_both!(days_that_are_said_to_end_soon_do_not_overlap, |test| {
    let s = shop(test, "500").await;
    // A day that ends in five minutes, and one that begins then.
    s.paid_from("x GMT+11:55", "10").await.expect("put");
    s.wait(6).await;
    s.paid_from("x GMT+11:55", "50").await.expect("as at any midnight");
    s.paid_from("x GMT+11:53", "20").await.expect("80 of 80: said to end in a minute, and ends with that day");
    s.wait(2).await;
    assert_eq!(why(s.paid_from("x GMT+11:53", "10.01").await), "acceptor_limit_exceeded");
    // When that day has ended, one that began before its end counts it all the same.
    s.wait(24 * 60 - 2).await;
    assert_eq!(why(s.paid_from("x GMT+11:50", "10.01").await), "acceptor_limit_exceeded");
    s.paid_from("x GMT+11:55", "50").await.expect("another day");
});

on_both!(what_cannot_be_put_changes_nothing, |test| {
    let s = shop(test, "20").await;
    s.look().await;
    for (amount, told) in
        [("0", "amount_out_of_range"), ("-1", "amount_out_of_range"), ("20.01", "insufficient_balance")]
    {
        assert_eq!(why(s.put(s.order(amount, "EUR")).await), told, "{amount}");
    }
    assert_eq!(why(s.put(s.order("0.01", "EUR")).await), "amount_out_of_range");
    s.w.advance("5").await;
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "startup_funds_outstanding");
    s.w.book(MoneyRequestDraft::chargeback(s.w.user, "30", "CB-1")).await;
    s.w.recharge("25", "later").await;
    let back = RepayStartupLoan { amount: None, key: None };
    repay_startup_loan(&s.w.app, Proof::assumed(s.w.user), back).await.expect("returned");
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "chargeback_due");
    assert_eq!(s.figures().await, ("20.00".into(), "0.00".into()));
    assert!(orders(&s.w.app, s.w.user, PageRequest::default()).await.expect("a list").page.items.is_empty());
});

on_both!(one_order_at_a_time_and_one_effect_for_a_key, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    let keyed = |amount: &str| PutExchange { key: Key::parse("k").ok(), ..s.order(amount, "EUR") };
    let first = s.put(keyed("10")).await.expect("put");
    assert_eq!(s.put(keyed("10")).await.expect("the same answer"), first);
    assert_eq!(why(s.put(keyed("11")).await), "idempotency_key_reused");
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "exchange_order_open");
    let listed = orders(&s.w.app, s.w.user, PageRequest::default()).await.expect("a list");
    assert_eq!((listed.current.as_ref(), listed.page.items.len()), (Some(&first), 1));
    assert_eq!(s.figures().await, ("90.00".into(), "10.00".into()));
});

on_both!(sixteen_at_once_put_one, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (app, user, command) = (s.w.app.clone(), s.w.user, s.order("10", "EUR"));
            tokio::spawn(async move { put_exchange(&app, Proof::assumed(user), command).await })
        })
        .collect();
    let mut put = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => put += 1,
            refused => assert_eq!(why(refused), "exchange_order_open"),
        }
    }
    assert_eq!((put, s.figures().await), (1, ("90.00".into(), "10.00".into())));
});

on_both!(a_renewed_code_replaces_the_one_before_and_a_closed_acceptor_has_none, |test| {
    let s = shop(test, "100").await;
    let id: AcceptorId = s.acceptor.parse().expect("an id");
    let agree = async |asked: &RequestView| {
        let which = asked.id.into();
        assert_eq!(why(approve(&s.w.app, &s.w.bob, which).await), "second_person_needed");
        approve(&s.w.app, &s.w.ann, which).await.expect("approved");
    };
    let renewed = renew_code(&s.w.app, &s.w.bob, id).await.expect("requested");
    assert_eq!((renewed.request.kind.name(), renewed.request.status.name()), ("acceptor_change", "requested"));
    assert!(s.look_with(&s.code).await.is_ok(), "one person alone changes no code");
    let twice = renew_code(&s.w.app, &s.w.bob, id).await.expect("requested");
    agree(&renewed.request).await;
    let stale = approve(&s.w.app, &s.w.ann, twice.request.id.into()).await;
    assert_eq!(why(stale), "proposal_stale");
    let renewed = renewed.code;
    assert_eq!(why(s.look_with(&s.code).await), "acceptance_code_wrong");
    assert!(s.look_with(&renewed).await.is_ok());
    close_acceptor(&s.w.app, &s.w.bob, id).await.expect("closed");
    assert_eq!(why(s.look_with(&renewed).await), "acceptance_code_wrong");
    assert!(acceptors(&s.w.app, None).await.expect("a list").is_empty());
    let asked = open_acceptor(&s.w.app, &s.w.bob, id).await.expect("requested");
    assert_eq!(asked.proposal, Some(serde_json::json!({ "active": { "from": false, "to": true } })));
    assert!(acceptors(&s.w.app, None).await.expect("a list").is_empty(), "one person alone opens none");
    agree(&asked).await;
    assert_eq!(why(open_acceptor(&s.w.app, &s.w.bob, id).await), "active=unchanged");
    assert_eq!(acceptors(&s.w.app, Some("enterprise")).await.expect("a list").len(), 1);
    assert!(acceptors(&s.w.app, Some("personal")).await.expect("a list").is_empty());
    assert_eq!(why(renew_code(&s.w.app, &s.w.ann, id).await), "not_permitted");
    assert_eq!(why(renew_code(&s.w.app, &s.w.bob, AcceptorId(77)).await), "not_found");
    assert_eq!(why(add_acceptor(&s.w.app, &s.w.bob, &file()).await), "name_taken");
});

on_both!(two_people_complete_it, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("40").await;
    assert_eq!(why(complete_exchange(&s.w.app, &s.w.ann, id).await), "not_approved");
    assert_eq!(why(approve_exchange(&s.w.app, &s.w.carl, id).await), "not_permitted");
    let approved = approve_exchange(&s.w.app, &s.w.ann, id).await.expect("approved");
    assert_eq!((approved.status.name(), approved.accepted, approved.cancellable), ("pending", true, false));
    assert_eq!(why(cancel_exchange(&s.w.app, s.w.user, id, None).await), "already_decided");
    assert_eq!(why(complete_exchange(&s.w.app, &s.w.ann, id).await), "second_person_needed");
    let done = complete_exchange(&s.w.app, &s.w.bob, id).await.expect("completed");
    assert_eq!((done.status.name(), done.decided_at.is_some()), ("completed", true));
    assert_eq!(why(reject_exchange(&s.w.app, &s.w.ann, id).await), "already_decided");
    assert_eq!(s.figures().await, ("60.00".into(), "0.00".into()));
    assert_eq!(s.w.property().await.total_assets, money("60"));
    let all = all_orders(&s.w.app, OrderFilter::default(), PageRequest::default()).await.expect("a list").items;
    assert_eq!((all[0].username.as_str(), all[0].completed_by.is_some()), ("demo", true));
    assert!(verify(&s.w.app).await.expect("verified").ok);
});

on_both!(cancelled_money_comes_back, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("40").await;
    let other = s.w.test.user("other").await;
    assert_eq!(why(cancel_exchange(&s.w.app, other, id, None).await), "not_found");
    let cancelled = cancel_exchange(&s.w.app, s.w.user, id, None).await.expect("cancelled");
    assert_eq!((cancelled.status.name(), cancelled.cancellable), ("cancelled", false));
    assert_eq!(why(cancel_exchange(&s.w.app, s.w.user, id, None).await), "already_decided");
    assert_eq!(s.w.lines().await[0], "refund 40.00 100.00");

    let id = s.asked("20").await;
    let Ok(GivenBack::Done(rejected)) = reject_exchange(&s.w.app, &s.w.ann, id).await else { panic!("not cancelled") };
    assert_eq!((rejected.status.name(), rejected.reason.as_str()), ("cancelled", "a test"));
    assert_eq!(s.figures().await, ("100.00".into(), "0.00".into()));
    assert!(verify(&s.w.app).await.expect("verified").ok);
});

on_both!(an_account_that_is_not_active_exchanges_nothing_without_an_admin, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("10").await;
    let turn = async |to| change_status(&s.w.app, s.w.carl.clone(), "demo", to).await.expect("changed");
    s.look().await;
    turn(AccountStatus::Disabled).await;
    let told = s.put(s.order("10", "EUR")).await;
    assert!(matches!(&told, Err(Error::Barred(_))), "{told:?}");
    assert!(cancel_exchange(&s.w.app, s.w.user, id, None).await.is_err());
    assert_eq!(why(approve_exchange(&s.w.app, &s.w.ann, id).await), "account_not_active");
    approve_exchange(&s.w.app, &s.w.bob, id).await.expect("an admin answers for it");
    assert_eq!(why(complete_exchange(&s.w.app, &s.w.ann, id).await), "account_not_active");
    turn(AccountStatus::Active).await;
    complete_exchange(&s.w.app, &s.w.ann, id).await.expect("completed");
});

on_both!(an_exchange_waits_like_a_withdrawal, |test| {
    let s = shop(test.turned_live(), "100").await;
    s.look().await;
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "payout_on_hold");
    s.w.test.clock.advance_seconds(86_400);
    s.asked("10").await;
});

on_both!(an_acceptor_and_its_rates_wait_for_a_second_person, |test| {
    let w = funded(test, "100").await;
    let asked = add_acceptor(&w.app, &w.carl, &file()).await.expect("asked for");
    assert_eq!((asked.request.kind.name(), asked.request.status.name()), ("acceptor_terms", "requested"));
    let s = Shop { acceptor: asked.request.acceptor_id.expect("an id").to_string(), code: asked.code.clone(), w };
    let (w, which) = (&s.w, |id: &str| id.parse::<RequestRef>().expect("an id"));
    // A draft gives no quotes, even to somebody with its code.
    assert_eq!(why(s.look_with(&s.code).await), "acceptance_code_wrong");
    assert!(acceptors(&w.app, None).await.expect("a list").is_empty());
    // A currency without an approved rate needs an admin.
    assert_eq!(why(approve(&w.app, &w.ann, which(&asked.request.id.to_string())).await), "admin_needed");
    approve(&w.app, &w.bob, which(&asked.request.id.to_string())).await.expect("approved");
    let id: AcceptorId = s.acceptor.parse().expect("an id");
    let rate = async |rate: &str| set_rate(&w.app, &w.carl, id, "EUR", rate).await.expect("asked for");
    let shown = async || s.look().await.rates[0].rate.clone();

    let plain = rate("0.95").await;
    assert_eq!(shown().await, "0.9137", "nothing before it is approved");
    approve(&w.app, &w.ann, which(&plain.id.to_string())).await.expect("within a twentieth");
    assert_eq!(shown().await, "0.95");
    let far = rate("1.2").await;
    assert_eq!(why(approve(&w.app, &w.ann, which(&far.id.to_string())).await), "admin_needed");
    assert_eq!(shown().await, "0.95");
    reject(&w.app, &w.ann, which(&far.id.to_string())).await.expect("rejected");
    assert_eq!(why(set_rate(&w.app, &w.carl, id, "EUR", "0.95").await), "rate=unchanged");
    assert_eq!(why(set_rate(&w.app, &w.ann, id, "EUR", "0.96").await), "not_permitted");
    // At 9200 a day's 80.00 would cost 774,656.84 more, which support may not even
    // request.
    assert_eq!(why(set_rate(&w.app, &w.carl, id, "EUR", "9200").await), "limit_exceeded");
});

on_both!(an_exchange_counts_with_what_is_paid_out, |test| {
    let s = shop(test, "100").await;
    let id: AcceptorId = s.acceptor.parse().expect("an id");
    let far = set_rate(&s.w.app, &s.w.bob, id, "EUR", "9137").await.expect("asked for");
    // What that can cost is beyond Ann's limit, so another admin approves.
    let which: RequestRef = far.id.into();
    assert_eq!(why(approve(&s.w.app, &s.w.ann, which).await), "limit_exceeded");
    let eve = Staff::new(s.w.test.operator("eve", Role::Admin).await, "a test").expect("a reason");
    approve(&s.w.app, &eve, which).await.expect("approved");
    // 10.00 at 9137 are 91,370.00, which at the previous rate would have cost 100,000.00.
    let order = s.asked("10").await;
    assert_eq!(why(approve_exchange(&s.w.app, &s.w.ann, order).await), "limit_exceeded");
    approve_exchange(&s.w.app, &s.w.bob, order).await.expect("an admin may");
});

on_both!(a_repeat_shows_the_order_as_it_is_now, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    let keyed = || PutExchange { key: Key::parse("k").ok(), ..s.order("10", "EUR") };
    let first = s.put(keyed()).await.expect("put");
    assert_eq!(s.w.kept().await, format!(r#"{{"id":"{}"}}"#, first.id));
    let cancelled = cancel_exchange(&s.w.app, s.w.user, first.id, None).await.expect("cancelled");
    assert_eq!(s.put(keyed()).await.expect("answered again"), cancelled);
    s.w.keep(&format!(r#"{{"id":"{}","acceptor":{{"id":"1"}},"status":"pending"}}"#, first.id)).await;
    assert_eq!(s.put(keyed()).await.expect("kept by the version before"), cancelled);
});

// Whoever sent it again, because the first answer was lost, was told that the code is wrong.
on_both!(a_repeat_is_answered_after_its_acceptor_was_closed, |test| {
    let s = shop(test, "100").await;
    s.look().await;
    let keyed = || PutExchange { key: Key::parse("k").ok(), ..s.order("10", "EUR") };
    let first = s.put(keyed()).await.expect("put");
    close_acceptor(&s.w.app, &s.w.bob, s.acceptor.parse().expect("an id")).await.expect("closed");
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "acceptance_code_wrong");
    assert_eq!(s.put(keyed()).await.expect("answered again"), first);
    let other = PutExchange { key: Key::parse("k").ok(), ..s.order("11", "EUR") };
    assert_eq!(why(s.put(other).await), "idempotency_key_reused");
    assert_eq!(s.figures().await, ("90.00".into(), "10.00".into()));
});
