//! Verifies a proof file with the keys that its user has kept: `placard-verify PROOF --key FILE`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use proof::file::{KeyFile, verify};

const USAGE: &str = "usage: placard-verify PROOF --key FILE

Says what the proof file of a book proves, by the keys in FILE alone: one C2SP verifier key
(name+id+key) of the log, or of a witness, a line. Nothing is fetched.
Exit 0 if it holds, 1 with one line if it does not, 2 for wrong usage.
";

fn main() -> ExitCode {
    // The name of a file need not be text.
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (proof, key) = match arguments.as_slice() {
        [only] if only == "--help" || only == "-h" => return said(io::stdout(), USAGE, ExitCode::SUCCESS),
        [only] if only == "--version" || only == "-V" => {
            return said(io::stdout(), concat!("placard-verify ", env!("CARGO_PKG_VERSION"), "\n"), ExitCode::SUCCESS);
        }
        [before, key, proof] | [proof, before, key] if before == "--key" => (Path::new(proof), Path::new(key)),
        _ => return said(io::stderr(), USAGE, ExitCode::from(2)),
    };
    match proved(proof, key) {
        Ok(proved) => said(io::stdout(), &proved, ExitCode::SUCCESS),
        Err(why) => said(io::stderr(), &format!("{why}\n"), ExitCode::FAILURE),
    }
}

fn proved(proof: &Path, key: &Path) -> Result<String, String> {
    let keys = std::fs::read_to_string(key).map_err(|error| format!("{}: {error}", key.display()))?;
    let keys: KeyFile = keys.parse().map_err(|error| format!("{}: {error}", key.display()))?;
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", proof.display());
    let file = File::open(proof).map_err(|error| wrong(&error))?;
    verify(BufReader::new(file), &keys).map(|proved| proved.to_string()).map_err(|error| wrong(&error))
}

/// An answer that cannot be given is none.
fn said(mut to: impl Write, text: &str, code: ExitCode) -> ExitCode {
    match to.write_all(text.as_bytes()) {
        Ok(()) => code,
        Err(error) => {
            // If nobody listens there either, the code says it.
            let _ = writeln!(io::stderr(), "the answer cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
