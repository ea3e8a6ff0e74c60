//! Replays what fuzzing has found and generated.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

#[test]
fn every_target_holds_on_its_corpus() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for (name, target) in fuzzing::TARGETS {
        assert!(fuzz.join(format!("fuzz_targets/{name}.rs")).exists(), "{name} is run by nobody");
        let mut read = 0;
        for entry in fs::read_dir(fuzz.join("corpus").join(name)).expect("a corpus") {
            let path = entry.expect("an entry").path();
            let bytes = fs::read(&path).expect("bytes");
            std::panic::catch_unwind(|| target(&bytes))
                .unwrap_or_else(|_| panic!("{name} breaks on {}", path.display()));
            read += 1;
        }
        assert!(read >= 3, "{name} has {read} entries");
    }
}
