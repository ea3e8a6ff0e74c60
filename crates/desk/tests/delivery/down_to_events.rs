//! Each figure of a plan leads to its events, and each event to the bill that it is on.

use base::{Money, PlanId};
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::track::{EventRequest, click, impression};
use campaigns::plans::event_bill::{BillPart, EventBill};
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_events::{
    BillingState, PlanEventDetail, PlanEventKind, PlanEventQuery, PlanEventView, list, show,
};
use campaigns::plans::plan_views::PlanView;
use foundation::{Error, Refusal};
use money::wallet::flow_days::{DayBilling, DaysQuery, flow_days};
use money::wallet::flow_list::{FlowQuery, flow_list};
use plans::Pricing;
use store::testing::TestDb;
use store::{Error as StoreError, PageRequest, Tx, on_both};

use crate::support::{Market, market, market_with, reader, token};

const ALL: PageRequest = PageRequest { before: None, limit: 100 };

fn query(plan: &PlanView, kind: PlanEventKind) -> PlanEventQuery {
    PlanEventQuery { plan: id(plan), kind, counted: None, line: None, page: ALL }
}

fn id(plan: &PlanView) -> PlanId {
    plan.id
}

async fn found(market: &Market, query: PlanEventQuery) -> Vec<PlanEventView> {
    list(&market.world.app, market.world.user, query).await.expect("events").items
}

async fn opened(market: &Market, plan: &PlanView, event: &PlanEventView) -> PlanEventDetail {
    let number = event.id.parse().expect("a number");
    show(&market.world.app, market.world.user, id(plan), event.kind, number).await.expect("an event")
}

/// Who, whether it is an exchange, what was billed, and what they and the platform got.
fn shared(part: &BillPart) -> (&str, bool, i64, i64, i64) {
    (&part.name, part.exchange, part.billed.minor(), part.publisher.minor(), part.platform.minor())
}

/// The sum of a bill's lines, which is its amount taken from the hold.
fn of_lines(bill: &EventBill) -> i64 {
    bill.lines.iter().map(|line| line.amount.minor()).sum()
}

async fn sql(market: &Market, text: &'static str) {
    let done = market.world.test.db.write(move |tx: &mut Tx<'_>| {
        use diesel::connection::SimpleConnection;
        Ok::<_, StoreError>(tx.batch_execute(text)?)
    });
    done.await.expect("done");
}

on_both!(events_are_listed_with_what_they_cost_and_why_they_do_not_count, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let first = market.visit().await;
    market.convert("order-1", &first.click_id).await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    assert!(market.see(&answer).await.is_err(), "a view twice");
    let impressions = found(&market, query(&plan, PlanEventKind::Impression)).await;
    assert_eq!(
        impressions.iter().map(|event| (event.counted, event.price.as_str())).collect::<Vec<_>>(),
        [(false, "0.00"), (true, "5.00"), (true, "5.00")],
        "the newest first"
    );
    let refused = &impressions[0];
    assert_eq!(refused.reason.map(|reason| reason.name()), Some("duplicate"));
    let slot = refused.slot.as_ref().expect("a slot");
    assert_eq!((slot.key.as_str(), slot.publisher.as_str()), ("news-top", "The Daily"));
    assert_eq!(refused.device.map(|device| device.name()), Some("desktop"));
    assert_eq!(refused.content_type.map(|form| form.name()), Some("landing_page"));

    for (counted, expected) in [(true, &impressions[1..]), (false, &impressions[..1])] {
        let wanted = PlanEventQuery { counted: Some(counted), ..query(&plan, PlanEventKind::Impression) };
        assert_eq!(found(&market, wanted).await, expected);
    }
    let mut paged = Vec::new();
    let mut page = PageRequest { before: None, limit: 1 };
    loop {
        let wanted = PlanEventQuery { page, ..query(&plan, PlanEventKind::Impression) };
        let part = list(&market.world.app, market.world.user, wanted).await.expect("a page");
        assert_eq!(part.items.len(), 1);
        paged.extend(part.items);
        page.before = part.next;
        if page.before.is_none() {
            break;
        }
    }
    assert_eq!(paged, impressions);

    let conversions = found(&market, query(&plan, PlanEventKind::Conversion)).await;
    assert_eq!((conversions.len(), conversions[0].payout.map(Money::minor)), (1, Some(1_250)));
    assert_eq!((&conversions[0].slot, conversions[0].device), (&refused.slot, refused.device), "those of its click");
    market.reverse("order-1").await;
    let wanted = |counted| PlanEventQuery { counted: Some(counted), ..query(&plan, PlanEventKind::Conversion) };
    assert_eq!(found(&market, wanted(true)).await, []);
    let reversed = found(&market, wanted(false)).await;
    assert!(reversed[0].reversed_at.is_some() && !reversed[0].counted && reversed[0].reason.is_none());
});

on_both!(an_event_leads_to_its_bill_and_the_bill_to_its_events, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let first = market.visit().await;
    market.convert("order-1", &first.click_id).await;
    market.visit().await;
    market.work().await;
    market.visit().await;
    let impressions = found(&market, query(&plan, PlanEventKind::Impression)).await;
    let waiting = opened(&market, &plan, &impressions[0]).await;
    assert_eq!((waiting.billing, &waiting.bill), (Some(BillingState::Waiting), &None));
    let billed = opened(&market, &plan, &impressions[2]).await;
    assert_eq!(billed.billing, Some(BillingState::Billed));
    assert_eq!((billed.plan_no.as_str(), billed.product_name.as_str()), (plan.plan_no.as_str(), "Aurora Coffee"));
    let bill = billed.bill.expect("a bill");
    assert_eq!(
        (&*bill.amount.to_string(), bill.events, bill.price.as_str(), bill.cost.as_str()),
        ("10.00", 2, "5.00", "10.00")
    );
    assert_eq!((bill.carried_in.as_str(), bill.carried_out.as_str(), of_lines(&bill)), ("0.00", "0.00", -1_000));
    // Who got it: the publisher its share, the platform the rest.
    let parts: Vec<_> = bill.parts.iter().map(shared).collect();
    assert_eq!((parts, bill.other_parts), (vec![("The Daily", false, 1_000, 700, 300)], 0));

    let line = Some(bill.lines[0].id.parse().expect("a number"));
    let on_it = PlanEventQuery { line, ..query(&plan, PlanEventKind::Impression) };
    assert_eq!(found(&market, on_it).await, impressions[1..]);
    let clicks = PlanEventQuery { line, ..query(&plan, PlanEventKind::Click) };
    let clicks = found(&market, clicks).await;
    assert_eq!(clicks.len(), 2);
    let clicked = opened(&market, &plan, &clicks[1]).await;
    assert_eq!(clicked.billing, Some(BillingState::NotPriced), "the plan pays for impressions");
    assert_eq!(clicked.click_id.as_deref(), Some(first.click_id.as_str()));
    let related: Vec<_> = clicked.related.iter().map(|of| of.kind.name()).collect();
    assert_eq!(related, ["impression", "conversion"]);
    assert_eq!(clicked.related[0].id, impressions[2].id);

    let conversion = &found(&market, query(&plan, PlanEventKind::Conversion)).await[0];
    let converted = opened(&market, &plan, conversion).await;
    assert_eq!((converted.billing, converted.event_id.as_deref()), (None, Some("order-1")));
    assert_eq!(converted.related.iter().map(|of| of.kind.name()).collect::<Vec<_>>(), ["impression", "click"]);

    market.work().await;
    let later = opened(&market, &plan, &impressions[0]).await.bill.expect("a bill");
    assert_eq!((&*later.amount.to_string(), later.events), ("5.00", 1));
    assert_ne!(later.lines[0].id, bill.lines[0].id);
    market.check().await;
});

on_both!(what_is_less_than_a_minor_unit_goes_on_to_the_next_bill, |test| {
    let market = market_with(test, |file| {
        file.put_rule.price = "2.40".into();
        file.attribution_days = 0;
    })
    .await;
    let plan = market.put("10.00").await;
    for _ in 0..5 {
        market.visit().await;
    }
    market.close_day().await;
    for _ in 0..4 {
        market.visit().await;
    }
    market.close_day().await;
    let impressions = found(&market, query(&plan, PlanEventKind::Impression)).await;
    assert_eq!(impressions[0].price, "0.00240");
    let first = opened(&market, &plan, &impressions[8]).await.bill.expect("a bill");
    assert_eq!((first.events, first.cost.as_str(), &*first.amount.to_string()), (5, "0.01200", "0.01"));
    assert_eq!((first.carried_in.as_str(), first.carried_out.as_str()), ("0.00", "0.00200"));
    let second = opened(&market, &plan, &impressions[0]).await.bill.expect("a bill");
    assert_eq!((second.events, second.cost.as_str(), &*second.amount.to_string()), (4, "0.00960", "0.01"));
    assert_eq!((second.carried_in.as_str(), second.carried_out.as_str()), ("0.00200", "0.00160"));
    assert_eq!((of_lines(&first), of_lines(&second)), (-1, -1));

    market.visit().await;
    market.work().await;
    let last = found(&market, query(&plan, PlanEventKind::Impression)).await.remove(0);
    assert_eq!(opened(&market, &plan, &last).await.billing, Some(BillingState::Waiting));
    control(&market.world.app, market.world.user, id(&plan), PlanCommand::Stop).await.expect("stopped");
    market.wait(3 * 3_600);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(opened(&market, &plan, &last).await.billing, Some(BillingState::BelowUnit));
    market.check().await;
});

on_both!(no_more_is_kept_of_a_reader_than_the_kind_of_device, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let app = &market.world.app;
    let phone = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/138.0.0.0 Mobile Safari/537.36";
    for request in [
        EventRequest { user_agent: phone.into(), ..reader() },
        EventRequest { user_agent: phone.into(), opted_out: true, ..reader() },
        EventRequest { user_agent: format!("{phone} Googlebot/2.1"), ..reader() },
    ] {
        let answer = market.serve().await.expect("a creative");
        let _ = impression(app, token(&answer.impression_url), &request).await.expect("kept");
    }
    let links = market.detail(&plan).await.tracking;
    let _ = click(app, token(&links.click_url), &reader()).await.expect("kept");
    let seen = found(&market, query(&plan, PlanEventKind::Impression)).await;
    let devices: Vec<_> = seen.iter().map(|event| event.device.map(|device| device.name())).collect();
    assert_eq!(devices, [None, None, Some("mobile")], "programs, and who asked not to be tracked");
    let text = serde_json::to_string(&opened(&market, &plan, &seen[2]).await).expect("JSON");
    assert!(!text.contains("Pixel") && !text.contains("203.0.113"), "{text}");
    let refused = opened(&market, &plan, &seen[0]).await;
    assert_eq!((refused.billing, refused.related.len()), (Some(BillingState::NotCounted), 0));
    let shared = found(&market, query(&plan, PlanEventKind::Click)).await.remove(0);
    assert_eq!(shared.slot, None);
    assert_eq!(opened(&market, &plan, &shared).await.billing, Some(BillingState::Shared));
});

on_both!(a_charge_in_the_wallet_leads_to_the_impressions_it_was_for, |test| {
    leads_from_the_charge(test, (Pricing::Cpm, "1000.00"), PlanEventKind::Impression).await;
});

on_both!(a_charge_in_the_wallet_leads_to_the_clicks_it_was_for, |test| {
    leads_from_the_charge(test, (Pricing::Cpc, "1.00"), PlanEventKind::Click).await;
});

/// As the app does: from the wallet's day to its charges, and from each to its events.
async fn leads_from_the_charge(test: TestDb, (pricing, price): (Pricing, &str), kind: PlanEventKind) {
    let market = market_with(test, |file| {
        file.put_rule.pricing = pricing.name().into();
        file.put_rule.price = price.into();
    })
    .await;
    let plan = market.put("10.00").await;
    for visits in [2, 3] {
        for _ in 0..visits {
            market.visit().await;
        }
        market.wait(60);
        market.work().await;
    }
    let (app, user) = (&market.world.app, market.world.user);
    let days = flow_days(app, user, DaysQuery { plan: Some(id(&plan)), limit: 10, ..DaysQuery::default() }).await;
    let day = days.expect("days").items.into_iter().find(|row| row.billing.is_some()).expect("a day of charges");
    assert_eq!(day.plan.expect("a plan").pricing, pricing);
    let DayBilling { from, until, lines, .. } = day.billing.expect("charges");
    assert_eq!(lines, 2);
    let charged = FlowQuery {
        from: Some(from.to_string()),
        until: Some(until.to_string()),
        kind: Some("ad_billing".into()),
        plan: Some(id(&plan)),
        page: ALL,
        ..FlowQuery::default()
    };
    let charges = flow_list(app, user, charged).await.expect("lines").lines.items;
    let amounts: Vec<_> = charges.iter().map(|line| line.amount.minor()).collect();
    assert_eq!(amounts, [-300, -200]);
    for (charge, count) in charges.iter().zip([3, 2]) {
        let line = charge.id.parse().expect("a number");
        let asked = PlanEventQuery { line: Some(line), counted: Some(true), ..query(&plan, kind) };
        assert_eq!(found(&market, asked).await.len(), count);
    }
}

on_both!(nobody_sees_the_events_of_another, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.work().await;
    let event = found(&market, query(&plan, PlanEventKind::Impression)).await.remove(0);
    let line = opened(&market, &plan, &event).await.bill.expect("a bill").lines[0].id.parse().expect("a number");
    let number: i64 = event.id.parse().expect("a number");
    let app = &market.world.app;
    let other = market.world.test.user("other").await;
    let gone = |answer: Result<(), Error>| matches!(answer, Err(Error::Refused(Refusal::NotFound)));
    let asked = query(&plan, PlanEventKind::Impression);
    assert!(gone(list(app, other, asked).await.map(drop)));
    assert!(gone(show(app, other, id(&plan), PlanEventKind::Impression, number).await.map(drop)));
    // An event of another plan, of another kind, and lines of no bill of this plan.
    let second = market.put("100.00").await;
    let user = market.world.user;
    assert!(gone(show(app, user, id(&second), PlanEventKind::Impression, number).await.map(drop)));
    assert!(gone(show(app, user, id(&plan), PlanEventKind::Click, number).await.map(drop)));
    assert!(gone(show(app, user, id(&plan), PlanEventKind::Conversion, number).await.map(drop)));
    let elsewhere = PlanEventQuery { line: Some(line), ..query(&second, PlanEventKind::Impression) };
    assert!(gone(list(app, user, elsewhere).await.map(drop)));
    assert!(gone(list(app, user, PlanEventQuery { line: Some(line + 1), ..asked }).await.map(drop)));
});

on_both!(events_from_before_bills_were_noted_say_so, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.work().await;
    sql(&market, "UPDATE bills SET transaction_id = NULL").await;
    market.visit().await;
    market.work().await;
    let [new, old] = &found(&market, query(&plan, PlanEventKind::Impression)).await[..] else { panic!("two") };
    let (old, new) = (opened(&market, &plan, old).await, opened(&market, &plan, new).await);
    assert_eq!((old.billing, old.bill), (Some(BillingState::Earlier), None));
    assert_eq!(new.bill.map(|bill| bill.events), Some(1), "the first one is not on it");
    market.check().await;
});

on_both!(a_bill_that_does_not_match_its_events_is_found, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.visit().await;
    market.work().await;
    market.check().await;
    let told = async || recompute(&market.world.app).await.expect("recomputed");
    const EVENTS: &str = "bills that do not match their events";
    const PARTS: &str = "bills that do not match their parts";
    for (wrong, right, expected) in [
        (
            "UPDATE bills SET cost_milli = cost_milli + 1000",
            "UPDATE bills SET cost_milli = cost_milli - 1000",
            &[EVENTS][..],
        ),
        ("UPDATE bills SET up_to_event = up_to_event - 2", "UPDATE bills SET up_to_event = up_to_event + 2", &[EVENTS]),
        (
            "UPDATE bills SET transaction_id = transaction_id - 1",
            "UPDATE bills SET transaction_id = transaction_id + 1",
            &[EVENTS, PARTS],
        ),
    ] {
        sql(&market, wrong).await;
        let found = told().await;
        let figures: Vec<&str> = found.differences.iter().map(|wrong| wrong.figure.as_str()).collect();
        assert_eq!((figures.as_slice(), found.ok), (expected, false), "{wrong}");
        sql(&market, right).await;
    }
    assert!(told().await.ok);
});
