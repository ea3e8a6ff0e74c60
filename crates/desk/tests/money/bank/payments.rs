//! Files that tell the bank to pay withdrawals: by two people, each once, and booked by the bank's own word.

use auth::Role;
use bank::payments::{Party, PartyAccount};
use base::WithdrawalId;
use campaigns::AdServer;
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::staff::audit_log::{AuditFilter, audit_lines, verify_audit};
use foundation::staff::operator_keys::revoke_operator;
use foundation::{Error, Settings};
use money::wallet::bank_card::CardView;
use money::wallet::payment_files::{ExportedFile, PaidByFile, export, report_not_taken};
use money::wallet::reconcile::{BankFile, import, match_line, open, show};
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{
    StaffWithdrawal, WithdrawalFilter, all_withdrawals, approve_withdrawal, pay_withdrawal, reject_withdrawal,
};
use store::testing::TestDb;
use store::{PageRequest, on_both};
use wallet::BankDocument;

use super::{confirm_shown, statement};
use crate::support::{World, address, bind, money, why, world};

const IBAN: &str = "DE89370400440532013000";

fn card(holder: &str, account: &str) -> CardView {
    CardView::BankCard {
        card_name: "Main".into(),
        user_name: holder.into(),
        mobile: "+49 170 1234567".into(),
        bank_name: "Sparkasse Köln".into(),
        bank_account: account.into(),
        branch_name: "Mitte".into(),
        beneficiary_name: None,
        bank_address: None,
    }
}

fn with(mut app: AdServer, settings: Settings) -> AdServer {
    app.app.settings = settings.into();
    app
}

fn paying(app: AdServer) -> AdServer {
    let payer = Party {
        name: "Placard Ltd".into(),
        account: PartyAccount::Iban("DE02120300000000202051".into()),
        bic: None,
        bank: None,
    };
    let settings = Settings { payer: Some(payer), ..(*app.settings).clone() };
    with(app, settings)
}

/// A user with money and a bank account, in an installation that pays by files.
async fn ready(test: TestDb) -> World {
    let w = world(test).await;
    let w = World { app: paying(w.app.clone()), ..w };
    w.recharge("1000", "first").await;
    bind(&w.app, w.user, card("Jürgen Groß", IBAN)).await.expect("bound");
    w
}

async fn asked(w: &World, amount: &str) -> WithdrawalId {
    let asked = Withdraw { amount: amount.parse().expect("an amount"), key: None };
    withdraw(&w.app, Proof::assumed(w.user), asked).await.expect("accepted").id
}

/// Requested, and approved by Ann.
async fn approved(w: &World, amount: &str) -> WithdrawalId {
    let id = asked(w, amount).await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    id
}

async fn exported(w: &World, by: &Staff) -> Result<(ExportedFile, Option<Vec<u8>>), Error> {
    export(&w.app, by, BankDocument::Withdrawal, None).await
}

fn left_out(file: &ExportedFile) -> Vec<(&str, &str)> {
    file.left_out.iter().map(|one| (one.document.as_str(), one.reason)).collect()
}

async fn seen(w: &World, id: WithdrawalId) -> StaffWithdrawal {
    let wanted = WithdrawalFilter::default();
    let all = all_withdrawals(&w.app, wanted, PageRequest { before: None, limit: 100 }).await.expect("a list").items;
    all.into_iter().find(|one| one.withdrawal.id == id).expect("listed")
}

async fn tampered(w: &World, sql: &'static str) {
    let done = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(sql)?));
    done.await.expect("written past the program");
}

on_both!(another_person_exports_each_once_and_the_bank_confirms_it, |test| {
    let w = ready(test).await;
    assert_eq!(why(exported(&w, &w.carl).await), "not_permitted");
    let id = approved(&w, "40.50").await;
    let (own, none) = exported(&w, &w.ann).await.expect("looked at");
    assert_eq!((left_out(&own), none), (vec![("withdrawal:1", "own_approval")], None));

    let (file, bytes) = exported(&w, &w.bob).await.expect("exported");
    let xml = String::from_utf8(bytes.expect("a file")).expect("text");
    for part in
        ["<IBAN>DE89370400440532013000</IBAN>", "<Nm>Jurgen Gross</Nm>", "<InstdAmt Ccy=\"USD\">40.50</InstdAmt>"]
    {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    let [payment] = file.payments.as_slice() else { panic!("{file:?}") };
    assert!(xml.contains(&format!("<EndToEndId>{}</EndToEndId>", payment.end_to_end)));
    assert_eq!((payment.bound_as.as_deref(), payment.account.as_str()), (Some("Jürgen Groß"), "****3000"));
    assert!(!serde_json::to_string(&file).expect("JSON").contains(IBAN), "what is shown has no account in full");
    let digest: [u8; 32] = sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(&xml)).into();
    assert_eq!(file.sha256, Some(base::hex::encode(&digest)));
    let filter = AuditFilter { action: Some("payment_file.export".into()), ..AuditFilter::default() };
    let records = audit_lines(&w.app, filter, PageRequest { before: None, limit: 9 }).await.expect("records").items;
    let details = serde_json::to_string(&records).expect("JSON");
    for fact in [file.sha256.as_deref().expect("a digest"), &payment.end_to_end, "40.50"] {
        assert!(details.contains(fact), "{fact} in {details}");
    }
    assert!(!details.contains(IBAN));

    // It is in one file, and nothing else is done with it.
    let (again, none) = exported(&w, &w.bob).await.expect("looked at");
    assert_eq!((again.payments.len(), left_out(&again).len(), none), (0, 0, None));
    for refused in [
        why(pay_withdrawal(&w.app, &w.bob, id, Some("OTHER".into())).await),
        why(pay_withdrawal(&w.app, &w.bob, id, None).await),
        why(reject_withdrawal(&w.app, &w.bob, id).await),
    ] {
        assert_eq!(refused, "in_payment_file");
    }
    assert_eq!(
        (seen(&w, id).await.withdrawal.status.name(), w.property().await.withdrawing),
        ("approved", money("40.50"))
    );

    // A line with its id and another amount is named, and books nothing.
    let e2e = &payment.end_to_end;
    let other = taken(&w, &format!("2026-01-01,1000.00,USD,first,a\n2026-01-02,-40.60,USD,{e2e},b\n")).await;
    let found = open(&w.app, 100).await.expect("open");
    let difference = found.iter().find(|one| one.finding == "difference").expect("named");
    assert_eq!(difference.documents, ["withdrawal:1"]);
    let line = difference.line.expect("a line");
    assert_eq!(why(match_line(&w.app, &w.ann, line, "withdrawal:1").await), "bank_amount_differs");
    confirm_shown(&w, &w.bob, other).await.expect("the recharge");
    assert_eq!(seen(&w, id).await.withdrawal.status.name(), "approved");

    let right = taken(&w, &format!("2026-01-03,-40.50,USD,{e2e},c\n")).await;
    assert_eq!(why(confirm_shown(&w, &w.ann, right).await), "second_person_needed");
    assert_eq!(confirm_shown(&w, &w.bob, right).await.expect("confirmed").matched, 1);
    let paid = seen(&w, id).await;
    assert_eq!((paid.withdrawal.status.name(), paid.reference.as_ref()), ("paid", Some(e2e)));
    assert!(paid.cleared_at.is_some() && paid.paid_by == Some(w.bob.id()));
    let books = show(&w.app, right).await.expect("shown").books;
    assert_eq!((books.payout_transit, w.property().await.withdrawing), (money("0"), money("0")));
    assert!(verify(&w.app).await.expect("verified").ok);
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

async fn taken(w: &World, lines: &str) -> base::BankStatementId {
    let (statement, digest) = statement(lines);
    let taken = import(&w.app, &w.ann, BankFile::one(statement, digest), false).await.expect("imported").remove(0);
    taken.id.expect("an id")
}

on_both!(two_people_say_that_the_bank_did_not_take_it, |test| {
    let w = ready(test).await;
    let id = approved(&w, "40").await;
    let document = PaidByFile::Withdrawal(id);
    assert_eq!(why(report_not_taken(&w.app, &w.ann, document).await), "id=not_exported");
    let first = exported(&w, &w.bob).await.expect("exported").0.payments.remove(0).end_to_end;
    assert_eq!(why(report_not_taken(&w.app, &w.carl, document).await), "not_permitted");
    assert_eq!(report_not_taken(&w.app, &w.ann, document).await.expect("said").status, "waiting");
    assert_eq!(why(report_not_taken(&w.app, &w.ann, document).await), "second_person_needed");
    assert_eq!(why(pay_withdrawal(&w.app, &w.bob, id, None).await), "in_payment_file");
    let line = format!("2026-01-02,-40.00,USD,{first},b\n");
    let statement = taken(&w, &line).await;
    assert_eq!(why(report_not_taken(&w.app, &w.bob, document).await), "already_matched", "the bank did");
    let shown = open(&w.app, 9).await.expect("open").remove(0);
    assert_eq!(shown.finding, "waiting");
    money::wallet::reconcile::unmatch_line(&w.app, &w.ann, shown.line.expect("a line")).await.expect("withdrawn");
    assert_eq!(report_not_taken(&w.app, &w.bob, document).await.expect("agreed").status, "free");
    // The old id is not that of the next payment, so a line with it is nobody's.
    let second = exported(&w, &w.bob).await.expect("exported again").0.payments.remove(0).end_to_end;
    assert_ne!(first, second);
    assert!(money::wallet::reconcile::propose(&w.app, &w.ann, statement).await.expect("compared").is_empty());
    assert!(verify(&w.app).await.expect("verified").ok);
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(a_payout_that_comes_back_is_named, |test| {
    let w = ready(test).await;
    approved(&w, "40.50").await;
    let e2e = exported(&w, &w.bob).await.expect("exported").0.payments.remove(0).end_to_end;
    let paid = taken(&w, &format!("2026-01-01,-40.50,USD,{e2e},a\n")).await;
    confirm_shown(&w, &w.bob, paid).await.expect("paid");
    // Less, because the bank kept a fee; more is another payment that only names it.
    let back = format!("2026-01-03,38.50,USD,Return of {e2e} AC04 closed,b\n2026-01-03,41.00,USD,{e2e},c\n");
    let statement = taken(&w, &back).await;
    let named = show(&w.app, statement).await.expect("shown").leftovers;
    let findings: Vec<&str> = named.iter().map(|one| one.finding.as_str()).collect();
    assert_eq!(findings, ["returned", "unknown"]);
    let found = open(&w.app, 9).await.expect("open").into_iter().find(|one| one.finding == "returned").expect("named");
    assert!(found.text.contains("AC04 closed") && found.documents == ["withdrawal:1"], "{found:?}");
    let payout = found.returned.expect("a payout");
    assert_eq!((payout.document.as_str(), payout.of.as_str(), payout.amount), ("withdrawal:1", "demo", money("40.50")));
    assert_eq!((payout.name.as_deref(), payout.account.as_deref()), (Some("Jürgen Groß"), Some("****3000")));

    let other = approved(&w, "30").await;
    exported(&w, &w.bob).await.expect("exported");
    let said = report_not_taken(&w.app, &w.ann, PaidByFile::Withdrawal(other)).await.expect("said");
    assert_eq!((said.payout.of.as_str(), said.payout.amount), ("demo", money("30")));
    assert_eq!((said.payout.account.as_deref(), said.reason.as_str()), (Some("****3000"), "a test"));
});

on_both!(what_somebody_said_who_was_revoked_since_frees_no_payment, |test| {
    let w = ready(test).await;
    let document = PaidByFile::Withdrawal(approved(&w, "40").await);
    exported(&w, &w.bob).await.expect("exported");
    let dora = Staff::new(w.test.operator("dora", Role::Admin).await, "a test").expect("a reason");
    assert_eq!(report_not_taken(&w.app, &dora, document).await.expect("said").status, "waiting");
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    assert_eq!(report_not_taken(&w.app, &w.bob, document).await.expect("said anew").status, "waiting");
    assert_eq!(why(report_not_taken(&w.app, &w.bob, document).await), "second_person_needed");
    assert_eq!(report_not_taken(&w.app, &w.ann, document).await.expect("agreed").status, "free");
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(what_was_edited_since_its_approval_is_not_paid, |test| {
    let w = ready(test).await;
    approved(&w, "40").await;
    bind(&w.app, w.user, card("Mia Chen", "GB82WEST12345698765432")).await.expect("bound");
    approved(&w, "30").await;
    asked(&w, "20").await;
    for (there, back) in [
        (
            "UPDATE withdrawals SET destination = (SELECT x.destination FROM withdrawals x WHERE x.id = 2) WHERE id = 1",
            "UPDATE withdrawals SET destination = (SELECT x.reason FROM withdrawals x WHERE x.id = 3) WHERE id = 1",
        ),
        ("UPDATE withdrawals SET amount = 4100 WHERE id = 1", "UPDATE withdrawals SET amount = 4000 WHERE id = 1"),
        (
            "UPDATE withdrawals SET approved_by = 2, approved_person = 2 WHERE id = 2",
            "UPDATE withdrawals SET approved_by = 1, approved_person = 1 WHERE id = 2",
        ),
        (
            "UPDATE withdrawals SET status = 1, approved_by = 1, approved_person = 1, approved_at = 1 WHERE id = 3",
            "UPDATE withdrawals SET status = 0, approved_by = NULL, approved_person = NULL, approved_at = NULL WHERE id = 3",
        ),
        ("UPDATE audit_head SET records = records + 1", "UPDATE audit_head SET records = records - 1"),
    ] {
        // What the first withdrawal's destination was is kept where nobody looks.
        tampered(
            &w,
            "UPDATE withdrawals SET reason = (SELECT x.destination FROM withdrawals x WHERE x.id = 1) WHERE id = 3",
        )
        .await;
        tampered(&w, there).await;
        assert_eq!(why(exported(&w, &w.bob).await), "payment_altered", "{there}");
        tampered(&w, back).await;
    }
    let (file, _) = exported(&w, &w.bob).await.expect("nothing is edited");
    assert_eq!(file.payments.len(), 2);
});

on_both!(nor_is_it_paid_by_hand, |test| {
    let w = ready(test).await;
    approved(&w, "40").await;
    approved(&w, "30").await;
    asked(&w, "20").await;
    let pay = async |by: &Staff, id: i64| {
        pay_withdrawal(&w.app, by, WithdrawalId(id), Some(format!("TX-{id}"))).await.map(|paid| paid.status)
    };
    for (there, back, by, id) in [
        (
            "UPDATE withdrawals SET amount = 4100 WHERE id = 1",
            "UPDATE withdrawals SET amount = 4000 WHERE id = 1",
            &w.bob,
            1,
        ),
        (
            "UPDATE withdrawals SET approved_by = 2, approved_person = 2 WHERE id = 2",
            "UPDATE withdrawals SET approved_by = 1, approved_person = 1 WHERE id = 2",
            &w.ann,
            2,
        ),
        (
            "UPDATE withdrawals SET status = 1, approved_by = 1, approved_person = 1, approved_at = 1 WHERE id = 3",
            "UPDATE withdrawals SET status = 0, approved_by = NULL, approved_person = NULL, approved_at = NULL WHERE id = 3",
            &w.bob,
            3,
        ),
    ] {
        tampered(&w, there).await;
        assert_eq!(why(pay(by, id).await), "payment_altered", "{there}");
        tampered(&w, back).await;
    }
    pay(&w.bob, 1).await.expect("paid");
    pay(&w.bob, 2).await.expect("paid");
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(what_a_file_cannot_pay_is_named, |test| {
    let w = ready(test).await;
    approved(&w, "10").await;
    for (bound, amount) in [
        (address("first"), "11"),
        (card("陈美", IBAN), "12"),
        (card(&"Mia Maria Chen ".repeat(5), IBAN), "13"),
        (card("Mia Chen", "1234 5678 9012"), "14"),
    ] {
        bind(&w.app, w.user, bound).await.expect("bound");
        approved(&w, amount).await;
    }
    let (file, bytes) = exported(&w, &w.bob).await.expect("exported");
    let reasons = [
        ("withdrawal:2", "wallet_address"),
        ("withdrawal:3", "name_needs_other_letters"),
        ("withdrawal:4", "name_too_long"),
    ];
    assert_eq!(left_out(&file), reasons);
    assert_eq!((file.payments.len(), &*file.total.to_string(), file.more), (2, "24.00", false));
    let xml = String::from_utf8(bytes.expect("a file")).expect("text");
    assert!(xml.contains("<Othr>\n       <Id>123456789012</Id>"), "{xml}");
    assert!(xml.contains("<Nm>Sparkasse Koln</Nm>"), "{xml}");
    // They are paid by hand as ever.
    pay_withdrawal(&w.app, &w.bob, WithdrawalId(2), Some("TX-1".into())).await.expect("paid");
});

on_both!(an_export_keeps_to_the_limits_and_the_days, |test| {
    let w = ready(test).await;
    tampered(&w, "UPDATE role_limits SET at_once = 5000, daily = 107000").await;
    for amount in ["40", "50.01", "30", "30.01"] {
        let id = asked(&w, amount).await;
        tampered(&w, "UPDATE role_limits SET at_once = 50000000, daily = 70000000 WHERE role = 2").await;
        approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    }
    let without = with(w.app.clone(), Settings::default());
    let refused = export(&without, &w.bob, BankDocument::Withdrawal, None).await;
    assert_eq!(why(refused), "PLACARD_PAYER_ACCOUNT=required");
    for (day, problem) in [("1999-01-01", "on=out_of_range"), ("2999-01-01", "on=out_of_range"), ("x", "on=invalid")] {
        assert_eq!(why(export(&w.app, &w.bob, BankDocument::Withdrawal, Some(day)).await), problem);
    }
    let (file, _) = exported(&w, &w.bob).await.expect("exported");
    assert_eq!(file.total.to_string(), "70.00");
    assert_eq!(left_out(&file), [("withdrawal:2", "over_limit"), ("withdrawal:4", "over_limit")]);
    // What was exported counts for the rest of the day.
    let (rest, none) = exported(&w, &w.bob).await.expect("looked at");
    assert_eq!((rest.left_out.len(), none), (2, None));
});

on_both!(of_many_who_export_at_once_each_payment_is_in_one_file, |test| {
    let w = ready(test).await;
    for _ in 0..3 {
        approved(&w, "10").await;
    }
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let (app, bob) = (w.app.clone(), w.bob.clone());
            tokio::spawn(async move { export(&app, &bob, BankDocument::Withdrawal, None).await })
        })
        .collect();
    let mut payments = 0;
    for task in tasks {
        payments += task.await.expect("no panic").expect("exported").0.payments.len();
    }
    assert_eq!(payments, 3);
    assert!(verify(&w.app).await.expect("verified").ok);
});
