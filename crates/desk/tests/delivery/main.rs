//! Plans and delivery on SQLite and on PostgreSQL: the life of a plan, which events
//! count, and how they are billed.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "../money/support.rs"]
#[allow(dead_code, reason = "shared with the tests of money, which use all of it")]
mod money;
mod support;

mod ai;
mod archive {
    mod moving;
}
mod billing {
    mod quiet;
    mod troubled;
}
mod closing;
mod conversions;
mod crowds;
mod decided;
mod deposits;
mod down_to_events;
mod events;
mod evidence;
mod following;
mod histories;
mod intruder;
mod leases;
mod life;
mod own_plans {
    mod compare;
    mod days;
    mod exclusions;
    mod plan_list;
    mod report;
    mod rules;
    mod schedule;
}
mod plan_figures;
mod postbacks {
    mod lists;
}
mod proof;
mod publishers {
    pub mod bidding;
    pub mod booked;
    mod corrections;
    mod counterparty_keys;
    pub mod earnings;
    mod exchange_months;
    mod gains;
    mod payment_files;
    mod payouts;
    mod prebid;
    mod reading;
    mod refund_lines;
    mod refund_scope;
    pub mod refunds;
    mod ssps;
    mod starving;
    mod statements;
    mod unshown;
    mod videos;
    mod won;
}
mod puts;
mod races;
mod serving;
mod staffing;
mod taken_over;
mod together;
mod trail;
