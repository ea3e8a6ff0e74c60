//! Reads the configuration, opens the database, and serves until it is asked to stop.

mod config;
mod log;
mod metrics;
mod serve;
pub mod staff_door;

use std::process::ExitCode;

use base::Clock;
use usecases::installation::settings::{InvalidSetting, Values};

use crate::config::Config;
pub use crate::config::StaffPlace;

/// The whole of `placard-server`.
pub fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(InvalidSetting { variable, problem, .. }) => {
            eprintln!("placard-server: {variable}: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<(), InvalidSetting> {
    let config = Config::read(&Values::load()?)?;
    log::begin(config.log);
    let app = config.installation.with_replica(config.installation.open(Clock::system())?)?;
    actix_web::rt::System::new().block_on(serve::serve(app, &config))
}
