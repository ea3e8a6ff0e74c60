//! `?cursor=&limit=` of lists.

use base::Field;
use foundation::PageRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use super::texts::{choice, given};
use crate::failure::Failure;

#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct Paging {
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
    /// 1 to 100; 20 by default.
    pub limit: Option<String>,
}

impl Paging {
    pub fn request(&self) -> Result<PageRequest, Failure> {
        Ok(PageRequest { before: self.before()?, limit: self.limit()? })
    }

    fn before(&self) -> Result<Option<i64>, Failure> {
        choice(self.cursor.as_deref(), Field::Cursor, |text| text.parse().ok())
    }

    /// The cursor as it is, for lists that are not paged by an id.
    pub fn text(&self) -> Option<String> {
        given(self.cursor.clone())
    }

    pub fn limit(&self) -> Result<i64, Failure> {
        let read = |text: &str| text.parse::<i64>().ok().filter(|limit| (1..=PageRequest::MAX_LIMIT).contains(limit));
        Ok(choice(self.limit.as_deref(), Field::Limit, read)?.unwrap_or(PageRequest::DEFAULT_LIMIT))
    }
}
