//! Writes random proof files with their keys, and as many damaged ones, for verifiers to agree on:
//! `cargo run -p proof --example histories -- DIR COUNT SEED`. `DIR/list.txt` says of each file whether it must hold, and what
//! was done to it.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "it fails by panicking")]

#[path = "../tests/files/damage.rs"]
mod damage;
#[path = "../tests/files/history.rs"]
mod history;
#[path = "../tests/files/random.rs"]
mod random;

use std::fs;
use std::path::PathBuf;

use random::Random;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, seed] = arguments.as_slice() else {
        eprintln!("usage: histories DIR COUNT SEED");
        std::process::exit(2);
    };
    let (folder, count): (PathBuf, usize) = (folder.into(), count.parse().expect("a count"));
    let mut random = Random::new(seed.parse().expect("a seed"));
    fs::create_dir_all(&folder).expect("a folder");
    let mut list = String::new();
    let mut write = |name: String, bytes: &[u8], keys: &str, told: &str| {
        fs::write(folder.join(format!("{name}.proof")), bytes).expect("written");
        fs::write(folder.join(format!("{name}.key")), keys).expect("written");
        list.push_str(&format!("{name}\t{told}\n"));
    };
    for number in 0..count {
        let history = history::history(&mut random);
        write(format!("good-{number:04}"), history.text.as_bytes(), &history.keys, "holds\t");
        let (history, kind, bytes) = damage::damaged(&mut random, number);
        write(format!("bad-{number:04}"), &bytes, &history.keys, &format!("refused\t{kind}"));
    }
    fs::write(folder.join("list.txt"), list).expect("written");
}
