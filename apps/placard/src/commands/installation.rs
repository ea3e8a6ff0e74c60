//! The installation: its content, its health, backups.

pub mod accept;
pub mod archive;
pub mod backup;
pub mod config;
pub mod contact;
pub mod content;
pub mod demo;
pub mod doctor;
pub mod file;
pub mod restore;
