//! Verifies a proof file with the keys that its user has kept: `placard-verify PROOF --key FILE`.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use proof::file::{KeyFile, verify};

const USAGE: &str = "usage: placard-verify PROOF --key FILE

Says what the proof file of a book proves, by the keys in FILE alone: one C2SP verifier key
(name+id+key) of the log, or of a witness, a line. Nothing is fetched.
Exit 0 if it holds, 1 with one line if it does not, 2 for wrong usage.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (proof, key) = match arguments.as_slice() {
        ["--help" | "-h"] => return said(io::stdout(), USAGE, ExitCode::SUCCESS),
        ["--version" | "-V"] => {
            return said(io::stdout(), concat!("placard-verify ", env!("CARGO_PKG_VERSION"), "\n"), ExitCode::SUCCESS);
        }
        ["--key", key, proof] | [proof, "--key", key] => (*proof, *key),
        _ => return said(io::stderr(), USAGE, ExitCode::from(2)),
    };
    match proved(proof, key) {
        Ok(proved) => said(io::stdout(), &proved, ExitCode::SUCCESS),
        Err(why) => said(io::stderr(), &format!("{why}\n"), ExitCode::FAILURE),
    }
}

fn proved(proof: &str, key: &str) -> Result<String, String> {
    let keys = std::fs::read_to_string(key).map_err(|error| format!("{key}: {error}"))?;
    let keys: KeyFile = keys.parse().map_err(|error| format!("{key}: {error}"))?;
    let file = File::open(proof).map_err(|error| format!("{proof}: {error}"))?;
    verify(BufReader::new(file), &keys).map(|proved| proved.to_string()).map_err(|error| format!("{proof}: {error}"))
}

/// An answer that cannot be given is none.
fn said(mut to: impl Write, text: &str, code: ExitCode) -> ExitCode {
    match to.write_all(text.as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}
