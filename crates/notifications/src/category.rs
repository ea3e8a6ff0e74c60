use base::coded;

coded!(
    /// What a notification is about.
    Category as "NotificationCategory" {
        SystemAnnouncement = 1 "system_announcement",
        SystemMaintenance = 2 "system_maintenance",
        Activity = 3 "activity",
    }
);
