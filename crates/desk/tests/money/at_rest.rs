//! Payout accounts and codes are sealed in the database, each for its own row; older rows
//! are sealed when the database is next opened.

use auth::Secrets;
use base::WithdrawalId;
use desk::installation::simulated::unused_codes;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use foundation::people::codes::{Activation, issue_codes, list_codes};
use foundation::people::pay_password::Proof;
use foundation::people::register::{Register, register};
use foundation::{Error, random};
use money::wallet::bank_card::bank_card;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{WithdrawalFilter, all_withdrawals, approve_withdrawal, withdrawal_detail};
use payee::testing::tron_address;
use store::installation::at_rest::{Sealing, SealingOutcome, seal};
use store::testing::TestDb;
use store::{PageRequest, Realm, on_both};

use crate::support::{World, address, funded, masked, why};

#[derive(QueryableByName)]
struct Kept {
    #[diesel(sql_type = Text)]
    text: String,
}

const EVERYTHING: &str = "SELECT destination AS text FROM bank_cards UNION ALL SELECT destination FROM withdrawals \
     UNION ALL SELECT code_hash FROM authorization_codes \
     UNION ALL SELECT COALESCE(sealed, '') FROM authorization_codes UNION ALL SELECT answer FROM idempotency_keys \
     UNION ALL SELECT details FROM audit UNION ALL SELECT params FROM notifications";

async fn kept(test: &TestDb) -> String {
    let rows: Vec<Kept> =
        test.db.read(|conn| Ok::<_, store::Error>(diesel::sql_query(EVERYTHING).load(conn)?)).await.expect("rows");
    rows.into_iter().map(|row| row.text + "\n").collect()
}

async fn execute(test: &TestDb, sql: &'static str) {
    let done = test.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(sql)?));
    done.await.expect("executed");
}

async fn asked(world: &World, amount: &str) -> WithdrawalId {
    let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
    let asked = withdraw(&world.app, Proof::assumed(world.user), command).await.expect("asked");
    asked.id
}

fn registration(name: &str, code: &str) -> Register {
    Register {
        username: name.into(),
        password: "a-good-password".into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: code.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: None,
    }
}

on_both!(nothing_of_them_is_legible_in_the_database, |test| {
    let world = funded(test, "100.00").await;
    asked(&world, "10.00").await;
    let codes = issue_codes(&world.app, world.bob.clone(), 3, None, Activation::Automatic).await.expect("issued");
    let text = kept(&world.test).await;
    for secret in codes.iter().map(String::as_str).chain([tron_address("first").as_str(), "TRC20"]) {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let staff =
        all_withdrawals(&world.app, WithdrawalFilter::default(), PageRequest::default()).await.expect("listed").items;
    assert_eq!(staff[0].destination["address"], tron_address("first"), "who has the secrets reads it");
    let listed = list_codes(&world.app, false, PageRequest::default()).await.expect("listed").items;
    assert_eq!(listed[0].code, format!("****-****-{}", &codes[2][10..]));
    assert_eq!(unused_codes(&world.app, PageRequest::default()).await.expect("read").len(), 3);
    register(&world.app, registration("ada", &codes[2].to_lowercase())).await.expect("registered");
    assert_eq!(why(register(&world.app, registration("bea", &codes[2])).await), "authorization_code_used");
    assert_eq!(unused_codes(&world.app, PageRequest::default()).await.expect("read"), [&codes[1][..], &codes[0][..]]);
});

on_both!(a_destination_opens_in_its_own_row_alone, |test| {
    let world = funded(test, "100.00").await;
    let first = asked(&world, "10.00").await;
    crate::support::bind(&world.app, world.user, address("attacker")).await.expect("bound");
    let second = asked(&world, "10.00").await;
    execute(
        &world.test,
        "UPDATE withdrawals SET destination = (SELECT destination FROM withdrawals o WHERE o.id = 2) WHERE id = 1",
    )
    .await;
    let listed =
        all_withdrawals(&world.app, WithdrawalFilter::default(), PageRequest::default()).await.expect("listed").items;
    assert!(listed[1].destination.is_null() && listed[0].destination["address"] == tron_address("attacker"));
    let refused = approve_withdrawal(&world.app, &world.ann, first).await;
    assert!(matches!(refused, Err(Error::Internal(_))), "{refused:?}");
    approve_withdrawal(&world.app, &world.ann, second).await.expect("its own");
    execute(
        &world.test,
        "UPDATE bank_cards SET destination = '{\"method\":\"wallet_address\",\"network\":\"T\",\"address\":\"TPLAIN\"}'",
    )
    .await;
    assert!(matches!(bank_card(&world.app, world.user).await, Err(Error::Internal(_))), "nobody types one in");
});

/// The rows of an older schema, after the migration.
const OLD: [&str; 4] = [
    "UPDATE installation SET sealed_at = NULL",
    "UPDATE bank_cards SET destination = \
     '{\"address\":\"TXYZ12345678\",\"method\":\"wallet_address\",\"network\":\"TRC20\"}'",
    "UPDATE withdrawals SET destination = '{\"method\":\"bank_card\",\"card_name\":\"Main\",\"user_name\":\"Ann Lee\",\
     \"mobile\":\"+49170\",\"bank_name\":\"Bank\",\"bank_account\":\"123456789012\",\"branch_name\":\"Mitte\",\
     \"beneficiary_name\":\"\",\"bank_address\":\"\"}'",
    "INSERT INTO authorization_codes (code_hash, issued_at) VALUES ('AAAA-BBBB-CCCC', 1)",
];

fn sealed_anew(world: &World) -> SealingOutcome {
    let nonce = || random().map_err(|e| store::Error::Corrupt(e.to_string()));
    let vault = Secrets::new([1; 32], [2; 32], [3; 32]).vault();
    let sealing = Sealing { vault: &vault, nonce: &nonce, realm: Realm::Simulated };
    seal(&world.app.db, &sealing).expect("sealed")
}

// Bound before such were refused: it is paid where it was, and staff are warned.
on_both!(an_account_that_would_be_refused_now_is_doubted, |test| {
    let world = funded(test, "100.00").await;
    let id = asked(&world, "10.00").await;
    execute(&world.test, OLD[0]).await;
    execute(
        &world.test,
        "UPDATE withdrawals SET destination = '{\"method\":\"bank_card\",\"card_name\":\"Main\",\"user_name\":\"Ann\",\
         \"mobile\":\"+49170\",\"bank_name\":\"Bank\",\"bank_account\":\"DE02120300000000202052\",\"branch_name\":\"\"}'",
    )
    .await;
    sealed_anew(&world);
    let found = withdrawal_detail(&world.app, id).await.expect("a detail").withdrawal;
    assert_eq!(found.destination_doubt.as_deref(), Some("the IBAN's check digits do not match"));
    approve_withdrawal(&world.app, &world.ann, id).await.expect("approved all the same");
});

on_both!(what_is_older_is_sealed_once_and_works_as_before, |test| {
    let world = funded(test, "100.00").await;
    // More than one batch.
    for _ in 0..3 {
        asked(&world, "10.00").await;
    }
    for sql in OLD {
        execute(&world.test, sql).await;
    }
    execute(
        &world.test,
        "INSERT INTO authorization_codes (code_hash, issued_at, used_by, used_at) \
         SELECT 'OLD-' || w.id || '-' || o.id, 1, w.user_id, 1 FROM withdrawals w, withdrawals o",
    )
    .await;
    let plain = ["123456789012", "TXYZ12345678", "AAAA-BBBB", "OLD-"];
    let text = kept(&world.test).await;
    assert!(plain.iter().all(|secret| text.contains(secret)), "{text}");
    assert_eq!(sealed_anew(&world), SealingOutcome::Now(1 + 3 + 1 + 9));
    assert_eq!(sealed_anew(&world), SealingOutcome::Before);
    let text = kept(&world.test).await;
    for secret in plain {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let listed =
        all_withdrawals(&world.app, WithdrawalFilter::default(), PageRequest::default()).await.expect("listed").items;
    assert!(listed.iter().all(|each| each.destination["bank_account"] == "123456789012"));
    assert_eq!(bank_card(&world.app, world.user).await.expect("read"), Some(masked("****5678")));
    assert_eq!(unused_codes(&world.app, PageRequest::default()).await.expect("read"), ["AAAA-BBBB-CCCC"]);
    register(&world.app, registration("ada", "aaaa-bbbb-cccc")).await.expect("registered");
    assert_eq!(why(register(&world.app, registration("bea", "OLD-1-2")).await), "authorization_code_used");
});
