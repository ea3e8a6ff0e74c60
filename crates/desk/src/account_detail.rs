//! One account as staff see it, read in one snapshot. It never contains a password,
//! hash or code.

mod open_money;
mod standing;
mod under_way;
mod withdrawal;

use auth::AccountStatus;
use base::{Money, Timestamp, UserId};
use campaigns::plans::follow::Following;
use campaigns::plans::plan_views::{self, PlanView};
use coupons::State;
use foundation::accounts::contacts::{self, ContactView};
use foundation::accounts::{attempts, finding};
use foundation::notifications::feedback::FeedbackView;
use foundation::notifications::{NotificationView, view as notice_view};
use foundation::people::refused_movements::{self, RefusedMovementView};
use foundation::people::sessions::{self, SessionView};
use foundation::people::user_info::{self, UserView};
use foundation::staff::notes::NoteView;
use foundation::{App, Error, Refusal};
use i18n::Lang;
use money::offers::coupon_views::CouponView;
use money::wallet::flow_list::FlowView;
use money::wallet::property::Property;
use serde::Serialize;
use store::notifications::feedback;
use store::notifications::{self as notices, Request};
use store::people::users;
use store::plans::follows;
use store::staff::notes;
use store::wallet::chargebacks;
use store::wallet::flows::{self, Filter};
use store::wallet::property as figures;
use store::{Conn, PageRequest};

pub use open_money::OpenMoney;
pub use standing::{AccountStatusView, Ranks};
pub use under_way::PlanUnderWay;
pub use withdrawal::{Block, WithdrawalCheck};

const LATEST: PageRequest = PageRequest { before: None, limit: 10 };
/// For lists that usually have a few items.
const MOST: PageRequest = PageRequest { before: None, limit: 20 };
/// The number of notices shown; `unread` counts the rest.
const NOTICES: i64 = 5;

#[derive(Clone, Debug, Serialize)]
pub struct AccountDetail {
    pub user: UserView,
    /// The account's status, since when, and who set it.
    pub status: AccountStatusView,
    /// How the user is reached, and what changed of that lately.
    pub contact: ContactView,
    pub property: Property,
    /// What chargebacks could not take back, and the user owes.
    pub chargeback_due: Money,
    /// Whether anything can be withdrawn, and what prevents it.
    pub withdrawal: WithdrawalCheck,
    /// The withdrawals that wait for staff.
    pub withdrawals: Vec<OpenMoney>,
    pub exchanges: Vec<OpenMoney>,
    /// Payments and corrections that a second operator must approve.
    pub requests: Vec<OpenMoney>,
    /// The latest lines of the statement.
    pub flow: Vec<FlowView>,
    /// The requests that were refused to the user in the last days, newest first, with the texts that the user saw.
    pub refused: Vec<RefusedMovementView>,
    /// The latest plans.
    pub plans: Vec<PlanView>,
    /// Every unfinished plan, and what it waits for.
    pub under_way: Vec<PlanUnderWay>,
    pub sessions: Vec<SessionView>,
    pub notifications: Notices,
    /// The coupons that can still be used.
    pub coupons: Vec<CouponView>,
    pub level: Ranks,
    pub follows: Option<Following>,
    /// The user's feedback that nobody has dealt with.
    pub feedback: Vec<FeedbackView>,
    pub notes: Vec<NoteView>,
    /// The facts that anybody who helps this user should know first.
    pub flags: Vec<String>,
}

/// The latest notices, in English.
#[derive(Clone, Debug, Serialize)]
pub struct Notices {
    pub unread: i64,
    pub latest: Vec<NotificationView>,
}

/// The account that a caller describes, by whatever they know.
///
/// # Errors
/// `not_found`, `ambiguous`.
pub async fn account_detail(app: &App, name: &str) -> Result<AccountDetail, Error> {
    let (app_in, name, now) = (app.clone(), name.to_owned(), app.now());
    app.db
        .snapshot(move |conn| {
            let user = finding::read_named(conn, &name)?.user;
            read(&app_in, conn, user, now)
        })
        .await
}

fn latest_lines(conn: &mut Conn, id: UserId) -> Result<Vec<FlowView>, Error> {
    flows::page(conn, id, Filter::default(), LATEST)?.items.into_iter().map(FlowView::of).collect()
}

fn read(app: &App, conn: &mut Conn, id: UserId, now: Timestamp) -> Result<AccountDetail, Error> {
    let row = users::find(conn, id)?.ok_or(Refusal::NotFound)?;
    let found = figures::of(conn, id)?.ok_or(Refusal::NotFound)?;
    let property = Property::of(&found, now)?;
    let chargeback_due = chargebacks::due(conn, id)?;
    let withdrawal = withdrawal::check(conn, &row, (&found, chargeback_due), &attempts::of_cancelling(app, id), now)?;
    let status = AccountStatusView::of(conn, &row)?;
    let contact = contacts::contact(conn, &row, now)?;
    let ranks = Ranks::of(&row, now);
    let username = row.username.clone();
    let user = user_info::view(app, row, found.wallet.deposit, None);
    Ok(AccountDetail {
        flags: flags(&user, &property, chargeback_due, &contact),
        chargeback_due,
        status,
        contact,
        withdrawal,
        withdrawals: open_money::withdrawals(conn, id, now)?,
        exchanges: open_money::exchanges(conn, id, now)?,
        requests: open_money::requests(conn, id, now)?,
        flow: latest_lines(conn, id)?,
        refused: refused_movements::of(conn, id, now)?,
        plans: plan_views::page(conn, id, None, LATEST, now)?.items,
        under_way: under_way::plans(conn, id, now)?,
        sessions: sessions::views(conn, id, None, now)?,
        notifications: notifications(app, conn, id, now)?,
        coupons: coupons(conn, id, now)?,
        level: ranks,
        follows: follows::current(conn, id)?.map(Following::from),
        feedback: feedback::open_of(conn, id, MOST)?
            .into_iter()
            .map(|row| FeedbackView::of(row, username.clone()))
            .collect(),
        notes: notes::page(conn, id, false, MOST)?.map(NoteView::from).items,
        user,
        property,
    })
}

fn notifications(app: &App, conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Notices, Error> {
    let request = Request { filter: notices::Filter::default(), below: None, limit: NOTICES };
    let found = notices::page(conn, user, now, &request)?;
    let view = |row| notice_view(row, Lang::En, &app.settings.currency);
    Ok(Notices { unread: notices::unread(conn, user, now)?, latest: found.items.into_iter().map(view).collect() })
}

fn coupons(conn: &mut Conn, user: UserId, now: Timestamp) -> Result<Vec<CouponView>, Error> {
    let found = store::offers::coupons::page(conn, user, Some(State::Unused), now, MOST)?;
    Ok(found.items.iter().map(|held| CouponView::of(held, now)).collect())
}

fn flags(user: &UserView, property: &Property, chargeback_due: Money, contact: &ContactView) -> Vec<String> {
    let standing = format!("account_{}", user.status);
    let said = [
        (user.status != AccountStatus::Active, standing.as_str()),
        (!contact.changes.is_empty(), "contact_changed_lately"),
        (!user.store_opened, "store_not_opened"),
        (!property.pay_password_set, "pay_password_not_set"),
        (!property.bank_card_bound, "bank_card_not_bound"),
        (!property.startup_outstanding.is_zero(), "startup_funds_outstanding"),
        (chargeback_due.is_positive(), "chargeback_due"),
        (!property.withdrawing.is_zero(), "withdrawal_open"),
    ];
    said.into_iter().filter(|(applies, _)| *applies).map(|(_, flag)| flag.to_owned()).collect()
}
