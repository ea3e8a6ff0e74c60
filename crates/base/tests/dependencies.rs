//! What we may depend on: permissive licences, the one registry, no version twice
//! without a reason, and nothing that is not used.
//!
//! cargo-deny and cargo-machete check the same, but there is no ready-made binary of
//! either: on two cores cargo-machete alone takes over two minutes to compile, which
//! every clean machine would spend before its first test.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// They require no more than a notice, or publishing changes to their own files.
const LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "PostgreSQL",
    "Unicode-3.0",
    "Zlib",
];

/// Packages with several versions in Cargo.lock, and what we are waiting for.
const SEVERAL_VERSIONS: [(&str, &str); 20] = [
    ("base64", "krilla is at 0.22"),
    ("crypto-common", "digest's"),
    ("darling", "diesel's and validator's derives"),
    ("darling_core", "darling's"),
    ("darling_macro", "darling's"),
    ("digest", "object_store's crc-fast is at 0.10"),
    ("getrandom", "ring is at 0.2; we and jsonschema at 0.3; tempfile and rand at 0.4"),
    ("h2", "actix-http is at 0.3, hyper at 0.4"),
    ("http", "actix-http is at 0.2, hyper at 1"),
    ("miniz_oxide", "png is at 0.8"),
    ("num-bigint", "jsonschema's fraction is at 0.4"),
    ("r-efi", "getrandom's"),
    ("rand", "rust_decimal lists 0.8 and 0.9 as optional; neither is compiled"),
    ("rand_chacha", "rand's"),
    ("rand_core", "rand's"),
    ("syn", "half of the derives are at 2"),
    ("toml", "diesel_migrations is at 0.9"),
    ("toml_datetime", "toml's"),
    ("windows-sys", "ring is at 0.52"),
    ("winnow", "toml's"),
];

/// Packages with another licence that Cargo lists for this machine and never compiles here.
const NOT_COMPILED: [(&str, &str); 1] =
    [("tiny-keccak", "only for WebAssembly: parquet's ahash takes its seed from it there")];

/// Dependencies that no source names: a package, its dependency, and why.
const UNNAMED: [(&str, &str, &str); 6] = [
    ("db", "libsqlite3-sys", "its feature compiles SQLite into diesel"),
    ("db", "pq-sys", "its feature compiles libpq into diesel"),
    ("placard-server", "ahash", "its features are those of the tests"),
    ("placard-server", "hashbrown", "its features are those of the tests"),
    ("placard-server", "regex-automata", "its features are those of the tests"),
    ("objects", "reqwest", "its feature says how object_store encrypts"),
];

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(ROOT).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The packages compiled on this machine, including tests. Those for other machines are
/// only in Cargo.lock: without a network, cargo cannot describe them.
fn packages() -> Vec<Value> {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let text = cargo(&["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list").clone();
    assert!(packages.len() > 300, "only {} packages", packages.len());
    packages
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

/// Name, version and source of every package of a lock file.
fn locked(file: &str) -> Vec<(String, String, Option<String>)> {
    let lock = fs::read_to_string(Path::new(ROOT).join(file)).expect("a lock file");
    let field = |block: &str, key: &str| {
        let value = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        value.map(|value| value.trim_matches('"').to_owned())
    };
    let described = |block| Some((field(block, "name")?, field(block, "version")?, field(block, "source")));
    lock.split("[[package]]").skip(1).map(|block| described(block).expect("name and version")).collect()
}

#[test]
fn every_licence_is_permissive() {
    for package in packages() {
        let name = text(&package, "name");
        if NOT_COMPILED.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} names no licence"));
        let expression = Expression::parse_mode(licence, ParseMode::LAX).expect("an SPDX expression");
        let accepted = expression.evaluate(|asked| asked.license.id().is_some_and(|id| LICENCES.contains(&id.name)));
        assert!(accepted, "{name} is licensed as {licence}");
    }
}

#[test]
fn every_package_comes_from_the_registry() {
    let all = packages();
    let ours: BTreeSet<&str> = all.iter().filter(|p| p["source"].is_null()).map(|p| text(p, "name")).collect();
    for file in ["Cargo.lock", "fuzz/Cargo.lock"] {
        for (name, version, source) in locked(file) {
            match source {
                Some(source) => assert_eq!(source, REGISTRY, "{name} {version} in {file}"),
                None => assert!(ours.contains(name.as_str()) || name == "fuzz", "{name} in {file} has no source"),
            }
        }
    }
    for package in all.iter().filter(|package| package["source"].is_null()) {
        let ours =
            Path::new(text(package, "manifest_path")).starts_with(Path::new(ROOT).canonicalize().expect("a path"));
        assert!(ours, "{} lies outside of the workspace", text(package, "name"));
    }
}

#[test]
fn no_package_is_there_twice_without_a_reason() {
    let mut versions = BTreeMap::<String, BTreeSet<String>>::new();
    for (name, version, _) in locked("Cargo.lock") {
        versions.entry(name).or_default().insert(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let several: Vec<&str> = versions.keys().map(String::as_str).collect();
    assert_eq!(several, SEVERAL_VERSIONS.map(|(name, _)| name), "{versions:#?}");
}

/// The text of every Rust source in these folders and files of a package.
fn sources(folder: &Path, places: &[&str]) -> String {
    let mut paths: Vec<PathBuf> = places.iter().map(|place| folder.join(place)).collect();
    let mut all = String::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push_str(&fs::read_to_string(path).unwrap_or_default());
        }
    }
    all
}

/// Whether code begins a path with this crate's name or imports it.
fn names(code: &str, name: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.any(|line| {
        line.match_indices(name).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            // `::plans::put` names the crate, `crate::plans::put` a module.
            let inner = before.strip_suffix("::").is_some_and(|outer| outer.ends_with(part_of_word));
            let imported = before.trim_start().ends_with("use ") && after.starts_with([';', ' ']);
            !before.ends_with(part_of_word) && !inner && (after.starts_with("::") || imported)
        })
    })
}

/// A crate's name in code: its library may be named differently from the package.
fn name_in_code(packages: &[Value], dependency: &Value) -> String {
    let library = |package: &Value| {
        let is_library = |target: &&Value| {
            let mut kinds = target["kind"].as_array().expect("a list").iter().filter_map(Value::as_str);
            kinds.any(|kind| kind == "proc-macro" || kind.ends_with("lib"))
        };
        let mut targets = package["targets"].as_array().expect("a list").iter();
        targets.find(is_library).map(|target| text(target, "name").replace('-', "_"))
    };
    let renamed = dependency["rename"].as_str().map(|name| name.replace('-', "_"));
    let package = packages.iter().find(|package| package["name"] == dependency["name"]);
    // What only a feature asks for is not among the packages.
    renamed.or_else(|| package.and_then(library)).unwrap_or_else(|| text(dependency, "name").replace('-', "_"))
}

#[test]
fn every_dependency_is_used() {
    let packages = packages();
    let mut unnamed = BTreeSet::new();
    for package in packages.iter().filter(|package| package["source"].is_null()) {
        let folder = Path::new(text(package, "manifest_path")).parent().expect("a folder");
        let shipped = sources(folder, &["src", "build.rs"]);
        let tested = sources(folder, &["src", "tests", "benches", "examples"]);
        for dependency in package["dependencies"].as_array().expect("a list") {
            let code = if dependency["kind"] == "dev" { &tested } else { &shipped };
            if !names(code, &name_in_code(&packages, dependency)) {
                unnamed.insert((text(package, "name"), text(dependency, "name")));
            }
        }
    }
    assert_eq!(unnamed, UNNAMED.map(|(package, dependency, _)| (package, dependency)).into());
}

/// A version in the workspace's list that no crate uses.
#[test]
fn every_version_of_the_workspace_is_asked_for() {
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).expect("Cargo.toml");
    let list = manifest.split("[workspace.dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
    let offered =
        list.expect("a list").lines().filter(|line| !line.starts_with('#')).filter_map(|l| l.split_once(" = "));
    let offered: BTreeSet<&str> = offered.map(|(name, _)| name).collect();
    let packages = packages();
    let ours = packages.iter().filter(|package| package["source"].is_null());
    let asked = ours.flat_map(|package| package["dependencies"].as_array().expect("a list"));
    let asked: BTreeSet<&str> =
        asked.map(|dependency| dependency["rename"].as_str().unwrap_or(text(dependency, "name"))).collect();
    assert!(offered.len() > 60, "{offered:?}");
    assert_eq!(offered.difference(&asked).collect::<Vec<_>>(), Vec::<&&str>::new());
}
