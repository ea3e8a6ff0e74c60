//! Files that tell the bank to pay publishers.

use bank::payments::{Party, PartyAccount};
use bank::{DecimalMark, Form, digest_of, table};
use campaigns::AdServer;
use desk::requests::{approve, show};
use foundation::Settings;
use foundation::staff::audit_log::verify_audit;
use money::wallet::payment_files::{PaidByFile, export, report_not_taken};
use money::wallet::publishers::payouts::{pay, take_back};
use money::wallet::reconcile::{self, BankFile, confirm, import};
use money::wallet::verify::verify;
use store::on_both;
use wallet::BankDocument;

use super::payouts::{agree, ask, destination, earned, figures, id};
use crate::intruder::keep;
use crate::money::why;
use crate::support::Market;

const DAY: i64 = 86_400;

fn paying(market: &Market) -> AdServer {
    let account = PartyAccount::Other("123456789012".into());
    let payer = Party { name: "Placard Ltd".into(), account, bic: Some("CHASUS33".into()), bank: None };
    let mut app = market.world.app.clone();
    app.app.settings = Settings { payer: Some(payer), ..(*app.settings).clone() }.into();
    app
}

async fn said(app: &AdServer, market: &Market, line: &str) -> usize {
    let file = format!("date,amount,currency,reference,id\n{line}");
    let form = Form {
        account: "DE02".into(),
        currency: "USD".into(),
        decimal: DecimalMark::Point,
        opening: None,
        closing: None,
    };
    let statement = table(file.as_bytes(), &form).expect("a statement");
    let file = BankFile::one(statement, digest_of(file.as_bytes(), "DE02"));
    let taken = import(app, &market.world.ann, file, false).await.expect("imported").remove(0);
    let statement = taken.id.expect("an id");
    let seen = reconcile::show(app, statement).await.expect("shown").proposals.digest;
    confirm(app, &market.world.bob, statement, &seen, |_| {}).await.expect("confirmed").matched
}

on_both!(a_payout_is_exported_by_another_person_and_confirmed_by_the_bank, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&paying(&market), &market.world.ann, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    let none = export(app, ann, BankDocument::PublisherPayout, None).await.expect("looked at").0;
    assert!(none.payments.is_empty() && none.left_out.is_empty(), "it is not approved");
    approve(app, bob, asked.id.into()).await.expect("approved");
    let own = export(app, bob, BankDocument::PublisherPayout, None).await.expect("looked at").0;
    assert_eq!(own.left_out[0].reason, "own_approval");
    let (file, bytes) = export(app, ann, BankDocument::PublisherPayout, None).await.expect("exported");
    let xml = String::from_utf8(bytes.expect("a file")).expect("text");
    for part in ["<Nm>The Daily Ltd</Nm>", "<IBAN>DE89370400440532013000</IBAN>", "<BICFI>CHASUS33</BICFI>", ">60.00<"]
    {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    let e2e = &file.payments[0].end_to_end;
    let again = export(app, ann, BankDocument::PublisherPayout, None).await.expect("looked at");
    assert_eq!((again.0.payments.len(), again.1), (0, None));
    assert_eq!(why(pay(app, ann, id(&asked), "OUT-1").await), "in_payment_file");
    assert_eq!(why(take_back(app, ann, id(&asked)).await), "in_payment_file");
    assert_eq!(figures(&market).await, ["70.00", "0.00", "60.00", "10.00"]);
    assert_eq!(said(app, &market, &format!("2026-03-01,-59.00,USD,{e2e},a\n")).await, 0, "another amount");
    assert_eq!(said(app, &market, &format!("2026-03-02,-60.00,USD,{e2e},b\n")).await, 1);
    assert_eq!(figures(&market).await, ["70.00", "60.00", "0.00", "10.00"]);
    let shown = show(app, asked.id.into()).await.expect("shown");
    assert!(shown.cleared_at.is_some() && shown.reference.as_ref() == Some(e2e), "{shown:?}");
    assert!(verify(app).await.expect("verified").ok);
    let audit = verify_audit(app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
    market.check().await;
});

on_both!(a_payout_that_the_bank_did_not_take_is_free_again, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&paying(&market), &market.world.ann, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    export(app, ann, BankDocument::PublisherPayout, None).await.expect("exported");
    let document = PaidByFile::PublisherPayout(id(&asked));
    assert_eq!(report_not_taken(app, ann, document).await.expect("said").status, "waiting");
    assert_eq!(why(report_not_taken(app, ann, document).await), "second_person_needed");
    assert_eq!(report_not_taken(app, bob, document).await.expect("agreed").status, "free");
    let unpaid = take_back(app, ann, id(&asked)).await.expect("requested");
    approve(app, bob, unpaid.id.into()).await.expect("taken back");
    assert!(verify(app).await.expect("verified").ok);
});

on_both!(nothing_is_paid_where_it_was_not_approved, |test| {
    let market = earned(test).await;
    let (app, ann, bob) = (&paying(&market), &market.world.ann, &market.world.bob);
    let asked = ask(&market, "60.00").await.expect("requested");
    approve(app, bob, asked.id.into()).await.expect("approved");
    market.wait(60);
    agree(&market, None, Some(destination("GB82WEST12345698765432"))).await;
    market.wait(2 * DAY);
    let changed = export(app, ann, BankDocument::PublisherPayout, None).await.expect("looked at").0;
    assert_eq!(changed.left_out[0].reason, "destination_changed", "two people changed it");
    // It is sealed for this publisher, and would be taken for the one of then.
    keep(app, &["UPDATE publishers SET destination_since = 1 WHERE id = 1"]).await;
    assert_eq!(why(export(app, ann, BankDocument::PublisherPayout, None).await), "payment_altered");
});
