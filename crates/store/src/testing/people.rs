//! Users and operators for tests that are about something else.

use auth::code::Activation;
use auth::{AccountStatus, Entry, Role, Secrets, StoredOperatorKey, code};
use base::UserId;
use diesel::prelude::*;

use super::{START, TestDb};
use crate::Error;
use crate::people::codes::{self, NewCode};
use crate::schema::{authorization_codes, users};
use crate::staff::operators::{self, Operator};
use crate::wallet::books;

impl TestDb {
    /// An active user with an opened store, an empty wallet and no password.
    pub async fn user(&self, name: &'static str) -> UserId {
        self.user_with_store(name, true).await
    }

    pub async fn user_with_store(&self, name: &'static str, opened: bool) -> UserId {
        let made = self.db.write(move |tx| {
            let id: i64 = diesel::insert_into(users::table)
                .values((
                    users::username.eq(name),
                    users::username_key.eq(name),
                    users::nickname.eq(name),
                    users::email.eq("someone@example.com"),
                    users::phone.eq("+100000000"),
                    users::lang.eq("en"),
                    users::entry.eq(Entry::Register.code()),
                    users::status.eq(AccountStatus::Active.code()),
                    users::store_opened.eq(opened),
                    users::created_at.eq(START.millis()),
                ))
                .returning(users::id)
                .get_result(tx.conn())?;
            books::create_wallet(tx, UserId(id))?;
            Ok::<_, Error>(UserId(id))
        });
        let made: UserId = made.await.expect("a user");
        self.db.leave_to_next_record("users", made.0);
        made
    }

    /// An unused code, under the secrets of tests.
    pub async fn code(&self, text: &'static str) -> &'static str {
        self.code_of(text, Activation::Automatic).await
    }

    /// The same, for an account that is activated automatically or by staff.
    pub async fn code_of(&self, text: &'static str, activation: Activation) -> &'static str {
        let vault = Secrets::new([1; 32], [2; 32], [3; 32]).vault();
        let new = NewCode { code_hash: code::hash(text, &vault), ending: code::ending(text), sealed: None, activation };
        let issued = self.db.write(move |tx| {
            codes::insert(tx, &new, None, None)?;
            let of_hash = authorization_codes::table.filter(authorization_codes::code_hash.eq(&new.code_hash));
            Ok::<i64, Error>(of_hash.select(authorization_codes::id).first(tx.conn())?)
        });
        let id: i64 = issued.await.expect("a code");
        self.db.leave_to_next_record("authorization_codes", id);
        text
    }

    /// An operator whose key nobody knows, and who is one of the founders.
    pub async fn operator(&self, name: &'static str, role: Role) -> Operator {
        let made = self.db.write(move |tx| {
            let key = StoredOperatorKey { digest: [0; 32], public: [0; 32] };
            let id = operators::insert(tx, name, role, &key, (None, None))?;
            operators::declare_founder(tx, id, true)?;
            operators::set_key(tx, id, &key, None)?;
            let found = operators::find_by_key(tx, name, &[0; 32])?;
            found.ok_or_else(|| Error::Corrupt("the operator is gone".into()))
        });
        let made: Operator = made.await.expect("an operator");
        self.db.leave_to_next_record("operators", made.id.0);
        made
    }
}
