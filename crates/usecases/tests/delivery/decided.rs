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
use store::installation::content;
use store::installation::protected::{BY_AUDIT, BY_USERS};
use store::notifications::announcements;
use store::people::codes;
use store::staff::audit;
use store::staff::requests::{NewRequest, Subject};
use store::wallet::acceptors::NewAcceptor;
use store::wallet::bank::matches;
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
    ("money_requests", &["shown_at"], "that a key was shown to who asked for it"),
    ("advertisers", &["claims", "book_seq", "book_head"], "held against the entries"),
    ("publishers", &["name_key"], "the name, as it is compared"),
    ("publishers", &["book_seq", "book_head"], "held against the entries"),
    ("slots", &["content_types", "audience", "created_at"], "what is shown there"),
    ("products", &["created_at"], "when its row was written"),
    ("contacts", &["created_at"], "when its row was written"),
    ("questions", &["created_at"], "when its row was written"),
    ("activities", &["created_at"], "when its row was written"),
    ("coupon_definitions", &["name", "created_at"], "what people see"),
    ("users", &["nickname", "avatar", "lang"], "what its user writes of themselves"),
    ("authorization_codes", &["ending"], "its last letters, for people to identify it"),
    ("authorization_codes", &["sealed"], "the code itself in a simulated installation, sealed for its own row"),
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
    ("exchange_orders", &["status"], "held against the entries"),
    ("exchange_orders", &["decided_at", "reason"], "when and why it was given back, not what"),
    ("plans", &["paused", "ai_delivery", "followed_id"], "how it is delivered, not what is paid"),
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
    ("plans", &["due_at", "next_at"], "within an hour; `a_plan_that_never_ends_is_found` shows more than that"),
    ("plans", &["created_at", "changed_at"], "when its row was written"),
];

/// What follows from the ledger, besides what its transactions protect.
const FOLLOWS: &[(&str, &[&str])] = &[
    ("users", &["level", "settled_spend"]),
    ("coupons", &["used_at", "plan_id"]),
    ("advertisers", &["claimed_day", "claimed_that_day"]),
    ("plans", &["added_amount", "status", "reason", "started_at", "finished_at", "settles_at", "settled_at"]),
    ("money_requests", &["cleared_at"]),
    ("withdrawals", &["cleared_at"]),
    ("bank_lines", &["status"]),
];

/// Tables whose rows are covered by those of another.
const PARTS: &[(&str, &str, &str, &[&str], By)] = &[
    ("acceptor_rates", "acceptor_id", "acceptor", &["acceptor_id", "currency", "rate", "rate_before"], By::Audit),
    (
        "bank_lines",
        "statement_id",
        "bank statement",
        &[
            "id",
            "statement_id",
            "account",
            "line_key",
            "booked_on",
            "amount",
            "reference_texts",
            "counterparty",
            "description",
            "reversal",
        ],
        By::Audit,
    ),
];

/// All other tables, each with what finds an edit, or what somebody could gain by one.
const NOT_VOUCHED_FOR: &[(&[&str], &str)] = &[
    (
        &["audit", "audit_head", "transactions", "entries", "wallets", "holds"],
        "the audit log and the ledger themselves: `proof.rs` and `trail.rs` edit every column",
    ),
    (&["sessions", "tickets"], "sealed: what this installation did not write lets nobody in (people/seals.rs)"),
    (
        &[
            "events",
            "conversions",
            "bills",
            "bill_parts",
            "plan_stats",
            "user_stats",
            "plan_arms",
            "plan_slots",
            "plan_sources",
            "slot_days",
            "slot_day_filtered",
            "undivided_plans",
            "unrolled_plans",
            "unbilled_plans",
            "archived_plans",
            "plan_figures",
        ],
        "recounted by `delivery recompute`, which compares them with the ledger",
    ),
    (&["plan_transitions"], "compared with the plans"),
    (
        &["leases", "won_offers", "server_processes"],
        "how much a server may promise; what is billed stays within the budget that the ledger has",
    ),
    (&["slot_requests", "ssp_days", "plan_bids"], "how often was asked; nobody is paid by it"),
    (
        &["attempts", "pay_password_failures", "acceptance_tries"],
        "who deletes failures can guess on, at the pace of the hashers; every wrong attempt stays in the server's log",
    ),
    (
        &["staff_nonces"],
        "a command that was overheard could be repeated within its five minutes; it is in the audit twice then",
    ),
    (
        &["idempotency_keys"],
        "another answer is shown to its user, or the command is carried out again with its user's password and money",
    ),
    (&["credit_events"], "compared with the scores; worth no money"),
    (
        &["notifications", "announcement_reads", "announcement_marks", "sent_notices"],
        "what a user was told or has read; it asks for nothing and moves nothing",
    ),
    (&["feedback", "conversations", "messages"], "what users and staff wrote; it moves nothing"),
    (&["files"], "whose picture it is; its address is its key"),
    (&["follows", "followed_puts"], "whom a user follows; offers of plans follow from it, which cost nothing"),
    (&["user_looks"], "which names look alike; a name that is removed from it can be imitated, and nothing else"),
    (&["payment_references"], "compared with requests and withdrawals by `ledger verify`"),
    (&["ssp_views"], "recounted by `delivery recompute`"),
    (&["content_version"], "that content is to be read anew"),
    (&["installation"], "compared with the secret file and the realm in every token"),
    (&["high_water"], "compared with the mark beside the database"),
];

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
    set_limit(app, &market.world.bob, Role::Finance, "40000.00", "200000.00").await.expect("set");
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
        said(tx, user, &ann, &bob)?;
        store::delivery::archive::insert(tx, &an_archive(now, &bob), &[])?;
        ann.record(tx, "test.made", "test".to_owned(), &json!({}))
    });
    done.await.expect("made");
}

/// Codes, a statement of the bank with its matches, a note, and an account that others follow.
fn said(tx: &mut store::Tx<'_>, user: UserId, ann: &Staff, bob: &Staff) -> Result<(), usecases::Error> {
    for hash in ["1", "2"] {
        let code = codes::NewCode {
            hash: hash.repeat(64),
            ending: "ABCD".into(),
            sealed: None,
            activation: auth::code::Activation::Automatic,
        };
        codes::insert(tx, &code, Some(ann.id()), None)?;
    }
    codes::redeem(tx, &"1".repeat(64), user)?;
    let day = bank::Day::of(tx.now());
    let line = |id: &str, amount: i64| bank::Line {
        id: id.into(),
        booked_on: day,
        amount: Money::from_minor(amount),
        references: vec!["BANK-1".into()],
        counterparty: "Ada".into(),
        description: "a payment".into(),
        reversal: false,
    };
    let statement = bank::Statement {
        account: "A".into(),
        currency: "USD".into(),
        number: "1".into(),
        from: day,
        to: day,
        opening: Some(Money::ZERO),
        closing: Some(Money::from_minor(700)),
        left_out: 0,
        lines: vec![line("one", 500), line("two", 200)],
    };
    let id = store::wallet::bank::insert(tx, &statement, &[3; 32], ann.id())?;
    let lines: Vec<&bank::Line> = statement.lines.iter().collect();
    let written = store::wallet::bank::insert_lines(tx, id, "A", &lines)?;
    let one = *written.get("one").ok_or(usecases::Refusal::NotFound)?;
    let new = matches::NewMatch { line: one, document: None };
    matches::propose(tx, &[new], "none of ours", ann.id())?;
    let proposed = matches::of_lines(tx, &[one])?.pop().ok_or(usecases::Refusal::NotFound)?;
    matches::decided(tx, &[proposed.id], wallet::MatchStatus::Confirmed, bob.id())?;
    store::wallet::bank::set_status(tx, &[one], wallet::LineStatus::Ignored)?;
    let note = store::staff::notes::insert(tx, user, "called", ann.id())?;
    store::staff::notes::withdraw(tx, note, bob.id())?;
    store::plans::follows::add(tx, "OP-7", user, "Seven")?;
    shown(tx)
}

/// What all users are shown.
fn shown(tx: &mut store::Tx<'_>) -> Result<(), usecases::Error> {
    let contact = content::Contact {
        name: "desk".into(),
        list: 0,
        kind: 1,
        url: "https://help.example.com".into(),
        label: "{}".into(),
        place: 1,
        active: true,
    };
    content::keep_contact(tx, &contact)?;
    let question = content::Question {
        name: "when".into(),
        question: "{}".into(),
        answer: "{}".into(),
        place: Some(1),
        active: true,
    };
    content::keep_question(tx, &question)?;
    let activity = content::Activity {
        name: "autumn".into(),
        title: "{}".into(),
        rules: "{}".into(),
        starts_at: Some(tx.now()),
        ends_at: Some(tx.now().plus_days(9)),
        active: true,
    };
    content::keep_activity(tx, &activity, base::CouponDefinitionId(1))?;
    let announcement = announcements::NewAnnouncement {
        category: notifications::Category::SystemAnnouncement,
        texts: "{}".into(),
        lang: Some("en".into()),
        starts_at: tx.now(),
    };
    announcements::insert(tx, &announcement)?;
    Ok(())
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
    let new = NewOrder { user, acceptor, amount, currency: "EUR".into(), rate, receives, terms: None };
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

/// The tables of the schema, from the database itself.
async fn all_tables(app: &App) -> Vec<String> {
    let read = app.db.read(|conn| {
        let tables = store::installation::copy::catalog(conn)?;
        Ok::<_, Error>(tables.into_iter().map(|table| table.name).collect())
    });
    read.await.expect("tables")
}

on_both!(every_table_is_vouched_for_or_says_why_not, |t| {
    let world = crate::money::world(t).await;
    let app = &world.app;
    let vouched = tables();
    let reasons: Vec<&str> = NOT_VOUCHED_FOR.iter().flat_map(|(tables, _)| tables.iter().copied()).collect();
    for table in all_tables(app).await {
        let table = table.as_str();
        assert!(
            vouched.contains_key(table) != reasons.contains(&table),
            "{table}: is it vouched for, or what could somebody gain by an edit?"
        );
    }
});

// Its reference could be credited a second time.
on_both!(a_reference_that_nobody_has_is_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    for edit in ["DELETE FROM payment_references", "UPDATE payment_references SET holder = 999"] {
        let found = after(app, &[edit], faults).await.expect("walked").expect("there are references");
        assert!(found.iter().any(|fault| fault.starts_with("the reference of ")), "{edit}: {found:#?}");
    }
});

// It would keep its money, or never settle.
on_both!(a_plan_that_never_ends_is_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    let year = 365 * 86_400_000_i64;
    for column in ["due_at", "next_at", "settles_at"] {
        let edit = format!("UPDATE plans SET {column} = {column} + {year} WHERE {column} IS NOT NULL");
        if let Some(found) = after(app, &[&edit], faults).await.expect("walked") {
            assert!(found.iter().any(|fault| fault.starts_with("plan ")), "{column}: {found:#?}");
        }
    }
    let open = "UPDATE plans SET next_at = NULL WHERE next_at IS NOT NULL";
    let found = after(app, &[open], faults).await.expect("walked").expect("a plan that goes on");
    assert!(found.iter().any(|fault| fault.contains("next step")), "{found:#?}");
});

pub async fn sound(app: &App) {
    let found = app.db.snapshot(faults).await.expect("walked");
    assert!(found.is_empty(), "{found:#?}");
}

on_both!(rows_put_in_or_taken_away_and_older_ones_are_found, |t| {
    let market = history(t).await;
    let app = &market.world.app;
    set_limit(app, &market.world.bob, Role::Finance, "40000.00", "200000.00").await.expect("set");
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
