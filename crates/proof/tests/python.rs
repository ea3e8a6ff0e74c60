//! `docs/verify.py`, which was written from `docs/PROOF.md` alone, comes to the same verdicts.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "files/damage.rs"]
mod damage;
#[path = "files/history.rs"]
mod history;
#[path = "files/random.rs"]
mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use damage::{KINDS, damaged};
use history::{FLAWS, history};
use random::Random;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of one test, with the names of a file and of the keys in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let python = Command::new("python3").args(["-c", "import cryptography"]).output();
        let has = python.is_ok_and(|ended| ended.status.success());
        assert!(has, "python3 or its package cryptography is missing: run `just setup`");
        let folder = std::env::temp_dir().join(format!("placard-python-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// How the verifier ended, and what it said of what is wrong. Of what holds, it says nothing there.
    fn verdict(&self, text: &[u8], keys: &str) -> (Option<i32>, String) {
        let (proof, key) = (self.0.join("it.proof"), self.0.join("it.key"));
        fs::write(&proof, text).expect("written");
        fs::write(&key, keys).expect("written");
        verdict(&[&proof, Path::new("--key"), &key])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("removed");
    }
}

fn verdict(arguments: &[&Path]) -> (Option<i32>, String) {
    let program = format!("{HERE}/../../docs/verify.py");
    let ended = Command::new("python3").arg(program).args(arguments).output().expect("python3 runs");
    let wrong = String::from_utf8(ended.stderr).expect("text");
    let code = ended.status.code();
    assert_eq!(code == Some(0), !ended.stdout.is_empty() && wrong.is_empty(), "{wrong}");
    (code, wrong)
}

fn refused((code, wrong): (Option<i32>, String), what: &str) {
    assert!(code == Some(1) && wrong.lines().count() == 1 && wrong.contains(": line "), "{what}: {code:?} {wrong}");
}

#[test]
fn the_example_holds_and_nothing_else_in_its_place() {
    let folder = Folder::new("example");
    let example = |name: &str| fs::read_to_string(format!("{HERE}/tests/example/{name}")).expect("a file");
    let (text, keys) = (example("november.proof"), example("log.key"));
    assert_eq!(folder.verdict(text.as_bytes(), &keys), (Some(0), String::new()));
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let mut copy = text.clone().into_bytes();
        let byte = &mut copy[from + line.len() / 2];
        *byte = if *byte == b'7' { b'8' } else { b'7' };
        from += line.len();
        // Nothing proves when the file was made.
        if !line.starts_with("made: ") {
            refused(folder.verdict(&copy, &keys), line);
        }
    }
    let (_, wrong) = folder.verdict(text.replacen("\"-4000\"", "\"-4001\"", 1).as_bytes(), &keys);
    assert!(wrong.contains("line 30: the book up to its last transaction is not entry 68 of the log"), "{wrong}");
    refused(folder.verdict(text.as_bytes(), "# no key\n"), "no key");
    let others = history(&mut Random::new(1)).keys;
    refused(folder.verdict(text.as_bytes(), &others), "another log's key");
    assert_eq!(verdict(&[Path::new("/nowhere")]).0, Some(2));
}

#[test]
fn histories_hold() {
    let (folder, mut random) = (Folder::new("good"), Random::new(4));
    for _ in 0..KINDS.len() + FLAWS.len() {
        let history = history(&mut random);
        assert_eq!(folder.verdict(history.text.as_bytes(), &history.keys), (Some(0), String::new()), "{}", history.text);
    }
}

#[test]
fn nothing_damaged_holds() {
    let (folder, mut random) = (Folder::new("bad"), Random::new(5));
    for number in 0..KINDS.len() + FLAWS.len() {
        let (history, kind, bytes) = damaged(&mut random, number);
        refused(folder.verdict(&bytes, &history.keys), kind);
    }
}
