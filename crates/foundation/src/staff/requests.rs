//! Requests: what one person alone must not do, one operator requests and another
//! approves within seven days. Either may reject it. Nothing is done before approval, and
//! then exactly what was requested.
//!
//! A kind of request is an entry of `wallet::RequestKind`; `kinds.rs` says who may request it. Movements of money are
//! requested with a [`MoneyRequestDraft`]; other changes are filed, with a [`Proposal`], by the use case they belong
//! to. What an approval does stands above all of them, in `desk::requests`.

pub mod decision;
mod draft;
mod expiry;
mod file;
pub mod kinds;
mod proposal;
mod sealed;
pub mod view;

use base::{Field, RequestId};
use store::staff::requests::{self as rows, MoneyRequest};
use store::wallet::books::Books;
use store::{Page, PageRequest, Tx};
use wallet::RequestDocument;

pub use store::staff::requests::{RequestFilter, Subject};
pub use wallet::RequestKind;

pub use draft::{MoneyRequestDraft, may_receive, may_waive, postings, request};
pub use expiry::expire_due;
pub use file::{CheckedRequest, file, file_once, file_with, waiting};
pub use proposal::Proposal;
pub use sealed::{is_as_agreed, is_as_requested, is_set_aside};
pub use view::RequestView;

use crate::staff::Changes;
use crate::{App, Error, Refusal};

const LONGEST_REFERENCE: usize = 64;

/// The bank's reference, as written.
pub fn read_reference(written: &str) -> Result<String, Error> {
    let reference = written.trim();
    match reference.chars().count() {
        0 => Err(Error::field(Field::Reference, "required")),
        n if n > LONGEST_REFERENCE => Err(Error::field(Field::Reference, "too_long")),
        _ => Ok(reference.to_owned()),
    }
}

/// A request's number and, if it matters, its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestRef {
    document: Option<RequestDocument>,
    id: RequestId,
}

impl RequestRef {
    pub const fn of(document: RequestDocument, id: RequestId) -> Self {
        Self { document: Some(document), id }
    }

    /// A request of any document. Among requests from when each kind had its own numbers, several may have the same
    /// number.
    pub const fn any(id: RequestId) -> Self {
        Self { document: None, id }
    }

    pub fn one(self, conn: &mut store::Conn) -> Result<MoneyRequest, Error> {
        let mut found = rows::find(conn, self.document, self.id)?;
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            (Some(_), false) => Err(Error::field(Field::Id, "ambiguous")),
            (None, _) => Err(Refusal::NotFound.into()),
        }
    }
}

impl From<RequestId> for RequestRef {
    fn from(id: RequestId) -> Self {
        Self::any(id)
    }
}

/// Parses `17`, or `recharge:17` as in the audit log.
impl std::str::FromStr for RequestRef {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (document, number) = match text.split_once(':') {
            Some((name, number)) => (Some(RequestDocument::from_name(name).ok_or(Refusal::NotFound)?), number),
            None => (None, text),
        };
        Ok(Self { document, id: number.parse().map_err(|_| Refusal::NotFound)? })
    }
}

/// Locks what a request is about, and the books of the money's owner.
pub fn lock(tx: &mut Tx<'_>, subject: Subject) -> Result<Books, Error> {
    match subject {
        Subject::User(user) => return Ok(Books::lock_user(tx, user)?),
        Subject::Advertiser(id) => {
            store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
            return Ok(Books::lock_advertiser_alone(tx, id)?);
        }
        Subject::Product(id) => store::plans::product::lock(tx, id)?,
        Subject::Coupon(id) => store::offers::coupons::lock_definition(tx, id)?,
        Subject::Acceptor(id) => store::wallet::acceptors::lock(tx, id)?,
        Subject::Publisher(id) => return Ok(Books::lock_publisher(tx, id)?),
        Subject::New => {}
    }
    Ok(Books::default())
}

/// The request with everything locked that it is about, unless its kind needs more: see `desk::requests`.
pub fn lock_request(tx: &mut Tx<'_>, which: RequestRef) -> Result<(Books, MoneyRequest), Error> {
    let found = which.one(tx)?;
    let books = lock(tx, found.subject)?;
    Ok((books, rows::lock(tx, &found)?))
}

/// What the audit log calls the approval of such a request.
pub fn approving(kind: RequestKind) -> &'static str {
    kinds::actions(kind).approve
}

/// A request's name in the audit log: `recharge:5`.
pub fn subject(request: &MoneyRequest) -> String {
    format!("{}:{}", request.kind.document(), request.id)
}

pub fn changes(before: &MoneyRequest, after: &MoneyRequest) -> Changes {
    let status = (before.review.status.name(), after.review.status.name());
    let details = file::facts(after).and("status", status.0, status.1);
    if after.kind == RequestKind::PublisherPayout {
        return details.and("reference", before.reference.clone(), after.reference.clone());
    }
    if after.kind != RequestKind::Chargeback {
        return details;
    }
    details.about("written_off", after.written_off.to_string())
}

/// All requests, newest first.
pub async fn requests(app: &App, filter: RequestFilter, page: PageRequest) -> Result<Page<RequestView>, Error> {
    let now = app.now();
    app.db
        .read(move |conn| {
            let found = rows::page(conn, &filter, now, page)?;
            view::of_all(conn, found, now)
        })
        .await
}
