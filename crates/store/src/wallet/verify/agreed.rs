//! The terms in approved requests. The audit log protects these requests, and no other history of terms is stored.

use diesel::prelude::*;
use serde_json::Value;
use wallet::{RequestKind, RequestStatus};

use crate::schema::money_requests as requests;
use crate::{Conn, Error};

/// Requests read at a time; those for products have texts and pictures as well.
const CHUNK: i64 = 500;

type Row = (i64, Option<i64>, Option<i64>, Option<i64>, Option<String>);

/// An approved request for terms.
pub(super) struct AgreedTerms {
    pub request: i64,
    pub at: i64,
    /// The product or publisher that it is about.
    pub of: i64,
    /// Each field with its old and its new value.
    pub fields: Value,
}

/// Calls `take` with the approved requests of a kind, in the order in which they were made. A request that cannot be
/// parsed agrees to nothing.
pub(super) fn each(conn: &mut Conn, kind: RequestKind, mut take: impl FnMut(AgreedTerms)) -> Result<(), Error> {
    let mut above = 0;
    loop {
        let part: Vec<Row> = requests::table
            .filter(requests::kind.eq(kind).and(requests::id.gt(above)))
            .filter(requests::status.eq(RequestStatus::Approved))
            .order(requests::id)
            .limit(CHUNK)
            .select((
                requests::id,
                requests::decided_at,
                requests::product_id,
                requests::publisher_id,
                requests::proposal,
            ))
            .load(conn)?;
        let Some((last, ..)) = part.last() else { return Ok(()) };
        above = *last;
        let agreed = |(request, at, product, publisher, proposal): Row| {
            let fields = serde_json::from_str(&proposal?).ok()?;
            Some(AgreedTerms { request, at: at?, of: product.or(publisher)?, fields })
        };
        part.into_iter().filter_map(agreed).for_each(&mut take);
    }
}
