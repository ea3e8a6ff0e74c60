//! Plans: the price of a put, larger budgets, the steps of a plan, and its figures.

pub mod add_budget;
mod archived_events;
pub mod compare;
mod days;
pub mod event_bill;
pub mod exclusions;
pub(crate) mod fan_out;
pub mod follow;
pub mod limits;
pub mod operated;
pub mod overview;
pub mod plan_control;
pub mod plan_events;
pub mod plan_evidence;
pub mod plan_list;
pub mod plan_ratios;
pub mod plan_results;
pub mod plan_series;
pub mod plan_sources;
pub mod plan_views;
mod price;
pub mod put;
pub mod quote;
pub mod report;
pub mod schedule;
