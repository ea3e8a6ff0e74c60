//! Logging refused attempts: what was tried, from where and for which name, so that
//! guessing is visible while it happens.

use std::net::IpAddr;

use base::UserId;

use crate::App;

/// Names are logged as keyed hashes, which only tell them apart: users may type a
/// password in the name's field.
const PURPOSE: &str = "placard log name 1";
const SHOWN: usize = 6;

/// A failure of an unknown caller. `name` is the name it counts for.
pub fn of_stranger(app: &App, what: &'static str, name: Option<&str>, address: Option<IpAddr>) {
    app.figures.count_failed_attempt(what);
    let name = name.map(|name| tag(app, name));
    let address = address.map(tracing::field::display);
    tracing::warn!(what, name, address, "an attempt failed");
}

/// A failure of a signed-in user.
pub fn of_user(app: &App, what: &'static str, user: UserId) {
    app.figures.count_failed_attempt(what);
    tracing::warn!(what, user = user.0, "an attempt failed");
}

fn tag(app: &App, name: &str) -> String {
    let seal = app.secrets.sealer().seal(PURPOSE, name.as_bytes());
    auth::hex::encode(seal.get(..SHOWN).unwrap_or_default())
}
