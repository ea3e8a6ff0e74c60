//! What only a simulated installation may do: act for the staff and advertisers of
//! the demonstration.

use auth::PayPassword;
use base::{AdvertiserId, OperatorId, UserId};
use delivery::Nonce;
use store::people::codes;
use store::staff::audit::{self, Action, Actor};
use store::staff::operators::{self, Operator};
use store::{Conn, PageRequest, Realm};

use crate::people::set_pay_password::{self, SetPayPassword};
use crate::plans::advertisers;
use crate::staff::Changes;
use crate::{App, Error, Refusal};

/// # Errors
/// `not_permitted` where events and money are real.
pub fn only_simulated(app: &App) -> Result<(), Error> {
    if app.realm() == Realm::Simulated { Ok(()) } else { Err(Refusal::NotPermitted.into()) }
}

/// An operator by name, without the key.
///
/// # Errors
/// `not_permitted` where events and money are real.
pub async fn operator(app: &App, name: &str) -> Result<Option<Operator>, Error> {
    only_simulated(app)?;
    let all = app.db.read(operators::all).await?;
    Ok(all.into_iter().find(|operator| operator.name == name && !operator.revoked))
}

/// Made-up operators are people of their own, whoever added them.
///
/// # Errors
/// `not_permitted` where events and money are real.
pub async fn own_person(app: &App, operator: OperatorId) -> Result<(), Error> {
    only_simulated(app)?;
    app.db
        .write(move |tx| {
            operators::confirmed(tx, operator, None)?;
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

/// The transaction password of the demonstration's user, which is as common as
/// they come, so that everybody can try it out.
///
/// # Errors
/// `not_permitted` where events and money are real.
pub async fn pay_password(app: &App, user: UserId, password: PayPassword) -> Result<(), Error> {
    only_simulated(app)?;
    set_pay_password::set(app, user, SetPayPassword { password, old_password: None }).await
}

/// The newest codes that nobody has used, as they were issued.
///
/// # Errors
/// `not_permitted` where events and money are real: there, nothing is kept of
/// a code that it could be read from.
pub async fn unused_codes(app: &App, request: PageRequest) -> Result<Vec<String>, Error> {
    only_simulated(app)?;
    let vault = app.secrets.vault();
    let found = app.db.read(move |conn| codes::page(conn, true, request)).await?.items;
    let sealed = found.iter().filter_map(|code| Some((code, code.sealed.as_deref()?)));
    sealed.map(|(code, sealed)| Ok(vault.open(codes::place(&code.hash), sealed)?)).collect()
}

/// An advertiser, with the key its server signs with.
#[derive(Clone, Debug)]
pub struct SimulatedAdvertiser {
    pub advertiser: AdvertiserId,
    pub key: String,
}

/// Whose product was clicked; `None` where the click did not count. A real
/// advertiser knows its own visitors; a made-up one has to look.
///
/// # Errors
/// `not_permitted` where events and money are real.
pub async fn signer_of_click(app: &App, click_id: &str) -> Result<Option<SimulatedAdvertiser>, Error> {
    only_simulated(app)?;
    let Some(click) = Nonce::parse(click_id) else { return Ok(None) };
    match app.db.read(move |conn| clicked(conn, click)).await? {
        Some(advertiser) => Ok(Some(SimulatedAdvertiser { advertiser, key: advertisers::key(app, advertiser).await? })),
        None => Ok(None),
    }
}

fn clicked(conn: &mut Conn, click: Nonce) -> Result<Option<AdvertiserId>, Error> {
    let found = store::delivery::event::clicked(conn, &[click])?;
    Ok(found.first().map(|clicked| AdvertiserId(clicked.advertiser_id)))
}
