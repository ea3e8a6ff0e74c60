//! Paying publishers, from the command line to the bank's statement.

use serde_json::Value;

use crate::support::{Key, Placard, WithPast, deeds, text, with_past};

fn account(placard: &Placard, who: &Key) -> Value {
    placard.run_as(who, &["publisher", "account", "3"]).done()
}

fn minor(value: &Value) -> i64 {
    text(value).parse::<base::Money>().expect("an amount").minor()
}

#[test]
fn a_publisher_of_the_demonstration_is_paid() {
    let WithPast { placard, anna, ben, .. } = with_past(store::testing::sqlite());
    let before = account(&placard, &anna);
    assert_eq!((text(&before["paid"]).as_str(), text(&before["asked"]).as_str()), ("60.00", "0.00"));
    let payable = minor(&before["payable"]);
    assert!(payable > 0, "{before}");
    // It is closed, so that less than 50.00 is paid out as well.
    placard.change(&anna, &["publisher", "close", "3"]).done();
    let asked = placard.change(&anna, &["publisher", "payout", "3", &text(&before["payable"])]).done();
    assert_eq!((&asked["kind"], &asked["status"]), (&"publisher_payout".into(), &"requested".into()));
    let id = text(&asked["id"]);
    placard.change(&anna, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &id]).done();
    placard.change(&ben, &["publisher", "paid", &id, "--reference", "OUT-9"]).refused("second_person_needed");
    let unpaid = placard.change(&ben, &["publisher", "unpaid", &id]).done();
    assert_eq!((&unpaid["kind"], &unpaid["status"]), (&"unpaid".into(), &"requested".into()));
    assert_eq!(minor(&account(&placard, &anna)["payable"]), 0);
    placard.change(&anna, &["request", "approve", &text(&unpaid["id"])]).done();
    assert_eq!(minor(&account(&placard, &anna)["payable"]), payable);
    let asked = placard.change(&anna, &["publisher", "payout", "3", &text(&before["payable"])]).done();
    let id = text(&asked["id"]);
    placard.change(&ben, &["request", "approve", &id]).done();
    placard.change(&anna, &["publisher", "paid", &id, "--reference", "OUT-9"]).done();
    let after = account(&placard, &anna);
    assert_eq!((minor(&after["paid"]), minor(&after["payable"])), (6_000 + payable, 0));
    let said = ["publisher_payout.pay", "publisher_payout.approve", "publisher_payout.request"];
    assert_eq!(deeds(&placard, &anna)[..3], said);

    let header = "date,amount,currency,reference,counterparty,description,id\n";
    let line = format!("2026-01-02,-{},USD,OUT-9,Example Travel,,k1\n", text(&before["payable"]));
    let file = placard.file("bank.csv", &format!("{header}{line}"));
    let taken = placard.change(&anna, &["bank", "import", &file, "--account", "DE02"]).done();
    assert_eq!(taken["matched"], 1, "{taken}");
    placard.confirm_bank(&ben, &text(&taken["id"])).done();
    assert!(placard.run_as(&anna, &["request", "show", &id]).done()["cleared_at"].is_string());
    for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
}

#[test]
fn a_publisher_of_the_demonstration_is_corrected() {
    let WithPast { placard, anna, ben, .. } = with_past(store::testing::sqlite());
    let before = account(&placard, &anna);
    placard.change(&anna, &["publisher", "correct", "3", "--amount", "-99999.00"]).refused("params");
    placard.run_as(&anna, &["publisher", "correct", "3", "--amount", "-1.00"]).misused("--reason");
    for (amount, kind, direction) in
        [("0.34", "publisher_credit", "from_revenue"), ("-0.10", "publisher_debit", "to_revenue")]
    {
        let asked = placard.change(&anna, &["publisher", "correct", "3", "--amount", amount]).done();
        assert_eq!((&asked["kind"], &asked["direction"]), (&kind.into(), &direction.into()));
        let id = text(&asked["id"]);
        placard.change(&anna, &["request", "approve", &id]).refused("second_person_needed");
        placard.change(&ben, &["request", "approve", &id]).done();
        assert_eq!(deeds(&placard, &anna)[..2], ["publisher_correction.approve", "publisher_correction.request"]);
    }
    let after = account(&placard, &anna);
    assert_eq!((minor(&after["corrected"]), minor(&after["earned"])), (24, minor(&before["earned"])));
    assert_eq!(minor(&after["payable"]), minor(&before["payable"]) + 24);
    let month = placard.run_as(&anna, &["publisher", "statement", "3"]).done();
    assert_eq!(month["corrected"], "0.24");
    assert_eq!(
        (&month["corrections"][0]["amount"], &month["corrections"][1]["amount"]),
        (&"0.34".into(), &"-0.10".into())
    );
    for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
}

#[test]
fn buyers_of_the_demonstration_get_their_money_back() {
    let WithPast { placard, anna, ben, .. } = with_past(store::testing::sqlite());
    let before = account(&placard, &anna);
    let file = placard.file(
        "script.toml",
        "publisher = 3\nfrom = 2025-01-01\nuntil = 2026-12-31\nkind = \"click\"\nsum = \"1.00\"\n",
    );
    placard.run_as(&anna, &["delivery", "correct", &file]).misused("--reason");
    let odd = placard.file("odd.toml", "publishers = 3\n");
    placard.change(&anna, &["delivery", "correct", &odd]).misused("odd.toml");
    let asked = placard.change(&anna, &["delivery", "correct", &file]).done();
    assert_eq!((&asked["kind"], &asked["amount"]), (&"delivery_correction".into(), &"1.00".into()));
    assert!(asked["proposal"]["plans"]["to"].as_object().is_some_and(|plans| !plans.is_empty()), "{asked}");
    let id = text(&asked["id"]);
    placard.change(&anna, &["request", "approve", &id]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &id]).done();
    assert_eq!(deeds(&placard, &anna)[..2], ["delivery_correction.approve", "delivery_correction.request"]);
    let after = account(&placard, &anna);
    let taken = minor(&asked["proposal"]["publisher_gives"]["to"]);
    assert!((1..=70).contains(&taken), "{asked}");
    assert_eq!(minor(&after["corrected"]), minor(&before["corrected"]) - taken);
    for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
}

#[test]
fn terms_and_statements_come_from_files_and_go_into_them() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let file = placard.file("account.toml", "holder = \"D\"\naccount = \"DE89370400440532013000\"\nbank = \"B\"\n");
    let odd = placard.file("odd.toml", "holder = \"D\"\niban = \"DE89\"\n");
    placard.change(&anna, &["publisher", "terms", "1", "--destination", &odd]).misused("odd.toml");
    placard.change(&anna, &["publisher", "terms", "1"]).refused("params");
    let wrong = placard.file("wrong.toml", "holder = \"D\"\naccount = \"x\"\nbank = \"B\"\n");
    let nobodys = placard.file("nobodys.toml", "publisher = 99\nfrom = 2024-01-01\nuntil = 2024-01-02\n");
    for (arguments, told) in [
        (&["publisher", "terms", "1", "--destination", &wrong][..], "account is not the number of an account"),
        (&["delivery", "correct", &nobodys], "publisher is not there"),
    ] {
        let ran = placard.change(&anna, arguments);
        assert!(ran.err.contains(told), "{ran:?}");
        ran.refused("params");
    }
    let asked = placard.change(&anna, &["publisher", "terms", "1", "--share", "0.65", "--destination", &file]).done();
    assert_eq!(asked["proposal"]["destination"]["to"], "sealed");
    let id = text(&asked["id"]);
    let shown = placard.run_as(&ben, &["request", "show", &id]).done();
    assert_eq!(shown["proposal"]["destination"]["to"]["account"], "DE89370400440532013000");
    placard.change(&ben, &["request", "approve", &id]).done();
    assert_eq!(placard.run_as(&anna, &["publisher", "show", "1"]).done()["share"], "0.65");
    let month = placard.run_as(&anna, &["publisher", "statement", "1", "--month", "2026-01"]).done();
    assert_eq!((&month["opening"], &month["closing"]), (&"0.00".into(), &"0.00".into()));
    let none = placard.run_as(&anna, &["publisher", "statement", "1", "--month", "2026-13"]);
    assert!(none.err.contains("month is no month, such as 2026-11"), "{none:?}");
    none.refused("params");
    placard.run_as(&anna, &["publisher", "statement", "1", "--month", " ２０２６-01 "]).done();
    let csv = placard.text(&anna, &["publisher", "statement", "1", "--csv", "--lang", "de"]);
    assert!(csv.contains("Anfangssaldo"), "{csv}");
    let pdf = placard.command_as(&anna, &["publisher", "statement", "1", "--pdf"]).output().expect("runs");
    assert!(pdf.stdout.starts_with(b"%PDF"), "{:?}", String::from_utf8_lossy(&pdf.stderr));
}

#[test]
fn a_publishers_ads_txt_names_the_installation() {
    let placard = Placard::on_sqlite();
    let (anna, _) = placard.demonstration();
    let unset = placard.run_as(&anna, &["publisher", "ads-txt", "1"]);
    assert!(unset.err.contains("PLACARD_DOMAIN is missing"), "{unset:?}");
    unset.refused("params");
    let mut command = placard.command_as(&anna, &["publisher", "ads-txt", "1"]);
    let ran = command.env("PLACARD_DOMAIN", "Ads.Placard.Example").output().expect("runs");
    let lines = String::from_utf8(ran.stdout).expect("UTF-8");
    assert_eq!(lines, "OWNERDOMAIN=daily.example\nads.placard.example, 1, DIRECT\n");
    let mut wrong = placard.command_as(&anna, &["publisher", "ads-txt", "1"]);
    let ran = wrong.env("PLACARD_DOMAIN", "https://ads.placard.example").output().expect("runs");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("PLACARD_DOMAIN"), "{ran:?}");
}

#[test]
fn payment_files_need_a_payer_and_something_to_pay() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    for of in [&["withdrawal"][..], &["publisher", "payout"]] {
        let command = |rest: &[&'static str]| [of, rest].concat();
        placard.change(&ben, &command(&["export", "pay.xml"])).refused("params");
        placard.change(&ben, &command(&["export", "none/pay.xml"])).misused("is no folder");
        placard.change(&ben, &command(&["export", "/proc/pay.xml"])).misused("/proc: ");
        placard.change(&ben, &command(&["untaken", "999"])).refused("not_found");
        let mut paying = placard.command_as(&anna, &command(&["export", "pay.xml", "--reason", "r"]));
        paying.env("PLACARD_PAYER_NAME", "Placard Ltd").env("PLACARD_PAYER_ACCOUNT", "DE02120300000000202051");
        let ran = paying.output().expect("runs");
        assert_eq!(ran.status.code(), Some(1), "nothing is approved: {ran:?}");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("execute_on"), "{ran:?}");
    }
}
