//! Output that is lost is told: nobody takes half a statement for a whole one.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::support::{Key, Placard, Ran};

/// A disk that is always full.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has one").into()
}

fn run(placard: &Placard, by: &Key, arguments: &[&str]) -> Ran {
    let child = placard.command_as(by, arguments).stdout(full()).stderr(Stdio::piped()).spawn().expect("runs");
    child.wait_with_output().expect("ends").into()
}

/// Each way in which something is printed: records, lists, texts, documents, files in parts
/// and whole, and what clap and its helpers print.
const KINDS: [&[&str]; 19] = [
    &["account", "show", "demo"],
    &["account", "list"],
    &["account", "figures", "demo"],
    &["--json", "audit", "list", "--limit", "10000"],
    &["audit", "head"],
    &["config", "show"],
    &["commands"],
    &["completions", "bash"],
    &["doctor"],
    &["flow", "demo"],
    &["flow", "demo", "--csv"],
    &["ledger", "export", "--format", "hledger"],
    &["ledger", "trial-balance"],
    &["ledger", "verify"],
    &["man"],
    &["publisher", "statement", "1", "--csv"],
    &["publisher", "statement", "1", "--pdf"],
    &["--help"],
    &["--version"],
];

#[test]
fn lost_output_is_told() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    for arguments in KINDS {
        let ran = run(&placard, &ann, arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains("the output is not complete: No space left on device"), "{arguments:?}: {ran:?}");
    }
}

/// What a server runs is printed here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_sends_is_told_as_well() {
    let placard = Placard::afar(store::testing::sqlite());
    let (ann, _) = placard.demonstration();
    for arguments in [&["account", "show", "demo"][..], &["flow", "demo", "--csv"], &["audit", "head"]] {
        assert_eq!(run(&placard, &ann, arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn what_was_changed_stays_changed() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let ran = run(&placard, &ann, &["recharge", "request", "demo", "5.00", "--reference", "LOST", "--reason", "r"]);
    assert!(ran.code == Some(2) && ran.err.contains("what the command changed is changed"), "{ran:?}");
    assert_eq!(placard.run_as(&ann, &["recharge", "list", "--limit", "1"]).done()[0]["reference"], "LOST");
}
