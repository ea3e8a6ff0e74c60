//! What an exchange is owed and how it is paid, from the command line.

use crate::support::{Placard, deeds, text};

const NORTH: &str = "name = \"North\"\ndomain = \"north.example\"\ncontact = \"ads@north.example\"\n";

#[test]
fn an_exchange_has_a_month_and_is_paid_by_two_people() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let added = placard.change(&anna, &["ssp", "add", &placard.file("north.toml", NORTH)]).done();
    let ssp = text(&added["ssp"]["id"]);
    let month = placard.run_as(&anna, &["ssp", "statement", &ssp]).done();
    for (figure, expected) in [("opening", "0.00"), ("owed", "0.00"), ("paid", "0.00"), ("closing", "0.00")] {
        assert_eq!(month[figure], expected, "{figure}");
    }
    for count in ["bids", "wins", "views", "unconfirmed"] {
        assert_eq!(month[count], 0, "{count}");
    }
    let csv = placard.text(&anna, &["ssp", "statement", &ssp, "--csv", "--lang", "de"]);
    assert!(csv.contains("Gebote,Gemeldete Zuschläge,Impressionen,Unbestätigte Impressionen"), "{csv}");
    let pdf = placard.command_as(&anna, &["ssp", "statement", &ssp, "--pdf"]).output().expect("runs");
    assert!(pdf.stdout.starts_with(b"%PDF"), "{:?}", String::from_utf8_lossy(&pdf.stderr));
    // Under another publisher's number there is no exchange.
    for command in ["statement", "account"] {
        placard.run_as(&anna, &["ssp", command, "1"]).refused("not_found");
    }
    placard.change(&anna, &["ssp", "payout", "1", "50.00"]).refused("not_found");
    placard.change(&anna, &["ssp", "correct", "1", "--amount", "5.00"]).refused("not_found");
    let to = placard.file("account.toml", "holder = \"N\"\naccount = \"DE89370400440532013000\"\nbank = \"B\"\n");
    placard.change(&anna, &["ssp", "terms", "1", "--destination", &to]).refused("not_found");
    let terms = text(&placard.change(&anna, &["ssp", "terms", &ssp, "--destination", &to]).done()["id"]);
    placard.change(&anna, &["request", "approve", &terms]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &terms]).done();
    assert_eq!(placard.run_as(&anna, &["ssp", "account", &ssp]).done()["destination"]["holder"], "N");
    placard.change(&anna, &["ssp", "payout", &ssp, "50.00"]).refused("params");
    let more = placard.change(&anna, &["ssp", "correct", &ssp, "--amount", "5.00"]).done();
    let more = text(&more["id"]);
    placard.change(&anna, &["request", "approve", &more]).refused("second_person_needed");
    placard.change(&ben, &["request", "approve", &more]).done();
    let month = placard.run_as(&anna, &["ssp", "statement", &ssp]).done();
    assert_eq!((&month["corrected"], &month["closing"]), (&"5.00".into(), &"5.00".into()));
    let said = ["publisher_correction.approve", "publisher_correction.request", "publisher_terms.approve"];
    assert_eq!(deeds(&placard, &anna)[..3], said);
    for check in [&["ledger", "verify"][..], &["audit", "verify"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
}
