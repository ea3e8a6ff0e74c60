//! Everything that decides who may do what and what is paid is compared with the sealed
//! audit log or the ledger: edits that bypass the program are found and named.

use std::collections::BTreeMap;

use auth::{Entry, Role};
use base::{AcceptorId, Money, Timestamp, UserId};
use coupons::{Benefit, Definition, Kind, Validity};
use plans::ContentType;
use rust_decimal::Decimal;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::delivery::archive::EventArchive;
use store::installation::protected::{BY_AUDIT, BY_USERS};
use store::staff::audit;
use store::staff::requests::{NewRequest, Subject};
use store::wallet::acceptors::NewAcceptor;
use store::wallet::books::{Books, Note};
use store::wallet::exchange::NewOrder;
use store::wallet::verify::laws;
use store::{Conn, Error, on_both};
use usecases::App;
use usecases::people::pay_password::Proof;
use usecases::people::user_info::{EditUser, Editor, check_edit, save_edit};
use usecases::plans::put::{Put, PutTarget, put};
use usecases::staff::Staff;
use usecases::staff::limits::set_limit;
use usecases::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use wallet::{AcceptorType, ExchangeLimits, RequestKind, RequestReview, RequestStatus};

use crate::intruder::{after, columns, keep, keys};
use crate::proof::{history, named};
use crate::publishers::{bidding, booked};
use crate::support::Market;

/// Columns that do not decide who may do what or what is paid, or that are compared with
/// something else; each with the reason. A new column of these tables fails the test
/// until it is here or in `store::installation::protected`.
const ELSEWHERE: &[(&str, &[&str], &str)] = &[
    ("operators", &["last_used_at"], "when a key was used, to the hour; it lets nobody in"),
    ("money_requests", &["cleared_at"], "that the bank's line was found, which the ledger has"),
    ("money_requests", &["shown_at"], "that a key was shown to who asked for it"),
    ("advertisers", &["claims", "book_seq", "book_head"], "held against the entries"),
    ("publishers", &["name_key"], "the name, as it is compared"),
    ("publishers", &["book_seq", "book_head"], "held against the entries"),
    ("slots", &["content_types", "audience", "created_at"], "what is shown there"),
    ("products", &["name", "summary", "image", "content", "targeting", "created_at"], "what people see, and where"),
    ("products", &["openrtb"], "what exchanges are told; what is offered is bounded by the price"),
    ("coupon_definitions", &["name", "created_at"], "what people see"),
    ("users", &["nickname", "email", "phone", "avatar", "lang"], "what its user writes of themselves"),
    ("users", &["status_reason", "operated_id", "created_at"], "what people see"),
    ("users", &["credit_score"], "the sum of its changes, and worth no money"),
    ("users", &["vip_until"], "what its purchases in the ledger come to, and worth no money"),
    (
        "users",
        &["pay_streak", "pay_locked_until", "pay_disabled"],
        "holds guessing up at each wrong password; it lets nobody in, and the hash that does is vouched for",
    ),
    ("coupon_definitions", &["given"], "held against the coupons that users were given"),
    ("acceptors", &["name", "created_at"], "what people see"),
    ("acceptor_rates", &["changed_at"], "when, not what"),
    ("withdrawals", &["cleared_at"], "that the bank's line was found, which the ledger has"),
    ("exchange_orders", &["status"], "held against the entries"),
    ("exchange_orders", &["decided_at", "reason"], "when and why it was given back, not what"),
    ("plans", &["status", "reason", "paused", "ai_delivery", "followed_id"], "how it is delivered, not what is paid"),
    ("plans", &["billed", "returned", "revenue", "fee"], "held against the entries"),
    (
        "plans",
        &["reserved_milli", "booked_milli", "rolled_milli", "rolled_event_id", "rolled_conversion_id", "rolled_at"],
        "held against the events by `delivery recompute`",
    ),
    (
        "plans",
        &["impressions", "clicks", "viewable", "filtered", "conversions"],
        "held against the events by `delivery recompute`",
    ),
    (
        "plans",
        &["created_at", "started_at", "due_at", "finished_at", "settles_at", "settled_at", "next_at", "changed_at"],
        "when it is worked on",
    ),
];

/// What follows from the ledger, besides what its transactions protect.
const FOLLOWS: &[(&str, &[&str])] = &[
    ("users", &["level", "settled_spend"]),
    ("coupons", &["used_at", "plan_id"]),
    ("advertisers", &["claimed_day", "claimed_that_day"]),
    ("plans", &["added_amount"]),
];

/// Tables whose rows are covered by those of another.
const PARTS: &[(&str, &str, &str, &[&str], By)] =
    &[("acceptor_rates", "acceptor_id", "acceptor", &["acceptor_id", "currency", "rate", "rate_before"], By::Audit)];

/// What finds an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Audit,
    Ledger,
}

pub fn faults(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok([audit::verify(conn, None, None)?.faults, laws(conn)?.faults].concat())
}

/// A row of each kind that the history of plans does not have.
pub async fn more(market: &Market) {
    coupons(market).await;
    let (app, user) = (&market.world.app, market.world.user);
    let edit = EditUser { phone: Some("+4915112345678".into()), ..EditUser::default() };
    let edit = check_edit(app, user, edit).await.expect("no wrong fields");
    save_edit(app, Editor::Proven(Proof::assumed(user)), Entry::Register, edit).await.expect("saved");
    set_limit(app, &market.world.bob, Role::Finance, "60000.00", "200000.00").await.expect("set");
    let (ann, bob, now) = (market.world.ann.clone(), market.world.bob.clone(), app.now());
    let done = app.db.write(move |tx| {
        let definition = Definition {
            name: "Ten off".into(),
            kind: Kind::Deduction,
            benefit: Benefit::Deduction(Money::from_minor(1_000)),
            min_amount: Money::from_minor(1_000),
            validity: Validity::Days(30),
            operated_id: None,
            activity: None,
            quantity: 7,
        };
        let coupon = store::offers::coupons::define(tx, &definition)?.id;
        store::offers::coupons::redefine(tx, coupon, &definition, false)?;
        let rate = "0.1".parse().expect("a rate");
        let share = Definition {
            name: "A tenth off".into(),
            kind: Kind::Custom,
            benefit: Benefit::Discount { rate, cap: Some(Money::from_minor(500)) },
            validity: Validity::Until(now.plus_days(30)),
            activity: Some("newcomer".into()),
            ..definition
        };
        store::offers::coupons::define(tx, &share)?;
        let team = Definition { name: "A team's".into(), kind: Kind::Team, operated_id: Some("OP-1".into()), ..share };
        store::offers::coupons::define(tx, &team)?;
        let acceptor = NewAcceptor {
            name: "Pays".into(),
            kind: AcceptorType::Personal,
            limits: ExchangeLimits { per_order: Money::from_minor(100_000), per_day: None },
            quote_seconds: 600,
            rates: BTreeMap::from([("EUR".to_owned(), Decimal::new(92, 2)), ("GBP".to_owned(), Decimal::new(8, 1))]),
        };
        let acceptor = store::wallet::acceptors::insert(tx, &acceptor, &[7; 32])?;
        exchange(tx, user, acceptor, now)?;
        for subject in [Subject::Coupon(coupon), Subject::Acceptor(acceptor)] {
            let review = RequestReview {
                status: RequestStatus::Requested,
                requested_by: ann.id(),
                requested_person: ann.id(),
                expires_at: now.plus_days(7),
            };
            let new = NewRequest {
                kind: RequestKind::AcceptorTerms,
                subject,
                amount: Money::ZERO,
                proposal: Some("{}".into()),
                reference: None,
                reason: "a test".into(),
                review,
            };
            store::staff::requests::insert(tx, &new)?;
        }
        for kind in [RequestKind::PublisherCredit, RequestKind::PublisherDebit] {
            booked::correction(tx, &ann, &bob, kind)?;
        }
        booked::payout(tx, &ann, &bob)?;
        store::delivery::archive::insert(tx, &an_archive(now, &bob), &[])?;
        ann.record(tx, "test.made", "test".to_owned(), &json!({}))
    });
    done.await.expect("made");
}

/// Of a month in which nothing happened.
fn an_archive(now: Timestamp, by: &Staff) -> EventArchive {
    EventArchive {
        month: 202_001,
        begins_at: 1_577_836_800_000,
        ends_at: 1_580_515_200_000,
        events: 7,
        first_id: 1,
        last_id: 9,
        file: "events/2020-01-0123456789abcdef.parquet".into(),
        bytes: 900,
        sha256: "01".repeat(32),
        footer_at: 700,
        footer_sha256: "23".repeat(32),
        rows_sha256: "45".repeat(32),
        archived_at: now.millis(),
        archived_by: by.id().0,
    }
}

/// One that was used, one that was not, and a payout account.
async fn coupons(market: &Market) {
    let (app, user, ann, now) =
        (&market.world.app, market.world.user, market.world.ann.clone(), market.world.app.now());
    let given = app.db.write(move |tx| {
        let definition = Definition {
            name: "Five more".into(),
            kind: Kind::ValueAdd,
            benefit: Benefit::Addition(Money::from_minor(500)),
            min_amount: Money::from_minor(1_000),
            validity: Validity::Days(30),
            operated_id: None,
            activity: None,
            quantity: 2,
        };
        let defined = store::offers::coupons::define(tx, &definition)?;
        store::offers::coupons::redefine(tx, defined.id, &definition, false)?;
        let used = store::offers::coupons::give(tx, user, &defined, None, now.plus_days(30))?;
        store::offers::coupons::give(tx, user, &defined, Some("newcomer"), now.plus_days(30))?;
        ann.record(tx, "test.given", "test".to_owned(), &json!({}))?;
        Ok::<_, usecases::Error>(used)
    });
    let coupon = given.await.expect("given");
    let command = Put {
        coupon,
        ..Put::new(PutTarget::Product(market.product), Money::from_minor(2_000), ContentType::LandingPage)
    };
    put(app, Proof::assumed(user), command).await.expect("put");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: "TXYZ12345678".into() };
    let typed = NewBankCard::read(address).expect("an address");
    bind_card(app, Binder::Proven(Proof::assumed(user)), typed).await.expect("bound");
}

fn exchange(tx: &mut store::Tx<'_>, user: UserId, acceptor: AcceptorId, now: Timestamp) -> Result<(), usecases::Error> {
    let mut books = Books::lock_user(tx, user)?;
    let amount = Money::from_minor(1_000);
    let (rate, receives) = (Decimal::new(92, 2), Decimal::new(920, 2));
    let new = NewOrder { user, acceptor, amount, currency: "EUR".into(), rate, receives };
    let id = store::wallet::exchange::insert(tx, &new)?;
    let note = Note {
        document: wallet::Document::Exchange(id),
        event_at: now,
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: None,
    };
    let postings = wallet::put_exchange(books.wallet()?, amount)?;
    Ok(books.post(tx, &postings, &note)?)
}

/// Its key, the name of a row, and its columns.
type Vouched = (&'static str, &'static str, Vec<(&'static str, By)>);

/// Every table with its key, the name of a row, and the protected columns.
fn tables() -> BTreeMap<&'static str, Vouched> {
    let staff = BY_AUDIT.iter().map(|protected| (protected, By::Audit));
    let users = BY_USERS.iter().map(|(_, protected)| (protected, By::Ledger));
    let mut all = BTreeMap::new();
    for (protected, by) in staff.chain(users) {
        let known = all.entry(protected.table).or_insert((protected.key, protected.name, Vec::new()));
        known.2.extend(protected.columns.iter().map(|column| (column.name(), by)));
    }
    for (table, key, name, columns, by) in PARTS {
        all.insert(*table, (*key, *name, columns.iter().map(|column| (*column, *by)).collect()));
    }
    for (table, columns) in FOLLOWS {
        if let Some((.., known)) = all.get_mut(table) {
            known.extend(columns.iter().map(|column| (*column, By::Ledger)));
        }
    }
    all
}

fn is_elsewhere(table: &str, column: &str) -> bool {
    ELSEWHERE.iter().any(|(of, columns, _)| *of == table && columns.contains(&column))
}

on_both!(whatever_decides_is_found_and_named_when_somebody_edits_it, |t| {
    let market = history(t).await;
    more(&market).await;
    bidding::ssp(&market).await;
    let app = &market.world.app;
    sound(app).await;
    for (table, (key, name, vouched)) in tables() {
        let rows = keys(app, table, key, key).await;
        assert!(!rows.is_empty(), "there is nothing in {table}");
        for column in columns(app, table).await {
            let by = vouched.iter().find(|(vouched, _)| *vouched == column.name).map(|(_, by)| *by);
            if column.name == key && by.is_none() {
                continue;
            }
            assert!(
                by.is_some() != is_elsewhere(table, &column.name),
                "{table}.{}: is it vouched for, or why need it not be?",
                column.name
            );
            if by.is_none() {
                continue;
            }
            let mut tried = 0;
            for (row, _) in &rows {
                for edit in column.edits(table, key, *row) {
                    // What the database itself refuses cannot be edited this way.
                    let Ok(Some(found)) = after(app, &[&edit], faults).await else { continue };
                    // A plan that was offered and never put has moved nothing.
                    if found.is_empty() && table == "plans" {
                        continue;
                    }
                    tried += 1;
                    assert!(named(&found, name, *row), "not found, or not named: {edit}\n{found:#?}");
                }
            }
            assert!(tried > 0, "{table}.{} was never edited", column.name);
        }
    }
    sound(app).await;
});

pub async fn sound(app: &App) {
    let found = app.db.snapshot(faults).await.expect("walked");
    assert!(found.is_empty(), "{found:#?}");
}

on_both!(rows_put_in_or_taken_away_and_older_ones_are_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    set_limit(app, &market.world.bob, Role::Finance, "60000.00", "200000.00").await.expect("set");
    for (edit, name) in [
        // As it was before its last record.
        (
            "UPDATE role_limits SET at_once = 5000000, daily = 20000000 WHERE role = 2".to_owned(),
            "the limits of role 2",
        ),
        ("DELETE FROM role_limits WHERE role = 2".to_owned(), "the limits of role 2"),
        (
            "INSERT INTO operators (name, role, key_hash, created_at) SELECT 'eve', 3, hash, 0 FROM audit WHERE id = 1"
                .to_owned(),
            "operator ",
        ),
    ] {
        let found = after(app, &[&edit], |conn| Ok(audit::verify(conn, None, None)?.faults)).await.expect("walked");
        let found = found.expect("edited");
        assert!(found.iter().any(|fault| fault.starts_with(name)), "{edit}\n{found:#?}");
    }
    sound(app).await;
});

/// Turns the audit log into one of an older version.
fn of_version(app: &App, version: i16) -> String {
    match app.db.sqlite_path() {
        // Undoing edits removes the trigger again.
        Some(_) => format!(
            "DROP TRIGGER audit_no_update; UPDATE audit SET version = {version}; \
             CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT 1; END"
        ),
        None => format!("UPDATE audit SET version = {version}"),
    }
}

// A log from before it named accounts and coupons: these are protected once, and what was
// named before is not protected again.
on_both!(accounts_and_coupons_that_were_there_before_are_vouched_for_once, |t| {
    let market = history(t).await;
    coupons(&market).await;
    let app = &market.world.app;
    keep(app, &[&of_version(app, 3)]).await;
    let nobody = || audit::Actor { id: None, name: "installation".into() };
    let named = app.db.write(move |tx| audit::baseline(tx, &nobody())).await.expect("vouched for");
    // Two coupons, a payout account, and all users.
    assert!(named >= 4, "{named}");
    assert_eq!(app.db.write(move |tx| audit::baseline(tx, &nobody())).await.expect("nothing"), 0);
    let wanted = audit::AuditFilter { action: Some("audit.baseline".into()), ..audit::AuditFilter::default() };
    let found = app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    for row in ["users:1", "coupons:1", "coupons:2", "bank_cards:1", "operators:1", "products:1"] {
        let is_named = found.items[0].details.contains(&format!("\"{row}\":"));
        assert_eq!(is_named, !row.starts_with("operators") && !row.starts_with("products"), "{row}");
    }
});

// An installation from before the audit log named rows: existing rows are protected at
// the first start of a new version, and only then.
on_both!(what_was_there_before_is_vouched_for_once, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    let nobody = || audit::Actor { id: None, name: "installation".into() };
    let baseline = || app.db.write(move |tx| audit::baseline(tx, &nobody()));
    assert_eq!(baseline().await.expect("nothing to do"), 0, "records name rows already");
    keep(app, &[&of_version(app, 2)]).await;
    assert!(baseline().await.expect("vouched for") > 5);
    assert_eq!(baseline().await.expect("nothing to do"), 0, "not a second time");
    let wanted = audit::AuditFilter { action: Some("audit.baseline".into()), ..audit::AuditFilter::default() };
    let found = app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    assert_eq!(found.items.len(), 1);
    for row in ["operators:1", "operators:2", "role_limits:2", "products:1", "money_requests:1"] {
        let named = found.items[0].details.contains(&format!("\"{row}\":"));
        assert_eq!(named, row != "role_limits:2", "{row}: {}", found.items[0].details);
    }
});

/// The record of such a coupon before version 20 of the schema.
const FROM_BEFORE: &str = "1:3,1:2,-,4:1000,-,1:0,2:30,-,-,-,";

// A record from then has no quantity, and the coupon still matches it: none can be given
// until two people have agreed on one.
on_both!(a_coupon_from_before_there_were_numbers_is_as_its_record_left_it, |t| {
    let market = history(t).await;
    let (app, by) = (&market.world.app, market.world.bob.clone());
    let old = Definition {
        name: "Old".into(),
        kind: Kind::Deduction,
        benefit: Benefit::Deduction(Money::from_minor(1_000)),
        min_amount: Money::ZERO,
        validity: Validity::Days(30),
        operated_id: None,
        activity: None,
        quantity: 0,
    };
    let made = app.db.write(move |tx| {
        let id = store::offers::coupons::define(tx, &old)?.id;
        store::offers::coupons::redefine(tx, id, &old, false)?;
        by.record(tx, "coupon.define", format!("coupon_definition:{id}"), &json!({}))?;
        Ok::<_, usecases::Error>(id.0)
    });
    let id = made.await.expect("made");
    let wanted =
        audit::AuditFilter { subject: Some(format!("coupon_definition:{id}")), ..audit::AuditFilter::default() };
    let records =
        app.db.read(move |conn| audit::page(conn, &wanted, store::PageRequest::default())).await.expect("read");
    let digest = Sha256::digest(format!("placard row 1|coupon_definitions|{id}|{FROM_BEFORE}"));
    assert!(records.items[0].details.contains(&auth::hex::encode(&digest)), "{}", records.items[0].details);
    sound(app).await;
    for edit in ["quantity = 1", "draft = TRUE", "quantity = 9000000000000000000", "given = 1"] {
        let edit = format!("UPDATE coupon_definitions SET {edit} WHERE id = {id}");
        let found = after(app, &[&edit], faults).await.expect("walked").expect("edited");
        assert!(named(&found, "coupon definition", id), "{edit}: {found:#?}");
    }
});
