//! Compares the shares in publishers' bills with those that two people agreed on. A share that was edited for a while
//! shows in the bills of that time.

use std::collections::{BTreeMap, BTreeSet};

use base::Rate;
use diesel::prelude::*;
use supply::Share;
use wallet::RequestKind;

use super::agreed;
use super::faults::{Faults, Law};
use crate::{Conn, Error};
use db::row;

row! {
    struct BilledShare {
        publisher_id: i64,
        share_parts: i64,
        first: i64,
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let mut agreed = BTreeMap::<i64, BTreeSet<i64>>::new();
    agreed::each(conn, RequestKind::PublisherTerms, |terms| {
        let ends = ["from", "to"].map(|end| terms.fields.get("share")?.get(end)?.as_str()?.parse::<Rate>().ok());
        let shares = ends.into_iter().flatten().filter_map(Share::new).map(Share::parts);
        agreed.entry(terms.of).or_default().extend(shares);
    })?;
    // Exchanges are paid by price and have no share.
    let billed: Vec<BilledShare> = diesel::sql_query(
        "SELECT publisher_id, share_parts, MIN(transaction_id) AS first FROM bill_parts WHERE share_parts > 0 \
         GROUP BY publisher_id, share_parts ORDER BY 1, 2",
    )
    .load(conn)?;
    for BilledShare { publisher_id: publisher, share_parts: parts, first } in billed {
        let known = agreed.get(&publisher).is_some_and(|shares| shares.contains(&parts));
        if !known && parts != Share::DEFAULT.parts() {
            faults.add(Law::Rows, || {
                format!("publisher {publisher} has a share in transaction {first} that nobody had agreed to")
            });
        }
    }
    Ok(())
}
