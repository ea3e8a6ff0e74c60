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

/// A folder of one test, for a file and its keys, and the Python that reads them.
struct Folder {
    path: PathBuf,
    python: String,
}

impl Folder {
    fn new(name: &str) -> Self {
        // What is called `python3` may be a script that looks for it, which takes longer than a file.
        let asked = Command::new("python3").args(["-c", "import cryptography, sys; print(sys.executable)"]).output();
        let found = asked.ok().filter(|ended| ended.status.success());
        let found = found.expect("python3 or its package cryptography is missing: run `just setup`");
        let python = String::from_utf8(found.stdout).expect("text").trim().to_owned();
        let path = std::env::temp_dir().join(format!("placard-python-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self { path, python }
    }

    /// How the verifier ended, and what it said of what is wrong. Of what holds, it says nothing there.
    fn verdict(&self, text: &[u8], keys: &str) -> (Option<i32>, String) {
        let (proof, key) = (self.path.join("it.proof"), self.path.join("it.key"));
        fs::write(&proof, text).expect("written");
        fs::write(&key, keys).expect("written");
        self.run(&[&proof, Path::new("--key"), &key])
    }

    fn run(&self, arguments: &[&Path]) -> (Option<i32>, String) {
        let program = format!("{HERE}/../../docs/verify.py");
        let ended = Command::new(&self.python).arg(program).args(arguments).output().expect("it runs");
        let wrong = String::from_utf8(ended.stderr).expect("text");
        let code = ended.status.code();
        assert_eq!(code == Some(0), !ended.stdout.is_empty() && wrong.is_empty(), "{wrong}");
        (code, wrong)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).expect("removed");
    }
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
    assert_eq!(folder.run(&[Path::new("/nowhere")]).0, Some(2));
}

#[test]
fn histories_hold() {
    let (folder, mut random) = (Folder::new("good"), Random::new(4));
    for _ in 0..KINDS.len() + FLAWS.len() {
        let history = history(&mut random);
        let found = folder.verdict(history.text.as_bytes(), &history.keys);
        assert_eq!(found, (Some(0), String::new()), "{}", history.text);
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

#[test]
fn what_cannot_be_told_is_not_said_to_hold() {
    let folder = Folder::new("full");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = Command::new(&folder.python);
    command.arg(format!("{HERE}/../../docs/verify.py")).arg(format!("{HERE}/tests/example/november.proof"));
    command.arg("--key").arg(format!("{HERE}/tests/example/log.key"));
    let ended = command.stdout(full).output().expect("it runs");
    let wrong = String::from_utf8(ended.stderr).expect("text");
    assert_eq!((ended.status.code(), wrong.lines().count()), (Some(1), 1), "{wrong}");
}
