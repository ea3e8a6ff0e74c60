//! The database as a whole: its identity, copies, health, protected rows.

pub mod at_rest;
pub mod content;
pub mod copy;
pub mod guards;
pub mod health;
pub mod high_water;
pub mod identity;
pub mod months;
pub mod protected;
pub mod realm;
pub mod soundness;
mod unopened;

pub use unopened::Unopened;

use db::Migrations;
use diesel_migrations::embed_migrations;

pub(crate) static MIGRATIONS: Migrations = Migrations {
    sqlite: embed_migrations!("../../migrations/sqlite"),
    postgres: embed_migrations!("../../migrations/postgres"),
};
