//! Keyset paging: a list goes on below the last id that was seen, so that new
//! rows above it shift nothing.

/// Which part of a list is wanted, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Only rows with a smaller id; `None` begins at the newest.
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

    /// One row more than asked for tells whether another page follows.
    pub fn fetch(self) -> i64 {
        self.limit + 1
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { before: None, limit: Self::DEFAULT_LIMIT }
    }
}

/// Part of a list; `next` is the cursor to go on with, if anything follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<i64>,
}

impl<T> Page<T> {
    /// Cuts the surplus row off and takes the cursor from the last that stays.
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
