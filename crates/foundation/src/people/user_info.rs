//! The user's profile, and the parts the user may change.

use auth::{AccountStatus, Entry};
use base::{Field, Money, Timestamp, UserId};
use content::contacts::Contact;
use i18n::Lang;
use serde::Serialize;
use store::people::pay_passwords;
use store::people::users::{self, Edit};
use store::wallet::books::{self, Books};
use store::{Conn, Tx};
use utoipa::ToSchema;

use crate::accounts::restrictions::lock_own;
use crate::people::contact_changes::{self, ChangedContact};
use crate::people::files;
use crate::people::pay_password::Proof;
use crate::people::staff_access::ReadOnlySession;
use crate::{App, Error, Fields, Refusal, fields};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UserView {
    pub id: UserId,
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
    pub vip_until: Option<Timestamp>,
    /// A decimal in the platform's currency.
    pub deposit: Money,
    pub customer_service_url: Vec<Contact>,
    pub recharge_customer_service_url: Vec<Contact>,
    /// Set if this is a session of staff in the user's account, which can only read; null otherwise.
    pub session: Option<ReadOnlySession>,
}

/// A user's row, and their deposit.
pub(crate) type LoadedUser = (users::User, Money);

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

/// Who edits: a user who has given the transaction password, which changing the e-mail address or the telephone number
/// needs, or a user who has not.
#[derive(Debug)]
pub enum Editor {
    Proven(Proof),
    Unproven(UserId),
}

/// An edit without wrong fields.
#[derive(Clone, Debug)]
pub struct CheckedEdit(Edit);

impl CheckedEdit {
    /// Whether the transaction password has to be shown: one is set, and the e-mail address or the telephone number
    /// would change.
    pub async fn needs_password(&self, app: &App, user: UserId) -> Result<bool, Error> {
        let edit = self.0.clone();
        app.db
            .read(move |conn| {
                let row = users::find(conn, user)?.ok_or(Refusal::NotFound)?;
                let changed = !contact_changes::changed(&row, &edit).is_empty();
                Ok::<_, Error>(changed && pay_passwords::hash(conn, user)?.is_some())
            })
            .await
    }
}

/// Like [`save_edit`], without the transaction password.
///
/// # Errors
/// Those of [`check_edit`] and [`save_edit`].
pub async fn edit_user(app: &App, user: UserId, entry: Entry, edit: EditUser) -> Result<UserView, Error> {
    let checked = check_edit(app, user, edit).await?;
    save_edit(app, Editor::Unproven(user), entry, checked).await
}

/// # Errors
/// The wrong fields, all at once.
pub async fn check_edit(app: &App, user: UserId, edit: EditUser) -> Result<CheckedEdit, Error> {
    let nickname = edit.nickname.as_deref().map(fields::nickname).transpose();
    let email = edit.email.as_deref().map(fields::email).transpose();
    let phone = edit.phone.as_deref().map(fields::phone).transpose();
    let lang = edit.lang.as_deref().map(fields::lang).transpose();
    let problems = [
        (Field::Nickname, nickname.as_ref().err()),
        (Field::Email, email.as_ref().err()),
        (Field::Phone, phone.as_ref().err()),
        (Field::Lang, lang.as_ref().err()),
    ];
    let mut wrong: Fields = problems.into_iter().filter_map(|(name, problem)| Some((name, *problem?))).collect();
    if let Some(id) = edit.avatar.as_deref().filter(|id| !id.is_empty())
        && !files::is_of(app, user, id).await?
    {
        wrong.insert(Field::Avatar, "invalid");
    }
    match (nickname, email, phone, lang) {
        (Ok(nickname), Ok(email), Ok(phone), Ok(lang)) if wrong.is_empty() => Ok(CheckedEdit(Edit {
            nickname,
            email,
            phone,
            avatar: edit.avatar.map(|id| Some(id).filter(|id| !id.is_empty())),
            lang: lang.map(|lang| lang.code().to_owned()),
        })),
        _ => Err(Error::Fields(wrong)),
    }
}

/// Saves an edit. In a live installation, withdrawals and exchanges wait for a day after the e-mail address or the
/// telephone number changed.
///
/// # Errors
/// Those of `Proof::spend`; the field `password`, `required` if it has to be shown and was not; `TooManyRequests` after
/// too many changes of the address or the number.
pub async fn save_edit(app: &App, by: Editor, entry: Entry, edit: CheckedEdit) -> Result<UserView, Error> {
    let (CheckedEdit(edit), vault) = (edit, app.secrets.vault());
    let (row, deposit) = match by {
        Editor::Proven(proof) => {
            let user = proof.user();
            let work = move |tx: &mut Tx<'_>, books: &mut Books| {
                let changes = save(tx, user, &edit)?;
                let loaded = load(tx, user)?;
                contact_changes::note(tx, (&*books, &vault), user, &changes)?;
                Ok::<LoadedUser, Error>(loaded)
            };
            let saved = proof.spend(app, work).await;
            app.memory.forget(user);
            saved?
        }
        Editor::Unproven(user) => {
            app.write_and_forget(user, move |tx| {
                // What is the same as before changes only under this lock.
                let books = lock_own(tx, user)?;
                let row = users::find(tx, user)?.ok_or(Refusal::NotFound)?;
                if contact_changes::changed(&row, &edit).is_empty() {
                    users::edit(tx, user, &edit)?;
                    return load(tx, user);
                }
                Error::field_if(pay_passwords::hash(tx, user)?.is_some(), Field::Password, "required")?;
                let changes = save(tx, user, &edit)?;
                let loaded = load(tx, user)?;
                contact_changes::note(tx, (&books, &vault), user, &changes)?;
                Ok(loaded)
            })
            .await?
        }
    };
    Ok(view(app, row, deposit, Some(entry)))
}

/// Saves it, and returns what it changed of how the user is reached. The wallet is locked.
fn save(tx: &mut Tx<'_>, user: UserId, edit: &Edit) -> Result<Vec<ChangedContact>, Error> {
    let before = users::find(tx, user)?.ok_or(Refusal::NotFound)?;
    users::edit(tx, user, edit)?;
    Ok(contact_changes::changed(&before, edit))
}

pub(crate) fn load(conn: &mut Conn, user: UserId) -> Result<LoadedUser, Error> {
    let row = users::find(conn, user)?.ok_or(Refusal::NotFound)?;
    let deposit = books::read_wallet(conn, user)?.map_or(Money::ZERO, |wallet| wallet.deposit);
    Ok((row, deposit))
}

impl UserView {
    /// The view with the contacts of another language than the account's.
    #[must_use]
    pub fn told_in(mut self, app: &App, lang: Lang) -> Self {
        let contacts = app.contacts(lang);
        self.customer_service_url = contacts.customer_service(standing::vip::runs(self.vip_until, app.now()));
        self.recharge_customer_service_url = contacts.recharge_customer_service_url;
        self
    }
}

pub fn view(app: &App, user: users::User, deposit: Money, entry: Option<Entry>) -> UserView {
    let contacts = app.contacts(Lang::parse(&user.lang).unwrap_or_default());
    let customer_service_url = contacts.customer_service(user.is_vip(app.now()));
    UserView {
        id: user.id,
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
        vip_until: user.vip_until,
        deposit,
        customer_service_url,
        recharge_customer_service_url: contacts.recharge_customer_service_url,
        session: None,
    }
}
