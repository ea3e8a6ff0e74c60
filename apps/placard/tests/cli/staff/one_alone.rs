//! One operator alone changes no balance, shows all users nothing new, and ends nothing for
//! good: every command of the program is run by the same person, as each role, with every trick
//! and with accomplices: a user, an advertiser and an exchange of their own, and whoever opens
//! the links to keys. The books and what users see are compared. What is done to another user is
//! in the audit.

mod commands;
mod files;

use campaigns::plans::put::{Put, PutTarget, put};
use diesel::prelude::*;
use diesel::sql_types::Text;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::bank_card::CardView;
use money::wallet::verify::trial_balance;
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;

use crate::staff::accomplice::{Accomplices, DEEDS, FOR_A_PUPPET, FOR_ACCOMPLICES, VICTIM, member, puppet};
use crate::support::{Key, PICTURE, Placard, text};

use commands::COMMANDS;
use files::FILES;

/// Simulated by design, and refused in a live installation.
const SIMULATED_ONLY: [&str; 2] = ["demo seed", "traffic run"];
/// Only on the installation's machine, whose holder could do anything: who the first two
/// people are, and what the log may be signed with. No server runs them.
const MACHINE_ONLY: [&str; 2] = ["operator founders", "log new-key"];
/// These return to a user what the same user had set aside and nobody had approved; one operator may do so.
const GIVE_BACK: [&str; 2] = ["withdrawal reject", "plan reject"];

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Every row with a balance or a number of coupons, and the platform's accounts.
const BALANCES: &str = "SELECT 'wallet ' || user_id || ' ' || available || ' ' || pending || ' ' || withdrawing || ' ' || \
     exchanging || ' ' || deposit || ' ' || promotional || ' ' || advance AS line FROM wallets \
     UNION ALL SELECT 'hold ' || plan_id || ' ' || available || ' ' || promotional || ' ' || coupon FROM holds \
     UNION ALL SELECT 'coupons ' || user_id || ' ' || COUNT(*) FROM coupons GROUP BY user_id \
     UNION ALL SELECT 'advertiser ' || id || ' ' || claims FROM advertisers WHERE claims <> 0 ORDER BY line";
/// The totals of users and advertisers.
const TOTALS: &str = "SELECT 'user ' || w.user_id || ' ' || (w.available + w.pending + w.withdrawing + w.exchanging + \
     w.deposit + COALESCE((SELECT SUM(h.available) FROM holds h WHERE h.user_id = w.user_id), 0)) || ' ' || \
     (w.promotional + COALESCE((SELECT SUM(h.promotional) FROM holds h WHERE h.user_id = w.user_id), 0)) || ' ' || \
     w.advance AS line FROM wallets w WHERE w.available + w.withdrawing + w.exchanging + w.promotional <> 0 \
     UNION ALL SELECT 'advertiser ' || id || ' ' || claims FROM advertisers WHERE claims <> 0 ORDER BY line";
/// What all users see.
const SEEN: &str = "SELECT 'contact ' || name || url || label AS line FROM contacts WHERE active \
     UNION ALL SELECT 'pay in ' || name || label || beneficiary || account || note FROM pay_in_accounts WHERE active \
     UNION ALL SELECT 'question ' || name || question || answer FROM questions WHERE active \
     UNION ALL SELECT 'activity ' || name || title || rules FROM activities WHERE active \
     UNION ALL SELECT 'notice ' || id || texts FROM announcements \
     UNION ALL SELECT 'product ' || id || name || summary || image || content || targeting FROM products WHERE active AND NOT draft \
     UNION ALL SELECT 'acceptor ' || id || name || kind FROM acceptors WHERE active AND NOT draft \
     UNION ALL SELECT 'operated ' || operated_id || name FROM operated_accounts WHERE removed_at IS NULL ORDER BY line";
/// What cannot be brought back once it has ended: publishers, accounts, what is followed.
const KEPT: &str = "SELECT 'publisher ' || id AS line FROM publishers WHERE status <> 3 \
     UNION ALL SELECT 'account ' || id FROM users WHERE status <> 4 AND username LIKE 'demo%' \
     UNION ALL SELECT 'operated ' || operated_id FROM operated_accounts WHERE removed_at IS NULL ORDER BY line";
const USERS_OWN: [&str; 7] = ["available", "pending", "withdrawing", "exchanging", "deposit", "promotional", "advance"];

struct Books(campaigns::AdServer);

impl Books {
    async fn rows(&self, sql: &'static str) -> Vec<String> {
        let read = self.0.db.read(move |conn| diesel::sql_query(sql).load::<Line>(conn).map_err(store::Error::from));
        read.await.expect("rows").into_iter().map(|line| line.line).filter(|line| !is_empty(line)).collect()
    }

    async fn platform(&self) -> Vec<String> {
        let lines = trial_balance(&self.0).await.expect("balances");
        let own = |account: &str| USERS_OWN.contains(&account) || account.starts_with("held_");
        lines.into_iter().filter(|l| !own(&l.account)).map(|l| format!("{} {}", l.account, l.balance)).collect()
    }

    async fn balances(&self) -> Vec<String> {
        [self.rows(BALANCES).await, self.platform().await].concat()
    }

    async fn totals(&self) -> Vec<String> {
        [self.rows(TOTALS).await, self.platform().await].concat()
    }
}

/// A new user's empty wallet is not a change.
fn is_empty(line: &str) -> bool {
    line.starts_with("wallet ") && line.ends_with(" 0 0 0 0 0 0 0")
}

/// The demonstration's user has money in every state that staff decide on; returns the
/// plan's number.
async fn set_aside(placard: &Placard) -> String {
    let app = placard.app();
    let user = find_account(&app, "demo").await.expect("demo");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(&app, user, address).await;
    for amount in ["100.00", "30.00"] {
        withdraw(&app, Proof::assumed(user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
            .await
            .expect("asked");
    }
    crate::wallet::exchange::put(placard, "50.00").await;
    let landing_page = 2_i16.try_into().expect("a content type's code");
    put(
        &app,
        Proof::assumed(user),
        Put::new(PutTarget::Product(base::ProductId(1)), base::Money::from_minor(10_000), landing_page),
    )
    .await
    .expect("put")
    .plan_no
}

/// Over the staff API or with the installation at hand, as the program is told.
async fn alone(placard: Placard, role: &str) {
    let (ann, ben) = placard.demonstration();
    let plan = set_aside(&placard).await;
    puppet(&placard, (&ann, &ben)).await;
    let own = Accomplices::new(&placard, (&ann, &ben)).await;
    let mal = member(&placard, (&ann, &ben), role);
    for (name, file) in FILES {
        placard.file(name, file);
    }
    placard.file("picture.gif", PICTURE);
    let books = Books(placard.app());
    let before = books.balances().await;
    let (seen, kept) = (books.rows(SEEN).await, books.rows(KEPT).await);
    let (mut victim, mut deeds) = (books.rows(VICTIM).await, books.rows(DEEDS).await);
    let (mut id, mut proposals) = ("0".to_owned(), "0".to_owned());
    for (path, arguments) in COMMANDS.iter().chain(FOR_A_PUPPET).chain(FOR_ACCOMPLICES) {
        let typed = format!("{path} {arguments}").replace("{id}", &id).replace("{plan}", &plan);
        let typed = typed.replace("{proposals}", &proposals);
        let typed = typed.replace("{advertiser}", &own.advertiser).replace("{exchange}", &own.exchange);
        let typed = FILES.iter().fold(typed, |typed, (name, _)| typed.replace(&format!("{{{name}}}"), name));
        let ran = placard.run_as(&mal, &typed.split_whitespace().collect::<Vec<_>>());
        // Whoever may make no backup has none to restore.
        assert!(matches!(ran.code, Some(0 | 1)) || *path == "restore", "{typed}: {ran:?}");
        assert!(!ran.err.contains("server_error"), "{typed}: {ran:?}");
        let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_default();
        own.use_link(&placard, &printed).await;
        if printed["kind"].is_string() {
            id = text(&printed["id"]);
        }
        if let Some(digest) = printed["proposals"]["digest"].as_str() {
            digest.clone_into(&mut proposals);
        }
        assert_eq!(books.balances().await, before, "{typed} moved money");
        let (victim_now, deeds_now) = (books.rows(VICTIM).await, books.rows(DEEDS).await);
        assert!(victim == victim_now || deeds_now.len() > deeds.len(), "{typed} is not in the audit: {victim_now:?}");
        (victim, deeds) = (victim_now, deeds_now);
        // One person may take away what can be brought back, and shows nothing new.
        let new: Vec<String> = books.rows(SEEN).await.into_iter().filter(|line| !seen.contains(line)).collect();
        assert!(new.is_empty(), "{typed} shows all users {new:?}");
        let now = books.rows(KEPT).await;
        let ended: Vec<&String> = kept.iter().filter(|line| !now.contains(line)).collect();
        assert!(ended.is_empty(), "{typed} ended for good {ended:?}");
    }
    let totals = books.totals().await;
    for give_back in ["withdrawal reject 2".to_owned(), format!("plan reject {plan}")] {
        let ran = placard.change(&mal, &give_back.split(' ').collect::<Vec<_>>());
        // Each role gives back some of it.
        let is_not_theirs = role != "admin" && ran.err.contains("not_permitted");
        assert!(ran.code == Some(0) || is_not_theirs, "{give_back}: {ran:?}");
        assert_eq!(books.totals().await, totals, "{give_back} changed what somebody owns");
    }
    assert!(books.balances().await != before || role == "support", "that much was given back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_command_moves_money_by_one_alone() {
    alone(Placard::afar(store::testing::sqlite()), "admin").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_by_one_of_finance_alone() {
    alone(Placard::on_sqlite(), "finance").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_by_one_of_support_alone() {
    alone(Placard::afar(store::testing::sqlite()), "support").await;
}

/// A new command must be added here.
#[test]
fn every_command_is_tried() {
    let placard = Placard::on_sqlite();
    let listed = placard.command(&["commands"]).output().expect("runs");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    assert!(listed.lines().count() > 60, "{listed}");
    let known = |path: &str| COMMANDS.iter().chain(FOR_ACCOMPLICES).any(|(known, _)| *known == path);
    let missing: Vec<&str> = listed
        .lines()
        .filter(|path| !known(path) && !GIVE_BACK.contains(path))
        .filter(|path| !SIMULATED_ONLY.contains(path) && !MACHINE_ONLY.contains(path))
        .collect();
    assert!(missing.is_empty(), "say in COMMANDS what these are run with: {missing:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_names_and_keys_make_nobody_a_second_person() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    set_aside(&placard).await;
    let books = Books(placard.app());
    let before = books.balances().await;
    let eve = placard.operator(Some(&ann), "eve", "admin");
    let fay = placard.operator(Some(&eve), "fay", "admin");
    let key = |by: &Key, of: &Key| {
        let rotated = placard.change(by, &["operator", "rotate", &of.name]).done();
        Key { name: of.name.clone(), key: text(&rotated["key"]) }
    };
    // Ben is away; Ann takes over his key, and others' crosswise.
    let ben = key(&ann, &ben);
    let eve = key(&ben, &eve);
    let fay = key(&fay, &fay);
    let eve = key(&eve, &eve);
    let ann = key(&eve, &ann);
    let everybody = [&ann, &ben, &eve, &fay];
    for (by, of) in everybody.iter().flat_map(|by| everybody.iter().map(move |of| (by, of))) {
        placard.change(by, &["operator", "confirm", &of.name]).refused("second_person_needed");
    }
    for asks in everybody {
        let asked = placard.change(asks, &["startup", "advance", "demo", "5.00"]).done();
        let id = text(&asked["id"]);
        for approves in everybody {
            placard.change(approves, &["startup", "approve", &id]).refused("second_person_needed");
        }
        placard.change(&eve, &["startup", "reject", &id]).done();
    }
    placard.change(&ann, &["withdrawal", "approve", "1"]).done();
    placard.change(&eve, &["exchange", "approve", "1"]).done();
    for by in everybody {
        placard.change(by, &["withdrawal", "pay", "1"]).refused("second_person_needed");
        placard.change(by, &["exchange", "complete", "1"]).refused("second_person_needed");
    }
    // A revoked operator takes nothing along.
    placard.change(&ann, &["operator", "revoke", "demo-ben"]).done();
    let id = text(&placard.change(&eve, &["promotion", "grant", "demo", "5.00"]).done()["id"]);
    placard.change(&ann, &["promotion", "approve", &id]).refused("second_person_needed");
    assert_eq!(books.balances().await, before);
}
