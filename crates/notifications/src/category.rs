use base::{coded, named};

coded!(
    /// The subject of a notification.
    Category as "NotificationCategory" {
        SystemAnnouncement = 1 "system_announcement",
        SystemMaintenance = 2 "system_maintenance",
        Activity = 3 "activity",
    }
);

named!(
    /// Which categories a list shows.
    CategoryFilter as "NotificationCategoryFilter" {
        All "all",
        SystemAnnouncement "system_announcement",
        SystemMaintenance "system_maintenance",
        Activity "activity",
    }
);

named!(
    /// Whether a list shows what the user has read.
    ReadFilter as "NotificationReadFilter" {
        All "all",
        Unread "unread",
        Read "read",
    }
);

impl CategoryFilter {
    /// The only category to show; `None` for all.
    pub const fn only(self) -> Option<Category> {
        match self {
            Self::All => None,
            Self::SystemAnnouncement => Some(Category::SystemAnnouncement),
            Self::SystemMaintenance => Some(Category::SystemMaintenance),
            Self::Activity => Some(Category::Activity),
        }
    }
}

impl ReadFilter {
    /// Whether only read or only unread ones are shown; `None` for all.
    pub const fn only(self) -> Option<bool> {
        match self {
            Self::All => None,
            Self::Unread => Some(false),
            Self::Read => Some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_can_be_shown_alone() {
        for category in Category::ALL {
            let filter = CategoryFilter::from_name(category.name()).expect("a filter");
            assert_eq!(filter.only(), Some(*category));
        }
        assert_eq!(CategoryFilter::ALL.len(), Category::ALL.len() + 1);
        assert_eq!(CategoryFilter::All.only(), None);
    }
}
