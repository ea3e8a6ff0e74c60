//! How the process gets its memory.

use std::fs;
use std::path::Path;

use crate::installation::{Installation, Server};

/// The kernel's description of the process.
fn kernel_says(server: &Server, file: &str) -> String {
    fs::read_to_string(format!("/proc/{}/{file}", server.id())).expect("Linux")
}

/// It uses few of the pages that are beside each other.
#[test]
fn the_server_asks_for_no_huge_pages() {
    let server = Installation::sqlite().start();
    let mappings = kernel_says(&server, "smaps");
    let flags: Vec<&str> = mappings.lines().filter_map(|line| line.strip_prefix("VmFlags:")).collect();
    assert!(flags.len() > 20, "{mappings}");
    assert!(!flags.iter().any(|flags| flags.split_whitespace().any(|flag| flag == "hg")), "{mappings}");
}

/// Some kernels give them to whoever does not refuse.
#[test]
fn the_unit_and_the_image_refuse_huge_pages() {
    let (variable, refused) = ("MIMALLOC_ALLOW_THP", "0");
    for file in ["deploy/systemd/placard-server.service", "deploy/container/Containerfile"] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).expect("a file");
        let said = format!("{variable}={refused}");
        assert!(text.split_whitespace().any(|word| word.trim_start_matches("Environment=") == said), "{file}: {text}");
    }
    let server = Installation::sqlite().start_with(&[(variable, refused.to_owned())]);
    assert!(kernel_says(&server, "status").lines().any(|line| line == "THP_enabled:\t0"));
}
