//! The real program, run as staff run it, on both databases.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "bodies of tests that run on both databases are plain functions"
)]

mod accounts;
mod afar;
mod answers;
mod at_rest;
mod backup;
mod bank;
mod checks;
mod complete;
mod content;
mod demo;
mod door;
mod evidence;
mod exchange;
mod finding;
mod guard;
mod handbook;
mod health;
mod installation;
mod itself;
mod market;
mod money;
mod offers;
mod one_alone;
mod operators;
mod proof;
mod reach;
mod requests;
mod staff;
mod support;
mod traffic;
