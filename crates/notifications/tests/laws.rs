//! Paging through both kinds shows each item once, newest first, whatever is added
//! meanwhile.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use base::Timestamp;
use notifications::{ListCursor, NoticeId, newest};
use proptest::prelude::*;

fn places() -> impl Strategy<Value = BTreeSet<ListCursor>> {
    let id =
        (any::<bool>(), 0_i64..40).prop_map(|(own, id)| if own { NoticeId::Own(id) } else { NoticeId::Announced(id) });
    let place = (0_i64..6, id).prop_map(|(at, id)| ListCursor { at: Timestamp::from_millis(at), id });
    proptest::collection::btree_set(place, 0..60)
}

/// What a source has below a position, as its query returns it.
fn source(all: &BTreeSet<ListCursor>, below: ListCursor, own: bool, limit: usize) -> Vec<ListCursor> {
    let number = if own { below.own_below() } else { below.announced_below() };
    let fits = |place: &&ListCursor| {
        matches!(place.id, NoticeId::Own(_)) == own
            && (place.at < below.at || (place.at == below.at && place.id.number() < number))
    };
    all.iter().rev().filter(fits).take(limit.saturating_add(1)).copied().collect()
}

proptest! {
    #[test]
    fn every_one_is_shown_once_and_in_order(mut all in places(), limit in 1_usize..9, added in places()) {
        let expected: Vec<ListCursor> = all.iter().rev().copied().collect();
        let mut below = ListCursor::TOP;
        let mut seen = Vec::new();
        loop {
            let found = source(&all, below, true, limit).into_iter().chain(source(&all, below, false, limit));
            let page = newest(found, |place| *place, limit);
            prop_assert!(page.items.len() <= limit);
            seen.extend(page.items);
            // Later items are above all others.
            all.extend(added.iter().map(|place| ListCursor { at: Timestamp::from_millis(place.at.millis() + 10), ..*place }));
            match page.next {
                Some(next) => below = next,
                None => break,
            }
        }
        prop_assert_eq!(seen, expected);
    }
}

#[test]
fn a_list_that_fills_its_last_page_ends_with_it() {
    let at = |id| ListCursor { at: Timestamp::from_millis(1), id: NoticeId::Own(id) };
    let page = |count| newest((0..count).map(at), |place| *place, 2).next;
    assert_eq!((page(1), page(2), page(3)), (None, None, Some(at(1))));
}
