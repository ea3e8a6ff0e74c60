//! Following the books with the public log, from its beginning on.

use foundation::{App, Settings};
use money::wallet::public_log::balances::{section, totals};
use money::wallet::public_log::{self, ProofPosition, Sealer, keys, log_condition};
use objects::{ObjectLocation, Objects};
use store::wallet::balance_days;

use crate::support::Market;

pub async fn ask(market: &Market) {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let domain = Some("ads.example.com".parse().expect("a domain"));
    let settings = Settings { domain, ..Settings::default() };
    let app =
        &App::new(market.world.test.db.clone(), (*market.world.app.secrets).clone(), settings).with_objects(objects);
    let mut sealer = Sealer::default();
    sealer.round(app).await.expect("sealed");
    app.db.read(|conn| balance_days::tile(conn, 1, 1)).await.expect("read");
    section(app, market.world.user, 0..=u64::MAX, u64::MAX).await.expect("read");
    totals(app).await.expect("read");
    // What committed late.
    sealer.round(app).await.expect("nothing new");
    log_condition(app).await.expect("a log");
    keys(app).await.expect("one");
    let month = proof::Month::of(app.now().millis()).expect("a month").to_string();
    let file = public_log::proof_file(app, market.world.user, &month).await.expect("a file");
    let mut place = ProofPosition::Head;
    while let Some((_, next)) = file.part(place).await.expect("a part") {
        place = next;
    }
}
