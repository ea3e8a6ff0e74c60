//! Actions that only a simulated installation allows: acting for the staff and advertisers of the demonstration, and
//! moving the clock.

use auth::PayPassword;
use base::{AdvertiserId, OperatorId, RequestId, Timestamp, UserId, refuse_if};
use campaigns::AdServer;
use campaigns::catalogue::advertiser_keys::{PostbackKey, counting};
use campaigns::catalogue::counterparty_keys::claim;
use campaigns::delivery::market;
use delivery::Nonce;
use foundation::people::set_pay_password::{self, SetPayPassword};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Refusal};
use store::installation::months;
use store::people::codes;
use store::plans::advertiser;
use store::staff::audit::{self, Action, Actor};
use store::staff::operators::{self, Operator};
use store::{Conn, PageRequest, Realm};

use crate::requests::approve_key;

/// # Errors
/// `not_permitted` in a live installation.
pub fn only_simulated(app: &App) -> Result<(), Error> {
    if app.realm() == Realm::Simulated { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
}

/// Whether nobody has done anything here yet: there are no operators and no records.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn is_untouched(app: &App) -> Result<bool, Error> {
    only_simulated(app)?;
    let found = app.db.snapshot(|conn| Ok::<_, Error>((operators::all(conn)?.is_empty(), audit::head(conn)?))).await?;
    let (no_operators, head) = found;
    Ok(no_operators && head.is_none_or(|head| head.last_id == 0))
}

/// Moves the installation's clock. Later actions are dated by it, until [`return_to_present`]. If the time is in the
/// past, partitions are created for it and for the following three months.
///
/// # Errors
/// `not_permitted` in a live installation, or if it was opened with the system's clock.
pub async fn move_clock(app: &App, time: Timestamp) -> Result<(), Error> {
    only_simulated(app)?;
    refuse_if(!app.clock().is_movable(), Refusal::NotPermitted)?;
    let back = time < app.now();
    app.clock().move_to(time);
    if back {
        app.db.write(months::create_ahead).await?;
    }
    Ok(())
}

/// From now on the installation's clock shows the system's time.
pub fn return_to_present(app: &App) {
    app.clock().follow_system();
}

/// Waits until the leases that slots caused to be requested are answered, so that the next
/// slot's answer does not depend on how long that takes.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn wait_for_leases(app: &AdServer) -> Result<(), Error> {
    only_simulated(app)?;
    market::wait_for_leases(app).await;
    Ok(())
}

/// An operator by name, without the key.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn operator(app: &App, name: &str) -> Result<Option<Operator>, Error> {
    only_simulated(app)?;
    let all = app.db.read(operators::all).await?;
    Ok(all.into_iter().find(|operator| operator.name == name && !operator.revoked))
}

/// Whether the first two people are declared.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn has_founders(app: &App) -> Result<bool, Error> {
    only_simulated(app)?;
    let (_, founders) = app.db.read(operators::people_and_founders).await?;
    Ok(!founders.is_empty())
}

/// Simulated operators are people of their own, whoever added them.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn own_person(app: &App, operator: OperatorId) -> Result<(), Error> {
    only_simulated(app)?;
    app.db
        .write(move |tx| {
            operators::confirm(tx, operator, None)?;
            let nobody = Actor { id: None, name: "installation".to_owned() };
            let deed = Action {
                action: "operator.confirm",
                subject: format!("operator:{operator}"),
                details: Changes::default().and("own_person", false, true).details().to_string(),
                reason: "the demonstration".to_owned(),
            };
            Ok(audit::append(tx, &nobody, &deed)?)
        })
        .await
}

/// Sets the demonstration user's transaction password, which is a very common one so that
/// everybody can try it.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn pay_password(app: &App, user: UserId, password: PayPassword) -> Result<(), Error> {
    only_simulated(app)?;
    set_pay_password::set(app, user, SetPayPassword { password, old_password: None }).await
}

/// The newest unused codes.
///
/// # Errors
/// `not_permitted` in a live installation, which does not store codes in readable form.
pub async fn unused_codes(app: &App, request: PageRequest) -> Result<Vec<String>, Error> {
    only_simulated(app)?;
    let vault = app.secrets.vault();
    let found = app.db.read(move |conn| codes::page(conn, true, request)).await?.items;
    let sealed = found.iter().filter_map(|code| Some((code, code.sealed.as_deref()?)));
    sealed.map(|(code, sealed)| Ok(vault.open(codes::place(&code.hash), sealed)?)).collect()
}

/// Acts for a counterparty and the second person: the counterparty opens the link of the requested key and reads its
/// fingerprint to the second person, who approves it. Returns the key.
///
/// # Errors
/// `not_permitted` in a live installation; those of the two use cases.
pub async fn take_key(app: &App, second: &Staff, request: RequestId, claim_url: Option<&str>) -> Result<String, Error> {
    only_simulated(app)?;
    let link = claim_url.and_then(|url| url.rsplit_once('=')).map(|(_, link)| link).ok_or(Refusal::NotFound)?;
    let claimed = claim(app, link, None).await?;
    approve_key(app, second, request.into(), Some(&claimed.fingerprint)).await?;
    Ok(claimed.key)
}

/// The key that an advertiser shares with the installation, to act in its place; `None` if
/// it brought a public one or has none.
///
/// # Errors
/// `not_permitted` in a live installation; `not_found`.
pub async fn shared_key(app: &App, id: AdvertiserId) -> Result<Option<String>, Error> {
    only_simulated(app)?;
    let row = app.db.read(move |conn| advertiser::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    Ok(match counting(&app.secrets, &row)? {
        Some(PostbackKey::Shared(key)) => Some(key),
        Some(PostbackKey::Public(_)) | None => None,
    })
}

/// An advertiser, with its signing key.
#[derive(Clone, Debug)]
pub struct SimulatedAdvertiser {
    pub advertiser: AdvertiserId,
    pub key: String,
}

/// The advertiser whose product was clicked; `None` if the click did not count, or nobody can
/// sign in its place. A real advertiser knows its own visitors; a simulated one must look
/// them up.
///
/// # Errors
/// `not_permitted` in a live installation.
pub async fn signer_of_click(app: &App, click_id: &str) -> Result<Option<SimulatedAdvertiser>, Error> {
    only_simulated(app)?;
    let Some(click) = Nonce::parse(click_id) else { return Ok(None) };
    let Some(advertiser) = app.db.read(move |conn| find_clicked(conn, click)).await? else { return Ok(None) };
    Ok(shared_key(app, advertiser).await?.map(|key| SimulatedAdvertiser { advertiser, key }))
}

fn find_clicked(conn: &mut Conn, click: Nonce) -> Result<Option<AdvertiserId>, Error> {
    let found = store::delivery::event::clicked(conn, &[click])?;
    Ok(found.first().map(|clicked| clicked.advertiser_id))
}
