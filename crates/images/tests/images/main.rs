//! Pictures as strangers send them.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod coloured;
mod hostile;
mod kept;
mod made;
mod memory;
mod whole;
