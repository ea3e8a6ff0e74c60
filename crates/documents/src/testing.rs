//! The programs that read books in tests: hledger and Beancount. Both are under the GPL, so they are only ever
//! started, never linked.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::JournalFormat;

const SETUP: &str = "run 'npx -y rust-just setup' first";

/// Whether a file is right in every respect that its program checks: accounts and the currency are declared,
/// transactions sum to zero, and balances are as stated. If it is not, what the program says.
pub fn check(format: JournalFormat, path: &Path) -> Result<(), String> {
    let output = match format {
        JournalFormat::Hledger => hledger(path, &["check", "--strict"]),
        JournalFormat::Beancount => beancount("bean-check").arg(path).output().expect("bean-check runs"),
    };
    let said = [output.stdout, output.stderr].concat();
    match output.status.success() && said.is_empty() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&said).into_owned()),
    }
}

/// Every account's balance, as the program adds up what was posted, in minor units.
pub fn balances(format: JournalFormat, path: &Path) -> BTreeMap<String, i128> {
    let output = match format {
        JournalFormat::Hledger => hledger(path, &["balance", "--flat", "--no-total", "--empty", "--output-format=csv"]),
        JournalFormat::Beancount => {
            let query = "SELECT account, sum(number) GROUP BY account";
            let mut command = beancount("bean-query");
            command.args(["--format", "csv"]).arg(path).arg(query).output().expect("bean-query runs")
        }
    };
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().skip(1).map(balance).collect()
}

/// `"Assets:Bank","12.30 USD"`, with or without quotes and the currency.
fn balance(line: &str) -> (String, i128) {
    let (account, amount) = line.rsplit_once(',').unwrap_or_else(|| panic!("{line} is no balance"));
    let amount = amount.trim_matches('"').split_whitespace().next().unwrap_or("0");
    let digits: String = amount.chars().filter(|c| *c != '.').collect();
    (account.trim_matches('"').to_owned(), digits.parse().unwrap_or_else(|_| panic!("{line} has no amount")))
}

fn hledger(path: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("hledger");
    // In another locale, it refuses letters beyond ASCII; and it would read a configuration file.
    command.env("LC_ALL", "C.UTF-8").arg("--file").arg(path).args(arguments);
    command.output().unwrap_or_else(|e| panic!("hledger cannot be started ({e}): {SETUP}"))
}

fn beancount(program: &str) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let path = root.join(target).join("beancount/bin").join(program);
    assert!(path.is_file(), "{} is missing: {SETUP}", path.display());
    let mut command = Command::new(path);
    command.env("LC_ALL", "C.UTF-8");
    command
}
