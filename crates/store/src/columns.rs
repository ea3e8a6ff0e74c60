//! The columns of a row, for statements that are written as text.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;

/// The names of the columns that `rows` selects, each after `prefix`.
pub fn listed(rows: &impl QueryFragment<Pg>, prefix: &str) -> String {
    let text = diesel::debug_query::<Pg, _>(rows).to_string();
    let selected = text.split_once(" FROM ").map_or(&*text, |(selected, _)| selected).trim_start_matches("SELECT ");
    let name = |column: &str| column.rsplit('.').next().unwrap_or(column).trim_matches('"').to_owned();
    selected.split(", ").map(|column| format!("{prefix}{}", name(column))).collect::<Vec<_>>().join(", ")
}
