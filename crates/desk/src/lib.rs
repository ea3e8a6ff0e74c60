//! The top floor of the use cases: carrying out what staff requested, reports on whole accounts, and the installation
//! itself.

pub mod account_detail;
pub mod account_figures;
pub mod export;
pub mod installation;
pub mod requests;
