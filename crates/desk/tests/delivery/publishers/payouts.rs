//! Publishers are paid what was billed and settled: by three steps, and never twice.

use bank::{DecimalMark, Form, digest_of, table};
use base::{Money, PublisherId, RequestId};
use campaigns::AdServer;
use campaigns::delivery::publisher_keys::Reader;
use campaigns::delivery::publisher_report::info;
use desk::requests::{approve, reject, show};
use foundation::Settings;
use foundation::staff::requests::RequestView;
use money::wallet::publishers::payouts::{account, pay, request_payout, take_back};
use money::wallet::publishers::terms::{PayoutDestination, request_terms};
use money::wallet::reconcile::{self, BankFile, confirm, import};
use money::wallet::verify::verify;
use store::on_both;
use store::testing::TestDb;
use supply::PayoutRules;

use crate::intruder::{after, keep};
use crate::money::why;
use crate::support::{Market, market};

pub const DAILY: PublisherId = PublisherId(1);
const DAY: i64 = 86_400;

pub fn destination(account: &str) -> PayoutDestination {
    PayoutDestination { holder: "The Daily Ltd".into(), account: account.into(), bank: "Example Bank".into() }
}

pub fn id(of: &RequestView) -> RequestId {
    of.id
}

/// Bob requests terms, and Ann approves them.
pub async fn agree(market: &Market, share: Option<&str>, to: Option<PayoutDestination>) -> RequestView {
    let asked = request_terms(&market.world.app, &market.world.bob, DAILY, share, to).await.expect("requested");
    approve(&market.world.app, &market.world.ann, asked.id.into()).await.expect("approved")
}

/// The Daily has earned 70.00 on a plan that was settled a month ago, and two people have
/// agreed on where it is paid.
pub async fn earned(test: TestDb) -> Market {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    for _ in 0..20 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    market.wait(3 * DAY + 60);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    agree(&market, None, Some(destination("DE89370400440532013000"))).await;
    market.wait(31 * DAY);
    market
}

/// Earned, paid, asked for and payable.
pub async fn figures(market: &Market) -> [String; 4] {
    let of = account(&market.world.app, DAILY).await.expect("an account");
    [of.earned, of.paid, of.asked, of.payable].map(|amount| amount.to_string())
}

pub async fn ask(market: &Market, amount: &str) -> Result<RequestView, foundation::Error> {
    request_payout(&market.world.app, &market.world.ann, DAILY, amount).await
}

on_both!(a_payout_takes_three_steps_and_is_booked_once, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    assert_eq!(figures(&market).await, ["70.00", "0.00", "0.00", "70.00"]);
    let asked = ask(&market, "60.00").await.expect("requested");
    assert_eq!((asked.kind.name(), asked.status.name()), ("publisher_payout", "requested"));
    assert_eq!(asked.name.as_deref(), Some("The Daily"));
    assert_eq!(figures(&market).await, ["70.00", "0.00", "60.00", "10.00"]);
    assert_eq!(why(pay(app, bob, id(&asked), "OUT-1").await), "not_approved");
    let which = || asked.id.into();
    assert_eq!(why(approve(app, ann, which()).await), "second_person_needed");
    approve(app, bob, which()).await.expect("approved");
    assert_eq!(why(pay(app, bob, id(&asked), "OUT-1").await), "second_person_needed");
    assert_eq!(why(pay(app, ann, id(&asked), " ").await), "reference=required");
    assert_eq!(figures(&market).await, ["70.00", "0.00", "60.00", "10.00"], "nothing has moved so far");
    let paid = pay(app, ann, id(&asked), "OUT-1").await.expect("paid");
    assert_eq!((paid.status.name(), paid.reference.as_deref()), ("approved", Some("OUT-1")));
    assert_eq!(paid.paid_by, Some(ann.id()));
    assert_eq!(figures(&market).await, ["70.00", "60.00", "0.00", "10.00"]);
    assert_eq!(why(pay(app, ann, id(&asked), "OUT-2").await), "already_decided");
    assert_eq!(why(take_back(app, bob, id(&asked)).await), "already_decided");
    market.check().await;
});

on_both!(a_publishers_row_that_served_for_a_payout_is_found, |test| {
    let market = earned(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    keep(app, &["UPDATE publishers SET destination_since = destination_since + 1 WHERE id = 1"]).await;
    approve(app, bob, asked.id.into()).await.expect("approved");
    keep(app, &["UPDATE publishers SET destination_since = destination_since - 1 WHERE id = 1"]).await;
    let told = app.db.snapshot(crate::decided::faults).await.expect("walked");
    assert!(told.iter().any(|fault| fault.starts_with("publisher 1 was edited before record ")), "{told:#?}");
});

on_both!(no_more_is_paid_than_was_settled, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    // Earned on a plan that runs, so it is not settled.
    market.put("50.00").await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    market.work().await;
    assert_eq!(figures(&market).await, ["73.50", "0.00", "0.00", "70.00"]);
    assert_eq!(why(ask(&market, "70.01").await), "amount=more_than_payable");
    assert_eq!(why(ask(&market, "49.99").await), "amount=below_minimum");
    assert_eq!(why(ask(&market, "0").await), "amount_out_of_range");
    assert_eq!(why(ask(&market, "x").await), "amount=invalid_amount");
    let carl = &market.world.carl;
    assert_eq!(why(request_payout(app, carl, DAILY, "50.00").await), "not_permitted");
    assert_eq!(why(request_payout(app, ann, PublisherId(99), "50.00").await), "not_found");
    // What was asked for cannot be asked for again, until it was rejected or taken back.
    let first = ask(&market, "70.00").await.expect("requested");
    assert_eq!(why(ask(&market, "70.00").await), "amount=more_than_payable");
    reject(app, bob, first.id.into()).await.expect("rejected");
    let second = ask(&market, "70.00").await.expect("requested");
    approve(app, bob, second.id.into()).await.expect("approved");
    assert_eq!(why(reject(app, bob, second.id.into()).await), "already_decided");
    // That it was not paid, two people say, even whoever approved it.
    let unpaid = take_back(app, bob, id(&second)).await.expect("requested");
    assert_eq!((unpaid.kind.name(), unpaid.status.name()), ("unpaid", "requested"));
    assert_eq!(take_back(app, ann, id(&second)).await.expect("requested once").id, unpaid.id);
    assert_eq!(why(approve(app, bob, unpaid.id.into()).await), "second_person_needed");
    assert_eq!(figures(&market).await[3], "0.00");
    approve(app, ann, unpaid.id.into()).await.expect("agreed");
    assert_eq!(why(pay(app, ann, id(&second), "OUT-1").await), "not_approved");
    assert_eq!(figures(&market).await[3], "70.00");
    // A request that nobody decides on holds nothing up for longer than its week.
    ask(&market, "70.00").await.expect("requested");
    market.wait(8 * DAY);
    assert_eq!(figures(&market).await[3], "70.00");
    market.check().await;
});

on_both!(what_is_settled_counts_once_the_delay_has_passed_to_the_millisecond, |test| {
    let market = market(test).await;
    let mut plans = Vec::new();
    for (budget, views, earned) in [("100.00", 20, 70_00), ("50.00", 10, 35_00)] {
        let plan = market.put(budget).await;
        for _ in 0..views {
            let answer = market.serve().await.expect("a creative");
            market.see(&answer).await.expect("counts");
        }
        market.work().await;
        market.wait(3 * DAY + 60);
        market.work().await;
        let settled_at = market.detail(&plan).await.plan.settled_at.expect("settled");
        plans.push((settled_at.plus_days(30), Money::from_minor(earned)));
    }
    for (end, _) in &plans {
        for millis in [-1, 0, 1] {
            let now = end.plus_millis(millis);
            market.world.test.clock.move_to(now);
            let counts = plans.iter().filter(|(end, _)| *end <= now).map(|(_, earned)| *earned);
            let expected = Money::sum(counts).expect("small");
            let own = info(&market.world.app, Reader { publisher: DAILY, until: None }).await.expect("its own").money;
            assert_eq!((own.settled, own.payable), (expected, expected), "{millis} ms from the end of the delay");
            assert_eq!(own.earned.to_string(), "105.00");
        }
    }
});

on_both!(the_rules_in_force_are_those_of_the_installation_at_each_step, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let under = |minimum, delay_days| {
        let payouts = PayoutRules { minimum: Money::from_minor(minimum), delay_days, ..PayoutRules::default() };
        let mut other: AdServer = app.clone();
        other.app.settings = Settings { payouts, ..(*app.settings).clone() }.into();
        other
    };
    let low = under(10_00, 10);
    let shown = account(&low, DAILY).await.expect("an account");
    assert_eq!((&*shown.minimum.to_string(), shown.delay_days), ("10.00", 10));
    let own = info(app, Reader { publisher: DAILY, until: None }).await.expect("its own").money;
    assert_eq!((&*own.minimum.to_string(), own.delay_days), ("50.00", 30));
    assert_eq!(why(ask(&market, "10.00").await), "amount=below_minimum");
    assert_eq!(why(request_payout(&low, ann, DAILY, "9.99").await), "amount=below_minimum");
    let asked = request_payout(&low, ann, DAILY, "10.00").await.expect("requested");
    let which = || asked.id.into();
    // Whoever approves and pays does so by the rules of then.
    assert_eq!(why(approve(app, bob, which()).await), "amount=below_minimum");
    let late = under(10_00, 60);
    assert_eq!(
        account(&late, DAILY).await.expect("an account").payable.to_string(),
        "0.00",
        "it was settled 31 days ago"
    );
    assert_eq!(why(approve(&late, bob, which()).await), "amount=more_than_payable");
    approve(&low, bob, which()).await.expect("approved");
    assert_eq!(why(pay(&late, ann, id(&asked), "OUT-1").await), "amount=more_than_payable");
    pay(&low, ann, id(&asked), "OUT-1").await.expect("paid");
    // A closed publisher gets what is left.
    keep(app, &["UPDATE publishers SET status = 3"]).await;
    assert_eq!(account(app, DAILY).await.expect("an account").minimum.to_string(), "0.01");
});

on_both!(one_reference_is_one_payout, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    keep(app, &["UPDATE publishers SET status = 3"]).await;
    for (amount, expected) in [("30.00", None), ("20.00", Some("reference_used"))] {
        let asked = ask(&market, amount).await.expect("a closed one gets what is left");
        approve(app, bob, asked.id.into()).await.expect("approved");
        let paid = pay(app, ann, id(&asked), "OUT-1").await;
        match expected {
            None => drop(paid.expect("paid")),
            Some(refusal) => assert_eq!(why(paid), refusal),
        }
    }
    assert_eq!(figures(&market).await, ["70.00", "30.00", "20.00", "20.00"]);
    assert!(verify(app).await.expect("verified").ok);
});

on_both!(money_goes_where_two_people_said_a_day_ago, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let first = ask(&market, "50.00").await.expect("requested");
    agree(&market, None, Some(destination("DE02120300000000202051"))).await;
    assert_eq!(why(approve(app, bob, first.id.into()).await), "destination=on_hold");
    market.wait(DAY);
    assert_eq!(why(approve(app, bob, first.id.into()).await), "proposal_stale");
    reject(app, bob, first.id.into()).await.expect("rejected");
    // It changes between approval and payment.
    let second = ask(&market, "50.00").await.expect("requested");
    approve(app, bob, second.id.into()).await.expect("approved");
    market.wait(60);
    agree(&market, None, Some(destination("GB82WEST12345698765432"))).await;
    market.wait(DAY);
    assert_eq!(why(pay(app, ann, id(&second), "OUT-1").await), "proposal_stale");
    let shown = account(app, DAILY).await.expect("an account");
    assert_eq!(shown.destination, Some(destination("GB82WEST12345698765432")));
});

on_both!(what_was_edited_since_its_approval_is_not_paid, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let asked = ask(&market, "50.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    let more = |by: i64| format!("UPDATE money_requests SET amount = amount + {by} WHERE id = {}", asked.id);
    keep(app, &[&more(100)]).await;
    assert_eq!(why(pay(app, ann, id(&asked), "OUT-1").await), "payment_altered");
    keep(app, &[&more(-100)]).await;
    pay(app, ann, id(&asked), "OUT-1").await.expect("paid");
});

on_both!(the_banks_line_of_a_payout_clears_it, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    let file = "date,amount,currency,reference,id\n2026-03-01,-60.00,USD,OUT-7,a\n";
    let form = Form {
        account: "DE02".into(),
        currency: "USD".into(),
        decimal: DecimalMark::Point,
        opening: None,
        closing: None,
    };
    let read = |file: &str| (table(file.as_bytes(), &form).expect("a statement"), digest_of(file.as_bytes(), "DE02"));
    let (statement, digest) = read(file);
    let early = import(app, ann, BankFile::one(statement, digest), false).await.expect("imported").remove(0);
    let early = early.id.expect("an id");
    let seen = async |id| reconcile::show(app, id).await.expect("shown").proposals.digest;
    assert_eq!(
        confirm(app, bob, early, &seen(early).await, |_| {}).await.expect("nothing").matched,
        0,
        "it is not paid yet"
    );
    pay(app, ann, id(&asked), "OUT-7").await.expect("paid");
    let (statement, digest) = read(&file.replace(",a\n", ",b\n").replace("2026-03-01", "2026-03-02"));
    let taken = import(app, ann, BankFile::one(statement, digest), false).await.expect("imported").remove(0);
    let statement = taken.id.expect("an id");
    assert_eq!(confirm(app, bob, statement, &seen(statement).await, |_| {}).await.expect("confirmed").matched, 1);
    assert!(show(app, asked.id.into()).await.expect("shown").cleared_at.is_some());
    market.check().await;
});

on_both!(nothing_is_paid_to_an_account_that_cannot_be_read, |test| {
    let market = earned(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    keep(app, &["UPDATE publishers SET destination = 'DE00'"]).await;
    assert_eq!(account(app, DAILY).await.expect("an account").destination, None);
    assert!(approve(app, bob, asked.id.into()).await.is_err());
    assert_eq!(show(app, asked.id.into()).await.expect("shown").status.name(), "requested");
});

on_both!(a_share_goes_no_further_in_small_steps_than_in_one, |test| {
    let market = earned(test).await;
    let (app, ann, bob, carl) = (&market.world.app, &market.world.ann, &market.world.bob, &market.world.carl);
    // It earns 70.00 on another plan.
    market.put("100.00").await;
    for _ in 0..20 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    let ask = async |share| request_terms(app, carl, DAILY, Some(share), None).await.expect("requested");
    let which = |asked: &RequestView| asked.id.into();
    // What a month's bills would have cost more, or would have brought less.
    let up = ask("0.735").await;
    assert_eq!(up.amount.to_string(), "3.50");
    approve(app, ann, which(&up)).await.expect("within a twentieth");
    let further = ask("0.77").await;
    assert_eq!(further.amount.to_string(), "7.00", "with the first step");
    assert_eq!(why(approve(app, ann, which(&further)).await), "admin_needed");
    let down = ask("0.7").await;
    assert_eq!(down.amount.to_string(), "3.34");
    approve(app, ann, which(&down)).await.expect("within a twentieth");
    assert_eq!(why(approve(app, ann, which(&ask("0.69").await)).await), "admin_needed");
    approve(app, bob, which(&ask("0.69").await)).await.expect("an admin may");
    market.wait(31 * DAY);
    approve(app, ann, which(&ask("0.66").await)).await.expect("a month later");
    market.check().await;
});

on_both!(terms_need_two_people_and_are_sealed, |test| {
    let market = market(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let ask = async |share, to| request_terms(app, bob, DAILY, share, to).await;
    for share in ["0", "0.0999", "0.9501", "1", "x", "0.66667"] {
        assert_eq!(why(ask(Some(share), None).await), "share=invalid");
    }
    assert_eq!(why(ask(None, None).await), "terms=unchanged");
    assert_eq!(why(ask(Some("0.7"), None).await), "terms=unchanged");
    let odd = PayoutDestination { holder: " ".into(), account: "x".repeat(141), bank: "a\nb".into() };
    assert_eq!(why(ask(None, Some(odd)).await), "account=too_long bank=invalid holder=required");
    let mistyped = destination("DE89370400440532013001");
    assert_eq!(why(ask(None, Some(mistyped)).await), "account=iban_check");
    assert_eq!(why(request_terms(app, ann, DAILY, Some("0.6"), None).await), "not_permitted");
    assert_eq!(why(request_terms(app, bob, PublisherId(99), Some("0.6"), None).await), "not_found");
    let asked = ask(Some("0.65"), Some(destination("DE89 3704 0044 0532 0130 00"))).await.expect("requested");
    let listed = asked.proposal.clone().expect("a proposal");
    assert_eq!(listed["destination"], serde_json::json!({ "from": null, "to": "sealed" }));
    let shown = show(app, asked.id.into()).await.expect("shown");
    assert_eq!(shown.proposal.expect("a proposal")["destination"]["to"]["account"], "DE89370400440532013000");
    assert_eq!(why(approve(app, bob, asked.id.into()).await), "second_person_needed");
    approve(app, ann, asked.id.into()).await.expect("approved");
    let publisher = campaigns::delivery::publishers::show(app, DAILY).await.expect("shown").publisher;
    assert_eq!(publisher.share, "0.65");
    // Nothing in the database says the account in clear.
    let stale = ask(Some("0.6"), None).await.expect("requested");
    agree(&market, Some("0.5"), None).await;
    assert_eq!(why(approve(app, ann, stale.id.into()).await), "proposal_stale");
    let clear = app.db.read(|conn| {
        use diesel::prelude::*;
        use store::schema::{audit, money_requests, publishers};
        let mut texts: Vec<String> = audit::table.select(audit::details).load(conn)?;
        texts.extend(
            money_requests::table.select(money_requests::proposal).load::<Option<String>>(conn)?.into_iter().flatten(),
        );
        texts.extend(
            publishers::table.select(publishers::destination).load::<Option<String>>(conn)?.into_iter().flatten(),
        );
        Ok::<_, store::Error>(texts.iter().filter(|text| text.contains("DE8937")).count())
    });
    assert_eq!(clear.await.expect("read"), 0);
    market.check().await;
});

on_both!(an_edited_payout_is_found, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    pay(app, ann, id(&asked), "OUT-1").await.expect("paid");
    market.check().await;
    let of_publishers = "account_kind = 501 AND amount < 0";
    for edit in [
        format!("UPDATE money_requests SET amount = amount + 1 WHERE id = {}", asked.id),
        format!("UPDATE money_requests SET publisher_id = NULL WHERE id = {}", asked.id),
        format!("UPDATE money_requests SET paid_at = NULL WHERE id = {}", asked.id),
        format!("UPDATE money_requests SET paid_at = paid_at + 1 WHERE id = {}", asked.id),
        format!("UPDATE entries SET amount = amount - 1 WHERE {of_publishers}"),
        format!("UPDATE entries SET owner_id = owner_id + 1 WHERE {of_publishers}"),
        format!("DELETE FROM entries WHERE {of_publishers}"),
        "UPDATE publishers SET book_seq = 0".to_owned(),
        "UPDATE publishers SET share_parts = 9000".to_owned(),
        "UPDATE publishers SET destination = 'x'".to_owned(),
        "UPDATE publishers SET destination_since = destination_since - 1".to_owned(),
        "UPDATE slots SET publisher_id = 2".to_owned(),
    ] {
        let found = after(app, &[&edit], crate::decided::faults).await.expect("walked").expect("edited");
        assert!(!found.is_empty(), "not found: {edit}");
    }
    // Days that somebody has edited are not paid by.
    keep(app, &["UPDATE slot_days SET earned = earned + 100000"]).await;
    let refused = request_payout(app, ann, DAILY, "50.00").await.expect_err("refused");
    assert!(refused.to_string().contains("the days of publisher 1"), "{refused}");
});
