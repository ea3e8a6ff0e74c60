//! Notifications: their categories and ids, and how a user's list is put together.
//!
//! A notification is either for one user or an announcement for everybody. A user
//! sees both in one list, newest first.
//!
//! This crate decides:
//! - the order of that list, and where a page ends: [`newest`]. The pages lose and
//!   repeat nothing while new notifications arrive;
//! - how a position in the list is written for clients: [`ListCursor`];
//! - what a notification is about: [`Category`];
//! - what one user can be told, with typed figures and the key of the texts: [`NoticeKind`];
//! - which of them are sent to devices on which the app is not open: [`PushKind`];
//! - which addresses a text of staff leads to: [`links`];
//! - what may be written to customer service, and who has read what: [`conversation`].
//!
//! This crate knows no database, clock or language.
//!
//! A page with one item, from a notification of the user's own and an announcement:
//!
//! ```
//! use base::Timestamp;
//! use notifications::{ListCursor, NoticeId, newest};
//!
//! let own = ListCursor { at: Timestamp::from_seconds(10), id: NoticeId::Own(1) };
//! let announced = ListCursor { at: Timestamp::from_seconds(20), id: NoticeId::Announced(1) };
//!
//! let page = newest([own, announced].into_iter(), |place| *place, 1);
//! assert_eq!(page.items, [announced]);
//! // The client sends this back to get what follows.
//! assert_eq!(page.next, Some(announced));
//! assert_eq!(announced.to_string().parse(), Ok(announced));
//! ```

mod category;
pub mod conversation;
mod cursor;
mod kind;
mod links;
mod list;
mod pushed;

pub use category::{Category, CategoryFilter, ReadFilter};
pub use cursor::{ListCursor, NoticeId};
pub use kind::{Device, ForeignAmount, Form, KindDescription, NoticeKind, WRITTEN};
pub use links::links;
pub use list::{ListPage, newest};
pub use pushed::{PushKind, PushKinds};
