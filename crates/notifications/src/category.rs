use base::coded;

coded!(
    /// The subject of a notification.
    Category as "NotificationCategory" {
        SystemAnnouncement = 1 "system_announcement",
        SystemMaintenance = 2 "system_maintenance",
        Activity = 3 "activity",
    }
);
