//! The installation: its content, its health, backups.

mod archive;
mod at_rest;
mod backup;
mod checks;
mod content;
mod demo;
mod environment;
mod guard;
mod health;
mod history;
mod log;
mod mistakes;
mod proof;
