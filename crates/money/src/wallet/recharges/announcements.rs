//! Where users pay in, and the payments that they announce. An announcement decides nothing: staff credit what the bank
//! reports.

use bank::{Day, creditor};
use base::{Field, Money, RechargeAnnouncementId, Timestamp, UserId, named, refuse_if};
use content::PayInAccount;
use foundation::accounts::restrictions::lock_own;
use foundation::content_cache::in_language;
use foundation::idempotent::{Key, Made, fingerprint, once};
use foundation::{App, Error, Refusal, amount};
use i18n::Lang;
use serde::Serialize;
use store::installation::content::active_pay_in;
use store::staff::requests::{self as request_rows, RequestFilter};
use store::wallet::bank as bank_rows;
use store::wallet::recharge_announcements::{self as rows, Announcement, AnnouncementFilter};
use store::{Conn, Page, PageRequest, Tx};
use utoipa::ToSchema;
use wallet::{Announced, AnnouncementOutcome, AnnouncementStatus, RequestDocument, RequestStatus};

use crate::wallet::reconcile::accounts_in;

/// The most lines of the bank that are compared with a user's announcements.
const MOST_LINES: i64 = 200;
const DAY_SECONDS: i64 = 86_400;

/// What the recharge page needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RechargeForm {
    /// The user's own reference for the payment's text: a creditor reference of ISO 11649.
    pub reference: String,
    /// The accounts to pay in to. If there are none, users ask customer service.
    pub accounts: Vec<PayInAccount>,
    /// The open ones, newest first.
    pub announcements: Vec<AnnouncementView>,
    /// The most that may be open at once.
    pub most_open: usize,
}

named!(
    /// What an open announcement waits for.
    WaitsFor as "RechargeWaitsFor" {
        /// To report the payment.
        Bank "bank",
        /// To find it among what the bank reported.
        CustomerService "customer_service",
        /// By a second of staff.
        Approval "approval",
    }
);

/// A payment that the user has announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RechargeAnnouncement)]
pub struct AnnouncementView {
    pub id: RechargeAnnouncementId,
    /// A decimal in the platform's currency.
    pub amount: Money,
    /// The id of the account that was paid in to. `label` is its label.
    pub account: String,
    pub label: String,
    pub status: AnnouncementStatus,
    /// What an open announcement waits for; null for any other.
    pub waits_for: Option<WaitsFor>,
    pub announced_at: Timestamp,
    /// When it lapses if it was not credited.
    pub lapses_at: Timestamp,
    pub closed_at: Option<Timestamp>,
}

impl AnnouncementView {
    fn of(found: &Announcement, lang: Lang, now: Timestamp, waits_for: Option<WaitsFor>) -> Self {
        Self {
            id: found.id,
            amount: found.amount,
            account: found.account.clone(),
            label: in_language(&found.label, lang).unwrap_or_default(),
            status: found.announced.status(now),
            waits_for,
            announced_at: found.announced.at,
            lapses_at: found.announced.lapses_at(),
            closed_at: found.closed_at,
        }
    }
}

/// Where the user pays in to, with which reference, and what is announced.
pub async fn recharge_form(app: &App, user: UserId, lang: Lang) -> Result<RechargeForm, Error> {
    app.follow_content().await;
    let now = app.now();
    let announcements = app.db.snapshot(move |conn| open_of(conn, user, lang, now)).await?;
    Ok(RechargeForm {
        reference: creditor::reference(user.0),
        accounts: app.pay_in_accounts(lang),
        announcements,
        most_open: Announced::MOST_OPEN,
    })
}

fn open_of(conn: &mut Conn, user: UserId, lang: Lang, now: Timestamp) -> Result<Vec<AnnouncementView>, Error> {
    let found = open(conn, user, now)?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let waits = Waits::read(conn, user, &found, now)?;
    let view = |one| AnnouncementView::of(one, lang, now, Some(waits.of(one)));
    Ok(found.iter().map(view).collect())
}

fn open(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<Announcement>, Error> {
    let filter = AnnouncementFilter { user: Some(user), open_at: Some(now) };
    Ok(rows::page(conn, filter, PageRequest { before: None, limit: PageRequest::MAX_LIMIT })?.items)
}

/// The amounts that staff have requested, and those that the bank has reported, under the user's reference.
struct Waits {
    requested: Vec<Money>,
    reported: Vec<Money>,
}

impl Waits {
    fn read(conn: &mut Conn, user: UserId, open: &[Announcement], now: Timestamp) -> Result<Self, Error> {
        let filter = RequestFilter {
            document: Some(RequestDocument::Recharge),
            status: Some(RequestStatus::Requested),
            user: Some(user),
            ..RequestFilter::default()
        };
        let page = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };
        let requested = request_rows::page(conn, &filter, now, page)?.items;
        let amounts: Vec<Money> = open.iter().map(|one| one.amount).collect();
        let from = Day::of(Announced::lapsed_before(now));
        let mut reported = bank_rows::open_moving(conn, &amounts, from, MOST_LINES)?;
        reported.retain(|kept| accounts_in(&kept.line).contains(&user.0));
        Ok(Self {
            requested: requested.into_iter().map(|request| request.amount).collect(),
            reported: reported.into_iter().map(|kept| kept.line.amount).collect(),
        })
    }

    fn of(&self, one: &Announcement) -> WaitsFor {
        if self.requested.contains(&one.amount) {
            WaitsFor::Approval
        } else if self.reported.contains(&one.amount) {
            WaitsFor::CustomerService
        } else {
            WaitsFor::Bank
        }
    }
}

/// All announcements of a user, newest first.
pub async fn of_user(app: &App, user: UserId, page: PageRequest) -> Result<Page<AnnouncementView>, Error> {
    let now = app.now();
    let filter = AnnouncementFilter { user: Some(user), open_at: None };
    let found = app.db.read(move |conn| rows::page(conn, filter, page)).await?;
    Ok(found.map(|one| AnnouncementView::of(&one, Lang::default(), now, None)))
}

/// A payment to announce.
#[derive(Clone, Debug)]
pub struct Announce {
    amount: Money,
    account: String,
    key: Option<Key>,
}

impl Announce {
    /// Parses the request as sent by the client.
    ///
    /// # Errors
    /// The field `amount`; `amount_out_of_range`.
    pub fn read(amount: &str, account: String, key: Option<Key>) -> Result<Self, Error> {
        Ok(Self { amount: amount::positive(Field::Amount, amount)?, account, key })
    }
}

/// # Errors
/// The field `account` if nobody can pay in to it; `announcements_open` if the user has the most that may be open;
/// `TooManyRequests` if the user announced too much; `idempotency_key_reused`.
pub async fn announce(app: &App, user: UserId, lang: Lang, command: Announce) -> Result<AnnouncementView, Error> {
    let request = fingerprint("recharge_announce", &[&command.amount.to_string(), &command.account]);
    app.db
        .write(move |tx| {
            lock_own(tx, user)?;
            let made = once(tx, user, command.key.as_ref(), &request, |tx| keep(tx, user, &command))?;
            read_view(tx, user, lang, made.id)
        })
        .await
}

fn keep(tx: &mut Tx<'_>, user: UserId, command: &Announce) -> Result<Made<RechargeAnnouncementId>, Error> {
    let account = active_pay_in(tx, &command.account)?.ok_or_else(|| Error::field(Field::Account, "invalid"))?;
    let now = tx.now();
    if open(tx, user, now)?.len() >= Announced::MOST_OPEN {
        return Err(Refusal::AnnouncementsOpen { most: Announced::MOST_OPEN }.into());
    }
    let most = i64::try_from(Announced::MOST_DAILY).unwrap_or(i64::MAX);
    let today = rows::find_times_since(tx, user, now.plus_seconds(-DAY_SECONDS), most)?;
    if let Some(first) = today.first().filter(|_| today.len() >= Announced::MOST_DAILY) {
        let retry_after = first.plus_seconds(DAY_SECONDS).seconds() - now.seconds();
        return Err(Error::TooManyRequests { retry_after: retry_after.max(1) });
    }
    Ok(Made { id: rows::insert(tx, user, account, command.amount)? })
}

/// One announcement of the user's, in its present state.
fn read_view(tx: &mut Tx<'_>, user: UserId, lang: Lang, id: RechargeAnnouncementId) -> Result<AnnouncementView, Error> {
    let now = tx.now();
    let found = rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
    let waits_for = if found.announced.is_open(now) {
        Some(Waits::read(tx, user, std::slice::from_ref(&found), now)?.of(&found))
    } else {
        None
    };
    Ok(AnnouncementView::of(&found, lang, now, waits_for))
}

/// Withdraws an open announcement.
///
/// # Errors
/// `not_found`; `already_decided` if it is credited, withdrawn or lapsed.
pub async fn withdraw_announcement(
    app: &App,
    user: UserId,
    lang: Lang,
    id: RechargeAnnouncementId,
) -> Result<AnnouncementView, Error> {
    app.db
        .write(move |tx| {
            lock_own(tx, user)?;
            let found = rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(!found.announced.is_open(tx.now()), Refusal::AlreadyDecided)?;
            rows::close(tx, id, AnnouncementOutcome::Withdrawn)?;
            read_view(tx, user, lang, id)
        })
        .await
}

/// Closes the oldest open announcement of exactly the amount of a recharge that was approved. The wallet is locked.
pub fn close_credited(tx: &mut Tx<'_>, user: UserId, amount: Money) -> Result<(), Error> {
    if let Some(id) = rows::oldest_open(tx, user, amount)? {
        rows::close(tx, id, AnnouncementOutcome::Credited)?;
    }
    Ok(())
}

/// An open announcement, as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnnouncedPayment {
    pub id: RechargeAnnouncementId,
    pub user_id: UserId,
    pub username: String,
    /// A decimal in the platform's currency.
    pub amount: Money,
    /// The id of the account that was paid in to.
    pub account: String,
    /// The payment's reference, if the user wrote it as shown.
    pub reference: String,
    pub announced_at: Timestamp,
    pub lapses_at: Timestamp,
}

/// The open announcements of all users, or of one, newest first.
pub async fn announcements(
    app: &App,
    user: Option<UserId>,
    page: PageRequest,
) -> Result<Page<AnnouncedPayment>, Error> {
    let filter = AnnouncementFilter { user, open_at: Some(app.now()) };
    let found = app.db.read(move |conn| rows::page(conn, filter, page)).await?;
    Ok(found.map(|one| AnnouncedPayment {
        id: one.id,
        user_id: one.user,
        username: one.username,
        amount: one.amount,
        account: one.account,
        reference: creditor::reference(one.user.0),
        announced_at: one.announced.at,
        lapses_at: one.announced.lapses_at(),
    }))
}
