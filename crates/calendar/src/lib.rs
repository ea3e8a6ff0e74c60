//! The calendar: where days and months begin for a user.
//!
//! This crate decides:
//! - which time zone a user is in: [`Zone::from_header`] reads the header `X-TZ`;
//! - where a day or a [`Month`] begins and ends in it, as a [`base::Period`]. A day of
//!   the change to daylight saving time has 23 hours, or begins later than midnight;
//! - which [`Hour`] of the week clocks show in it;
//! - which texts are months: `2026-01`.
//!
//! The moment is always passed in: this crate knows no clock. It is a crate of its own
//! because the rules of all time zones take long to compile, and `base` is built first.
//!
//! January begins eight hours earlier in Shanghai than in UTC:
//!
//! ```
//! use base::Timestamp;
//! use calendar::Zone;
//!
//! let zone = Zone::from_header("Asia/Shanghai GMT+08:00");
//! let at = Timestamp::parse("2025-12-31T16:00:00Z").ok_or("no moment")?;
//! assert_eq!(zone.month(at).to_string(), "2026-01");
//! assert_eq!(Zone::UTC.month(at).to_string(), "2025-12");
//! let month = zone.month_period(zone.month(at));
//! assert_eq!(month.from, at);
//! assert_eq!(month.until.to_string(), "2026-01-31T16:00:00.000Z");
//! # Ok::<(), &str>(())
//! ```

mod month;
mod zone;

pub use month::{Month, NotAMonth};
pub use zone::{Hour, Zone};
