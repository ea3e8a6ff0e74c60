//! No command goes untried.

use std::path::Path;
use std::process::Command;

/// Every command's path, such as `account show`, as the program lists them.
fn paths() -> Vec<String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_placard")).arg("commands").output().expect("runs");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// The tests beside this one, each as one text.
fn tests() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let entries = std::fs::read_dir(folder).expect("the tests").map(|entry| entry.expect("an entry").path());
    let sources = entries.filter(|path| path.is_file() && !path.ends_with("complete.rs"));
    sources.map(|path| std::fs::read_to_string(path).expect("a test")).collect()
}

#[test]
fn every_command_is_run_by_a_test() {
    let tests = tests();
    let paths = paths();
    assert!(paths.len() > 80, "{paths:?}");
    let tried = |path: &&String| {
        let words: Vec<String> = path.split(' ').map(|word| format!("\"{word}\"")).collect();
        tests.iter().any(|test| words.iter().all(|word| test.contains(word)))
    };
    let untried: Vec<&String> = paths.iter().filter(|path| !tried(path)).collect();
    assert!(untried.is_empty(), "no test runs {untried:?}");
}
