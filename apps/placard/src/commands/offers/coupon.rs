//! Coupons: defining them and giving them to users.

use base::Timestamp;
use clap::Subcommand;
use content::Kind;
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::{coupon_definitions, define_coupon};

use crate::cli::{LimitArg, ReasonArg};
use crate::commands::installation::file::{self, EntryArgs};
use crate::commands::people::code::expiry;
use crate::context::{Context, collect};
use crate::failure::Failure;

const EXAMPLE: &str = "\
A coupon file is TOML, or JSON where its name ends in .json:
  name = \"Spring 10%\"
  kind = \"custom\"                # fixed_amount, value_add, deduction, team
  effect = \"discount\"            # deduction or addition; team and custom only
  value = \"0.10\"                 # a share; money for the other effects
  max_value = \"25.00\"            # the most that a discount gives; for each discount
  min_amount = \"100.00\"
  days = 30                      # or ends = \"2027-01-01T00:00:00Z\"
  # operated_id = \"OP-1001\"      # team coupons: whom their users follow
  quantity = 200                 # how many are given at most, claims counted
  # activity = \"newcomer\"        # claimed by users themselves, once each
Another operator approves it: placard request approve ID. What is counted in both
operators' limits is the most that one can give, times the quantity.";

const EXAMPLES: &str = "\
Examples:
  placard coupon define spring.toml --dry-run --reason \"spring sale\"
  placard coupon define spring.toml --reason \"spring sale\"
  placard coupon grant mia \"Spring 10%\" --reason \"late delivery\"
  placard coupon grant mia 3 --expires 2026-12-31 --reason \"late delivery\"
  placard coupon list --limit 20";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Request a coupon from a file; it is a draft until another operator approves it
    #[command(after_help = EXAMPLE)]
    Define(EntryArgs),
    /// Request a coupon for a user; another operator approves it
    Grant {
        username: String,
        /// Its name, or the id of its definition
        coupon: String,
        /// The last day (UTC) on which it can be used, such as 2026-12-31, or a time
        #[arg(long, value_parser = expiry)]
        expires: Option<Timestamp>,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List definitions, newest first, including drafts
    List {
        #[command(flatten)]
        at_most: LimitArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Define(entry) => {
            let (app, by, item) = file::entry(context, Kind::Coupon, &entry).await?;
            let defined = define_coupon(&app, &by, &item.file()?).await;
            context.out.record(&file::named(&item, defined)?)
        }
        Command::Grant { username, coupon, expires, because } => {
            let by = context.staff(&because).await?;
            context.out.record(&grant_coupon(&context.app, &by, &username, &coupon, expires).await?)
        }
        Command::List { at_most } => {
            context.sign_in().await?;
            let found = collect(at_most, |page| coupon_definitions(&context.app, page)).await?;
            let columns = "id, name, effect, value, from: min_amount, activity, status, given, of: quantity";
            context.out.list(&found, columns)
        }
    }
}
