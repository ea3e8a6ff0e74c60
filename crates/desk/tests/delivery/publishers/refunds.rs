//! Where events turn out not to be readers', their buyers get back what these cost: by two people, each event once, and
//! the platform never gains by it.

use base::Money;
use calendar::Zone;
use campaigns::catalogue::products::Targeting;
use campaigns::delivery::corrections::{CorrectionFile, request_correction};
use campaigns::delivery::publisher_keys::Reader;
use campaigns::delivery::publisher_report::info;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::plans::overview::Span;
use campaigns::plans::plan_events::{PlanEventKind, PlanEventQuery, list};
use campaigns::plans::plan_views::PlanView;
use desk::requests::{MoneyRequestDraft, approve};
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::staff::limits::set_limit;
use foundation::staff::requests::RequestView;
use i18n::Lang;
use money::wallet::flow_days::{DaysQuery, flow_days};
use money::wallet::flow_list::{FlowQuery, flow_list};
use money::wallet::publishers::payouts::{account, pay};
use money::wallet::publishers::statement::statement;
use money::wallet::verify::trial_balance;
use store::PageRequest;
use store::on_both;
use store::testing::TestDb;

use super::payouts::{DAILY, ask as ask_payout, earned, id as request_id};
use crate::intruder::{after, keep};
use crate::money::{money, why};
use crate::support::{Market, SLOT, market, market_with};

pub fn file(text: &str) -> CorrectionFile {
    toml::from_str(text).expect("a file")
}

/// A year of the slot, with more about which events.
pub fn year(more: &str) -> CorrectionFile {
    file(&format!("slot = \"{SLOT}\"\nfrom = 2026-01-01\nuntil = \"2026-12-31\"\n{more}"))
}

pub async fn ask(market: &Market, file: CorrectionFile) -> Result<RequestView, foundation::Error> {
    request_correction(&market.world.app, &market.world.ann, file).await
}

pub async fn approved(market: &Market, asked: &RequestView) -> Result<RequestView, foundation::Error> {
    approve(&market.world.app, &market.world.bob, asked.id.into()).await
}

pub async fn corrected(market: &Market, more: &str) -> RequestView {
    let asked = ask(market, year(more)).await.expect("requested");
    approved(market, &asked).await.expect("approved")
}

/// What the platform's revenue, the publisher and the user have.
pub async fn balances(market: &Market) -> (String, String, String) {
    let app = &market.world.app;
    let lines = trial_balance(app).await.expect("balances");
    let revenue = lines.into_iter().find(|line| line.account == "delivery_revenue");
    let revenue = revenue.map_or_else(|| "0.00".to_owned(), |line| line.balance.to_string());
    let of = account(app, DAILY).await.expect("an account");
    let owed = of.earned.plus(of.corrected).expect("in range");
    (revenue, owed.to_string(), market.world.property().await.available.to_string())
}

fn told((revenue, owed, available): &(String, String, String)) -> (&str, &str, &str) {
    (revenue, owed, available)
}

pub async fn promote(market: &Market, amount: &str) {
    market.world.book(MoneyRequestDraft::grant(market.world.user, amount)).await;
}

/// Four views of 5.00 and one conversion, on a plan that runs.
async fn four_views(test: TestDb) -> (Market, PlanView) {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    for n in 0..4 {
        let visited = market.visit().await;
        if n == 0 {
            assert!(market.convert("order-1", &visited.click_id).await.accepted);
        }
    }
    market.close_day().await;
    (market, plan)
}

pub fn days() -> DaysQuery {
    DaysQuery {
        month: None,
        from: None,
        until: None,
        kind: None,
        direction: None,
        plan: None,
        search: None,
        zone: Zone::UTC,
        cursor: None,
        limit: 20,
    }
}

/// The same, with another plan and another slot.
pub async fn two_places(test: TestDb) -> (Market, PlanView) {
    let (market, plan) = four_views(test).await;
    market.put("100.00").await;
    let slot = SlotFile {
        key: "other".into(),
        publisher: "The Daily".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting::default(),
    };
    slots::add(&market.world.app, &market.world.bob, slot).await.expect("a slot");
    (market, plan)
}

on_both!(a_buyer_gets_back_what_events_cost_by_two_people_and_once, |test| {
    let (market, plan) = four_views(test).await;
    let (app, ann) = (&market.world.app, &market.world.ann);
    assert_eq!(told(&balances(&market).await), ("6.00", "14.00", "900.00"));
    let asked = ask(&market, year("")).await.expect("requested");
    assert_eq!(
        (asked.kind.name(), &*asked.amount.to_string()),
        ("delivery_correction", "32.50"),
        "with the conversion"
    );
    assert_eq!(asked.name.as_deref(), Some("The Daily"));
    let seen = asked.proposal.clone().expect("what was asked");
    assert_eq!((&seen["events"]["to"], &seen["publisher_gives"]["to"]), (&8.into(), &"14.00".into()));
    assert_eq!(seen["plans"]["to"][&plan.plan_no], "20.00");
    assert_eq!((&seen["conversions_reversed"]["to"], &seen["conversions_settled"]["to"]), (&1.into(), &0.into()));
    assert_eq!(seen["conversions_amount"]["to"], "12.50");
    let which = || asked.id.into();
    assert_eq!(why(approve(app, ann, which()).await), "second_person_needed");
    assert_eq!(told(&balances(&market).await), ("6.00", "14.00", "900.00"), "nothing has moved so far");
    // Another one for the same events, which is too late then.
    let again = ask(&market, year("kind = \"impression\"")).await.expect("requested");
    approved(&market, &asked).await.expect("approved");
    assert_eq!(told(&balances(&market).await), ("0.00", "0.00", "920.00"));
    assert_eq!(why(approved(&market, &asked).await), "already_decided");
    assert_eq!(why(approved(&market, &again).await), "proposal_stale");
    assert_eq!(why(ask(&market, year("")).await), "from=nothing_found");
    let detail = market.detail(&plan).await;
    let shown = &detail.plan;
    assert_eq!(
        (&*shown.consumed.to_string(), &*shown.billed.to_string(), &*shown.refunded.to_string()),
        ("0.00", "20.00", "20.00")
    );
    assert_eq!(
        (&*shown.revenue.to_string(), &*shown.profit.to_string()),
        ("0.00", "0.00"),
        "the conversion was taken back"
    );
    let figures = &detail.delivery;
    assert_eq!((figures.impressions, figures.clicks, figures.conversions), (4, 4, 0), "the events stay");
    let all = market.overview(Span::All).await;
    assert_eq!(
        (&*all.consumed.to_string(), &*all.profit.to_string(), &*all.billed.to_string()),
        ("0.00", "0.00", "20.00")
    );
    market.check().await;
    // The plan goes on, with what its budget still has.
    market.visit().await;
    market.wait(8 * 86_400);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(told(&balances(&market).await), ("1.50", "3.50", "995.00"));
    market.check().await;
});

on_both!(the_user_and_the_publisher_are_told_why, |test| {
    let (market, plan) = four_views(test).await;
    let app = &market.world.app;
    assert_eq!(why(ask(&market, year("kind = \"click\"")).await), "from=nothing_found", "clicks cost nothing");
    corrected(&market, "kind = \"impression\"").await;
    let lines = flow_list(app, market.world.user, FlowQuery::default()).await.expect("a statement").lines.items;
    let line = lines.iter().find(|line| line.reference.kind.name() == "delivery_refund").expect("a line");
    assert_eq!((line.kind.name(), &*line.amount.to_string(), line.remark.as_str()), ("refund", "20.00", "a test"));
    // The line leads to its plan, and to the events that it is for.
    let days = DaysQuery { kind: Some("refund".into()), ..days() };
    let rows = flow_days(app, market.world.user, days).await.expect("rows").items;
    let row = rows.iter().find(|row| row.id == line.id).expect("a row");
    assert_eq!(row.plan.as_ref().map(|of| of.number.as_str()), Some(plan.plan_no.as_str()));
    for (kind, number) in [(PlanEventKind::Impression, 4), (PlanEventKind::Click, 0)] {
        let query = PlanEventQuery {
            plan: plan.id,
            kind,
            counted: Some(true),
            line: line.id.parse().ok(),
            page: PageRequest::default(),
        };
        assert_eq!(list(app, market.world.user, query).await.expect("events").items.len(), number, "{kind:?}");
    }
    let told = list_notifications(app, market.world.user, Lang::En, NotificationQuery::default()).await;
    let told = told.expect("notices").items;
    let notice = told.iter().find(|notice| notice.kind.as_deref() == Some("delivery_refunded")).expect("told");
    let body = &notice.body;
    assert!(body.contains("20.00") && body.contains(&plan.plan_no) && body.contains("a test"), "{body}");
    assert_eq!(notice.plan_id, Some(plan.id));
    let month = statement(app, DAILY, Some("2026-01")).await.expect("a statement").view().expect("figures");
    let taken: Vec<_> = month.corrections.iter().map(|one| (one.amount.minor(), one.reason.as_str())).collect();
    assert_eq!((taken, &*month.closing.to_string()), (vec![(-1_400, "a test")], "0.00"));
    assert_eq!(
        info(app, Reader { publisher: DAILY, until: None }).await.expect("its own").money.corrected.to_string(),
        "-14.00"
    );
    market.check().await;
});

on_both!(a_sum_comes_back_in_proportion_and_what_is_left_of_an_event_later, |test| {
    let market = market(test).await;
    let plans = [market.put("100.00").await, market.put("100.00").await];
    for _ in 0..6 {
        market.visit().await;
    }
    market.close_day().await;
    assert_eq!(told(&balances(&market).await), ("9.00", "21.00", "800.00"));
    assert_eq!(why(ask(&market, year("sum = \"30.01\"")).await), "sum=more_than_delivered");
    let asked = corrected(&market, "sum = \"10.01\"").await;
    assert_eq!(asked.amount.to_string(), "10.01");
    // The publisher's part of each plan is rounded down.
    assert_eq!(told(&balances(&market).await), ("5.99", "14.00", "810.01"));
    market.check().await;
    // The whole price is given back once.
    assert_eq!(corrected(&market, "").await.amount.to_string(), "19.99");
    let (revenue, owed, available) = balances(&market).await;
    assert_eq!((available.as_str(), money(&owed).negated()), ("830.00", Ok(money(&revenue))));
    assert!(money(&owed) <= money("0.02"), "{owed}");
    for plan in plans {
        assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.00");
    }
    market.check().await;
});

on_both!(only_the_events_that_the_file_is_about_come_back, |test| {
    let market = market(test).await;
    let plans = [market.put("100.00").await, market.put("100.00").await];
    for _ in 0..2 {
        market.visit().await;
    }
    let noon = market.world.app.now();
    market.wait(3_600);
    for _ in 0..4 {
        market.visit().await;
    }
    market.close_day().await;
    let (from, until) = (noon.plus_millis(1), noon.plus_days(1));
    let of = |more: &str| file(&format!("publisher = 1\nfrom = \"{from}\"\nuntil = {until}\n{more}"));
    let first = ask(&market, of("")).await.expect("requested");
    assert_eq!(first.amount.to_string(), "20.00");
    let of_plan = |plan: &PlanView| of(&format!("plan = \"{}\"", plan.plan_no));
    let mut amounts = Vec::new();
    for plan in &plans {
        amounts.push(ask(&market, of_plan(plan)).await.expect("requested").amount);
    }
    assert_eq!(Money::sum(amounts.iter().copied()), Ok(money("20.00")), "{amounts:?}");
    assert_eq!(ask(&market, of("device = \"desktop\"")).await.expect("requested").amount.to_string(), "20.00");
    for nothing in ["device = \"tv\"", "source = \"news.example\"", "kind = \"click\""] {
        assert_eq!(why(ask(&market, of(nothing)).await), "from=nothing_found", "{nothing}");
    }
    // What came back of an event meanwhile does not come back again, though others could pay for it.
    let part = ask(&market, of("sum = \"0.50\"")).await.expect("requested");
    approved(&market, &part).await.expect("approved");
    assert_eq!(why(approved(&market, &first).await), "proposal_stale");
    assert_eq!(ask(&market, of("")).await.expect("requested").amount.to_string(), "19.50");
    market.check().await;
});

on_both!(what_is_not_clear_is_refused, |test| {
    let (market, _) = four_views(test).await;
    let time = "from = 2026-01-01\nuntil = 2026-12-31\n";
    for (text, problem) in [
        (time, "publisher=required"),
        ("publisher = 1\nslot = \"news-top\"\nfrom = 2026-01-01\nuntil = 2026-12-31", "slot=not_with_publisher"),
        ("publisher = \"x\"\nfrom = 2026-01-01\nuntil = 2026-12-31", "publisher=invalid"),
        ("publisher = 1\nuntil = 2026-12-31", "from=required"),
        ("publisher = 1\nfrom = \"yesterday\"\nuntil = 2026-12-31", "from=invalid"),
        ("publisher = 1\nfrom = 2026-01-02\nuntil = 2026-01-02", "until=before_from"),
        ("publisher = 1\nfrom = 2027-01-02\nuntil = 2027-01-03", "from=in_the_future"),
        ("publisher = 99\nfrom = 2026-01-01\nuntil = 2026-12-31", "publisher=not_found"),
        ("slot = \"unknown\"\nfrom = 2026-01-01\nuntil = 2026-12-31", "slot=not_found"),
    ] {
        assert_eq!(why(ask(&market, file(text)).await), problem, "{text}");
    }
    for (more, problem) in [
        ("kind = \"viewable\"", "kind=invalid"),
        ("device = \"toaster\"", "device=invalid"),
        ("plan = \"P0\"", "plan=not_found"),
        ("sum = \"1,00\"", "sum=invalid_amount"),
        ("sum = 0", "amount_out_of_range"),
    ] {
        assert_eq!(why(ask(&market, year(more)).await), problem, "{more}");
    }
    let carl = request_correction(&market.world.app, &market.world.carl, year("")).await;
    assert_eq!(why(carl), "not_permitted");
    set_limit(&market.world.app, &market.world.bob, auth::Role::Finance, "19.99", "100.00").await.expect("set");
    assert_eq!(why(ask(&market, year("")).await), "limit_exceeded");
    assert!(toml::from_str::<CorrectionFile>("publisher = 1\nslots = \"x\"").is_err(), "an unknown field");
    market.check().await;
});

on_both!(what_the_publisher_is_not_owed_any_more_is_the_platforms_loss, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let payout = ask_payout(&market, "60.00").await.expect("requested");
    approve(app, bob, payout.id.into()).await.expect("approved");
    pay(app, ann, request_id(&payout), "OUT-1").await.expect("paid");
    assert_eq!(told(&balances(&market).await), ("30.00", "70.00", "900.00"));
    let asked = ask(&market, year("")).await.expect("requested");
    assert_eq!(asked.proposal.as_ref().expect("what was asked")["publisher_gives"]["to"], "10.00");
    approved(&market, &asked).await.expect("approved");
    assert_eq!(told(&balances(&market).await), ("-60.00", "60.00", "1000.00"));
    let of = account(app, DAILY).await.expect("an account");
    assert_eq!((&*of.corrected.to_string(), &*of.payable.to_string()), ("-10.00", "0.00"));
    market.check().await;
});

on_both!(a_settled_plan_gives_back_to_the_wallet_and_its_conversions_stay, |test| {
    let (market, plan) = four_views(test).await;
    market.wait(11 * 86_400);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    let before = market.overview(Span::All).await;
    assert_eq!((&*before.profit.to_string(), &*before.settled_profit.to_string()), ("-8.75", "-8.75"));
    let asked = corrected(&market, "").await;
    let seen = asked.proposal.expect("what was asked");
    assert_eq!((&seen["conversions_reversed"]["to"], &seen["conversions_settled"]["to"]), (&0.into(), &1.into()));
    let after = market.overview(Span::All).await;
    assert_eq!((&*after.profit.to_string(), &*after.settled_profit.to_string()), ("11.25", "11.25"));
    assert!(after.corrected, "{after:?}");
    let shown = market.detail(&plan).await.plan;
    assert_eq!(
        (&*shown.profit.to_string(), &*shown.settled_profit.to_string(), &*shown.consumed.to_string()),
        ("11.25", "11.25", "0.00")
    );
    market.check().await;
});

on_both!(who_is_at_a_level_by_it_falls_back, |test| {
    let market = market_with(test, |file| file.put_rule.price = "50000.00".into()).await;
    let plan = market.put("500.00").await;
    while let Some(answer) = market.serve().await {
        market.see(&answer).await.expect("counts");
    }
    market.wait(11 * 86_400);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    let level = async || {
        let user = market.world.user;
        let read = move |conn: &mut store::Conn| store::people::users::find(conn, user);
        let user = market.world.app.db.read(read).await.expect("read").expect("a user");
        (user.level, user.settled_spend.to_string())
    };
    assert_eq!(level().await, (2, "500.00".to_owned()));
    corrected(&market, "sum = \"0.01\"").await;
    assert_eq!(level().await, (1, "499.99".to_owned()));
    market.check().await;
});

on_both!(credit_and_coupons_come_back_to_where_they_came_from, |test| {
    let market = market(test).await;
    promote(&market, "25.00").await;
    let plan = market.put("40.00").await;
    assert_eq!(plan.paid_amount.to_string(), "15.00");
    for _ in 0..7 {
        market.visit().await;
    }
    market.close_day().await;
    let promotional = async || market.world.property().await.promotional;
    assert_eq!((told(&balances(&market).await).2, &*promotional().await.to_string()), ("985.00", "0.00"));
    // 10.00 of 35.00 were the user's own.
    corrected(&market, "sum = \"12.00\"").await;
    assert_eq!((told(&balances(&market).await).2, &*promotional().await.to_string()), ("995.00", "2.00"));
    let shown = market.detail(&plan).await.plan;
    assert_eq!((&*shown.consumed.to_string(), &*shown.platform_paid.to_string()), ("23.00", "23.00"));
    market.check().await;
    corrected(&market, "").await;
    assert_eq!((told(&balances(&market).await).2, &*promotional().await.to_string()), ("995.00", "25.00"));
    market.check().await;
});

/// Every column of what was chosen.
const EDITS: [&str; 10] = [
    "UPDATE corrected_events SET request_id = (SELECT MIN(id) FROM money_requests)",
    "UPDATE corrected_events SET plan_id = (SELECT MAX(id) FROM plans)",
    "UPDATE corrected_events SET event_id = event_id + 100",
    "UPDATE corrected_events SET kind = 3 - kind",
    "UPDATE corrected_events SET at = at + 1",
    "UPDATE corrected_events SET slot_id = (SELECT MAX(id) FROM slots)",
    "UPDATE corrected_events SET nonce = (SELECT nonce FROM events ORDER BY id DESC LIMIT 1)",
    "UPDATE corrected_events SET price_milli = price_milli + 1",
    "UPDATE corrected_events SET milli = milli - 1 WHERE milli > 0",
    "UPDATE corrected_events SET owed_milli = 0",
];

on_both!(what_is_edited_between_request_and_approval_is_refused, |test| {
    let (market, _) = two_places(test).await;
    let app = &market.world.app;
    for edit in EDITS {
        let asked = ask(&market, year("")).await.expect("requested");
        keep(app, &[edit]).await;
        assert_eq!(why(approved(&market, &asked).await), "proposal_stale", "{edit}");
        keep(app, &["DELETE FROM corrected_events"]).await;
    }
});

on_both!(an_edited_refund_is_found, |test| {
    let (market, _) = two_places(test).await;
    let app = &market.world.app;
    corrected(&market, "").await;
    market.check().await;
    let of_refunds = [
        "UPDATE delivery_refunds SET amount = amount + 1, own = own + 1",
        "UPDATE delivery_refunds SET taken = taken - 1",
        "DELETE FROM delivery_refunds",
    ];
    for edit in EDITS.into_iter().chain(of_refunds) {
        let laws = store::wallet::verify::laws;
        let found = after(app, &[edit], move |conn| Ok(laws(conn)?.faults)).await.expect("walked").expect("edited");
        assert!(found.iter().any(|fault| fault.contains("delivery")), "{edit}: {found:#?}");
    }
    keep(app, &["UPDATE plans SET refunded = refunded - 1"]).await;
    let found = recompute(app).await.expect("recomputed");
    assert!(found.differences.iter().any(|wrong| wrong.figure == "refunded"), "{found:?}");
});
