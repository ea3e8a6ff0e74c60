//! The installation itself: settings, content, health, backups.

pub mod accept;
pub mod backlogs;
pub mod backup;
pub mod basic_config;
pub mod content;
pub mod copying;
pub mod doctor;
pub mod examine;
pub mod leftovers;
pub mod only_server;
pub mod secrets;
pub mod settings;
pub mod simulated;
pub mod upgrade;
