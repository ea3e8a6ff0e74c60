//! The installation: what stands in it, whether it is well, backups.

mod at_rest;
mod backup;
mod checks;
mod content;
mod demo;
mod environment;
mod guard;
mod health;
mod mistakes;
mod proof;
