//! What takes other programs or long: `just drill` runs these tests.

mod cluster;

mod failover;
mod full_disk;
mod migrating;
mod pooler;
mod restore;
mod rolling;
