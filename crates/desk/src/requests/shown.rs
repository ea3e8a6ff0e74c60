//! A request as those see it who decide on it.

use auth::Vault;
use base::Timestamp;
use campaigns::catalogue::counterparty_keys;
use foundation::people::login::reset_code;
use foundation::staff::Staff;
use foundation::staff::publisher_contacts::publisher_contact;
use foundation::staff::requests::view::{proposal, with_uses};
use foundation::staff::requests::{RequestKind, RequestRef, RequestView, Subject};
use foundation::{App, Error};
use money::wallet::publishers::terms;
use money::wallet::reconcile::lines_named;
use store::Conn;
use store::staff::requests::MoneyRequest;
use wallet::RequestStatus;

/// # Errors
/// `not_found`; the field `id` if several have that number.
pub async fn show(app: &App, which: RequestRef) -> Result<RequestView, Error> {
    let now = app.now();
    let vault = app.secrets.vault();
    app.db.read(move |conn| which.one(conn).and_then(|found| open_view(conn, found, &vault, now))).await
}

/// A request as this operator sees it: with their half of a code for a login password, the first time that they look
/// after its approval.
///
/// # Errors
/// Those of [`show`] and of [`reset_code::show_half`].
pub async fn show_to(app: &App, by: &Staff, which: RequestRef) -> Result<RequestView, Error> {
    let shown = show(app, which).await?;
    if shown.kind != RequestKind::LoginPasswordReset || shown.status != RequestStatus::Approved {
        return Ok(shown);
    }
    match reset_code::show_half(app, by, which).await? {
        Some(half) => Ok(RequestView { half: Some(half), ..show(app, which).await? }),
        None => Ok(shown),
    }
}

/// The request with the sealed parts of its proposal opened, for those who decide on it.
fn open_view(conn: &mut Conn, request: MoneyRequest, vault: &Vault, now: Timestamp) -> Result<RequestView, Error> {
    let subject = request.subject;
    let full = proposal(&request)?;
    let view = with_uses(conn, request.clone(), now)?;
    let view = counterparty_keys::complete_view(conn, view, &request)?;
    let mut view = reset_code::complete_view(conn, view, &request, now)?;
    view.bank_lines = lines_named(conn, &request, now)?;
    if let Subject::Publisher(id) = subject {
        view.publisher = Some(publisher_contact(conn, id, now)?);
        view.proposal = full.map(|mut full| {
            terms::unseal_destination(vault, id, &mut full);
            full
        });
    }
    Ok(view)
}
