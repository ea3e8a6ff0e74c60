//! Refusals of users' requests to move their money. They are stored for some days, so that customer service can explain
//! them.
//!
//! They are collected in memory and written every second: a server that is killed loses only those of its last second.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{Timestamp, UserId};
use serde::Serialize;
use serde_json::Value;
use store::Conn;
use store::people::refused_movements::{self as rows, RefusedMovement};

use crate::{App, Error};

/// How long they are kept.
const KEPT_DAYS: i64 = 14;
/// The most that wait in memory. Beyond that the oldest is forgotten.
const MOST_WAITING: usize = 1_000;
/// The most bytes of what accompanied a refusal, and the most characters of its words.
const LONGEST: usize = 1_000;

/// Refused movements that are not in the database yet, oldest first.
#[derive(Debug, Default)]
pub struct RefusedMovements(Mutex<VecDeque<RefusedMovement>>);

impl RefusedMovements {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<RefusedMovement>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a refusal. For one user, no more refusals wait than are stored.
    fn add(&self, refused: RefusedMovement) {
        let mut waiting = self.waiting();
        let mut own = waiting.iter().enumerate().filter(|(_, other)| other.user == refused.user);
        let oldest = own.next().map(|(at, _)| at);
        let full = i64::try_from(own.count()).is_ok_and(|others| others + 1 >= rows::KEPT);
        if let Some(oldest) = oldest.filter(|_| full) {
            waiting.remove(oldest);
        }
        if waiting.len() >= MOST_WAITING {
            waiting.pop_front();
        }
        waiting.push_back(refused);
    }
}

/// A refusal, and how the user was told.
pub struct Told<'a> {
    pub endpoint: String,
    pub reason: &'a str,
    pub details: &'a Value,
    pub lang: &'a str,
    pub message: &'a str,
    pub request_id: &'a str,
}

/// Notes that a user was refused a movement.
pub fn note(app: &App, user: UserId, told: Told<'_>) {
    let details = told.details.to_string();
    app.refused_movements.add(RefusedMovement {
        user,
        at: app.now(),
        endpoint: told.endpoint,
        reason: told.reason.to_owned(),
        // Half of a JSON document is none.
        details: if details.len() > LONGEST { Value::Null.to_string() } else { details },
        lang: told.lang.to_owned(),
        message: told.message.chars().take(LONGEST).collect(),
        request_id: told.request_id.to_owned(),
    });
}

/// Writes what was noted since the last time.
///
/// # Errors
/// Those of the database; then they are tried again.
pub async fn save(app: &App) -> Result<(), Error> {
    let fresh = Vec::from(mem::take(&mut *app.refused_movements.waiting()));
    if fresh.is_empty() {
        return Ok(());
    }
    let (written, before) = (fresh.clone(), app.now().plus_days(-KEPT_DAYS));
    let saved = app.db.write(move |tx| rows::keep(tx, &written, before)).await;
    if saved.is_err() {
        fresh.into_iter().for_each(|refused| app.refused_movements.add(refused));
    }
    Ok(saved?)
}

/// A refused movement as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedMovementView {
    pub at: Timestamp,
    /// The method and the path of the request, such as `POST /api/user/withdraw`.
    pub endpoint: String,
    /// The key of the refusal, as docs/API.md lists it.
    pub reason: String,
    /// The parameters of the refusal: the invalid fields, or figures.
    pub details: Value,
    /// The language and the words in which the user was told.
    pub lang: String,
    pub message: String,
    pub request_id: String,
}

impl From<RefusedMovement> for RefusedMovementView {
    fn from(refused: RefusedMovement) -> Self {
        Self {
            at: refused.at,
            endpoint: refused.endpoint,
            reason: refused.reason,
            details: serde_json::from_str(&refused.details).unwrap_or_default(),
            lang: refused.lang,
            message: refused.message,
            request_id: refused.request_id,
        }
    }
}

/// The user's of the last days, newest first.
///
/// # Errors
/// Those of the database.
pub fn of(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<RefusedMovementView>, Error> {
    let found = rows::since(conn, user, now.plus_days(-KEPT_DAYS))?;
    Ok(found.into_iter().map(RefusedMovementView::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(user: i64, at: i64) -> RefusedMovement {
        RefusedMovement {
            user: UserId(user),
            at: Timestamp::from_millis(at),
            endpoint: String::new(),
            reason: String::new(),
            details: String::new(),
            lang: String::new(),
            message: String::new(),
            request_id: String::new(),
        }
    }

    #[test]
    fn nobody_fills_the_memory_alone() {
        let all = RefusedMovements::default();
        all.add(refused(2, 0));
        (0..100).for_each(|at| all.add(refused(1, at)));
        let kept: Vec<i64> =
            all.waiting().iter().filter(|kept| kept.user == UserId(1)).map(|kept| kept.at.millis()).collect();
        assert_eq!(kept, (80..100).collect::<Vec<i64>>());
        assert_eq!(all.waiting().len(), 21);
        (0..5_000).for_each(|user| all.add(refused(user, 0)));
        assert_eq!(all.waiting().len(), MOST_WAITING);
    }
}
