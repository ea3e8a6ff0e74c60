//! Keyset paging: a page begins below the last id of the previous one, so new rows do not
//! shift it.

/// Which part of a list, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows with a smaller id; `None` starts with the newest.
    pub before: Option<i64>,
    /// 1 to 100.
    pub limit: i64,
}

impl PageRequest {
    pub const DEFAULT_LIMIT: i64 = 20;
    pub const MAX_LIMIT: i64 = 100;

    /// The id below which to look.
    pub fn below(self) -> i64 {
        self.before.unwrap_or(i64::MAX)
    }

    /// How many rows to read: one more than requested, which shows whether another page follows.
    pub fn fetch(self) -> i64 {
        self.limit + 1
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { before: None, limit: Self::DEFAULT_LIMIT }
    }
}

/// A page of a list; `next` is the cursor of the next page, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<i64>,
}

impl<T> Page<T> {
    /// Cuts off the extra row and takes the cursor from the last remaining one.
    pub fn cut(mut rows: Vec<T>, request: PageRequest, id: impl Fn(&T) -> i64) -> Self {
        let limit = usize::try_from(request.limit).unwrap_or(0);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = if more { rows.last().map(id) } else { None };
        Self { items: rows, next }
    }

    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(f).collect(), next: self.next }
    }
}
