use crate::cursor::ListCursor;

/// Part of the list, newest first; `next` is where to go on, if anything follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    pub items: Vec<T>,
    pub next: Option<ListCursor>,
}

/// The newest `limit` of what both sources gave. Each source has to give its
/// own newest, one more than `limit` where it has them.
pub fn newest<T>(found: impl Iterator<Item = T>, place: impl Fn(&T) -> ListCursor, limit: usize) -> Listed<T> {
    let mut items: Vec<T> = found.collect();
    items.sort_unstable_by_key(|item| std::cmp::Reverse(place(item)));
    let more = items.len() > limit;
    items.truncate(limit);
    let next = if more { items.last().map(place) } else { None };
    Listed { items, next }
}
