//! What one operator requests and another approves before it is done.

use base::{
    AcceptorId, AdvertiserId, CouponDefinitionId, Money, OperatorId, ProductId, PublisherId, RequestId, Timestamp,
    UserId,
};
use diesel::prelude::*;
use wallet::{FirstDecision, RequestDocument, RequestKind, RequestReview, RequestStatus};

use crate::schema::{
    acceptors, advertisers, coupon_definitions, money_requests as requests, products, publishers, users,
};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    User(UserId),
    Advertiser(AdvertiserId),
    Product(ProductId),
    Coupon(CouponDefinitionId),
    Acceptor(AcceptorId),
    Publisher(PublisherId),
    /// Something that does not exist yet; the proposal describes it.
    New,
}

impl Subject {
    /// Its name in the audit log, and its number.
    pub const fn named(self) -> Option<(&'static str, i64)> {
        match self {
            Self::User(id) => Some(("user", id.0)),
            Self::Advertiser(id) => Some(("advertiser", id.0)),
            Self::Product(id) => Some(("product", id.0)),
            Self::Coupon(id) => Some(("coupon_definition", id.0)),
            Self::Acceptor(id) => Some(("acceptor", id.0)),
            Self::Publisher(id) => Some(("publisher", id.0)),
            Self::New => None,
        }
    }

    fn of(row: &Row) -> Result<Self, Error> {
        let of = [
            row.user_id.map(Self::User),
            row.advertiser_id.map(Self::Advertiser),
            row.product_id.map(Self::Product),
            row.coupon_definition_id.map(Self::Coupon),
            row.acceptor_id.map(Self::Acceptor),
            row.publisher_id.map(Self::Publisher),
        ];
        let mut named = of.into_iter().flatten();
        match (named.next(), named.next()) {
            (Some(subject), None) => Ok(subject),
            (None, _) if row.proposal.is_some() => Ok(Self::New),
            _ => Err(Error::Corrupt(format!("money request {} is nobody's", row.id))),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoneyRequest {
    /// The row's id, used for paging.
    row: i64,
    /// The request's number. For older requests it differs from the row's id, because each kind had its own numbers
    /// then.
    pub id: RequestId,
    pub kind: RequestKind,
    pub subject: Subject,
    /// The name of what it is about.
    pub name: String,
    /// The amount moved, or the most that it can cost.
    pub amount: Money,
    /// JSON: the fields to change, with old and new values.
    pub proposal: Option<String>,
    /// The bank's reference, so that one payment counts once.
    pub reference: Option<String>,
    pub review: RequestReview,
    pub reason: String,
    pub requested_at: Timestamp,
    pub decided_by: Option<OperatorId>,
    /// The person that the decider counted as then.
    pub decided_person: Option<OperatorId>,
    pub decided_at: Option<Timestamp>,
    /// When the key of an older request was shown to the operator who requested it.
    pub shown_at: Option<Timestamp>,
    /// Who reported that a payout was paid, and when.
    pub paid: Option<FirstDecision>,
    /// What could not be taken from the user of a chargeback.
    pub written_off: Money,
    /// When the bank's line was found.
    pub cleared_at: Option<Timestamp>,
}

impl MoneyRequest {
    /// The id of its row. It is not always the request's number.
    pub const fn row(&self) -> i64 {
        self.row
    }

    /// Who approved it.
    pub fn approved(&self) -> Option<FirstDecision> {
        let by = self.decided_by.filter(|_| self.review.status == RequestStatus::Approved)?;
        Some(FirstDecision { by, person: self.decided_person, at: self.decided_at })
    }
}

/// A request to be inserted.
#[derive(Clone, Debug)]
pub struct NewRequest {
    pub kind: RequestKind,
    pub subject: Subject,
    pub amount: Money,
    pub proposal: Option<String>,
    pub reference: Option<String>,
    pub reason: String,
    pub review: RequestReview,
}

/// Selects requests; all if nothing is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestFilter {
    pub document: Option<RequestDocument>,
    pub status: Option<RequestStatus>,
    pub user: Option<UserId>,
    /// Only requests made by this operator, or only others'.
    pub made_by: Option<(OperatorId, bool)>,
}

#[derive(Queryable)]
struct Row {
    id: i64,
    kind: RequestKind,
    old_number: Option<i64>,
    user_id: Option<UserId>,
    advertiser_id: Option<AdvertiserId>,
    amount: Money,
    reference: Option<String>,
    status: RequestStatus,
    reason: String,
    requested_by: OperatorId,
    requested_at: Timestamp,
    expires_at: Timestamp,
    decided_by: Option<OperatorId>,
    decided_at: Option<Timestamp>,
    written_off: Money,
    cleared_at: Option<Timestamp>,
    product_id: Option<ProductId>,
    coupon_definition_id: Option<CouponDefinitionId>,
    acceptor_id: Option<AcceptorId>,
    proposal: Option<String>,
    requested_person: OperatorId,
    decided_person: Option<OperatorId>,
    shown_at: Option<Timestamp>,
    publisher_id: Option<PublisherId>,
    paid_by: Option<OperatorId>,
    paid_person: Option<OperatorId>,
    paid_at: Option<Timestamp>,
}

/// The name of the user, advertiser, product, coupon, acceptor or publisher.
type Names = (Option<String>, Option<String>, Option<String>, Option<String>, Option<String>, Option<String>);
type Named = (Row, Names);

/// The name in the row that a request's column refers to. PostgreSQL takes several milliseconds to plan a join of seven
/// tables, and little for six subqueries.
macro_rules! name {
    ($table:ident.$name:ident, $id:ident) => {
        $table::table.filter($table::id.nullable().eq(requests::$id)).select($table::$name).single_value()
    };
}

/// Requests with the names of what they are about.
macro_rules! named {
    () => {
        requests::table.select((
            requests::all_columns,
            (
                name!(users.username, user_id),
                name!(advertisers.name, advertiser_id),
                name!(products.name, product_id),
                name!(coupon_definitions.name, coupon_definition_id),
                name!(acceptors.name, acceptor_id),
                name!(publishers.name, publisher_id),
            ),
        ))
    };
}

mod over_time;

pub use over_time::{find_agreed_since, sum_since};

fn request((row, names): Named) -> Result<MoneyRequest, Error> {
    let subject = Subject::of(&row)?;
    let (username, advertiser, product, coupon, acceptor, publisher) = names;
    Ok(MoneyRequest {
        row: row.id,
        id: RequestId(row.old_number.unwrap_or(row.id)),
        kind: row.kind,
        subject,
        name: username.or(advertiser).or(product).or(coupon).or(acceptor).or(publisher).unwrap_or_default(),
        amount: row.amount,
        proposal: row.proposal,
        reference: row.reference,
        review: RequestReview {
            status: row.status,
            requested_by: row.requested_by,
            requested_person: row.requested_person,
            expires_at: row.expires_at,
        },
        reason: row.reason,
        requested_at: row.requested_at,
        decided_by: row.decided_by,
        decided_person: row.decided_person,
        decided_at: row.decided_at,
        shown_at: row.shown_at,
        paid: row.paid_by.map(|by| FirstDecision { by, person: row.paid_person, at: row.paid_at }),
        written_off: row.written_off,
        cleared_at: row.cleared_at,
    })
}

/// The kinds of requests that belong to a document; all without one.
fn kinds(document: Option<RequestDocument>) -> Vec<RequestKind> {
    let of = |kind: &RequestKind| document.is_none_or(|document| kind.document() == document);
    RequestKind::ALL.iter().copied().filter(of).collect()
}

/// Inserts a request.
///
/// # Errors
/// A unique violation if the reference was used before; the transaction cannot continue
/// after it.
pub fn insert(tx: &mut Tx<'_>, new: &NewRequest) -> Result<MoneyRequest, Error> {
    let about = |name: &str| new.subject.named().filter(|(named, _)| *named == name).map(|(_, id)| id);
    let id: i64 = diesel::insert_into(requests::table)
        .values((
            requests::kind.eq(new.kind),
            requests::user_id.eq(about("user")),
            requests::advertiser_id.eq(about("advertiser")),
            requests::product_id.eq(about("product")),
            requests::coupon_definition_id.eq(about("coupon_definition")),
            requests::acceptor_id.eq(about("acceptor")),
            requests::publisher_id.eq(about("publisher")),
            requests::amount.eq(new.amount),
            requests::proposal.eq(new.proposal.as_deref()),
            requests::reference.eq(new.reference.as_deref()),
            requests::status.eq(new.review.status),
            requests::reason.eq(&new.reason),
            requests::requested_by.eq(new.review.requested_by),
            requests::requested_person.eq(new.review.requested_person),
            requests::requested_at.eq(tx.now()),
            requests::expires_at.eq(new.review.expires_at),
        ))
        .returning(requests::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("money_requests", id);
    of_row(tx, id)?.ok_or_else(|| Error::Corrupt("the request just made is not there".to_owned()))
}

fn of_row(conn: &mut Conn, row: i64) -> Result<Option<MoneyRequest>, Error> {
    let found: Option<Named> = named!().filter(requests::id.eq(row)).first(conn).optional()?;
    found.map(request).transpose()
}

/// The requests in these rows.
pub fn of_rows(conn: &mut Conn, rows: impl Iterator<Item = i64>) -> Result<Vec<MoneyRequest>, Error> {
    let ids = db::bulk::ascending(rows);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found: Vec<Named> = named!().filter(requests::id.eq_any(ids)).order(requests::id).load(conn)?;
    found.into_iter().map(request).collect()
}

/// The requests with this number: at most one of each document, and more than one only
/// among those from before all kinds shared their numbers. Decide on one only after
/// locking it.
pub fn find(conn: &mut Conn, document: Option<RequestDocument>, id: RequestId) -> Result<Vec<MoneyRequest>, Error> {
    let new = requests::id.eq(id).and(requests::old_number.is_null());
    // There are at most as many as there are kinds of documents.
    let found: Vec<Named> = named!()
        .filter(requests::old_number.eq(id).assume_not_null().or(new))
        .filter(requests::kind.eq_any(kinds(document)))
        .order(requests::id)
        .load(conn)?;
    found.into_iter().map(request).collect()
}

/// Locks the request and returns its present state. The subject of the request must be locked first.
pub fn lock(tx: &mut Tx<'_>, request: &MoneyRequest) -> Result<MoneyRequest, Error> {
    tx.run(diesel::update(requests::table.find(request.row)).set(requests::kind.eq(requests::kind)))?;
    of_row(tx, request.row)?.ok_or_else(|| Error::Corrupt("a request has gone".to_owned()))
}

/// Newest first. A request that nobody decided in time counts as expired, even before
/// that is stored.
pub fn page(
    conn: &mut Conn,
    filter: &RequestFilter,
    now: Timestamp,
    page: PageRequest,
) -> Result<Page<MoneyRequest>, Error> {
    let mut query = named!().filter(requests::id.lt(page.below())).into_boxed();
    if filter.document.is_some() {
        query = query.filter(requests::kind.eq_any(kinds(filter.document)));
    }
    let open = requests::status.eq(RequestStatus::Requested);
    query = match filter.status {
        None => query,
        Some(RequestStatus::Requested) => query.filter(open.and(requests::expires_at.gt(now))),
        Some(status @ RequestStatus::Expired) => {
            query.filter(requests::status.eq(status).or(open.and(requests::expires_at.le(now))))
        }
        Some(status) => query.filter(requests::status.eq(status)),
    };
    if let Some(user) = filter.user {
        query = query.filter(requests::user_id.eq(user));
    }
    query = match filter.made_by {
        None => query,
        Some((by, true)) => query.filter(requests::requested_by.eq(by)),
        Some((by, false)) => query.filter(requests::requested_by.ne(by)),
    };
    let rows: Vec<Named> = query.order(requests::id.desc()).limit(page.fetch()).load(conn)?;
    let found = rows.into_iter().map(request).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, page, |request: &MoneyRequest| request.row))
}

/// Stores the decision, and the deciding operator and person; nobody, if it expired.
pub fn decide(
    tx: &mut Tx<'_>,
    request: &MoneyRequest,
    review: RequestReview,
    by: Option<(OperatorId, OperatorId)>,
    written_off: Money,
) -> Result<MoneyRequest, Error> {
    will_change(tx, "money_requests", [request.row])?;
    tx.run(diesel::update(requests::table.find(request.row)).set((
        requests::status.eq(review.status),
        requests::decided_by.eq(by.map(|(by, _)| by.0)),
        requests::decided_person.eq(by.map(|(_, person)| person.0)),
        requests::decided_at.eq(tx.now()),
        requests::written_off.eq(written_off),
    )))?;
    of_row(tx, request.row)?.ok_or_else(|| Error::Corrupt("the request just decided is not there".to_owned()))
}

/// Stores that a payout was paid, by this operator and person, under the reference that the
/// bank will show.
///
/// # Errors
/// A unique violation if another was paid under it; the transaction cannot continue after
/// it.
pub fn mark_paid(
    tx: &mut Tx<'_>,
    request: &MoneyRequest,
    (by, person): (OperatorId, OperatorId),
    reference: &str,
) -> Result<MoneyRequest, Error> {
    will_change(tx, "money_requests", [request.row])?;
    tx.run(diesel::update(requests::table.find(request.row)).set((
        requests::paid_by.eq(by),
        requests::paid_person.eq(person),
        requests::paid_at.eq(tx.now()),
        requests::reference.eq(reference),
    )))?;
    of_row(tx, request.row)?.ok_or_else(|| Error::Corrupt("the payout just paid is not there".to_owned()))
}

/// Requests that nobody decided in time, oldest first.
pub fn overdue(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<(RequestDocument, RequestId)>, Error> {
    let rows: Vec<(i64, i16, Option<i64>)> = requests::table
        .filter(requests::status.eq(RequestStatus::Requested).and(requests::expires_at.le(now)))
        .order(requests::expires_at)
        .limit(limit)
        .select((requests::id, requests::kind, requests::old_number))
        .load(conn)?;
    let named = |(id, kind, old): (i64, i16, Option<i64>)| {
        let kind = RequestKind::try_from(kind).map_err(|e| Error::Corrupt(format!("money request {id}: {e}")))?;
        Ok((kind.document(), RequestId(old.unwrap_or(id))))
    };
    rows.into_iter().map(named).collect()
}

/// Whether a request of these kinds can still be approved.
pub fn has_open(conn: &mut Conn, user: UserId, of: &[RequestKind], now: Timestamp) -> Result<bool, Error> {
    let codes: Vec<i16> = of.iter().map(|kind| kind.code()).collect();
    let open = requests::table
        .filter(requests::user_id.eq(user).and(requests::kind.eq_any(codes)))
        .filter(requests::status.eq(RequestStatus::Requested).and(requests::expires_at.gt(now)));
    Ok(diesel::select(diesel::dsl::exists(open)).get_result(conn)?)
}

/// The open request for exactly this proposal, if there is one.
pub fn waiting(
    conn: &mut Conn,
    (kind, subject): (RequestKind, Subject),
    proposal: &str,
    now: Timestamp,
) -> Result<Option<MoneyRequest>, Error> {
    let about = |name: &str| subject.named().filter(|(named, _)| *named == name).map_or(0, |(_, id)| id);
    let same = requests::user_id.eq(about("user")).or(requests::advertiser_id.eq(about("advertiser")));
    let same = same.or(requests::product_id.eq(about("product"))).or(requests::acceptor_id.eq(about("acceptor")));
    let same = same.or(requests::coupon_definition_id.eq(about("coupon_definition")));
    let same = same.or(requests::publisher_id.eq(about("publisher")));
    let open = named!()
        .filter(requests::kind.eq(kind).and(requests::proposal.eq(proposal)))
        .filter(requests::status.eq(RequestStatus::Requested).and(requests::expires_at.gt(now)))
        .order(requests::id.desc())
        .into_boxed();
    // Requests about something that does not exist yet are distinguished only by their proposals.
    let open = if subject == Subject::New { open } else { open.filter(same.assume_not_null()) };
    let found: Option<Named> = open.first(conn).optional()?;
    found.map(request).transpose()
}
