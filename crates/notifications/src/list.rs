use crate::cursor::ListCursor;

/// A page of a list, newest first; `next` is the cursor of the next page, if there is
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T> {
    pub items: Vec<T>,
    pub next: Option<ListCursor>,
}

/// The newest `limit` items of both sources. Each source must provide its own newest
/// ones, one more than `limit` if there are that many.
pub fn newest<T>(found: impl Iterator<Item = T>, place: impl Fn(&T) -> ListCursor, limit: usize) -> ListPage<T> {
    let mut items: Vec<T> = found.collect();
    items.sort_unstable_by_key(|item| std::cmp::Reverse(place(item)));
    let more = items.len() > limit;
    items.truncate(limit);
    let next = if more { items.last().map(place) } else { None };
    ListPage { items, next }
}
