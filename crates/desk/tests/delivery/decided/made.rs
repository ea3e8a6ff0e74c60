//! Rows of every kind that is vouched for.

use std::collections::BTreeMap;

use auth::code::reset::ResetStatus;
use auth::{Entry, Role};
use base::{AcceptorId, Money, RequestId, Timestamp, UserId};
use campaigns::delivery::corrections::request_correction;
use campaigns::plans::put::{Put, PutTarget, put};
use coupons::{Benefit, Definition, Kind, Validity};
use desk::requests::approve;
use foundation::people::pay_password::Proof;
use foundation::people::user_info::{EditUser, Editor, check_edit, save_edit};
use foundation::staff::Staff;
use foundation::staff::limits::set_limit;
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use payee::testing::tron_address;
use plans::ContentType;
use rust_decimal::Decimal;
use serde_json::json;
use store::delivery::archive::EventArchive;
use store::installation::content;
use store::notifications::announcements;
use store::people::codes;
use store::people::login_resets::{self, Side};
use store::staff::requests::{NewRequest, Subject};
use store::wallet::acceptors::NewAcceptor;
use store::wallet::bank::matches;
use store::wallet::books::{Books, Note};
use store::wallet::exchange::NewOrder;
use wallet::{AcceptorType, ExchangeLimits, RequestKind, RequestReview, RequestStatus};

use crate::publishers::booked;
use crate::support::Market;

/// A row of each kind that the history of plans does not have.
pub async fn more(market: &Market) {
    coupons(market).await;
    let (app, user) = (&market.world.app, market.world.user);
    let edit = EditUser { phone: Some("+4915112345678".into()), ..EditUser::default() };
    let edit = check_edit(app, user, edit).await.expect("no wrong fields");
    save_edit(app, Editor::Proven(Proof::assumed(user)), Entry::Register, edit).await.expect("saved");
    set_limit(app, &market.world.bob, Role::Finance, "40000.00", "200000.00").await.expect("set");
    corrected(market).await;
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
            let request = store::staff::requests::insert(tx, &new)?.id;
            forgotten(tx, user, request, now)?;
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

/// A correction of delivery, which gave something back.
async fn corrected(market: &Market) {
    let file = "publisher = 1\nfrom = 2026-01-01\nuntil = 2026-12-31\nsum = \"1.00\"";
    let file = toml::from_str(file).expect("a file");
    let asked = request_correction(&market.world.app, &market.world.ann, file).await.expect("requested");
    approve(&market.world.app, &market.world.bob, asked.id.into()).await.expect("approved");
}

/// Codes, a statement of the bank with its matches, a note, and an account that others follow.
fn said(tx: &mut store::Tx<'_>, user: UserId, ann: &Staff, bob: &Staff) -> Result<(), foundation::Error> {
    for hash in ["1", "2"] {
        let code = codes::NewCode {
            code_hash: hash.repeat(64),
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
        passed_over: Vec::new(),
        lines: vec![line("one", 500), line("two", 200)],
    };
    let id = store::wallet::bank::insert(tx, &statement, &[3; 32], ann.id())?;
    let lines: Vec<&bank::Line> = statement.lines.iter().collect();
    let written = store::wallet::bank::insert_lines(tx, id, "A", &lines)?;
    let one = *written.get("one").ok_or(foundation::Refusal::NotFound)?;
    let new = matches::NewMatch { line: one, document: None };
    matches::propose(tx, &[new], "none of ours", ann.id())?;
    let proposed = matches::of_lines(tx, &[one])?.pop().ok_or(foundation::Refusal::NotFound)?;
    matches::decide(tx, &[proposed.id], wallet::MatchStatus::Confirmed, bob.id())?;
    store::wallet::bank::set_status(tx, &[one], wallet::LineStatus::Ignored)?;
    let note = store::staff::notes::insert(tx, user, "called", ann.id())?;
    store::staff::notes::withdraw(tx, note, bob.id())?;
    store::plans::follows::add(tx, "OP-7", user, "Seven")?;
    shown(tx)
}

/// A code for a login password, tried once.
fn forgotten(tx: &mut store::Tx<'_>, user: UserId, request: RequestId, now: Timestamp) -> Result<(), store::Error> {
    login_resets::insert(tx, user, request, now.plus_days(1))?;
    let made = login_resets::of_request(tx, request)?.ok_or(diesel::result::Error::NotFound)?;
    login_resets::keep_half(tx, made.id, Side::Asker, &[1; 32])?;
    login_resets::keep_half(tx, made.id, Side::Approver, &[2; 32])?;
    login_resets::note_try(tx, made.id, 1, ResetStatus::Open)
}

/// What all users are shown.
fn shown(tx: &mut store::Tx<'_>) -> Result<(), foundation::Error> {
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
    let pay_in = content::PayIn {
        name: "bank".into(),
        label: "{}".into(),
        beneficiary: "North Ltd".into(),
        account: "DE02120300000000202051".into(),
        network: Some("TRC20".into()),
        bank: Some("North Bank".into()),
        bic: Some("BYLADEM1001".into()),
        note: "{}".into(),
        place: 1,
        active: true,
    };
    content::keep_pay_in(tx, &pay_in)?;
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
        begins_at: Timestamp::from_millis(1_577_836_800_000),
        ends_at: Timestamp::from_millis(1_580_515_200_000),
        events: 7,
        first_id: 1,
        last_id: 9,
        file: "events/2020-01-0123456789abcdef.parquet".into(),
        bytes: 900,
        sha256: "01".repeat(32),
        footer_at: 700,
        footer_sha256: "23".repeat(32),
        rows_sha256: "45".repeat(32),
        archived_at: now,
        archived_by: by.id(),
    }
}

/// One that was used, one that was not, and a payout account.
pub async fn coupons(market: &Market) {
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
        Ok::<_, foundation::Error>(used)
    });
    let coupon = given.await.expect("given");
    let command = Put {
        coupon,
        ..Put::new(PutTarget::Product(market.product), Money::from_minor(2_000), ContentType::LandingPage)
    };
    put(app, Proof::assumed(user), command).await.expect("put");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    let typed = NewBankCard::read(app, address).expect("an address");
    bind_card(app, Binder::Proven(Proof::assumed(user)), typed).await.expect("bound");
}

fn exchange(
    tx: &mut store::Tx<'_>,
    user: UserId,
    acceptor: AcceptorId,
    now: Timestamp,
) -> Result<(), foundation::Error> {
    let mut books = Books::lock_user(tx, user)?;
    let amount = Money::from_minor(1_000);
    let (rate, receives) = (Decimal::new(92, 2), Decimal::new(920, 2));
    let (currency, day_ends_at) = ("EUR".into(), now.plus_days(1));
    let new = NewOrder { user, acceptor, amount, currency, rate, receives, terms: None, day_ends_at };
    let id = store::wallet::exchange::insert(tx, &new)?;
    let note = Note {
        document: wallet::Document::Exchange(id),
        event_at: now,
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: None,
    };
    let postings = wallet::put_exchange(books.wallet()?, amount, Money::ZERO)?;
    Ok(books.post(tx, &postings, &note)?)
}
