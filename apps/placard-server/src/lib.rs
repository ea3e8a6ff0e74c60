//! Reads the configuration, opens the database, and serves until it is asked to stop.

mod config;
mod log;
mod metrics;
mod public_log;
mod public_names;
mod push;
mod serve;
pub mod staff_door;
mod traces;
mod witness;
mod witnesses;

use std::process::ExitCode;

use base::Clock;
use clap::{CommandFactory, Parser, Subcommand};
use desk::installation::copying::{Copying, begin_copying};
use desk::installation::only_server;
use desk::installation::settings::{InvalidSetting, Values};

use crate::config::Config;
pub use crate::config::StaffPlace;
use crate::log::Format;
use crate::traces::Traces;

/// The exit code of a fault that somebody has to mend, `EX_CONFIG` of sysexits.h. The unit does not start the server
/// again after it. Any other failure may pass by itself, such as a database that is away.
const NEEDS_SOMEBODY: u8 = 78;
/// What these variables name may be away or taken for a while, and all is well again without a change.
const MAY_COME_BACK: [&str; 8] = [
    "PLACARD_BIND",
    "PLACARD_COPY_URL",
    "PLACARD_DATABASE_URL",
    "PLACARD_DATA_DIR",
    "PLACARD_FILES_URL",
    "PLACARD_METRICS_BIND",
    // On a disk that is not there yet.
    "PLACARD_SECRET_FILE",
    "PLACARD_STAFF_BIND",
];

/// Serves an installation's users and staff.
///
/// It is configured by environment variables (PLACARD_…) or the file that PLACARD_CONFIG names.
/// `placard config show` lists them all, with their values and where these come from.
#[derive(Parser)]
#[command(name = "placard-server", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Check the configuration and its files, then exit: with 1 and a line if something is wrong. Variables that
    /// nothing reads are named as well. The database is not opened
    #[arg(long)]
    check_config: bool,
    #[command(subcommand)]
    command: Option<Program>,
}

/// The commands of this program besides serving an installation.
#[derive(Subcommand)]
enum Program {
    /// A witness of other installations' public logs; it needs no database and no configuration
    #[command(subcommand)]
    Witness(witness::Command),
}

/// The description of the command line, for man pages.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// The whole of `placard-server`.
pub fn main() -> ExitCode {
    let ended = match Arguments::parse() {
        Arguments { command: Some(Program::Witness(command)), .. } => return bear_witness(command),
        Arguments { check_config: true, .. } => check_config().map_err(|why| (why, ExitCode::FAILURE)),
        Arguments { check_config: false, .. } => start(),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err((InvalidSetting { variable, problem, .. }, code)) => {
            eprintln!("placard-server: {variable}: {problem}");
            code
        }
    }
}

fn bear_witness(command: witness::Command) -> ExitCode {
    log::begin(Format::Text, None);
    match witness::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("placard-server witness: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn check_config() -> Result<(), InvalidSetting> {
    let (values, config) = read_config()?;
    for variable in values.unknown() {
        eprintln!("placard-server: {variable}: {NOTHING_READS_IT}");
    }
    println!("placard-server: the configuration is right, for a {} installation", config.installation.realm.name());
    Ok(())
}

const NOTHING_READS_IT: &str = "nothing reads it; `placard config show` lists what is read";

/// Reads the configuration with its files, and opens nothing.
fn read_config() -> Result<(Values, Config), InvalidSetting> {
    let values = Values::load()?;
    let config = Config::read(&values)?;
    // Reads the database's address.
    config.installation.mark()?;
    config.installation.check_secrets()?;
    if let Some(files) = config.staff.as_ref().and_then(|place| place.tls.as_ref()) {
        staff_door::check_tls(files)?;
    }
    Ok((values, config))
}

fn start() -> Result<(), (InvalidSetting, ExitCode)> {
    let (values, config) = read_config().map_err(|why| (why, ExitCode::from(NEEDS_SOMEBODY)))?;
    serve_until_stopped(&values, &config).map_err(|why| {
        let may_pass = MAY_COME_BACK.contains(&why.variable);
        (why, if may_pass { ExitCode::FAILURE } else { ExitCode::from(NEEDS_SOMEBODY) })
    })
}

fn serve_until_stopped(values: &Values, config: &Config) -> Result<(), InvalidSetting> {
    let traces = config.traces.as_deref().map(Traces::open).transpose()?;
    log::begin(config.log, traces.as_ref());
    for variable in values.unknown() {
        tracing::warn!(%variable, "{NOTHING_READS_IT}");
    }
    let url = &config.installation.database_url;
    let taken = only_server::take(url)?;
    let app = config.installation.with_replica(config.installation.open(Clock::system())?)?;
    // Held until the process ends.
    let _only = if taken.is_some() { taken } else { only_server::take(url)? };
    config.installation.record_currency(&app.db)?;
    let copying = config.installation.copies.as_ref();
    let copying = copying.map(|place| begin_copying(&app, &config.installation, place)).transpose()?;
    let copied = copying.as_ref().map(Copying::reached);
    let served = actix_web::rt::System::new().block_on(serve::serve(app, config, copied));
    // By now, every request was answered.
    if let Some(copying) = copying {
        copying.end();
    }
    if let Some(traces) = traces {
        traces.end();
    }
    served
}
