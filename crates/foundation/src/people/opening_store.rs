//! Opening the ad account with a code, for users of the native shell.

use auth::{Entry, code};
use base::UserId;
use store::people::users;

use crate::notices::{NoticeKind, notify};
use crate::people::account_audit;
use crate::people::register::{await_activation, redeem};
use crate::people::user_info::{self, UserView};
use crate::staff::Changes;
use crate::{App, Error, Refusal};

/// # Errors
/// `store_already_opened`, `authorization_code_not_found`, `authorization_code_used`; a
/// refusal does not use up the code. With a manual code, the account must then be
/// activated by staff, as the result says.
pub async fn open_store(app: &App, user: UserId, entry: Entry, authorization_code: &str) -> Result<UserView, Error> {
    let code = code::hash(authorization_code, &app.secrets.vault());
    let (row, deposit) = app
        .write_and_forget(user, move |tx| {
            if !users::open_store(tx, user)? {
                return Err(Refusal::StoreAlreadyOpened.into());
            }
            let activation = redeem(tx, &code, user)?;
            await_activation(tx, user, activation)?;
            notify(tx, user, &NoticeKind::StoreOpened {})?;
            let shown = user_info::load(tx, user)?;
            let changes = Changes::default().and("store_opened", false, true);
            account_audit::record(tx, user, account_audit::STORE_OPENED, changes)?;
            Ok(shown)
        })
        .await?;
    Ok(user_info::view(app, row, deposit, Some(entry)))
}
