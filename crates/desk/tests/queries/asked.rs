//! Sign-in, staff's actions and the bank.

mod public_log;
pub mod pushed;
mod sorted;
mod unpaid;

use campaigns::AdServer;
use std::collections::BTreeMap;

use ::content::Source;
use auth::code::Activation;
use auth::{AccountStatus, Entry, PayPassword, Role};
use bank::payments::{Party, PartyAccount};
use bank::{DecimalMark, Form, digest_of, table};
use base::{BankLineId, Money, UserId};
use calendar::Zone;
use campaigns::catalogue::counterparty_keys::{self, KeyOffer, LOCAL};
use campaigns::catalogue::{advertiser_keys, advertisers, product_pictures, products};
use campaigns::delivery::publisher_report::{self, FiguresRequest};
use campaigns::delivery::publishers::{self, PublisherFile};
use campaigns::delivery::{publisher_keys, slots};
use campaigns::plans::{follow, operated, plan_control, plan_views, put};
use desk::installation::{basic_config, content};
use desk::requests;
use foundation::Settings;
use foundation::idempotent::Key;
use foundation::notices::written::{Text, TextsByLanguage};
use foundation::notifications::{self, Category, conversation, conversation_staff, feedback};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts;
use foundation::people::{
    close_account, codes, entry, files, login, opening_store, pay_password, register, sessions, set_pay_password,
    staff_access, update_password, user_info,
};
use foundation::staff::{Staff, audit_log, founders, limits, operator_keys, operators};
use money::offers::coupon_staff;
use money::wallet::publishers::corrections::request_correction;
use money::wallet::publishers::payouts::{account, pay, request_payout, take_back};
use money::wallet::publishers::statement::statement;
use money::wallet::publishers::terms::{PayoutDestination, request_terms};
use money::wallet::recharges::announcements::{
    Announce, announce, announcements, recharge_form, withdraw_announcement,
};
use money::wallet::{
    acceptor_admin, acceptors, exchange, exchange_review, payment_files, recharges, reconcile, startup_loan, withdraw,
    withdrawals,
};
use objects::{ObjectLocation, Objects};
use store::installation::content::{PayIn, keep_pay_in};
use wallet::BankDocument;

use crate::PAGE;
use crate::support::Market;

const PASSWORD: &str = "seven green bottles";

/// A user who registers, signs in, changes everything, and leaves.
pub async fn come_and_go(market: &Market) {
    let (app, test) = (&market.world.app, &market.world.test);
    let registration = register::Register {
        username: "ada".into(),
        password: PASSWORD.into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: test.code("AAAA-BBBB-CCCC").await.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: None,
    };
    let user = register::register(app, registration.clone()).await.expect("registered").user.id;
    let login = login::Login {
        username: "ada".into(),
        password: PASSWORD.into(),
        lang: Some(i18n::Lang::De),
        device: "a phone".into(),
        address: None,
    };
    let token = login::log_in(app, login).await.expect("signed in").token;
    let caller = sessions::authenticate(app, &token).await.expect("good");
    sessions::authenticate_afresh(app, &token).await.expect("good");
    sessions::authenticate_for_service(app, &token).await.expect("good");
    assert!(sessions::language_of(app, &token).await.is_some());
    user_info::user_info(app, user, None).await.expect("a user");
    // Forgets the password.
    let registration = register::Register {
        username: "ivy".into(),
        license_key: test.code("GGGG-HHHH-JJJJ").await.into(),
        ..registration
    };
    register::register(app, registration).await.expect("registered");
    let edit = user_info::EditUser { nickname: Some("Ada L".into()), ..user_info::EditUser::default() };
    user_info::edit_user(app, user, Entry::Register, edit).await.expect("edited");
    let edit = user_info::EditUser { phone: Some("+491707654321".into()), ..user_info::EditUser::default() };
    let edit = user_info::check_edit(app, user, edit).await.expect("no wrong fields");
    assert!(!edit.needs_password(app, user).await.expect("read"));
    user_info::save_edit(app, user_info::Editor::Unproven(user), Entry::Register, edit).await.expect("saved");
    let digits = PayPassword::from_digits("839201");
    let set = set_pay_password::SetPayPassword { password: digits.clone(), old_password: None };
    set_pay_password::set_pay_password(app, user, set).await.expect("set");
    assert!(pay_password::is_set(app, user).await.expect("read"));
    pay_password::check(app, user, &digits).await.expect("right");
    pay_password::check_in_session(app, &caller, &digits).await.expect("right");
    drop(pay_password::verify_in_session(app, &caller, &digits).await.expect("remembered"));
    let wrong = PayPassword::from_digits("000007");
    assert!(pay_password::verify(app, user, &wrong).await.is_err());
    pay_password::check(app, user, &digits).await.expect("right after a wrong one");
    sessions::end_sessions(app, user, sessions::SessionSelection::One(caller.session)).await.expect("ended");
    sessions::log_out(app, &token).await.expect("out");
    let another = format!("{PASSWORD} on a wall");
    let change =
        update_password::UpdatePassword { old_password: PASSWORD.into(), new_password: another.clone(), address: None };
    update_password::update_password(app, user, "ada", change).await.expect("changed");
    let command = close_account::CloseAccount { password: another, address: None };
    close_account::close_account(app, user, "ada", command).await.expect("closed");

    let ticket = entry::issue_ticket(app, None, "mia").await.expect("a ticket");
    assert_eq!(entry::username_of(app, ticket.text()).await.expect("named"), "mia");
    let came = entry::enter(app, ticket.text(), "a shell").await.expect("came");
    let mia = came.user.id;
    let ticket = entry::issue_ticket(app, Some(market.world.ann.clone()), "mia").await.expect("a ticket");
    let looks = entry::enter(app, ticket.text(), "a desk").await.expect("entered").token;
    let looks = sessions::authenticate(app, &looks).await.expect("good");
    assert!(staff_access::read_only(app, &looks).await.expect("read").is_some());
    opening_store::open_store(app, (mia, Entry::App), test.code("DDDD-EEEE-FFFF").await, None).await.expect("opened");
}

/// With terms and a correction that two people agreed on; there is nothing to pay yet.
async fn pay_publisher(market: &Market, id: base::PublisherId) {
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let to = PayoutDestination { holder: "News".into(), account: "DE89370400440532013000".into(), bank: "B".into() };
    let asked = request_terms(app, bob, id, Some("0.6"), Some(to)).await.expect("asked");
    requests::approve(app, ann, asked.id.into()).await.expect("approved");
    let asked = request_correction(app, ann, id, "1.00").await.expect("asked");
    requests::approve(app, bob, asked.id.into()).await.expect("approved");
    account(app, id).await.expect("an account");
    statement(app, id, None).await.expect("a statement");
    assert!(request_payout(app, ann, id, "50.00").await.is_err());
    assert!(pay(app, ann, base::RequestId(1), "OUT-1").await.is_err());
    assert!(take_back(app, ann, base::RequestId(1)).await.is_err());
}

async fn staff(market: &Market, name: &'static str, role: Role) -> Staff {
    Staff::new(market.world.test.operator(name, role).await, "a test").expect("a reason")
}

/// What staff do to accounts, to each other, and to offers.
pub async fn administer(market: &Market) {
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let (_, key) = operators::add_operator(app, Some(bob.clone()), "dora", Role::Finance).await.expect("added");
    let dora = operators::sign_in(app, "dora", key.text()).await.expect("signed in");
    operator_keys::rotate_operator(app, bob, "dora").await.expect("rotated");
    operator_keys::rotate_operator(app, &Staff::new(dora, "hers").expect("a reason"), "dora").await.expect("rotated");
    founders::approvals_until(app).await.expect("until when");
    let _ = operator_keys::confirm_operator(app, &staff(market, "zoe", Role::Admin).await, "dora").await;
    operator_keys::revoke_operator(app, bob, "dora").await.expect("revoked");
    operators::list_operators(app).await.expect("listed");
    limits::limits(app).await.expect("limits");
    limits::set_limit(app, bob, Role::Support, "1", "2").await.expect("set");
    audit_log::audit_record(app, 1).await.expect("a record");
    for to in [AccountStatus::Disabled, AccountStatus::Active] {
        staff_accounts::change_status(app, bob.clone(), "demo", to).await.expect("changed");
    }
    staff_accounts::account_sessions(app, "demo").await.expect("sessions");
    staff_accounts::end_account_sessions(app, bob.clone(), "demo").await.expect("ended");
    pay_password::reset_pay_password(app, bob.clone(), "mia").await.expect("reset");
    let asked = login::reset_login_password(app, bob.clone(), "ivy").await.expect("asked for");
    let which: requests::RequestRef = asked.id.into();
    requests::approve(app, ann, which).await.expect("approved");
    let mut code = String::new();
    for by in [bob, ann] {
        code += &requests::show_to(app, by, which).await.expect("shown").half.expect("a half");
    }
    for (code, is_right) in [("no such code".to_owned(), false), (code, true)] {
        let typed =
            login::ResetPassword { username: "ivy".into(), code, password: format!("{PASSWORD} more"), address: None };
        assert_eq!(login::reset_password(app, typed).await.is_ok(), is_right);
    }
    codes::issue_codes(app, bob.clone(), 2, None, Activation::Manual).await.expect("issued");
    for unused in [true, false] {
        codes::list_codes(app, unused, PAGE).await.expect("codes");
    }
    coupon_staff::coupon_definitions(app, PAGE).await.expect("definitions");
    let asked = operated::add(app, bob.clone(), "mia", "OP-1001", "Studio").await.expect("requested");
    requests::approve(app, ann, asked.id.into()).await.expect("approved");
    follow::follow(app, market.world.user, "OP-1001").await.expect("followed");
    let asked = operated::remove(app, bob.clone(), "OP-1001").await.expect("requested");
    requests::approve(app, ann, asked.id.into()).await.expect("approved");
    feedback::show(app, base::FeedbackId(1)).await.expect("shown");
    feedback::close(app, bob.clone(), base::FeedbackId(1), Some("Thank you".into())).await.expect("closed");
    let text = Text { title: "Hello".into(), body: "There is news.".into() };
    for to in [notifications::Audience::User("demo".into()), notifications::Audience::Everybody(None)] {
        let words = TextsByLanguage::new(Some(text.clone()), BTreeMap::new());
        let command = notifications::Announce { category: Category::Activity, words, to };
        if let notifications::Announced::Requested(asked) =
            notifications::announce(app, bob.clone(), command).await.expect("announced")
        {
            requests::approve(app, ann, asked.id.into()).await.expect("approved");
        }
    }
    let file = PublisherFile { name: "News".into(), domain: "news.example".into(), contact: "ads@news.example".into() };
    let news = publishers::add(app, bob, file).await.expect("added");
    let news: base::PublisherId = news.id;
    publishers::list(app).await.expect("publishers");
    publishers::show(app, news).await.expect("a publisher");
    publishers::change_status(app, bob, news, supply::PublisherStatus::Paused).await.expect("paused");
    publishers::request_closing(app, bob, news).await.expect("requested");
    publishers::sellers(app).await.expect("sellers");
    assert!(publishers::ads_txt(app, news).await.is_err(), "it has no domain of its own");
    pay_publisher(market, news).await;
    let asked = publisher_keys::request_key(app, bob, news, LOCAL).await.expect("asked");
    let link = asked.claim_url.as_deref().and_then(|url| url.rsplit_once('=')).expect("a link").1;
    counterparty_keys::look(app, link, None).await.expect("looked at");
    let claimed = counterparty_keys::claim(app, link, None).await.expect("claimed");
    let which = asked.id.into();
    requests::approve_key(app, ann, which, Some(&claimed.fingerprint)).await.expect("approved");
    let key = claimed.key;
    publisher_keys::make_link(app, bob, news, "https://ads.example").await.expect("a link");
    let reader = publisher_keys::admit(app, &key, None).await.expect("its key");
    publisher_report::info(app, reader).await.expect("a publisher");
    publisher_report::slots(app, reader, "https://ads.example").await.expect("slots");
    publisher_report::figures(app, reader, FiguresRequest::default()).await.expect("figures");
    publisher_report::months(app, reader).await.expect("months");
    publisher_keys::withdraw_key(app, bob, news).await.expect("withdrawn");
    slots::list(app).await.expect("slots");
    advertisers::list(app).await.expect("advertisers");
    advertisers::number_of(app, "Nobody").await.expect_err("none has this name");
    advertisers::cap(app, bob, market.advertiser, Some("500.00")).await.expect("capped");
    let asked = advertiser_keys::rotate_key(app, bob, market.advertiser, KeyOffer::default()).await.expect("asked");
    requests::show(app, asked.id.into()).await.expect("shown");
    products::all_products(app, PAGE).await.expect("products");
    products::products(app, PAGE).await.expect("products");
    products::product(app, market.product).await.expect("a product");
    let offered = plan_control::offer(app, bob, market.world.user, market.product).await.expect("offered");
    sorted::ask(market).await;
    plan_views::by_number(app, &offered.plan_no).await.expect("a plan");
    let on = put::PutTarget::Offered(offered.id);
    let command = put::Put::new(on, Money::from_minor(1_000), plans::ContentType::LandingPage);
    put::put(app, Proof::assumed(market.world.user), command).await.expect("put");
    requests::expire_due(app).await.expect("expired");
    let source = Source {
        name: "faq.toml".into(),
        text: "[[faq]]\nid = 'a'\nquestion = 'Why?'\nanswer = 'So.'\n".into(),
        json: false,
    };
    let _ = content::check(app, std::slice::from_ref(&source)).await;
    let _ = content::apply(app, bob, &[source]).await;
    content::export(app, &[]).await.expect("content");
    app.follow_content().await;
    basic_config::basic_config(app, i18n::Lang::En).await;
}

/// Staff's lists, of everybody and of one user.
async fn lists_of_one_user(app: &AdServer, user: UserId) {
    for user in [None, Some(user)] {
        for status in [None, Some(wallet::WithdrawalStatus::Pending)] {
            withdrawals::all_withdrawals(app, withdrawals::WithdrawalFilter { user, status }, PAGE)
                .await
                .expect("listed");
        }
        for status in [None, Some(wallet::ExchangeStatus::Pending)] {
            exchange_review::all_orders(app, exchange_review::OrderFilter { user, status }, PAGE)
                .await
                .expect("listed");
        }
        for status in [None, Some(plans::Status::Putting)] {
            plan_views::all_plans(app, plan_views::PlanFilter { user, status }, PAGE).await.expect("listed");
        }
        for status in [None, Some(feedback::Status::Open)] {
            feedback::list(app, feedback::FeedbackFilter { user, status }, PAGE).await.expect("listed");
        }
    }
}

/// With an account to pay from.
fn paying(app: &AdServer) -> AdServer {
    let account = PartyAccount::Iban("DE02120300000000202051".into());
    let payer = Party { name: "Placard Ltd".into(), account, bic: None, bank: None };
    let mut paying = app.clone();
    paying.app.settings = Settings { payer: Some(payer), ..(*app.settings).clone() }.into();
    paying
}

/// Withdrawals and exchanges, with each decision.
pub async fn pay_and_exchange(market: &Market) {
    let (app, user, ann, bob) = (&market.world.app, market.world.user, &market.world.ann, &market.world.bob);
    lists_of_one_user(app, user).await;
    let asked = async || {
        let command = withdraw::Withdraw { amount: "1.00".parse().expect("an amount"), key: None };
        withdraw::withdraw(app, Proof::assumed(user), command).await.expect("asked").id
    };
    let (first, second) = (asked().await, asked().await);
    withdrawals::approve_withdrawal(app, ann, first).await.expect("approved");
    withdrawals::pay_withdrawal(app, bob, first, Some("OUT-1".into())).await.expect("paid");
    withdrawals::withdrawal_detail(app, first).await.expect("a detail");
    withdrawals::reject_withdrawal(app, bob, second).await.expect("rejected");
    withdrawals::cancel_withdrawal(app, user, asked().await, None).await.expect("cancelled");
    withdrawals::pace(app).await.expect("measured");
    let waiting = asked().await;
    withdrawals::approve_withdrawal(app, ann, waiting).await.expect("approved");
    let paying = paying(app);
    for kind in [BankDocument::Withdrawal, BankDocument::PublisherPayout] {
        payment_files::export(&paying, bob, kind, None).await.expect("looked at");
    }
    unpaid::withdrawal(market, waiting).await;

    acceptor_admin::list_acceptors(app).await.expect("acceptors");
    acceptors::acceptors(app, Some("personal")).await.expect("acceptors");
    let id = base::AcceptorId(1);
    let asked = acceptor_admin::set_rate(app, bob, id, "EUR", "0.93").await.expect("asked for");
    requests::approve(app, ann, asked.id.into()).await.expect("approved");
    acceptor_admin::close_acceptor(app, bob, id).await.expect("closed");
    let asked = acceptor_admin::open_acceptor(app, bob, id).await.expect("requested");
    requests::approve(app, ann, asked.id.into()).await.expect("open");
    let renewed = acceptor_admin::renew_code(app, bob, id).await.expect("requested");
    requests::approve(app, ann, renewed.request.id.into()).await.expect("renewed");
    let code = renewed.code;
    for completed in [true, false] {
        let shown = acceptors::acceptor_detail(app, user, "personal", &code, Zone::UTC).await.expect("shown");
        let put = exchange::PutExchange {
            acceptor: shown.acceptor.id.to_string(),
            code: code.clone(),
            amount: Money::from_minor(100),
            currency: "EUR".into(),
            quote: None,
            rate: None,
            zone: Zone::UTC,
            key: None,
        };
        let order = exchange::put_exchange(app, Proof::assumed(user), put).await.expect("put").id;
        exchange_review::approve_exchange(app, ann, order).await.expect("approved");
        if completed {
            exchange_review::complete_exchange(app, bob, order).await.expect("completed");
        } else {
            unpaid::agree(market, exchange_review::reject_exchange(app, bob, order).await).await;
        }
    }
    market.world.advance("5.00").await;
    let back = startup_loan::RepayStartupLoan { amount: None, key: None };
    startup_loan::repay_startup_loan(app, Proof::assumed(user), back).await.expect("returned");
}

/// A bank statement with a line of each kind.
pub async fn reconcile(market: &Market) {
    public_log::ask(market).await;
    let (app, user, ann, bob) = (&market.world.app, market.world.user, &market.world.ann, &market.world.bob);
    let file = "date,amount,currency,reference,id\n2026-01-05,1000.00,USD,first,a\n2026-01-05,-1.00,USD,out-1,b\n\
                2026-01-05,3.00,USD,nobody's,c\n2026-01-05,4.00,USD,somebody's,d\n2026-01-05,1000.00,USD,ADV,e\n";
    let form = Form {
        account: "DE02".into(),
        currency: "USD".into(),
        decimal: DecimalMark::Point,
        opening: None,
        closing: None,
    };
    let statement = table(file.as_bytes(), &form).expect("a statement");
    let digest = digest_of(file.as_bytes(), "DE02");
    let file = reconcile::BankFile::one(statement, digest);
    reconcile::import(app, ann, file.clone(), true).await.expect("looked at");
    let id = reconcile::import(app, ann, file, false).await.expect("imported").remove(0).id.expect("an id");
    reconcile::statements(app, PAGE).await.expect("statements");
    reconcile::open(app, 20).await.expect("what is open");
    reconcile::propose(app, ann, id).await.expect("proposed");
    reconcile::ignore_line(app, ann, BankLineId(3)).await.expect("ignored");
    let asked = reconcile::request_line(app, ann, BankLineId(4), user).await.expect("requested");
    requests::show(app, asked.id.into()).await.expect("shown");
    let _ = reconcile::match_line(app, ann, BankLineId(5), "fund:1").await;
    reconcile::unmatch_line(app, ann, BankLineId(3)).await.expect("taken back");
    let seen = reconcile::show(app, id).await.expect("shown").proposals.digest;
    reconcile::confirm(app, bob, id, &seen, |_| {}).await.expect("confirmed");
}

/// A picture that a user uploads and others see.
pub async fn upload(market: &Market) {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let app = market.world.app.clone().with_objects(objects);
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(4, 3).write_to(&mut bytes, image::ImageFormat::Png).expect("written");
    let bytes = bytes.into_inner();
    let send = async |shown| {
        let mut upload = files::begin_upload(&app, market.world.user, shown).await.expect("a place");
        upload.add(&bytes);
        upload.finish().await.expect("kept").id
    };
    let id = send(files::Visibility::Public).await;
    files::find_file(&app, &id).await.expect("read").expect("there");
    files::open_file(&app, &id).await.expect("opens");
    // The second time, it is there.
    for _ in 0..2 {
        product_pictures::add_picture(&app, &market.world.bob, bytes.clone()).await.expect("added");
    }
    let id = send(files::Visibility::Private).await;
    files::find_private(&app, Some(market.world.user), &id).await.expect("read").expect("there");
    converse(market, &app, id).await;
}

/// A message with a picture, its answer, and what staff do besides.
async fn converse(market: &Market, app: &AdServer, picture: String) {
    let (user, by) = (market.world.user, staff(market, "connie", Role::Support).await);
    let key = Some(Key::parse("once").expect("a key"));
    let command = conversation::Write { text: "x".into(), pictures: vec![picture.clone()], key };
    conversation::write(app, user, command.clone()).await.expect("written");
    let sent = conversation::write(app, user, command).await.expect("the same");
    for status in [None, Some(conversation_staff::Status::Open)] {
        for (waiting, of) in [(true, None), (false, None), (false, Some(user))] {
            let filter = conversation_staff::Filter { status, waiting, user: of };
            conversation_staff::list(app, filter, PAGE).await.expect("listed");
        }
    }
    conversation_staff::show(app, by.clone(), "demo", 20).await.expect("shown");
    conversation_staff::picture(app, &picture).await.expect("opened");
    conversation_staff::answer(app, by.clone(), "demo", "y").await.expect("answered");
    conversation::conversation(app, user, PAGE).await.expect("read");
    conversation::mark_read(app, user, sent.id).await.expect("read");
    conversation_staff::close(app, by, "demo").await.expect("closed");
    for status in [None, Some(recharges::RequestStatus::Requested), Some(recharges::RequestStatus::Expired)] {
        recharges::recharges(app, user, status, PAGE).await.expect("recharges");
    }
    announce_payments(app, user).await;
}

/// The recharge form, and a payment that is announced and withdrawn.
async fn announce_payments(app: &AdServer, user: UserId) {
    app.db.write(|tx| Ok::<_, foundation::Error>(keep_pay_in(tx, &account_to_pay_in_to())?)).await.expect("kept");
    let key = Some(Key::parse("paid").expect("a key"));
    let command = Announce::read("12.00", "bank".into(), key).expect("a payment");
    let made = announce(app, user, i18n::Lang::En, command).await.expect("announced");
    recharge_form(app, user, i18n::Lang::En).await.expect("a form");
    for of in [None, Some(user)] {
        announcements(app, of, PAGE).await.expect("listed");
    }
    let id = made.id;
    withdraw_announcement(app, user, i18n::Lang::En, id).await.expect("withdrawn");
}

fn account_to_pay_in_to() -> PayIn {
    PayIn {
        name: "bank".into(),
        label: "{}".into(),
        beneficiary: "North Ltd".into(),
        account: "DE02120300000000202051".into(),
        network: None,
        bank: None,
        bic: None,
        note: "{}".into(),
        place: 0,
        active: true,
    }
}
