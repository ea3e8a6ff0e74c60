//! The whole ledger in the formats of hledger and Beancount: their own programs come to the balances that ours do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use base::UserId;
use campaigns::AdServer;
use campaigns::plans::add_budget::{AddBudget, add_budget};
use campaigns::plans::plan_views::list;
use documents::{JournalFormat, testing};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::offers::vip::subscribe;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use serde_json::Value;
use store::{PageRequest, on_both};
use wallet::TransactionKind;

use crate::support::{Key, Placard, Ran, WithPast, text, with_past};

const WHOLE: PageRequest = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };
const FORMATS: [(JournalFormat, &str); 2] =
    [(JournalFormat::Hledger, "hledger"), (JournalFormat::Beancount, "beancount")];
/// What would mean something to either format.
const ODD: &str = "MIA-1 \"so; \\to\" | say, date:2026-99-99 [2026-99-99] 中文";

/// Each line of the trial balance, and where docs/LEDGER.md says that an accountant finds it.
const CHART: [(&str, &str); 22] = [
    ("available", "Liabilities:Users:Available"),
    ("pending", "Liabilities:Users:Pending"),
    ("withdrawing", "Liabilities:Users:Withdrawing"),
    ("exchanging", "Liabilities:Users:Exchanging"),
    ("deposit", "Liabilities:Users:Deposit"),
    ("promotional", "Liabilities:Users:Promotional"),
    ("advance", "Assets:Users:Advance"),
    ("held_available", "Liabilities:Users:Held:Available"),
    ("held_promotional", "Liabilities:Users:Held:Promotional"),
    ("held_coupon", "Liabilities:Users:Held:Coupon"),
    ("claims", "Liabilities:Advertisers:Claims"),
    ("publisher_earnings", "Liabilities:Publishers:Earnings"),
    ("publisher_payable", "Liabilities:Publishers:Payable"),
    ("exchange_clearing", "Liabilities:Acceptors:Exchange"),
    ("bank", "Assets:Bank"),
    ("recharge_clearing", "Assets:Clearing:Recharges"),
    ("payout_transit", "Assets:Clearing:Payouts"),
    ("delivery_revenue", "Income:Delivery"),
    ("fees", "Income:Fees"),
    ("vip_revenue", "Income:Vip"),
    ("promotion_cost", "Expenses:Promotion"),
    ("write_offs", "Expenses:WriteOffs"),
];

fn two(placard: &Placard, (anna, ben): (&Key, &Key), asked: &[&str]) -> String {
    let id = text(&placard.change(anna, asked).done()["id"]);
    placard.change(ben, &["request", "approve", &id]).done();
    id
}

/// Every kind of transaction that the demonstration's past has none of.
async fn completed(placard: &Placard, people: (&Key, &Key)) {
    let (anna, ben) = people;
    let app = placard.app();
    let demo = find_account(&app, "demo").await.expect("demo");
    two(placard, people, &["startup", "advance", "demo", "75.00"]);
    let part = RepayStartupLoan::read(Some("5.00"), None).expect("an amount");
    repay_startup_loan(&app, Proof::assumed(demo), part).await.expect("repaid");
    two(placard, people, &["promotion", "grant", "demo", "5.00"]);
    two(placard, people, &["promotion", "revoke", "demo", "2.00"]);
    subscribe(&app, Proof::assumed(demo), None).await.expect("subscribed");
    let refused = added(&app, demo).await.err();
    assert_eq!(refused, None, "no plan takes more");
    two(placard, people, &["publisher", "correct", "3", "--amount", "0.34"]);
    let script = "publisher = 3\nfrom = 2025-01-01\nuntil = 2026-12-31\nkind = \"click\"\nsum = \"1.00\"\n";
    two(placard, people, &["delivery", "correct", &placard.file("script.toml", script)]);
    placard.account("mia").await;
    let mia = find_account(&app, "mia").await.expect("mia");
    two(placard, people, &["recharge", "request", "mia", "100.00", "--reference", ODD]);
    let deposit = |amount| MoveDeposit::read(amount, None).expect("an amount");
    pay_deposit(&app, Proof::assumed(mia), deposit("20.00")).await.expect("paid");
    return_deposit(&app, Proof::assumed(mia), deposit("5.00")).await.expect("returned");
    two(placard, people, &["recharge", "request", "mia", "50.00", "--reference", "MIA-2"]);
    let lines = placard.file(
        "bank.csv",
        "date,amount,currency,reference,counterparty,description,id\n2026-01-05,50.00,USD,MIA-2,Mia,,x1\n",
    );
    let taken = placard.change(anna, &["bank", "import", &lines, "--account", "DE02"]).done();
    let statement = text(&taken["id"]);
    placard.confirm_bank(ben, &statement).done();
    placard.change(ben, &["bank", "unmatch", "1"]).done();
    placard.confirm_bank(anna, &statement).done();
    // More than the user has, so that the platform bears a part.
    two(placard, people, &["chargeback", "mia", "9000.00", "--reference", "CB-1"]);
    two(placard, people, &["recharge", "request", "mia", "30.00", "--reference", "MIA-3"]);
    two(placard, people, &["chargeback", "collect", "mia", "20.00"]);
    two(placard, people, &["chargeback", "waive", "mia", "5.00"]);
    pay_deposit(&app, Proof::assumed(mia), deposit("10.00")).await.expect("paid");
}

/// Adds to the first plan that takes more; or why none does.
async fn added(app: &AdServer, user: UserId) -> Result<(), Vec<String>> {
    let mut refused = Vec::new();
    for plan in list(app, user, None, WHOLE).await.expect("plans").items {
        for amount in ["10.00", "50.00", "200.00"] {
            let more = AddBudget { plan: plan.id, amount: amount.parse().expect("an amount"), key: None };
            match add_budget(app, Proof::assumed(user), more).await {
                Ok(_) => return Ok(()),
                Err(error) => refused.push(error.to_string()),
            }
        }
    }
    Err(refused)
}

fn exported(placard: &Placard, who: &Key, format: &str, name: &str, more: &[&str]) -> (PathBuf, Value) {
    let arguments = [&["ledger", "export", "--format", format, name], more].concat();
    let told = placard.run_as(who, &arguments).done();
    (placard.path(name), told)
}

/// The trial balance in minor units, by heading, as debits; and how many entries there are.
fn trial(placard: &Placard) -> (BTreeMap<&'static str, i128>, i64) {
    let lines = placard.run(&["ledger", "trial-balance"]).done();
    let mut entries = 0;
    let mut by_heading: BTreeMap<&str, i128> = CHART.iter().map(|(_, heading)| (*heading, 0)).collect();
    for line in lines.as_array().expect("a list") {
        let (_, heading) = CHART.iter().find(|(name, _)| line["account"] == **name).expect("a heading");
        let minor: i128 = text(&line["balance"]).replace('.', "").parse().expect("an amount");
        by_heading.insert(*heading, -minor);
        entries += line["entries"].as_i64().expect("a count");
    }
    (by_heading, entries)
}

/// What a program adds up, by heading.
fn added_up(format: JournalFormat, path: &Path) -> BTreeMap<&'static str, i128> {
    let mut by_heading: BTreeMap<&str, i128> = CHART.iter().map(|(_, heading)| (*heading, 0)).collect();
    for (account, balance) in testing::balances(format, path) {
        let below =
            |heading: &str| account.strip_prefix(heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        let (_, heading) = CHART.iter().find(|(_, heading)| below(heading)).unwrap_or_else(|| panic!("{account}"));
        *by_heading.entry(*heading).or_default() += balance;
    }
    by_heading
}

fn kinds(path: &Path, format: JournalFormat) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("a text");
    let heads = text.lines().filter_map(|line| line.split_once(" * "));
    let kind = |rest: &str| match format {
        JournalFormat::Hledger => {
            rest.split_once(") ").map(|(_, words)| words.split(' ').next().unwrap_or("").to_owned())
        }
        JournalFormat::Beancount => rest.split('"').nth(1).map(str::to_owned),
    };
    heads.filter_map(|(_, rest)| kind(rest)).collect()
}

on_both!(others_come_to_the_balances_that_ours_are, |t| {
    let WithPast { placard, anna, ben, .. } = with_past(t);
    completed(&placard, (&anna, &ben)).await;
    let (balances, entries) = trial(&placard);
    assert!(balances.values().filter(|balance| **balance != 0).count() >= 17, "{balances:?}");
    let every: BTreeSet<String> = TransactionKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    for (format, name) in FORMATS {
        for names in [&[][..], &["--names"]] {
            let file = format!("{name}{}", names.len());
            let (path, told) = exported(&placard, &anna, name, &file, names);
            testing::check(format, &path).unwrap_or_else(|said| panic!("{name} {names:?}: {said}"));
            assert_eq!(added_up(format, &path), balances, "{name} {names:?}");
            assert_eq!(kinds(&path, format), every, "{name} {names:?}");
            assert_eq!(told["entries"], entries, "{told}");
        }
    }
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_is_missing_or_wrong_is_found_by_others() {
    let placard = Placard::on_sqlite();
    let (anna, _) = placard.demonstration();
    for (format, name) in FORMATS {
        let (path, _) = exported(&placard, &anna, name, name, &[]);
        testing::check(format, &path).expect("right");
        let text = fs::read_to_string(&path).expect("a text");
        let blocks: Vec<&str> = text.split("\n\n").collect();
        let at = blocks.iter().position(|block| block.contains("recharge") && block.contains("hash")).expect("one");
        let without = [&blocks[..at], &blocks[at + 1..]].concat().join("\n\n");
        let amount = "10000.00";
        assert!(blocks[at].matches(amount).count() == 2, "{}", blocks[at]);
        let other = blocks[at].replace(amount, "10000.01");
        let unequal = blocks[at].replacen(amount, "10000.01", 1);
        let with = |block: &str| [&blocks[..at], &[block], &blocks[at + 1..]].concat().join("\n\n");
        for (n, damaged) in [without, with(&other), with(&unequal)].into_iter().enumerate() {
            let path = placard.file(&format!("{name}.{n}"), &damaged);
            assert!(testing::check(format, Path::new(&path)).is_err(), "{name} {n}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_named_unless_names_are_wanted() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    placard.account("mia").await;
    two(&placard, (&anna, &ben), &["recharge", "request", "mia", "100.00", "--reference", "WEDDING-OF-ANN"]);
    for (_, name) in FORMATS {
        let read = |file: &str, more: &[&str]| {
            let (path, _) = exported(&placard, &anna, name, &format!("{name}{file}"), more);
            fs::read_to_string(path).expect("a text")
        };
        let (hidden, again, open) = (read("1", &[]), read("2", &[]), read("3", &["--names"]));
        let lines = |text: &str| {
            text.lines().filter(|line| !line.contains("Written at")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&hidden), lines(&again), "pseudonyms stay");
        let names = ["mia", "demo", "Aurora", "Example", "WEDDING", "DEMO-"];
        for secret in names {
            assert!(!hidden.contains(secret), "{name}: {secret}");
        }
        for told in ["-mia", "-demo", "-Aurora-Coffee-Roasters", "WEDDING-OF-ANN", "operator 2 demo-ben"] {
            assert!(open.contains(told), "{name}: {told}");
        }
    }
}

#[test]
fn a_file_is_whole_and_its_owners_and_replaces_none() {
    let placard = Placard::on_sqlite();
    let (anna, _) = placard.demonstration();
    let ask = ["ledger", "export", "--format", "hledger"];
    placard.run(&ask).refused("no_auth");
    placard.run_as(&anna, &["ledger", "export"]).misused("--format");
    placard.run_as(&anna, &["ledger", "export", "--format", "csv"]).misused("csv");
    let (path, told) = exported(&placard, &anna, "hledger", "books.journal", &[]);
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    let written = fs::read_to_string(&path).expect("a text");
    let printed = placard.text(&anna, &ask);
    let steady =
        |text: &str| text.lines().filter(|line| !line.contains("Written at")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(steady(&written), steady(&printed));
    assert!(written.contains("Everything in it is simulated."));
    let counted = written.lines().filter(|line| line.contains("hash:")).count();
    assert_eq!(told["transactions"], counted, "{told}");
    assert!(written.contains(&format!("through transaction {}.", told["through"].as_str().expect("an id"))), "{told}");
    placard.run_as(&anna, &[&ask[..], &["books.journal"]].concat()).misused("is there already");
    placard.run_as(&anna, &[&ask[..], &["none/books.journal"]].concat()).misused("is no folder");
    assert_eq!(fs::read_to_string(&path).expect("a text"), written);
    assert_eq!(placard.left_over(), Vec::<String>::new());
}

/// It may have ended before it was stopped. What is there is whole, and nothing else is.
#[test]
fn an_export_that_is_stopped_leaves_nothing() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let mut command = placard.command_as(&ann, &["ledger", "export", "--format", "hledger", "books.journal"]);
    let mut export = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    while placard.left_over().is_empty() && export.try_wait().expect("asked").is_none() {
        sleep(Duration::from_millis(1));
    }
    // It may be gone.
    let stop = Command::new("kill").args(["-INT", &export.id().to_string()]).stderr(Stdio::null()).status();
    stop.expect("runs");
    let ran = Ran::from(export.wait_with_output().expect("ended"));
    assert_eq!(placard.left_over(), Vec::<String>::new());
    match placard.path("books.journal").exists() {
        true => assert_eq!(ran.code, Some(0), "{ran:?}"),
        false => ran.refused("stopped"),
    }
}
