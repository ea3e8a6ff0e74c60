//! Opening the ad account with a code, for users of the native shell.

use std::net::IpAddr;

use auth::{Entry, code};
use base::{UserId, refuse_if};
use store::people::users;

use crate::accounts::{attempts, failures};
use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::people::register::{await_activation, redeem};
use crate::people::user_info::{self, UserView};
use crate::staff::Changes;
use crate::{App, Error, Refusal};

/// An attempt counts like one to register: by network, `address`, together with sign-ins.
///
/// # Errors
/// `TooManyRequests` after too many failures; `store_already_opened`,
/// `authorization_code_not_found`, `authorization_code_used`; a refusal does not use up the
/// code. With a manual code, the account must then be activated by staff, as the result says.
pub async fn open_store(
    app: &App,
    (user, entry): (UserId, Entry),
    authorization_code: &str,
    address: Option<IpAddr>,
) -> Result<UserView, Error> {
    let attempt = attempts::begin(app, address, None).await?;
    let code = code::hash(authorization_code, &app.secrets.vault());
    let opened = app
        .write_and_forget(user, move |tx| {
            attempt.take_back(tx)?;
            refuse_if(!users::open_store(tx, user)?, Refusal::StoreAlreadyOpened)?;
            let activation = redeem(tx, &code, user)?;
            await_activation(tx, user, activation)?;
            notify(tx, user, &NoticeKind::StoreOpened {})?;
            let shown = user_info::load(tx, user)?;
            let changes = Changes::default().and("store_opened", false, true);
            account_audit::record(tx, user, account_audit::STORE_OPENED, changes)?;
            Ok(shown)
        })
        .await;
    if matches!(opened, Err(Error::Refused(Refusal::AuthorizationCodeNotFound | Refusal::AuthorizationCodeUsed))) {
        failures::of_user(app, "authorization code", user);
    }
    let (row, deposit) = opened?;
    Ok(user_info::view(app, row, deposit, Some(entry)))
}
