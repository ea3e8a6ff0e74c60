//! `placard-verify`: what it says, and how it ends.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// How it ended, and what it said: to whoever asked, and of what is wrong.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let ended = Command::new(env!("CARGO_BIN_EXE_placard-verify")).args(arguments).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (ended.status.code(), text(ended.stdout), text(ended.stderr))
}

fn example(name: &str) -> String {
    format!("{}/tests/example/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn what_holds_ends_with_0_and_anything_else_with_one_line() {
    let (proof, key) = (example("november.proof"), example("log.key"));
    for arguments in [[&proof, "--key", &key], ["--key", &key, &proof]] {
        let (code, told, wrong) = run(&arguments);
        assert_eq!((code, told.lines().count(), wrong.as_str()), (Some(0), 4, ""), "{told}");
    }
    let damaged = written(&fs::read_to_string(&proof).expect("a file").replacen("\"-4000\"", "\"-4001\"", 1));
    let (code, told, wrong) = run(&[&damaged, "--key", &key]);
    fs::remove_file(&damaged).expect("removed");
    assert_eq!((code, told.as_str(), wrong.lines().count()), (Some(1), "", 1), "{wrong}");
    assert!(wrong.contains("line 30: the book up to its last transaction is not entry 68 of the log"), "{wrong}");
    for (proof, key, told) in [
        ("/nowhere", key.as_str(), "/nowhere: "),
        (proof.as_str(), "/nowhere", "/nowhere: "),
        (proof.as_str(), proof.as_str(), "line 1: it is no key of a log or of a witness"),
    ] {
        let (code, _, wrong) = run(&[proof, "--key", key]);
        assert_eq!((code, wrong.lines().count(), wrong.contains(told)), (Some(1), 1, true), "{wrong}");
    }
    for arguments in [&[][..], &["x"], &["x", "--key"], &["--key", "x"], &["x", "y", "--key", "z"]] {
        let (code, told, wrong) = run(arguments);
        assert_eq!((code, told.as_str(), wrong.contains("usage: placard-verify")), (Some(2), "", true));
    }
    for (argument, told) in [("--help", "usage: placard-verify"), ("--version", "placard-verify 0.")] {
        let (code, shown, _) = run(&[argument]);
        assert!(code == Some(0) && shown.starts_with(told), "{shown}");
    }
}

#[test]
fn the_name_of_a_file_need_not_be_text() {
    let mut name = OsString::from(format!("placard-verify-{}-", std::process::id()));
    name.push(OsStr::from_bytes(b"caf\xe9 \xff.txt"));
    let proof = std::env::temp_dir().join(name);
    fs::copy(example("november.proof"), &proof).expect("copied");
    let mut command = Command::new(env!("CARGO_BIN_EXE_placard-verify"));
    let ended = command.arg(&proof).args(["--key", &example("log.key")]).output().expect("it runs");
    fs::remove_file(&proof).expect("removed");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn an_answer_that_is_not_written_is_none() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_placard-verify"));
    command.arg(example("november.proof")).arg("--key").arg(example("log.key"));
    let ended = command.stdout(full).output().expect("it runs");
    let wrong = String::from_utf8(ended.stderr).expect("text");
    assert_eq!((ended.status.code(), wrong.lines().count()), (Some(1), 1), "{wrong}");
    assert!(wrong.starts_with("the answer cannot be written: "), "{wrong}");
}

fn written(text: &str) -> String {
    let path = std::env::temp_dir().join(format!("placard-verify-{}.proof", std::process::id()));
    fs::write(&path, text).expect("written");
    Path::to_str(&path).expect("a path").to_owned()
}
