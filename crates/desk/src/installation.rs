//! The installation itself: settings, content, health, backups.

pub mod accept;
pub mod backlogs;
pub mod backup;
pub mod basic_config;
pub mod content;
pub(crate) mod content_cache;
pub mod copying;
pub mod doctor;
pub mod ready;
pub mod settings;
pub mod shell_origins;
pub mod simulated;
pub mod upgrade;
