//! The days' balances in the public log: everybody finds theirs in the totals, as of one moment.

use std::collections::BTreeMap;

use auth::Secrets;
use bank::{Day, Line, Statement, digest_of};
use base::{Money, Timestamp, UserId};
use desk::requests::{MoneyRequestDraft, approve, request};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use foundation::people::pay_password::Proof;
use foundation::{App, Settings};
use money::wallet::deposit::{MoveDeposit, pay_deposit};
use money::wallet::public_log::balances::{make, section, totals};
use money::wallet::public_log::{Sealer, checkpoint};
use money::wallet::reconcile::{BankFile, import};
use money::wallet::verify::{trial_balance, verify};
use money::wallet::withdraw::{Withdraw, withdraw};
use objects::{ObjectLocation, Objects};
use proof::balances::Section;
use proof::{Checkpoint, Hash, Note, TreeHead};
use store::on_both;
use store::schema::{balance_days, balance_tiles, entries, transactions};
use store::testing::TestDb;
use store::wallet::balance_days::{Attempt, StoredTile, begin, save_tiles};
use tempfile::TempDir;

use crate::support::{World, funded, money};

const DAY: i64 = 86_400;

fn server(test: &TestDb, folder: &TempDir) -> App {
    let domain = Some("ads.example.com".parse().expect("a domain"));
    let settings = Settings { domain, ..Settings::default() };
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), settings).with_objects(objects)
}

async fn round(app: &App) {
    Sealer::default().round(app).await.expect("sealed");
}

async fn head(app: &App) -> TreeHead {
    let bytes = checkpoint(app).await.expect("read").expect("published");
    let note = Note::parse(std::str::from_utf8(&bytes).expect("text")).expect("a note");
    Checkpoint::parse(&note.text).expect("a checkpoint").head
}

async fn change(app: &App, sql: String) {
    let changed = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    changed.await.expect("changed");
}

/// The hash of a transaction of a user's book.
async fn hash_of(app: &App, user: UserId, number: u64) -> Hash {
    let number = i64::try_from(number).expect("small");
    let found = app.db.read(move |conn| {
        let own = transactions::table.filter(transactions::book.eq(user.0).and(transactions::book_seq.eq(number)));
        Ok::<Vec<u8>, store::Error>(own.select(transactions::hash).first(conn)?)
    });
    found.await.expect("read").try_into().expect("32 bytes")
}

/// The user's section in the published log, checked as an outsider does.
async fn shown(app: &App, user: UserId) -> Section {
    let head = head(app).await;
    let text = section(app, user, 0..=u64::MAX, head.size).await.expect("read").expect("a section");
    let section = Section::parse(&text).expect("as it is written");
    let hash = hash_of(app, user, section.place.sequence).await;
    assert_eq!(section.check(&hash), Ok(()));
    assert!(section.included(&head), "{text}");
    section
}

/// The user's balances after a transaction of their book, summed from the entries up to it.
async fn summed(app: &App, user: UserId, number: u64) -> BTreeMap<i16, i64> {
    let number = i64::try_from(number).expect("small");
    let rows: Vec<(i16, i64)> = app
        .db
        .read(move |conn| {
            let up_to = transactions::table
                .filter(transactions::book.eq(user.0).and(transactions::book_seq.le(number)))
                .select(transactions::id);
            let own = entries::table
                .filter(entries::transaction_id.eq_any(up_to).and(entries::account_kind.lt(300)))
                .select((entries::account_kind, entries::amount));
            Ok::<_, store::Error>(own.load::<(i16, i64)>(conn)?)
        })
        .await
        .expect("rows");
    let mut sums = BTreeMap::new();
    rows.into_iter().for_each(|(account, amount)| *sums.entry(account).or_default() += amount);
    sums
}

const CODES: [(&str, i16); 10] = [
    ("available", 101),
    ("pending", 102),
    ("withdrawing", 103),
    ("exchanging", 104),
    ("deposit", 105),
    ("promotional", 106),
    ("held_available", 201),
    ("held_promotional", 202),
    ("held_coupon", 203),
    ("advance", 107),
];

async fn is_true(app: &App, user: UserId, section: &Section) {
    let sums = summed(app, user, section.place.sequence).await;
    let shown: Vec<(&str, u64)> =
        section.record.accounts.iter().map(String::as_str).zip(section.place.balances.iter().copied()).collect();
    let own: Vec<(&str, u64)> =
        CODES.iter().map(|(name, code)| (*name, sums.get(code).copied().unwrap_or(0).unsigned_abs())).collect();
    assert_eq!(shown, own);
}

/// Two users with something on most accounts, and one without anything; the log has begun.
async fn people(test: TestDb, folder: &TempDir) -> (World, App, UserId) {
    let w = funded(test, "500").await;
    let app = server(&w.test, folder);
    let other = w.test.user("other").await;
    w.test.user("nobody").await;
    for draft in [
        MoneyRequestDraft::recharge(other, "70.00", "bank-other"),
        MoneyRequestDraft::startup_loan(other, "30.00"),
        MoneyRequestDraft::grant(other, "12.34"),
    ] {
        let asked = request(&w.app, &w.ann, draft).await.expect("requested");
        approve(&w.app, &w.bob, asked.id.into()).await.expect("approved");
    }
    withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: money("20.00"), key: None }).await.expect("withdrawn");
    pay_deposit(&w.app, Proof::assumed(w.user), MoveDeposit { amount: money("5.00"), key: None }).await.expect("paid");
    round(&app).await;
    (w, app, other)
}

on_both!(everybody_finds_their_balances_in_the_days_totals, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, other) = people(test, &folder).await;
    let before = head(&app).await.size;
    assert!(make(&app).await.expect("made"));
    assert!(!make(&app).await.expect("made before"), "once a day");
    assert_eq!(section(&app, w.user, 0..=u64::MAX, before).await.expect("read"), None, "not in the log yet");
    round(&app).await;
    assert_eq!(head(&app).await.size, before + 1);
    for user in [w.user, other] {
        let section = shown(&app, user).await;
        assert_eq!((section.record.day.as_str(), section.record.leaves), ("2026-01-04", 2));
        is_true(&app, user, &section).await;
    }
    // The totals are those of the trial balance.
    let record = shown(&app, other).await.record;
    let lines = trial_balance(&app).await.expect("balances");
    for (name, total) in record.accounts.iter().zip(&record.totals) {
        let line = lines.iter().find(|line| line.account == *name).map_or(0, |line| line.balance.minor());
        assert_eq!(line.unsigned_abs(), *total, "{name}");
    }
    let found = totals(&app).await.expect("read").expect("a day");
    assert_eq!(found.users, money("600.00"), "500 + 70 + 30: nothing has left");
    assert_eq!((found.bank, found.owed, found.day.as_str()), (None, Money::ZERO, "2026-01-04"));
    let claims = lines.iter().find(|line| line.account == "claims").map(|line| line.balance);
    assert_eq!(Some(found.claims), claims.or(Some(Money::ZERO)));
    // The next day is another tree: nobody can be followed from one to the other.
    let first = shown(&app, other).await;
    w.test.clock.advance_seconds(DAY);
    assert!(make(&app).await.expect("made"));
    round(&app).await;
    let second = shown(&app, other).await;
    assert_eq!((second.record.day.as_str(), &second.record.totals), ("2026-01-05", &first.record.totals));
    assert_ne!((second.place.salt, second.record.root), (first.place.salt, first.record.root));
    let verified = verify(&app).await.expect("verified");
    assert!(verified.ok, "{:?}", verified.faults);
});

on_both!(balances_are_those_of_one_moment_while_others_write, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, other) = people(test, &folder).await;
    // So many that their leaves are in several tiles.
    let mut many = Vec::new();
    for number in 0..260 {
        let user = w.test.user(Box::leak(format!("user-{number}").into_boxed_str())).await;
        many.push(user);
        let asked = request(&w.app, &w.ann, MoneyRequestDraft::recharge(user, "0.01", &format!("b-{user}")));
        approve(&w.app, &w.bob, asked.await.expect("requested").id.into()).await.expect("approved");
    }
    // From one user to the same one's deposit and back: what they own stays, wherever the reading begins.
    let moving = async {
        for _ in 0..40 {
            let put = MoveDeposit { amount: money("3.00"), key: None };
            pay_deposit(&w.app, Proof::assumed(w.user), put).await.expect("paid");
            withdraw(&w.app, Proof::assumed(other), Withdraw { amount: money("0.01"), key: None }).await.ok();
        }
    };
    let (made, ()) = tokio::join!(make(&app), moving);
    assert!(made.expect("made"));
    round(&app).await;
    for user in [w.user, other, many[0], many[259]] {
        let section = shown(&app, user).await;
        assert_eq!(section.record.leaves, 512);
        is_true(&app, user, &section).await;
    }
    assert_eq!(totals(&app).await.expect("read").expect("a day").users, money("602.60"));
});

on_both!(a_month_gets_the_last_day_that_it_covers, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, _) = people(test, &folder).await;
    make(&app).await.expect("made");
    round(&app).await;
    let first = shown(&app, w.user).await;
    w.test.clock.advance_seconds(DAY);
    w.recharge("1.00", "bank-later").await;
    make(&app).await.expect("made");
    round(&app).await;
    let second = shown(&app, w.user).await;
    assert_eq!(second.place.sequence, first.place.sequence + 1);
    let size = head(&app).await.size;
    let of = async |within| {
        let text = section(&app, w.user, within, size).await.expect("read");
        text.map(|text| Section::parse(&text).expect("as it is written").record.day)
    };
    let last = first.place.sequence;
    assert_eq!(of(0..=last).await.as_deref(), Some("2026-01-04"));
    assert_eq!(of(0..=last + 1).await.as_deref(), Some("2026-01-05"));
    assert_eq!(of(last + 1..=last + 9).await.as_deref(), Some("2026-01-05"));
    assert_eq!(of(0..=last - 1).await, None, "neither day holds for it");
    assert_eq!(of(last + 2..=last + 9).await, None);
    assert_eq!(section(&app, UserId(99_999), 0..=9, size).await.expect("read"), None);
});

on_both!(a_server_that_dies_leaves_a_day_that_another_makes, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, _) = people(test, &folder).await;
    let yesterday = Timestamp::from_millis(w.app.now().millis().div_euclid(DAY * 1000) * DAY * 1000).plus_days(-1);
    let begun = app.db.write(move |tx| {
        let attempt = Attempt { tree: 7, secret: [7; 32] };
        assert!(begin(tx, "ads.example.com/placard-simulated", yesterday, &attempt, Timestamp::EARLIEST)?);
        let tile = StoredTile { first_key: 0, number: 0, leaves: vec![1], above: vec![2] };
        save_tiles(tx, 7, &[tile])
    });
    begun.await.expect("begun");
    assert!(!make(&app).await.expect("read"), "it is under way");
    round(&app).await;
    w.test.clock.advance_seconds(15 * 60 + 1);
    let servers = [server(&w.test, &folder), server(&w.test, &folder)];
    let (one, other) = tokio::join!(make(&servers[0]), make(&servers[1]));
    assert!(one.expect("made") != other.expect("made"), "one of them");
    round(&app).await;
    is_true(&app, w.user, &shown(&app, w.user).await).await;
    let trees: Vec<i64> = app
        .db
        .read(|conn| Ok::<_, store::Error>(balance_tiles::table.select(balance_tiles::tree).load(conn)?))
        .await
        .expect("read");
    assert!(trees.len() == 1 && trees[0] != 7, "{trees:?}");
});

on_both!(what_somebody_changed_in_a_day_is_found, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (_world, app, _) = people(test, &folder).await;
    make(&app).await.expect("made");
    round(&app).await;
    let faults = async || verify(&app).await.expect("verified").faults.join("; ");
    assert_eq!(faults().await, "");
    change(&app, "UPDATE balance_days SET record = replace(record, 'totals: 5', 'totals: 4')".into()).await;
    assert!(faults().await.contains("(day: 2026-01-04) is another than the public log has"), "{}", faults().await);
    change(&app, "UPDATE balance_days SET record = replace(record, 'totals: 4', 'totals: 5')".into()).await;
    change(&app, "UPDATE balance_days SET leaf = leaf + 1000".into()).await;
    assert!(faults().await.contains("which is not there"), "{}", faults().await);
    change(&app, "DELETE FROM balance_days".into()).await;
    assert!(faults().await.contains("0 days' balances"), "{}", faults().await);
});

on_both!(days_are_kept_for_two_months, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, _) = people(test, &folder).await;
    for _ in 0..63 {
        make(&app).await.expect("made");
        w.test.clock.advance_seconds(DAY);
    }
    let counted = app.db.read(|conn| {
        let days: i64 = balance_days::table.count().get_result(conn)?;
        let tiles: i64 = balance_tiles::table.count().get_result(conn)?;
        Ok::<_, store::Error>((days, tiles))
    });
    assert_eq!(counted.await.expect("read"), (63, 62), "a day's record stays: it is in the log");
});

on_both!(without_a_log_there_are_no_days, |test| {
    let w = funded(test, "500").await;
    assert!(!make(&w.app).await.expect("read"));
    assert_eq!(totals(&w.app).await.expect("read"), None);
});

/// Imports a statement of one line on a day of January 2026, after which the account has a balance, if the file says one.
async fn state(w: &World, (account, currency): (&str, &str), day: i64, amount: &str, closing: Option<&str>) {
    let (amount, day) = (money(amount), Day::of(Timestamp::from_millis(1_767_225_600_000).plus_days(day - 1)));
    let closing = closing.map(money);
    let line = Line {
        id: "1".into(),
        booked_on: day,
        amount,
        references: Vec::new(),
        counterparty: String::new(),
        description: String::new(),
        reversal: false,
    };
    let opening = closing.map(|closing| Money::from_minor(closing.minor() - amount.minor()));
    let statement = Statement {
        account: account.into(),
        currency: currency.into(),
        number: String::new(),
        from: day,
        to: day,
        opening,
        closing,
        lines: vec![line],
        left_out: 0,
        passed_over: Vec::new(),
    };
    let digest = digest_of(format!("{statement:?}").as_bytes(), account);
    import(&w.app, &w.ann, BankFile::one(statement, digest), false).await.expect("imported");
}

on_both!(the_bank_holds_what_the_last_statement_of_each_account_ends_with, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let (w, app, _) = people(test, &folder).await;
    make(&app).await.expect("made");
    round(&app).await;
    let bank = async || {
        let found = totals(&app).await.expect("read").expect("a day").bank;
        found.map(|bank| format!("{} on {}", bank.amount, bank.on))
    };
    let (first, second, foreign) = (("DE02", "USD"), ("DE03", "USD"), ("FR01", "EUR"));
    state(&w, foreign, 1, "900.00", Some("900.00")).await;
    assert_eq!(bank().await, None, "nobody here owns another currency");
    state(&w, first, 2, "200.00", Some("300.00")).await;
    assert_eq!(bank().await.as_deref(), Some("300.00 on 2026-01-02"));
    // Imported later, of the day before.
    state(&w, first, 1, "100.00", Some("100.00")).await;
    assert_eq!(bank().await.as_deref(), Some("300.00 on 2026-01-02"));
    state(&w, second, 4, "1000.50", Some("1000.50")).await;
    assert_eq!(bank().await.as_deref(), Some("1300.50 on 2026-01-02"), "as old as the older one");
    // A file without a balance says nothing.
    state(&w, first, 4, "7.00", None).await;
    assert_eq!(bank().await.as_deref(), Some("1300.50 on 2026-01-02"));
    state(&w, first, 3, "-50.25", Some("249.75")).await;
    state(&w, foreign, 5, "1.00", Some("901.00")).await;
    assert_eq!(bank().await.as_deref(), Some("1250.25 on 2026-01-03"));
});
