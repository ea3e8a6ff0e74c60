//! Accepting a loss or changed secrets, if an installation cannot be opened.

use clap::Subcommand;
use desk::installation::accept::{AcceptRequest, accept_edits, accept_loss, accept_secrets};
use desk::installation::settings::{Installation, Values};

use crate::cli::ReasonArg;
use crate::failure::Failure;
use crate::output::Output;

pub const AFTER: &str = "\
Nothing opens an installation whose database lacks what its mark says was
answered, which was restored from a backup that does not match its audit
log or its ledger, or whose secret file is missing or another one. Put back what is
missing, or restore a backup. Where neither can be done, an admin accepts it,
and the audit keeps who did and what was gone. Stop the server first.

Examples:
  placard accept loss --reason \"the disk of 21 November\"
  placard accept edits --reason \"compared with the copy of 20 November\"
  placard accept secrets --reason \"the signing key was seen\"";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Continue with a database that has lost transactions, or with another one
    Loss {
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Continue with a restored database that does not match its audit log or its ledger
    Edits {
        #[command(flatten)]
        because: ReasonArg,
    },
    /// Accept the present secret file for this installation from now on
    Secrets {
        #[command(flatten)]
        because: ReasonArg,
    },
}

pub async fn run(out: Output, command: Command) -> Result<(), Failure> {
    let values = Values::load()?;
    let installation = Installation::read(&values)?;
    installation.must_have_begun()?;
    let of = |variable: &str| values.get(variable).map(str::to_owned);
    let credentials = of("PLACARD_OPERATOR").zip(of("PLACARD_OPERATOR_KEY"));
    let by = |because: ReasonArg| AcceptRequest { credentials, reason: because.reason };
    let accepted = match command {
        Command::Loss { because } => accept_loss(&installation, by(because)).await?,
        Command::Edits { because } => accept_edits(&installation, by(because)).await?,
        Command::Secrets { because } => accept_secrets(&installation, by(because)).await?,
    };
    out.record(&accepted)
}
