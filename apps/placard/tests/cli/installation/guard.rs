//! An installation that has changed is not opened until an admin accepts that.

use std::fs;

use auth::Secrets;
use auth::secrets::RANDOM_BYTES;
use store::on_both;

use crate::support::{Placard, deeds};

#[test]
fn nothing_runs_without_the_secrets_that_were_used() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let bob = placard.operator(Some(&ann), "bob", "finance");
    let path = placard.path("data/secrets.toml");
    let own = fs::read_to_string(&path).expect("made");
    fs::remove_file(&path).expect("removed");
    placard.run(&["ledger", "verify"]).refused("PLACARD_SECRET_FILE");
    placard.run_as(&ann, &["account", "list"]).refused("PLACARD_SECRET_FILE");
    placard.change(&ann, &["accept", "secrets"]).refused("PLACARD_SECRET_FILE");
    assert!(!path.exists());
    fs::write(&path, Secrets::file_text(&[7; RANDOM_BYTES])).expect("written");
    let ran = placard.run(&["ledger", "verify"]);
    assert!(ran.err.contains("secrets.toml") && ran.err.contains("other secrets"), "{ran:?}");
    ran.refused("PLACARD_SECRET_FILE");
    // Only an admin may continue with others, and that is recorded.
    placard.run(&["accept", "secrets", "--reason", "r"]).refused("no_auth");
    placard.change(&bob, &["accept", "secrets"]).refused("not_permitted");
    placard.change(&ann, &["accept", "secrets"]).done();
    placard.run(&["ledger", "verify"]).refused("PLACARD_DATABASE_URL");
    placard.change(&ann, &["accept", "loss"]).done();
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
    assert_eq!(deeds(&placard, &ann)[..2], ["installation.accept_loss", "installation.accept_secrets"]);
    fs::write(&path, own).expect("put back");
    placard.run(&["ledger", "verify"]).refused("PLACARD_SECRET_FILE");
}

on_both!(what_was_answered_and_is_gone_is_noticed, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    let bob = placard.operator(Some(&ann), "bob", "finance");
    placard.change(&ann, &["account", "disable", "demo"]).done();
    let lost = match placard.url().starts_with("sqlite://") {
        true => "UPDATE high_water SET commits = commits - 3",
        false => {
            "SET LOCAL session_replication_role = replica; \
             DELETE FROM audit WHERE id = (SELECT MAX(id) FROM audit)"
        }
    };
    placard.execute_beside(lost);
    let ran = placard.run(&["ledger", "verify"]);
    assert!(ran.err.contains(".mark") && ran.err.contains("missing") && ran.err.contains("accept loss"), "{ran:?}");
    ran.refused("PLACARD_DATABASE_URL");
    let found = placard.run(&["doctor"]);
    assert!(found.code == Some(1) && found.out.contains("accept loss"), "{found:?}");
    placard.change(&bob, &["accept", "loss"]).refused("not_permitted");
    placard.run(&["ledger", "verify"]).refused("PLACARD_DATABASE_URL");
    let accepted = placard.change(&ann, &["accept", "loss"]).done();
    assert!(accepted["lost"].as_str().is_some_and(|lost| lost.contains("missing")), "{accepted}");
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
    assert_eq!(deeds(&placard, &ann)[0], "installation.accept_loss");
    assert!(placard.change(&ann, &["accept", "loss"]).done()["lost"].is_null());
});

#[test]
fn a_backup_is_opened_with_its_own_secrets_alone() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let file = placard.path("a.placard").display().to_string();
    for target in [store::testing::sqlite(), store::testing::postgres()] {
        let copy = Placard::new(target);
        copy.run(&["ledger", "verify"]).done();
        // It has other secrets, and its own mark.
        assert_eq!(copy.run(&["restore", &file]).done()["secrets"], "different");
        copy.run(&["ledger", "verify"]).refused("PLACARD_SECRET_FILE");
        fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("put there");
        assert_eq!(copy.run(&["ledger", "verify"]).done()["ok"], true);
    }
}
