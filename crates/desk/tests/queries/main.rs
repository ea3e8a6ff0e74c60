//! No query reads a growing table completely: every statement sent by the use cases is
//! recorded, and both databases are asked for its plan.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod asked;
#[path = "../delivery/publishers/bidding.rs"]
#[allow(dead_code, reason = "shared with the tests of exchanges, which use all of it")]
mod bidding;
mod by_day;
mod exchanges;
mod explained;
mod left_out;
#[path = "../money/support.rs"]
#[allow(dead_code, reason = "shared with the tests of money, which use all of it")]
mod money;
mod recorder;
mod small;
#[path = "../delivery/support.rs"]
#[allow(dead_code, reason = "shared with the tests of delivery, which use all of it")]
mod support;
mod together;

use campaigns::AdServer;
use std::collections::BTreeSet;

use ::money::offers::{activities, coupon_grants, coupon_staff, coupon_views, levels, vip};
use ::money::wallet::flow_list::{FlowQuery, flow_list};
use ::money::wallet::withdraw::{Withdraw, withdraw};
use ::money::wallet::{
    acceptor_admin, acceptors, bank_card, deposit, exchange, property, records, statement_file, withdrawals,
};
use base::{Money, PlanId};
use calendar::Zone;
use campaigns::delivery::serve::vast::serve_video;
use campaigns::delivery::{playback, replay, track};
use campaigns::plans::overview::Span;
use campaigns::plans::plan_control::{PlanCommand, control, control_once};
use campaigns::plans::{
    follow, operated, plan_control, plan_events, plan_evidence, plan_series, plan_views, put, quote,
};
use coupons::State;
use delivery::EventKind;
use desk::{account_detail, account_figures, export, installation::backlogs, requests};
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use foundation::people::{sessions, staff_accounts};
use foundation::staff::{audit_log, notes};
use foundation::{notifications, staff};
use futures_util::TryStreamExt;
use plans::Status;
use store::testing::{TestDb, postgres, sqlite};
use store::{Conn, Error, PageRequest};

use by_day::read_by_day;
use explained::{plan_on_postgres, plan_on_sqlite, scanned};
use small::{SMALL, WHOLE};
use support::{Market, market};

const PAGE: PageRequest = PageRequest { before: Some(1_000_000), limit: 20 };

/// Every table that is not small.
async fn growing(app: &AdServer) -> BTreeSet<String> {
    let tables = app.db.read(store::installation::copy::catalog).await.expect("a catalog");
    let all: BTreeSet<String> = tables.into_iter().map(|table| table.name).collect();
    for (small, _) in SMALL {
        assert!(all.contains(small), "there is no table {small} any more");
    }
    all.into_iter().filter(|table| !SMALL.iter().any(|(small, _)| small == table)).collect()
}

/// Everything that a user's pages and staff's lists read.
async fn read_everything(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    for status in [None, Some(Status::Putting)] {
        plan_views::list(app, user, status, PAGE).await.expect("plans");
    }
    plan_views::count_waiting(app, user).await.expect("a count");
    for (month, kind) in
        [(None, None), (Some("2026-01"), None), (None, Some("refund")), (Some("2026-01"), Some("refund"))]
    {
        let (month, kind) = (month.map(str::to_owned), kind.map(str::to_owned));
        flow_list(app, user, FlowQuery { month, kind, page: PAGE, ..FlowQuery::default() }).await.expect("lines");
    }
    read_narrowed(market).await;
    read_by_day(market).await;
    for span in [Span::Today, Span::Week, Span::Month, Span::All] {
        market.overview(span).await;
    }
    property::property(app, user).await.expect("property");
    sessions::list_sessions(app, user, None).await.expect("sessions");
    withdrawals::withdrawals(app, user, PAGE).await.expect("withdrawals");
    read_requests(app, user).await;
    let (some, since) = (Some("x".to_owned()), Some(app.now()));
    for wanted in [
        audit_log::AuditFilter::default(),
        audit_log::AuditFilter { by_staff: true, ..Default::default() },
        audit_log::AuditFilter { operator: some.clone(), ..Default::default() },
        audit_log::AuditFilter { action: some.clone(), ..Default::default() },
        audit_log::AuditFilter { subject: some, since, ..Default::default() },
    ] {
        audit_log::audit_lines(app, wanted, PAGE).await.expect("audit");
    }
    audit_log::audit_head(app).await.expect("a head");
    read_notifications(app, user).await;
    follow::assistance(app, user, PAGE).await.expect("records");
    let _ = follow::followable(app, user, "OP-1001").await;
    operated::list(app, PAGE).await.expect("operated");
    let (_, file) = export::export(app, user, i18n::Lang::En).await.expect("a file");
    assert!(file.try_collect::<String>().await.expect("all of it").ends_with("}\n"));
    bank_card::bank_card(app, user).await.expect("a card");
    take_a_call(app).await;
    backlogs::waiting_figures(app).await.expect("figures");
}

/// A staff call, whose signature does not concern the database.
async fn take_a_call(app: &AdServer) {
    app.db.read(|conn| store::staff::operators::signer(conn, "ann")).await.expect("a signer");
    let taken = app.db.write(|tx| {
        let now = tx.now();
        store::staff::staff_nonces::take(tx, &[7; 16], now)
    });
    taken.await.expect("taken");
}

/// A plan's figures over time, and its events, from the first page and from a cursor on.
async fn read_plan(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let plan = PlanId(1);
    for step in [plan_series::SeriesStep::Day, plan_series::SeriesStep::Hour] {
        plan_series::series(app, user, plan, step, None, Zone::UTC).await.expect("a series");
    }
    for kind in plan_events::PlanEventKind::ALL.iter().copied() {
        for counted in [None, Some(true), Some(false)] {
            for page in [PAGE, PageRequest::default()] {
                let query = plan_events::PlanEventQuery { plan, kind, counted, line: None, page };
                let found = plan_events::list(app, user, query).await.expect("events").items;
                let Some(id) = found.first().map(|event| event.id.parse().expect("a number")) else { continue };
                let shown = plan_events::show(app, user, plan, kind, id).await.expect("an event");
                let lines = shown.bill.map(|bill| bill.lines).unwrap_or_default();
                let line = lines.first().map(|line| line.id.parse().expect("a number"));
                plan_events::list(app, user, plan_events::PlanEventQuery { line, ..query }).await.expect("events");
            }
        }
    }
}

/// The lines of a plan and of a period, with their sums and from a cursor on.
async fn read_narrowed(market: &Market) {
    read_plan(market).await;
    let (app, user) = (&market.world.app, market.world.user);
    let day = |kind: Option<&str>| FlowQuery {
        from: Some("2026-01-05T00:00:00Z".into()),
        until: Some("2026-01-06T00:00:00Z".into()),
        kind: kind.map(str::to_owned),
        ..FlowQuery::default()
    };
    for kind in [None, Some("ad_billing"), Some("refund")] {
        let plan = FlowQuery { plan: Some(PlanId(1)), from: None, until: None, ..day(kind) };
        for query in [day(kind), plan, FlowQuery { plan: Some(PlanId(1)), ..day(kind) }] {
            let first = flow_list(app, user, query.clone()).await.expect("lines");
            assert!(first.sum.is_some());
            flow_list(app, user, FlowQuery { page: PAGE, ..query }).await.expect("lines");
        }
    }
}

/// Requests about each kind of subject, and the list with every filter.
async fn read_requests(app: &AdServer, user: base::UserId) {
    use requests::{RequestFilter, RequestRef};
    let statuses = wallet::RequestStatus::ALL.iter().copied().map(Some);
    for status in statuses.chain([None]) {
        for document in [None, Some(wallet::RequestDocument::Recharge), Some(wallet::RequestDocument::Promotion)] {
            let wanted = RequestFilter { document, status, ..RequestFilter::default() };
            requests::requests(app, wanted, PAGE).await.expect("requests");
        }
    }
    for mine in [true, false] {
        let made_by = Some((base::OperatorId(1), mine));
        requests::requests(app, RequestFilter { made_by, ..RequestFilter::default() }, PAGE).await.expect("requests");
    }
    requests::requests(app, RequestFilter { user: Some(user), ..RequestFilter::default() }, PAGE)
        .await
        .expect("requests");
    requests::show(app, RequestRef::any(base::RequestId(1))).await.expect("shown");
}

/// The list with every filter, and marking one and all as read.
async fn read_notifications(app: &AdServer, user: base::UserId) {
    use notifications::{Category, Filter, NotificationQuery, ReadSelection, list_notifications, read, unread};
    for category in [None, Some(Category::Activity)] {
        for state in [None, Some(true), Some(false)] {
            let filter = Filter { category, read: state };
            let wanted = NotificationQuery { filter, cursor: Some("1800000000000.7".into()), limit: None };
            list_notifications(app, user, i18n::Lang::En, wanted).await.expect("listed");
        }
    }
    let _ = read(app, user, ReadSelection::One("a7".parse().expect("an id"))).await;
    read(app, user, ReadSelection::All(Some(Category::Activity))).await.expect("read");
    read(app, user, ReadSelection::All(None)).await.expect("read");
    unread(app, user).await.expect("a count");
}

/// What staff read about one account, and how they find it.
async fn answer_a_caller(market: &Market, plan_no: &str) {
    let app = &market.world.app;
    let ann = market.world.test.operator("anton", auth::Role::Admin).await;
    notes::add_note(app, ann.clone(), "demo", "a note", None).await.expect("kept");
    notes::notes(app, "demo", false, PAGE).await.expect("notes");
    let by = staff::Staff::new(ann, "a test").expect("a reason");
    notes::withdraw_note(app, by, base::NoteId(1)).await.expect("withdrawn");
    for name in ["demo", "1", "someone@example.com", "+100000000", plan_no] {
        staff_accounts::find_account(app, name).await.expect("found");
    }
    for name in ["dmeo", "nobody@example.org", "0900000000", "P23456789A"] {
        assert!(staff_accounts::find_account(app, name).await.is_err());
    }
    account_detail::account_detail(app, "demo").await.expect("a screen");
    account_figures::account_figures(app, "demo", None, 20).await.expect("figures");
    plan_evidence::report(app, plan_no).await.expect("a report");
    for kind in [None, Some(EventKind::Click)] {
        for filtered in [None, Some(true)] {
            let wanted = plan_evidence::EventFilter { kind, filtered };
            plan_evidence::events(app, plan_no, wanted, PAGE).await.expect("events");
        }
    }
    plan_evidence::conversions(app, plan_no, PAGE).await.expect("conversions");
    records::of_plan(app, plan_no, PAGE).await.expect("entries");
    records::transaction(app, base::TransactionId(1)).await.expect("a transaction");
    let line = market.world.statement().await.lines.items[0].id.parse().expect("a line's number");
    records::of_line(app, "demo", line).await.expect("its transaction");
    let open = [
        staff_accounts::OpenItem::Withdrawal,
        staff_accounts::OpenItem::Recharge,
        staff_accounts::OpenItem::Exchange,
        staff_accounts::OpenItem::Feedback,
    ];
    for has_open in open {
        let filter =
            staff_accounts::Filter { has_open: Some(has_open), level: Some(1), ..staff_accounts::Filter::default() };
        staff_accounts::list_accounts(app, filter, PAGE).await.expect("accounts");
    }
}

/// Exchanging, and the statement as a file.
async fn exchange_and_export(market: &Market) {
    let (app, user) = (&market.world.app, market.world.user);
    let staff = &market.world.bob;
    let file = acceptor_admin::AcceptorFile {
        name: "Bright Exchange".into(),
        kind: "personal".into(),
        limit: "50.00".into(),
        daily_limit: Some("50.00".into()),
        quote_seconds: 600,
        code: None,
        rates: [("EUR".to_owned(), "0.92".to_owned())].into(),
    };
    let asked = acceptor_admin::add_acceptor(app, staff, &file).await.expect("asked for");
    let (acceptor, code) = (asked.request.acceptor_id.expect("an id").to_string(), asked.code);
    let id = asked.request.id.into();
    requests::approve(app, &market.world.ann, id).await.expect("approved");
    let wrong = acceptors::acceptor_detail(app, user, "personal", "WRONG-CODE", Zone::UTC).await;
    assert!(wrong.is_err());
    acceptors::acceptor_detail(app, user, "personal", &code, Zone::UTC).await.expect("shown");
    let put = exchange::PutExchange {
        acceptor,
        code,
        amount: Money::from_minor(100),
        currency: "EUR".into(),
        quote: None,
        rate: None,
        zone: Zone::UTC,
        key: None,
    };
    let order = exchange::put_exchange(app, Proof::assumed(user), put).await.expect("put");
    exchange::orders(app, user, PAGE).await.expect("orders");
    exchange::cancel_exchange(app, user, order.id, None).await.expect("cancelled");
    let deposit = || deposit::MoveDeposit { amount: "1.00".parse().expect("an amount"), key: None };
    deposit::pay_deposit(app, Proof::assumed(user), deposit()).await.expect("paid");
    // Plans of the tests above are still running, which it checks.
    assert!(deposit::return_deposit(app, Proof::assumed(user), deposit()).await.is_err());
    let wanted =
        statement_file::StatementRequest { month: Some("2026-01".into()), zone: Zone::UTC, lang: i18n::Lang::En };
    let statement = statement_file::export(app, user, wanted).await.expect("a statement");
    statement.csv(statement_file::CsvPosition::After(None)).await.expect("lines");
    statement.pdf().await.expect("a document");
}

/// Coupons, promotional credit, level: what is read of them, and a put with all of it
/// that fails.
async fn offer(market: &Market) {
    let (app, user, bob) = (&market.world.app, market.world.user, &market.world.bob);
    let text = "name = 'Off'\nkind = 'deduction'\nvalue = '1.00'\ndays = 9\nactivity = 'newcomer'\nquantity = 9";
    let file = toml::from_str(text).expect("a coupon");
    let defined = coupon_staff::define_coupon(app, bob, &file).await.expect("asked for");
    let ann = &market.world.ann;
    requests::approve(app, ann, defined.request.id.into()).await.expect("approved");
    let given = coupon_grants::grant_coupon(app, bob, "demo", "Off", None).await.expect("asked for");
    requests::reject(app, bob, given.id.into()).await.expect("rejected");
    activities::receive(app, user, "newcomer", Zone::UTC).await.expect("received");
    activities::activities(app, user, i18n::Lang::En).await.expect("activities");
    let target = put::PutTarget::Product(market.product);
    quote::quote(app, user, quote::QuoteQuery { target, amount: Money::from_minor(5_000), zone: Zone::UTC })
        .await
        .expect("a quote");
    let plain = put::Put::new(target, Money::from_minor(5_000), plans::ContentType::LandingPage);
    let plan =
        put::put(app, Proof::assumed(user), put::Put { coupon: Some(base::CouponId(1)), ..plain }).await.expect("put");
    plan_control::reject(app, bob, &plan.plan_no).await.expect("rejected");
    for state in [None, Some(State::Unused), Some(State::Used), Some(State::Expired)] {
        coupon_views::coupons(app, user, state, PAGE).await.expect("coupons");
    }
    let asked = requests::request(app, &market.world.ann, requests::MoneyRequestDraft::grant(user, "1.00"))
        .await
        .expect("requested");
    requests::reject(app, bob, asked.id.into()).await.expect("rejected");
    vip::subscribe(app, Proof::assumed(user), None).await.expect("subscribed");
    levels::level(app, user, i18n::Lang::En).await.expect("a level");
    levels::credit_history(app, user, i18n::Lang::En, PAGE).await.expect("a history");
}

/// The life of a plan, with everything that can happen to it.
async fn deliver(market: &Market) {
    let plan = market.put("100.00").await;
    for n in 0..3 {
        let visit = market.visit().await;
        market.convert(&format!("order-{n}"), &visit.click_id).await;
    }
    market.work().await;
    market.send(["order-1", "order-2"].map(support::reversal).map(Ok).into()).await;
    market.detail(&plan).await;
    let (app, user) = (&market.world.app, market.world.user);
    let sent = notifications::feedback::Send { topic: "x".into(), content: "x".into(), images: Vec::new() };
    notifications::feedback::send(app, user, sent).await.expect("sent");
    let _ = follow::follow(app, user, "OP-1001").await;
    let id: PlanId = plan.id;
    market.add(&plan, "10.00").await.expect("added");
    for what in [PlanCommand::Pause, PlanCommand::Resume] {
        control(app, user, id, what).await.expect("done");
    }
    let key = Some(Key::parse("stop").expect("a key"));
    control_once(app, user, id, PlanCommand::Stop, key).await.expect("stopped");
    let _ =
        withdraw(app, Proof::assumed(user), Withdraw { amount: "1.00".parse().expect("an amount"), key: None }).await;
    market.wait(300);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
}

/// A plan with AI delivery, and what can be read about it.
async fn deliver_learning(market: &Market) {
    let plan = market.put_learning("100.00").await;
    for n in 0..2 {
        let visit = market.visit().await;
        market.convert(&format!("learned-{n}"), &visit.click_id).await;
        // Its pace allows the next one a day later.
        market.wait(86_400);
        market.work().await;
    }
    let answer = market.serve().await.expect("a creative");
    let token = support::token(&answer.click_url);
    track::landing_page(&market.world.app, token, i18n::Lang::En).await.expect("a page");
    playback::played(&market.world.app, token, "start", &support::reader()).await.expect("taken").expect("kept");
    let video = serve_video(&market.world.app, support::SLOT, None, support::BASE, i18n::Lang::En).await;
    assert!(video.expect("answered").ends_with("/>"), "no plan has one");
    market.work().await;
    market.reverse("learned-1").await;
    market.detail(&plan).await;
    assert!(replay::replay(&market.world.app, &plan.plan_no).await.expect("replayed").ok);
}

async fn check(test: TestDb) {
    recorder::start();
    let market = market(test).await;
    deliver(&market).await;
    deliver_learning(&market).await;
    offer(&market).await;
    read_everything(&market).await;
    let plans = plan_views::list(&market.world.app, market.world.user, None, PAGE).await.expect("plans");
    answer_a_caller(&market, &plans.items[0].plan_no).await;
    exchange_and_export(&market).await;
    asked::come_and_go(&market).await;
    asked::administer(&market).await;
    asked::pushed::ask(&market).await;
    asked::pay_and_exchange(&market).await;
    asked::reconcile(&market).await;
    asked::upload(&market).await;
    exchanges::trade(&market).await;
    let asked = recorder::stop();
    let growing = growing(&market.world.app).await;
    assert!(growing.len() > 40, "{growing:?}");
    assert!(asked.len() > 60, "only {} statements were recorded", asked.len());
    let faults = market.world.app.db.read(move |conn| {
        let mut faults = Vec::new();
        for (sql, values) in &asked {
            let plan = match conn {
                Conn::Sqlite(_) => plan_on_sqlite(conn, sql)?,
                Conn::Postgres(_) => plan_on_postgres(conn, sql, values)?,
            };
            if WHOLE.iter().any(|(part, _)| sql.contains(part)) {
                continue;
            }
            // Only the newest row is read from an index's end.
            let sorted = plan.iter().any(|line| line.contains("TEMP B-TREE") || line.contains("Sort"));
            if sql.contains("LIMIT") && !sql.contains("WHERE") && !sorted {
                continue;
            }
            faults
                .extend(plan.iter().filter_map(|line| scanned(line, &growing)).map(|table| format!("{table}: {sql}")));
        }
        Ok::<_, Error>(faults)
    });
    let faults = faults.await.expect("explained");
    assert!(faults.is_empty(), "read from end to end:\n{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_query_has_an_index_on_both_databases() {
    let _turn = recorder::TURN.lock().await;
    check(sqlite()).await;
    check(postgres()).await;
}
