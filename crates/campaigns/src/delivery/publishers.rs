//! Publishers, who own slots, for staff; and sellers.json, which lists them for everybody.

use std::collections::HashMap;

use auth::{Looks, Permission};
use base::{Field, Money, PublisherId};
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::delivery::publisher::{self as rows, NewPublisher, PublisherRow};
use store::staff::requests::Subject;
use store::{Conn, Tx};
use supply::{AdsTxt, Profile, PublisherStatus, SellersFile};
use wallet::RequestKind;

/// A publisher in a TOML or JSON file by staff.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublisherFile {
    pub name: String,
    /// Where its pages are.
    pub domain: String,
    /// The address for writing to it.
    pub contact: String,
}

impl PublisherFile {
    fn profile(&self) -> Profile {
        Profile { name: self.name.clone(), domain: self.domain.clone(), contact: self.contact.clone() }
    }

    /// # Errors
    /// The fields `name`, `domain` and `contact`.
    pub fn check(&self) -> Result<Profile, Error> {
        let profile = self.profile();
        let wrong: Fields = profile.problems().into_iter().map(|wrong| (wrong.field, wrong.problem)).collect();
        if wrong.is_empty() { Ok(profile) } else { Err(Error::Fields(wrong)) }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PublisherView {
    pub id: PublisherId,
    pub name: String,
    /// `null` if nothing but a slot's file has named the publisher.
    pub domain: Option<String>,
    pub contact: Option<String>,
    pub status: PublisherStatus,
    /// The publisher's part of what is billed for its slots from now on, such as `0.7`.
    pub share: String,
}

/// A publisher with what it is owed.
#[derive(Clone, Debug, Serialize)]
pub struct ListedPublisher {
    #[serde(flatten)]
    pub publisher: PublisherView,
    /// What its slots have earned and it was not paid yet.
    pub unpaid: Money,
}

impl PublisherView {
    fn of(row: &PublisherRow) -> Result<Self, Error> {
        let publisher = row.publisher()?;
        Ok(Self {
            id: publisher.id,
            name: publisher.name,
            domain: publisher.domain.map(|domain| domain.to_string()),
            contact: publisher.contact,
            status: publisher.status,
            share: publisher.share.to_string(),
        })
    }
}

/// A publisher as a file names it: by its number, or by its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PublisherKey {
    Number(i64),
    Name(String),
}

impl From<&str> for PublisherKey {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl PublisherKey {
    /// The number, even if it is written as a text.
    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => name.trim().parse().ok(),
        }
    }

    /// Whether it is well-formed.
    pub(crate) fn is_key(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Name(name) => supply::is_name(name),
        }
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name.trim()),
            Self::Number(_) => None,
        }
    }
}

/// # Errors
/// The fields `name`, `domain` and `contact`; `not_permitted`.
pub async fn add(app: &App, by: &Staff, file: PublisherFile) -> Result<PublisherView, Error> {
    by.may(Permission::Catalogue)?;
    let (by, profile) = (by.clone(), file.check()?);
    app.db
        .write(move |tx| {
            store::installation::content::lock(tx)?;
            check_is_new(tx, &profile)?;
            let view = PublisherView::of(&rows::insert(tx, &NewPublisher::from(&profile))?)?;
            by.record(tx, "publisher.add", format!("publisher:{}", view.id), &Changes::made(&view).details())?;
            Ok(view)
        })
        .await
}

/// # Errors
/// The field that another publisher has as well; `name` for one that looks like another's.
pub(crate) fn check_is_new(tx: &mut Tx<'_>, profile: &Profile) -> Result<(), Error> {
    let mut others = rows::find_named(tx, std::slice::from_ref(&profile.name))?;
    others.extend(rows::on_domains(tx, &NewPublisher::from(profile).domain.into_iter().collect::<Vec<_>>())?);
    for other in &others {
        if let Some(clash) = profile.clash(&other.publisher()?) {
            return Err(Error::field(clash.field, clash.problem));
        }
    }
    let looks = PublisherLooks::default().find_or_add(tx, &profile.name)?.is_some();
    Error::field_if(looks, Field::Name, "looks_like_another")
}

/// How the names of publishers and ad exchanges look; read when the first new name is compared. Whoever approves a key,
/// a bank account or a payout sees only a name. With a name that looks like an honest publisher's, a member of staff
/// could have these given to an accomplice.
#[derive(Default)]
pub struct PublisherLooks(Option<Looks>);

impl PublisherLooks {
    /// The name that a new one looks like. If there is none, the new one is added, to be compared with those that
    /// follow. The lock on all content is held, so of two at once that look alike, the second sees the first.
    pub fn find_or_add(&mut self, tx: &mut Tx<'_>, name: &str) -> Result<Option<String>, Error> {
        if self.0.is_none() {
            self.0 = Some(rows::names(tx)?.into_iter().collect());
        }
        let looks = self.0.get_or_insert_with(Looks::default);
        let like = looks.find(name).map(str::to_owned);
        if like.is_none() {
            looks.add(name);
        }
        Ok(like)
    }
}

/// All publishers but ad exchanges, which have a list of their own.
pub async fn list(app: &App) -> Result<Vec<ListedPublisher>, Error> {
    app.db
        .snapshot(|conn| {
            let all: Vec<PublisherRow> = rows::all(conn)?.into_iter().filter(PublisherRow::is_direct).collect();
            list_rows(conn, &all)
        })
        .await
}

pub(crate) fn list_rows(conn: &mut Conn, all: &[PublisherRow]) -> Result<Vec<ListedPublisher>, Error> {
    let unpaid = rows::unpaid(conn, all.iter().map(|row| row.id))?;
    let with_unpaid = |row: &PublisherRow| {
        let unpaid = unpaid.get(&row.id).copied().unwrap_or_default();
        Ok(ListedPublisher { publisher: PublisherView::of(row)?, unpaid })
    };
    all.iter().map(with_unpaid).collect()
}

/// # Errors
/// `not_found`.
pub async fn show(app: &App, id: PublisherId) -> Result<ListedPublisher, Error> {
    app.db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            list_rows(conn, &[row])?.pop().ok_or_else(|| Refusal::NotFound.into())
        })
        .await
}

/// Pauses or resumes a publisher. Its slots show ads only while it is active.
///
/// # Errors
/// The field `status` if it is closed, or is to be, which takes two people; `not_found`,
/// `not_permitted`.
pub async fn change_status(
    app: &App,
    by: &Staff,
    id: PublisherId,
    to: PublisherStatus,
) -> Result<PublisherView, Error> {
    by.may(Permission::Catalogue)?;
    Error::field_if(to == PublisherStatus::Closed, Field::Status, "invalid")?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let before = PublisherView::of(&row)?;
            if row.status == to {
                return Ok(before);
            }
            let to = row.publisher()?.status.change(to).map_err(|_| Error::field(Field::Status, "closed"))?;
            rows::set_status(tx, id, to)?;
            let after = PublisherView { status: to, ..before.clone() };
            let details = Changes::between(&before, &after).details();
            by.record(tx, "publisher.change", format!("publisher:{id}"), &details)?;
            Ok(after)
        })
        .await
}

/// Requests closing a publisher, or an ad exchange, which is for good.
///
/// # Errors
/// The field `status` if it is closed; `not_found`, `not_permitted`.
pub async fn request_closing(app: &App, by: &Staff, id: PublisherId) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let status = row.publisher()?.status;
            Error::field_if(status == PublisherStatus::Closed, Field::Status, "closed")?;
            let unpaid = rows::unpaid(tx, [row.id])?.get(&row.id).copied().unwrap_or_default().to_string();
            let (before, after) = (status.name(), PublisherStatus::Closed.name());
            // What it is owed stays owed, and the approver sees the amount.
            let proposal =
                Proposal::between(&json!({ "status": before }), &json!({ "status": after, "unpaid": unpaid }));
            let proposal = proposal.ok_or_else(|| Error::Internal("closing changes nothing".to_owned()))?;
            let (kind, subject) = (RequestKind::PublisherClosing, Subject::Publisher(id));
            if let Some(waiting) = waiting(tx, (kind, subject), &proposal)? {
                return Ok(waiting);
            }
            let proposal = Some(proposal);
            file(tx, &by, CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal })
        })
        .await
}

/// Closes a publisher, as two people have agreed.
///
/// # Errors
/// The field `status` if it is closed; `not_found`.
pub fn close(tx: &mut Tx<'_>, id: PublisherId) -> Result<(), Error> {
    let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
    let closed = row.publisher()?.status.change(PublisherStatus::Closed);
    Ok(rows::set_status(tx, id, closed.map_err(|_| Error::field(Field::Status, "closed"))?)?)
}

/// Records a publisher that a slot's file has named for the first time.
pub(crate) fn record_named(tx: &mut Tx<'_>, by: &Staff, row: &PublisherRow) -> Result<(), Error> {
    let made = Changes::made(&PublisherView::of(row)?);
    by.record(tx, "publisher.add", format!("publisher:{}", row.id), &made.details())?;
    Ok(())
}

/// The publishers that slots' files name.
pub struct NamedPublishers {
    by_key: HashMap<String, PublisherRow>,
    by_id: HashMap<PublisherId, PublisherRow>,
    looks: PublisherLooks,
}

/// Whose a slot is, as its file says.
pub enum SlotOwner {
    Known(PublisherRow),
    /// A publisher that nothing has named before. Nothing but its name is known yet.
    Added(PublisherRow),
    /// The file has an unknown number, or names an ad exchange, which has no pages of its own.
    Unknown,
    /// The file has a new name that looks like this one.
    LooksLike(String),
}

impl NamedPublishers {
    /// Loads all of them at once.
    pub fn load<'a>(tx: &mut Tx<'_>, keys: impl Iterator<Item = &'a PublisherKey> + Clone) -> Result<Self, Error> {
        let names: Vec<String> = keys.clone().filter_map(PublisherKey::name).map(str::to_owned).collect();
        let ids: Vec<PublisherId> = keys.filter_map(PublisherKey::number).map(PublisherId).collect();
        let named = rows::find_named(tx, &names)?;
        let by_key = named.into_iter().map(|row| (supply::name_key(&row.name), row)).collect();
        let by_id = rows::by_ids(tx, &ids)?.into_iter().map(|row| (row.id, row)).collect();
        Ok(Self { by_key, by_id, looks: PublisherLooks::default() })
    }

    fn find(&self, key: &PublisherKey) -> Option<&PublisherRow> {
        let named = key.name().and_then(|name| self.by_key.get(&supply::name_key(name)));
        named.or_else(|| self.by_id.get(&PublisherId(key.number()?)))
    }

    /// The publisher of a slot. A new name adds a publisher.
    pub fn find_or_add(&mut self, tx: &mut Tx<'_>, key: &PublisherKey) -> Result<SlotOwner, Error> {
        if let Some(known) = self.find(key) {
            return Ok(if known.is_direct() { SlotOwner::Known(known.clone()) } else { SlotOwner::Unknown });
        }
        let Some(name) = key.name().filter(|_| key.number().is_none()) else { return Ok(SlotOwner::Unknown) };
        if let Some(other) = self.looks.find_or_add(tx, name)? {
            return Ok(SlotOwner::LooksLike(other));
        }
        let row = rows::insert(tx, &NewPublisher::named(name))?;
        self.by_key.insert(supply::name_key(name), row.clone());
        Ok(SlotOwner::Added(row))
    }
}

/// The lines that a publisher puts into ads.txt, and into app-ads.txt for its apps. They say that the platform may sell
/// its slots.
///
/// # Errors
/// `not_found`; the field `PLACARD_DOMAIN` if the installation's own is not set.
pub async fn ads_txt(app: &App, id: PublisherId) -> Result<AdsTxt, Error> {
    let system = app.settings.domain.clone().ok_or_else(|| Error::field(Field::DomainSetting, "required"))?;
    let row = app.db.read(move |conn| rows::find(conn, id)).await?;
    let owner = row.ok_or(Refusal::NotFound)?.publisher()?.domain;
    Ok(AdsTxt { system, seller: id, owner })
}

/// The sellers of the places where the platform shows ads, for sellers.json.
pub async fn sellers(app: &App) -> Result<SellersFile, Error> {
    let rows = app.db.read(rows::all).await?;
    let publishers: Vec<_> = rows.iter().rev().map(PublisherRow::publisher).collect::<Result<_, _>>()?;
    Ok(SellersFile::of(&publishers))
}
