//! The bank's statements, from the file to the books.

use base::UserId;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::bank_card::CardView;
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;
use serde_json::Value;

use crate::support::{Key, Placard, deeds, text};

const HEADER: &str = "date,amount,currency,reference,counterparty,description,id\n";

fn credited(placard: &Placard, ann: &Key, ben: &Key, amount: &str, reference: &str) -> String {
    let requested = placard.change(ann, &["recharge", "request", "demo", amount, "--reference", reference]).done();
    let id = text(&requested["id"]);
    placard.change(ben, &["recharge", "approve", &id]).done();
    id
}

async fn paid(placard: &Placard, ann: &Key, ben: &Key, amount: &str, reference: &str) -> String {
    let app = placard.app();
    let user: UserId = find_account(&app, "demo").await.expect("demo");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(&app, user, address).await;
    let id = withdraw(&app, Proof::assumed(user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
        .await
        .expect("asked")
        .id
        .to_string();
    placard.change(ann, &["withdrawal", "approve", &id]).done();
    placard.change(ben, &["withdrawal", "pay", &id, "--reference", reference]).done();
    id
}

/// A file with these lines, imported by `who`.
fn imported(placard: &Placard, who: &Key, name: &str, lines: &str) -> Value {
    let path = placard.file(name, &format!("{HEADER}{lines}"));
    placard.change(who, &["bank", "import", &path, "--account", "DE02"]).done()
}

/// The number of the statement's line with this key.
fn line(placard: &Placard, who: &Key, statement: &str, key: &str) -> String {
    let shown = placard.run_as(who, &["bank", "show", statement]).done();
    let left = shown["leftovers"].as_array().expect("a list").iter().find(|left| left["key"] == key);
    text(&left.unwrap_or_else(|| panic!("{key}: {shown}"))["line"])
}

fn balance(placard: &Placard, account: &str) -> String {
    let lines = placard.run(&["ledger", "trial-balance"]).done();
    let found = lines.as_array().expect("a list").iter().find(|line| line["account"] == account);
    found.map_or_else(|| "0.00".to_owned(), |line| text(&line["balance"]))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_imports_a_statement_and_another_confirms_it() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let clearing = balance(&placard, "recharge_clearing");
    let recharge = credited(&placard, &ann, &ben, "250.50", "BANK-1");
    let withdrawal = paid(&placard, &ann, &ben, "100.00", "OUT-1").await;
    let before = placard.run_as(&ann, &["flow", "demo"]).done();
    let lines = "2026-01-05,250.50,USD,payment bank-1,Demo,,x1\n2026-01-06,-100.00,USD,OUT-1,,,x2\n\
                 2026-01-06,-3.20,USD,,,monthly fee,x3\n";
    let path = placard.file("may.csv", &format!("{HEADER}{lines}"));
    let looked = ["bank", "import", &path, "--account", "DE02", "--dry-run"];
    assert_eq!(placard.change(&ann, &looked).done()["id"], Value::Null);
    let taken = imported(&placard, &ann, "may.csv", lines);
    assert_eq!((&taken["lines"], &taken["matched"], &taken["unknown"]), (&3.into(), &2.into(), &1.into()));
    let id = text(&taken["id"]);
    assert_eq!(balance(&placard, "bank"), "0.00");
    placard.confirm_bank(&ann, &id).refused("second_person_needed");
    let other = ["bank", "confirm", &id, "--proposals", "0123456789abcdef"];
    placard.change(&ben, &other).refused("proposals_changed");
    assert_eq!(placard.run_as(&ben, &["bank", "show", &id]).done()["proposals"]["sum"], "150.50");
    let done = placard.confirm_bank(&ben, &id).done();
    assert_eq!((&done["matched"], &done["own"]), (&2.into(), &0.into()));
    assert_eq!(placard.confirm_bank(&ben, &id).done()["matched"], 0);
    assert_eq!((balance(&placard, "bank"), balance(&placard, "payout_transit")), ("-150.50".into(), "0.00".into()));
    assert_eq!(balance(&placard, "recharge_clearing"), clearing);
    assert!(placard.run_as(&ann, &["recharge", "list"]).done()[0]["cleared_at"].is_string());
    assert!(placard.run_as(&ann, &["withdrawal", "list"]).done()[0]["cleared_at"].is_string());
    // The user's money and statement have not changed.
    assert_eq!(placard.run_as(&ann, &["flow", "demo"]).done(), before);

    let fee = line(&placard, &ann, &id, "x3");
    placard.change(&ben, &["bank", "ignore", &fee]).done();
    placard.change(&ben, &["bank", "ignore", &fee]).refused("already_matched");
    placard.confirm_bank(&ben, &id).refused("second_person_needed");
    assert_eq!(placard.confirm_bank(&ann, &id).done()["ignored"], 1);
    let shown = placard.run_as(&ann, &["bank", "show", &id]).done();
    assert_eq!((&shown["open"], &shown["books"]["difference"]), (&0.into(), &"-3.20".into()));
    assert_eq!(placard.run_as(&ann, &["bank", "list"]).done()[0]["matched_amount"], "150.50");

    // Undoing a confirmed match also takes two people.
    let first = placard.change(&ann, &["bank", "match", "1", &format!("recharge:{recharge}")]);
    first.refused("already_matched");
    let doubted = placard.change(&ben, &["bank", "unmatch", "2"]).done();
    assert_eq!(
        (&doubted["match"]["status"], &doubted["match"]["document"]),
        (&"doubted".into(), &format!("withdrawal:{withdrawal}").into())
    );
    placard.change(&ben, &["bank", "unmatch", "2"]).refused("already_decided");
    placard.confirm_bank(&ben, &id).refused("second_person_needed");
    assert_eq!(placard.confirm_bank(&ann, &id).done()["undone"], 1);
    assert_eq!((balance(&placard, "bank"), balance(&placard, "payout_transit")), ("-250.50".into(), "100.00".into()));
    assert!(placard.run_as(&ann, &["withdrawal", "list"]).done()[0]["cleared_at"].is_null());
    assert_eq!(placard.change(&ben, &["bank", "propose", &id]).done()[0]["match"]["status"], "proposed");
    assert_eq!(placard.confirm_bank(&ann, &id).done()["matched"], 1);
    let verified = placard.run(&["ledger", "verify"]).done();
    assert_eq!((&verified["ok"], &verified["sum"]), (&true.into(), &"0.00".into()));
    assert_eq!(&deeds(&placard, &ann)[..3], ["bank.confirm", "bank.propose", "bank.confirm"]);
}

#[test]
fn a_payment_nobody_told_of_becomes_a_recharge() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let taken =
        imported(&placard, &ann, "a.csv", "2026-01-05,75.00,USD,hello,Stranger,,in-7\n2026-01-05,-9.00,USD,,,,out-8\n");
    let (id, unknown) = (text(&taken["id"]), line(&placard, &ann, &text(&taken["id"]), "in-7"));
    let out = line(&placard, &ann, &id, "out-8");
    placard.change(&ann, &["bank", "request", &out, "demo"]).refused("amount_out_of_range");
    placard.change(&ann, &["bank", "request", &unknown, "nobody"]).refused("not_found");
    let asked = placard.change(&ann, &["bank", "request", &unknown, "demo"]).done();
    assert_eq!(
        (&asked["amount"], &asked["reference"], &asked["status"]),
        (&"75.00".into(), &"in-7".into(), &"requested".into())
    );
    let recharge = format!("recharge:{}", text(&asked["id"]));
    placard.change(&ben, &["bank", "match", &unknown, &recharge]).refused("not_approved");
    placard.change(&ben, &["recharge", "approve", &text(&asked["id"])]).done();
    placard.change(&ben, &["bank", "match", &out, &recharge]).refused("bank_amount_differs");
    assert_eq!(placard.change(&ben, &["bank", "propose", &id]).done()[0]["match"]["document"], recharge.as_str());
    // However it was typed.
    let typed = recharge.replace("recharge:", " Recharge: ");
    placard.change(&ben, &["bank", "match", &format!("{unknown} "), &typed]).refused("already_matched");
    assert_eq!(placard.confirm_bank(&ann, &id).done()["matched"], 1);
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    assert_eq!(shown["property"]["available"], "10075.00");
}

#[test]
fn what_does_not_match_stays_listed() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let recharge = credited(&placard, &ann, &ben, "250.50", "BANK-1");
    let lines = "2026-01-05,250.40,USD,BANK-1,,,d1\n2026-01-04,1.00,USD,what,,,u1\n";
    imported(&placard, &ann, "a.csv", lines);
    let left = placard.run_as(&ann, &["bank", "open"]).done();
    let told: Vec<(String, String)> =
        left.as_array().expect("a list").iter().map(|l| (text(&l["finding"]), text(&l["on"]))).collect();
    assert_eq!(told[..2], [("unknown".into(), "2026-01-04".into()), ("difference".into(), "2026-01-05".into())]);
    assert_eq!(left[1]["documents"][0], format!("recharge:{recharge}").as_str());
    // Approved earlier than a later statement, and never received: missing.
    let latest = bank::Day::begun(base::Clock::system().now());
    imported(&placard, &ann, "b.csv", &format!("{latest},2.00,USD,x,,,u2\n"));
    let later = placard.run_as(&ann, &["bank", "open", "--limit", "5000"]).done();
    let missing: Vec<&Value> = later.as_array().expect("a list").iter().filter(|l| l["finding"] == "missing").collect();
    assert!(!missing.is_empty() && missing.iter().all(|l| l["line"].is_null()), "{later}");
    let shown = placard.text(&ann, &["bank", "open"]);
    assert!(shown.starts_with("FINDING") && shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn a_statement_is_taken_in_once_and_whole() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let cat = placard.operator(Some(&ann), "cat", "support");
    let (one, two) = ("2026-01-05,75.00,USD,a,,,k1\n", "2026-01-06,5.00,USD,b,,,k2\n");
    let path = placard.file("a.csv", &format!("{HEADER}{one}"));
    let import = ["bank", "import", &path, "--account", "DE02", "--closing", "75.00"];
    placard.change(&cat, &import).refused("not_permitted");
    placard.change(&ann, &["bank", "import", &path]).misused("--account");
    placard.change(&ann, &["bank", "import", "/nowhere.csv"]).misused("/nowhere.csv");
    let taken = placard.change(&ann, &import).done();
    placard.change(&ben, &import).refused("statement_imported");
    // The next file may begin where the last one began.
    let both = placard.file("b.csv", &format!("{HEADER}{one}{two}"));
    let until = |path: &str, closing: &str| {
        placard.change(&ben, &["bank", "import", path, "--account", "DE02", "--closing", closing])
    };
    let both = until(&both, "80.00").done();
    assert_eq!((&both["lines"], &both["known"], &both["unknown"]), (&2.into(), &1.into(), &1.into()));
    let again = placard.file("c.csv", &format!("{HEADER}{two}\n"));
    until(&again, "80.00").refused("statement_imported");
    let changed = placard.file("d.csv", &format!("{HEADER}{}{two}", one.replace("75", "76")));
    until(&changed, "80.00").refused("bank_day_differs");
    // Without balances nothing tells whether it is the same payment.
    let more = placard.file("f.csv", &format!("{HEADER}{two}2026-01-07,1.00,USD,c,,,k3\n"));
    let known = ["bank", "import", &more, "--account", "DE02", "--known", "1"];
    placard.change(&ann, &known[..5]).refused("bank_place_unclear");
    assert_eq!(placard.change(&ann, &known).done()["unproven"], true);
    let wrong = placard.file("e.csv", &format!("{HEADER}2026-13-01,NaN,EUR,,,,\n2026-01-01,1.00,USD\n"));
    let ran = placard.change(&ann, &["bank", "import", &wrong, "--account", "DE02"]);
    for told in ["line 2: date ", "line 2: amount ", "line 2: currency ", "line 3: the line "] {
        assert!(ran.err.contains(told), "{ran:?}");
    }
    ran.misused("e.csv");
    let ahead = placard.file("g.csv", &format!("{HEADER}2099-01-04,1.00,USD,,,,\n"));
    placard.change(&ann, &["bank", "import", &ahead, "--account", "DE02"]).misused("has not begun");
    placard.run_as(&ann, &["bank", "show", "99"]).refused("not_found");
    for arguments in [&["bank", "propose", "99"][..], &["bank", "confirm", "99", "--proposals", "0"]] {
        placard.change(&ann, arguments).refused("not_found");
    }
    for arguments in [
        ["bank", "match", "99", "recharge:1"],
        ["bank", "match", "1", "recharge:999"],
        ["bank", "match", "1", "gift:1"],
    ] {
        placard.change(&ann, &arguments).refused("not_found");
    }
    placard.change(&ann, &["bank", "unmatch", "1"]).refused("not_found");
    placard.change(&cat, &["bank", "ignore", "1"]).refused("not_permitted");
    // One person may withdraw a proposal.
    let first = line(&placard, &ann, &text(&taken["id"]), "k1");
    placard.change(&ann, &["bank", "ignore", &first]).done();
    assert_eq!(placard.change(&ann, &["bank", "unmatch", &first]).done()["match"], Value::Null);
    placard.change(&ann, &["bank", "ignore", &first]).done();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_outside_reference_is_one_payout() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    paid(&placard, &ann, &ben, "10.00", "OUT-1").await;
    let app = placard.app();
    let user: UserId = find_account(&app, "demo").await.expect("demo");
    let id = withdraw(&app, Proof::assumed(user), Withdraw { amount: "5.00".parse().expect("an amount"), key: None })
        .await
        .expect("asked")
        .id
        .to_string();
    placard.change(&ann, &["withdrawal", "approve", &id]).done();
    placard.change(&ben, &["withdrawal", "pay", &id, "--reference", " OUT-1 "]).refused("reference_used");
    placard.change(&ben, &["withdrawal", "pay", &id, "--reference", " "]).refused("params");
    assert_eq!(placard.change(&ben, &["withdrawal", "pay", &id]).done()["status"], "paid");
}

/// The example with this format on the page about statements.
fn example(form: &str) -> &'static str {
    let page = include_str!("../../../../../docs/BANK.md");
    let begin = page.split_once(&format!("```{form}\n")).expect("a fence").1;
    begin.split_once("```").expect("its end").0
}

#[test]
fn the_examples_of_the_page_are_read() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let xml = placard.file("page.xml", example("xml"));
    let read = placard.change(&ann, &["bank", "import", &xml]).done();
    assert_eq!((&read["lines"], &read["left_out"], &read["closing"]), (&2.into(), &1.into(), &"1150.50".into()));
    let csv = placard.file("page.csv", example("csv"));
    let told = [
        "bank",
        "import",
        &csv,
        "--account",
        "CSV-1",
        "--decimal",
        "comma",
        "--opening",
        "1000.00",
        "--closing",
        "1147.30",
    ];
    assert_eq!(placard.change(&ann, &told).done()["lines"], 3);
}

#[test]
fn what_is_missing_between_statements_is_shown_until_it_is_there() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let of = |day: u8, closing: &str| {
        let path = placard.file(&format!("{day}.csv"), &format!("{HEADER}2026-01-0{day},10.00,USD,r{day},,,\n"));
        placard.change(&ann, &["bank", "import", &path, "--account", "DE02", "--closing", closing]).done()
    };
    let first = of(5, "110.00");
    let gap = &of(7, "130.00")["gaps"][0];
    assert_eq!((&gap["from"], &gap["to"]), (&"110.00".into(), &"120.00".into()));
    let shown = placard.text(&ann, &["bank", "show", &text(&first["id"])]);
    assert!(shown.contains("something is missing between\nAFTER"), "{shown}");
    let doctor = placard.run(&["doctor"]).done();
    let found = doctor["findings"].as_array().expect("a list").iter().find(|found| found["check"] == "bank");
    assert_eq!(found.expect("the bank")["status"], "warning", "{doctor}");
    assert_eq!(of(6, "120.00")["gaps"], Value::Array(Vec::new()));
    let latin = placard.file("latin.csv", "");
    std::fs::write(&latin, b"date,amount,currency,counterparty\n2026-01-08,1.00,USD,J\xfcrgen\n").expect("written");
    placard.change(&ann, &["bank", "import", &latin, "--account", "DE02"]).misused("--encoding");
    let read = ["bank", "import", &latin, "--account", "DE02", "--encoding", "latin1", "--closing", "131.00"];
    assert_eq!(placard.change(&ann, &read).done()["leftovers"][0]["counterparty"], "Jürgen");
}

#[test]
fn a_banks_own_table_is_read_and_what_is_passed_over_is_named() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let rows = "Posting Date,Value Date,Description,Reference,Debit,Credit,Balance\n\
                11/17/2026,11/17/2026,fee,F-7,3.20,,146.80\n11/16/2026,11/16/2026,BANK-4711,,,50.00,150.00\n";
    let path = placard.file("own.csv", rows);
    let import = ["bank", "import", &path, "--account", "DE02"];
    placard.change(&ann, &import).misused("--currency");
    let read = placard.change(&ann, &[&import[..], &["--currency", "USD"]].concat()).done();
    assert_eq!((&read["opening"], &read["closing"]), (&"100.00".into(), &"146.80".into()));
    assert_eq!(read["passed_over"], Value::Array(vec!["Value Date".into()]));
    assert_eq!(read["leftovers"][0]["text"], "F-7, fee");
}
