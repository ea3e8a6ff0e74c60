//! What an advertiser has sold elsewhere, reported from a table with the advertiser's own key, on its own machine.

mod sales;
mod sending;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::AdvertiserId;
use campaigns::catalogue::counterparty_keys::LOCAL;
use clap::Args;
use content::Mistake;
use serde::Serialize;

use crate::cli::{Rehearsal, app_address};
use crate::context::id;
use crate::failure::Failure;
use crate::files;
use crate::output::Output;

use sales::Sale;
use sending::{Answer, Sender, SigningKey};

const MIB: usize = 1024 * 1024;
/// More than any key's file.
const LARGEST_KEY: usize = 64 * 1024;
const LARGEST_TABLE: usize = 64 * MIB;

#[derive(Debug, Args)]
pub struct Report {
    /// A table (CSV) whose first line names the columns: event_id and click_id, and, where they are needed,
    /// occurred_at, such as 2026-11-26T14:05:00+01:00, and reverse, with yes for what is taken back
    file: PathBuf,
    /// The advertiser's number
    #[arg(long, value_name = "ID")]
    advertiser: String,
    /// The private key of `key new`, or a file with the key that was claimed
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Where the app is served, such as <https://ads.example.com>
    #[arg(long, default_value = LOCAL, value_parser = app_address)]
    base: String,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// What was read from the table, before anything is sent.
#[derive(Debug, Serialize)]
struct Rehearsed {
    dry_run: bool,
    conversions: usize,
    reversals: usize,
}

/// The outcome of all rows.
#[derive(Debug, Default, Serialize)]
struct Reported {
    accepted: usize,
    /// The accepted rows that had been reported before.
    duplicates: usize,
    refused: usize,
    /// How many were refused for which reason.
    reasons: BTreeMap<String, usize>,
    /// The first that were refused.
    first: Vec<Refused>,
}

#[derive(Debug, Serialize)]
struct Refused {
    line: usize,
    event_id: String,
    reason: String,
}

const MOST_SHOWN: usize = 20;

/// Sends nothing if anything in the table cannot be read.
pub async fn run(out: Output, report: Report) -> Result<(), Failure> {
    let advertiser: AdvertiserId = id(&report.advertiser)?;
    let read = |path: &Path, most: usize| {
        let bytes = files::own(path, most).and_then(|bytes| within(bytes, most));
        bytes.map_err(|problem| Failure::Usage(format!("{}: {problem}", path.display())))
    };
    let key = SigningKey::read(&read(&report.key, LARGEST_KEY)?)
        .ok_or_else(|| Failure::Usage(format!("{}: it is no key", report.key.display())))?;
    let sales = sales::read(&read(&report.file, LARGEST_TABLE)?).map_err(|mistakes| named(&report.file, mistakes))?;
    let sender = Sender::new(&report.base, advertiser, key)?;
    if report.rehearsal.dry_run {
        let reversals = sales.iter().filter(|sale| sale.postback.reverse).count();
        return out.record(&Rehearsed { dry_run: true, conversions: sales.len() - reversals, reversals });
    }
    let mut reported = Reported::default();
    for list in sales.chunks(campaigns::delivery::postback::MOST) {
        list.iter().zip(sender.send(list).await?).for_each(|(sale, answer)| reported.add(sale, answer));
    }
    out.record(&reported)?;
    // Refused rows were printed; the exit code tells scripts.
    if reported.refused == 0 { Ok(()) } else { Err(Failure::Found) }
}

fn within(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, String> {
    if bytes.len() > most { Err("the file is too large".to_owned()) } else { Ok(bytes) }
}

fn named(file: &Path, mistakes: Vec<sales::Mistake>) -> Failure {
    let file = file.display().to_string();
    let named = |sales::Mistake { line, column, problem }| Mistake { file: file.clone(), line, field: column, problem };
    Failure::Mistakes(mistakes.into_iter().map(named).collect())
}

impl Reported {
    fn add(&mut self, sale: &Sale, answer: Answer) {
        if answer.accepted {
            self.accepted += 1;
            self.duplicates += usize::from(answer.duplicate);
            return;
        }
        let reason = answer.reason();
        self.refused += 1;
        if self.first.len() < MOST_SHOWN {
            let event_id = sale.postback.event_id.clone();
            self.first.push(Refused { line: sale.line, event_id, reason: reason.clone() });
        }
        *self.reasons.entry(reason).or_default() += 1;
    }
}
