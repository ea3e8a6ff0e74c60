//! The user's profile, and the parts the user may change.

use auth::{AccountStatus, Entry};
use base::{Money, Timestamp, UserId};
use content::contacts::Contact;
use i18n::Lang;
use serde::{Deserialize, Serialize};
use store::Conn;
use store::people::users::{self, Edit};
use store::wallet::books;
use utoipa::ToSchema;

use crate::people::files;
use crate::{App, Error, Fields, Refusal, fields};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserView {
    pub id: String,
    pub username: String,
    pub nickname: String,
    pub email: String,
    pub phone: String,
    /// The picture's path on this server.
    pub avatar: Option<String>,
    pub lang: String,
    /// `register` or `app`: how this session was started.
    pub entry: Entry,
    /// `active`, `not_activated`, `disabled` or `cancelled`.
    pub status: AccountStatus,
    pub store_opened: bool,
    /// The id that the user follows, not the user's own.
    pub operated_id: Option<String>,
    pub credit_score: i32,
    pub level: i32,
    pub vip_until: Option<String>,
    /// A decimal in the platform's currency.
    pub deposit: String,
    pub customer_service_url: Vec<Contact>,
    pub recharge_customer_service_url: Vec<Contact>,
}

/// The requested changes; `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct EditUser {
    pub nickname: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// The id of a file that the user uploaded; an empty one removes the picture.
    pub avatar: Option<String>,
    pub lang: Option<String>,
}

/// `entry` is the session's; with `None`, for staff, it is how the account was created.
pub async fn user_info(app: &App, user: UserId, entry: Option<Entry>) -> Result<UserView, Error> {
    app.follow_content().await;
    let (row, deposit) = app.db.read(move |conn| load(conn, user)).await?;
    Ok(view(app, row, deposit, entry))
}

/// # Errors
/// The wrong fields, all at once.
pub async fn edit_user(app: &App, user: UserId, entry: Entry, edit: EditUser) -> Result<UserView, Error> {
    let mut wrong = problems(&edit);
    if let Some(id) = edit.avatar.as_deref().filter(|id| !id.is_empty())
        && !files::is_of(app, user, id).await?
    {
        wrong.insert("avatar", "invalid");
    }
    if !wrong.is_empty() {
        return Err(Error::Fields(wrong));
    }
    let edit = Edit {
        nickname: edit.nickname.map(|nickname| nickname.trim().to_owned()),
        email: edit.email,
        phone: edit.phone,
        avatar: edit.avatar.map(|id| Some(id).filter(|id| !id.is_empty())),
        lang: edit.lang,
    };
    let (row, deposit) = app
        .write_and_forget(user, move |tx| {
            users::edit(tx, user, &edit)?;
            load(tx, user)
        })
        .await?;
    Ok(view(app, row, deposit, Some(entry)))
}

fn problems(edit: &EditUser) -> Fields {
    let problems = [
        ("nickname", edit.nickname.as_deref().map(fields::nickname)),
        ("email", edit.email.as_deref().map(fields::email)),
        ("phone", edit.phone.as_deref().map(fields::phone)),
        ("lang", edit.lang.as_deref().map(|lang| fields::lang(lang).map(|_| ()))),
    ];
    problems.into_iter().filter_map(|(name, rule)| Some((name, rule?.err()?))).collect()
}

pub(crate) fn load(conn: &mut Conn, user: UserId) -> Result<(users::User, Money), Error> {
    let row = users::find(conn, user)?.ok_or(Refusal::NotFound)?;
    let deposit = books::read_wallet(conn, user)?.map_or(Money::ZERO, |wallet| wallet.deposit);
    Ok((row, deposit))
}

pub(crate) fn view(app: &App, user: users::User, deposit: Money, entry: Option<Entry>) -> UserView {
    let contacts = app.contacts(Lang::parse(&user.lang).unwrap_or_default());
    let customer_service_url = contacts.customer_service(user.is_vip(app.now()));
    UserView {
        id: user.id.to_string(),
        username: user.username,
        nickname: user.nickname,
        email: user.email,
        phone: user.phone,
        avatar: user.avatar.as_deref().map(files::url),
        lang: user.lang,
        entry: entry.unwrap_or(user.entry),
        status: user.status,
        store_opened: user.store_opened,
        operated_id: user.operated_id,
        credit_score: user.credit_score,
        level: user.level,
        vip_until: user.vip_until.as_ref().map(Timestamp::to_string),
        deposit: deposit.to_string(),
        customer_service_url,
        recharge_customer_service_url: contacts.recharge_customer_service_url,
    }
}
