//! Every command is tested.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Every command's path, such as `account show`, as listed by the program.
fn paths() -> Vec<String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_placard")).arg("commands").output().expect("runs");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The program's tests, each as one text.
fn tests() -> Vec<String> {
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli"));
    let tests = all.iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let others = tests.filter(|path| !path.ends_with("complete.rs"));
    others.map(|path| std::fs::read_to_string(path).expect("a test")).collect()
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
