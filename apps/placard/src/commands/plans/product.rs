//! Products: adding them from files and listing them.

use std::path::PathBuf;

use campaigns::catalogue::advertisers;
use campaigns::catalogue::product_pictures::{self, add_picture};
use campaigns::catalogue::products::{add_product, all_products};
use clap::Subcommand;
use content::Kind;

use crate::cli::{LimitArg, ReasonArg};
use crate::commands::installation::file::{self, EntryArgs};
use crate::context::{Context, collect};
use crate::failure::Failure;

const EXAMPLE: &str = "\
A product file is TOML, or JSON where its name ends in .json:
  advertiser = 1                 # the advertiser's id, or its name in quotes
  name = \"Aurora Coffee\"
  summary = \"Coffee roasted to order\"
  image = \"/products/aurora-coffee.svg\"   # or what `product picture` printed
  min_put = \"10.00\"
  max_put = \"5000.00\"
  payout = \"17.50\"               # for a conversion
  attribution_days = 3
  fee_rate = \"0.05\"
  # landing_url = \"https://…\"    # without one, the page is hosted here
  # conversions_per_click = 1     # how many one click can bring
  [put_rule]
  pricing = \"cpm\"                # or cpc
  price = \"60.00\"
  days = 7
  [content.landing_page]         # also video, game_description
  title = \"Coffee roasted the day you order\"
  text = \"Six origins, three roasts\"
  image = \"/products/aurora-coffee.svg\"
  [targeting]                    # regions, languages, devices, interests
  interests = [\"food\"]";

const EXAMPLES: &str = "\
Examples:
  placard product add tea.toml --dry-run --reason \"new offer\"
  placard product add tea.toml --reason \"new offer\"
  placard request approve 17 --reason \"as in the contract\"
  placard product picture tea.jpg --reason \"for the new tea\"
  placard product list --limit 20
  placard content apply products.toml --reason \"new prices\"";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Add a product from a file; it is a draft until another operator has approved its
    /// terms
    #[command(after_help = EXAMPLE)]
    Add(EntryArgs),
    /// Add a picture for products, and print its address; the address holds the digest of
    /// what is shown
    Picture {
        /// A JPEG, PNG, WebP or GIF of at most 5 MiB
        file: PathBuf,
        #[command(flatten)]
        because: ReasonArg,
    },
    /// List products, newest first, including drafts and closed ones
    List {
        #[command(flatten)]
        at_most: LimitArg,
    },
}

pub async fn run(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add(entry) => {
            let (app, by, mut item) = file::entry(context, Kind::Product, &entry).await?;
            if let Some(name) = item.text("advertiser") {
                let id = file::named(&item, advertisers::number_of(&context.app, name).await)?;
                item.fields.insert("advertiser".to_owned(), id.0.into());
            }
            let added = add_product(&app, &by, &item.file()?).await;
            context.out.record(&file::named(&item, added)?)
        }
        Command::Picture { file: path, because } => {
            let by = context.staff(&because).await?;
            let wrong = |problem: String| Failure::Usage(format!("{}: {problem}", path.display()));
            let bytes = context.files.read(&path, product_pictures::LARGEST).map_err(wrong)?;
            context.out.record(&add_picture(&context.app, &by, bytes).await?)
        }
        Command::List { at_most } => {
            context.sign_in().await?;
            let found = collect(at_most, |page| all_products(&context.app, page)).await?;
            let columns = "id, name, status, auctions, pricing: put_rule/pricing, price: put_rule/price, \
                payout: payout/amount, min: min_put, max: max_put";
            context.out.list(&found, columns)
        }
    }
}
