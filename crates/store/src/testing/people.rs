//! People that a test needs and whose making it is not about.

use base::{OperatorId, UserId};
use diesel::prelude::*;

use super::{START, TestDb};
use crate::schema::{operators, users};
use crate::{Conn, Error, books};

impl TestDb {
    /// An active user with an opened store, an empty wallet and no password.
    pub async fn user(&self, name: &'static str) -> UserId {
        let made = self.db.write(move |tx| {
            let conn: &mut Conn = tx;
            let id: i64 = diesel::insert_into(users::table)
                .values((
                    users::username.eq(name),
                    users::username_key.eq(name),
                    users::nickname.eq(name),
                    users::email.eq("someone@example.com"),
                    users::phone.eq("+100000000"),
                    users::lang.eq("en"),
                    users::entry.eq(1_i16),
                    users::status.eq(1_i16),
                    users::store_opened.eq(true),
                    users::created_at.eq(START.millis()),
                ))
                .returning(users::id)
                .get_result(conn)?;
            books::create_wallet(tx, UserId(id))?;
            Ok::<_, Error>(UserId(id))
        });
        made.await.expect("a user")
    }

    /// An operator whose key nobody knows.
    pub async fn operator(&self, name: &'static str) -> OperatorId {
        let made = self.db.write(move |tx| {
            let conn: &mut Conn = tx;
            let id: i64 = diesel::insert_into(operators::table)
                .values((
                    operators::name.eq(name),
                    operators::role.eq(3_i16),
                    operators::key_hash.eq(vec![0_u8; 32]),
                    operators::created_at.eq(START.millis()),
                ))
                .returning(operators::id)
                .get_result(conn)?;
            Ok::<_, Error>(OperatorId(id))
        });
        made.await.expect("an operator")
    }
}
