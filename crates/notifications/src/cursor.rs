use std::str::FromStr;

use base::{NotAnId, NotificationId, Timestamp};
use derive_more::Display;

/// Identifies a notification, the user's own or an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display)]
pub enum NoticeId {
    #[display("{_0}")]
    Own(i64),
    #[display("a{_0}")]
    Announced(i64),
}

impl NoticeId {
    /// The id of its row.
    pub const fn number(self) -> i64 {
        match self {
            Self::Own(id) | Self::Announced(id) => id,
        }
    }
}

/// Parses the output of `Display`.
impl FromStr for NoticeId {
    type Err = NotAnId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse::<NotificationId>().map(|id| id.0);
        match text.strip_prefix('a') {
            Some(rest) => number(rest).map(Self::Announced),
            None => number(text).map(Self::Own),
        }
    }
}

/// A position in the list: by time, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display)]
#[display("{}.{id}", at.millis())]
pub struct ListCursor {
    pub at: Timestamp,
    pub id: NoticeId,
}

impl ListCursor {
    /// Before the first item of the list.
    pub const TOP: Self = Self { at: Timestamp::LATEST, id: NoticeId::Announced(i64::MAX) };

    /// The next page has the user's own notifications with an earlier time, and those with the same time and a smaller
    /// id than this.
    pub fn own_below(self) -> i64 {
        self.id.clamp(NoticeId::Own(i64::MIN), NoticeId::Own(i64::MAX)).number()
    }

    /// The next page has the announcements with an earlier time, and those with the same time and a smaller id than
    /// this.
    pub fn announced_below(self) -> i64 {
        self.id.clamp(NoticeId::Announced(i64::MIN), NoticeId::Announced(i64::MAX)).number()
    }
}

impl FromStr for ListCursor {
    type Err = NotAnId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (at, id) = text.split_once('.').ok_or(NotAnId)?;
        let at = at.parse().map_err(|_| NotAnId)?;
        Ok(Self { at: Timestamp::from_millis(at), id: id.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_are_read_as_they_were_written() {
        for id in [NoticeId::Own(7), NoticeId::Announced(7)] {
            assert_eq!(id.to_string().parse(), Ok(id));
            let place = ListCursor { at: Timestamp::from_millis(1_234), id };
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for odd in ["", "a", "x7", "7", ".", "1.", "1.b2"] {
            assert!(odd.parse::<ListCursor>().is_err(), "{odd}");
        }
    }

    #[test]
    fn at_one_moment_announcements_stand_above_ones_own() {
        let at = Timestamp::from_millis(5);
        let own = ListCursor { at, id: NoticeId::Own(9) };
        let announced = ListCursor { at, id: NoticeId::Announced(1) };
        assert!(announced > own && ListCursor::TOP > announced);
        assert_eq!((announced.own_below(), announced.announced_below()), (i64::MAX, 1));
        assert_eq!((own.own_below(), own.announced_below()), (9, i64::MIN));
    }
}
