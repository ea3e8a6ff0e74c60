//! What can be checked of the image's description without building the image.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::installation::{Installation, PROGRAM};

/// What every Debian has, however small.
const LIBRARIES: [&str; 5] = ["linux-vdso.so.1", "libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"];
/// What the image installs.
const PACKAGES: [(&str, &[&str]); 1] = [("libssl3", &["libssl.so.3", "libcrypto.so.3"])];

fn text(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).expect("a file")
}

/// Lines that end in a backslash continue.
fn instruction(name: &str) -> String {
    let whole = text("deploy/container/Containerfile").replace("\\\n", " ");
    let found: Vec<&str> = whole.lines().filter_map(|line| line.strip_prefix(name)).collect();
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found.concat()
}

#[test]
fn what_the_image_copies_is_what_a_build_leaves() {
    let copied = instruction("COPY ");
    let sources: BTreeSet<&str> = copied.split_whitespace().filter(|path| path.starts_with("target/")).collect();
    assert_eq!(sources, BTreeSet::from(["target/release/placard", "target/release/placard-server"]));
    let justfile = text("justfile");
    let build = justfile.split("\nbuild:").nth(1).expect("a recipe").split("\n\n").next().expect("its lines");
    assert!(build.contains("{{release}} -p placard-server -p placard"), "{build}");
    let let_through = text(".containerignore");
    assert!(sources.iter().all(|path| let_through.lines().any(|line| line == format!("!{path}"))), "{let_through}");
}

#[test]
fn the_program_needs_no_library_that_the_image_lacks() {
    let listed = Command::new("ldd").arg(PROGRAM).output().expect("ldd runs").stdout;
    let listed = String::from_utf8(listed).expect("text");
    let installs = instruction("RUN ");
    let installed = PACKAGES.iter().filter(|(package, _)| installs.split_whitespace().any(|word| word == *package));
    let has: Vec<&str> = installed.flat_map(|(_, libraries)| *libraries).chain(&LIBRARIES).copied().collect();
    let names = listed.lines().filter_map(|line| line.split_whitespace().next()?.rsplit('/').next());
    let others: Vec<&str> = names.filter(|name| !has.contains(name)).collect();
    assert!(listed.contains("libc.so.6") && others.is_empty(), "{others:?} in {listed}");
}

/// As the image runs it, but for the port.
#[test]
fn the_image_asks_whether_the_server_is_ready() {
    let check = instruction("HEALTHCHECK ");
    let words: Vec<String> = serde_json::from_str(check.split_once("CMD ").expect("a command").1).expect("JSON");
    let [shell, option, script] = words.as_slice() else { panic!("{words:?}") };
    let server = Installation::sqlite().start();
    let script = script.replace("8080", &server.address.port().to_string());
    let asks = || {
        let asked = Command::new(shell).args([option, &script]).stderr(Stdio::null()).status();
        asked.expect("it runs").success()
    };
    assert!(asks(), "{script}");
    server.kill();
    assert!(!asks(), "nobody answers");
}
