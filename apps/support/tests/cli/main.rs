//! The real program, run as staff run it, on both databases.

mod accounts;
mod checks;
mod demo;
mod installation;
mod market;
mod money;
mod staff;
mod support;
mod traffic;
