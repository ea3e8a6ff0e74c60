//! Notifications: what they are about, how they are named, and how two kinds
//! become one list.
//!
//! What concerns one user is theirs alone; what staff tell everybody exists
//! once, however many read it. A reader sees both, newest first, and pages
//! through them without losing or repeating any while others are added.
//!
//! [`NoticeKind`] is what one user can be told, with its figures typed and the key of its texts.
//! Nothing here knows a database, a clock or a language.

mod category;
mod kind;
mod list;
mod place;

pub use category::Category;
pub use kind::{Day, Described, Device, ForeignAmount, Form, NoticeKind, WRITTEN};
pub use list::{Listed, newest};
pub use place::{Id, Place};
