//! Pairs of keys for whoever signs postbacks: an advertiser's own program makes them, on its
//! own machine.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use auth::counterparty_key::read_public;
use auth::{Fingerprint, KeyPair, PublicKey};
use clap::Subcommand;
use foundation::random;
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::output::Output;

pub const AFTER: &str = "\
FILE.pub goes to the platform; FILE stays where postbacks are sent from, and
goes nowhere else. Read the fingerprint to whoever rings you about it.

Examples:
  placard key new postbacks.pem
  placard key fingerprint postbacks.pem.pub";

/// More than any key's file.
const LARGEST: usize = 64 * 1024;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make an Ed25519 pair: FILE has the private key, for its owner alone, and FILE.pub
    /// the public one
    New {
        /// The private key's file, which must be new
        file: PathBuf,
    },
    /// Print a public key's fingerprint
    Fingerprint {
        /// The public key's file
        file: PathBuf,
    },
}

#[derive(Debug, Serialize)]
struct ShownKey {
    public_key: String,
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    private_file: Option<String>,
    public_file: String,
}

pub fn run(out: Output, command: &Command) -> Result<(), Failure> {
    match command {
        Command::New { file } => {
            let pair = KeyPair::from_seed(random()?).ok_or_else(|| wrong(file, "no pair can be made"))?;
            let mut public = file.clone().into_os_string();
            public.push(".pub");
            let public = PathBuf::from(public);
            write_both([(file.as_path(), pair.private_pem(), 0o600), (public.as_path(), pair.public_pem(), 0o644)])?;
            out.record(&shown(pair.public(), Some(file), &public))
        }
        Command::Fingerprint { file } => {
            let bytes = files::own(file, LARGEST).map_err(|problem| wrong(file, problem))?;
            let key = read_public(&String::from_utf8_lossy(&bytes)).map_err(|bad| wrong(file, bad))?;
            out.record(&shown(&key, None, file))
        }
    }
}

fn shown(key: &PublicKey, private: Option<&Path>, public: &Path) -> ShownKey {
    ShownKey {
        public_key: auth::hex::encode(key),
        fingerprint: Fingerprint::of_public(key).to_string(),
        private_file: private.map(|path| path.display().to_string()),
        public_file: public.display().to_string(),
    }
}

/// A key is never written over another, and half of a pair is of no use: it would be in the way of the next try.
fn write_both(files: [(&Path, String, u32); 2]) -> Result<(), Failure> {
    let mut made: Vec<&Path> = Vec::new();
    let written = files.iter().try_for_each(|(path, text, mode)| {
        let file = OpenOptions::new().write(true).create_new(true).mode(*mode).open(path);
        let written = file.and_then(|mut file| {
            made.push(*path);
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
        });
        written.map_err(|problem| wrong(path, problem))
    });
    if written.is_err() {
        made.into_iter().for_each(|path| drop(fs::remove_file(path)));
    }
    written
}

fn wrong(path: &Path, problem: impl ToString) -> Failure {
    Failure::Usage(format!("{}: {}", path.display(), problem.to_string()))
}
