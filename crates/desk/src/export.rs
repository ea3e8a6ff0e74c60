//! Exporting everything stored about a user as one JSON document. It is read and
//! sent page by page, and contains no passwords, tokens or hashes.

use std::sync::Arc;

use base::{Timestamp, UserId, named};
use campaigns::plans::follow::assistance;
use campaigns::plans::plan_views;
use foundation::accounts::contacts::ContactChangeView;
use foundation::notifications::conversation;
use foundation::notifications::feedback::FeedbackView;
use foundation::notifications::push::PushDeviceView;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::{sessions, user_info};
use foundation::staff::audit_log::AuditLine;
use foundation::{App, Error, Refusal};
use futures_util::stream::{self, Stream};
use i18n::Lang;
use money::offers::{coupon_views, levels};
use money::wallet::flow_list::{FlowQuery, flow_list};
use money::wallet::recharges::{announcements, recharges};
use money::wallet::{bank_card, exchange, property, withdrawals};
use serde::Serialize;
use serde_json::{Value, json};
use store::notifications::{feedback, push};
use store::people::{contacts, users};
use store::staff::audit;
use store::{Page, PageRequest};

named!(
    /// One part of the document.
    ExportPart {
        Profile "profile",
        ContactChanges "contact_changes",
        Wallet "wallet",
        BankCard "bank_card",
        Sessions "sessions",
        PushDevices "push_devices",
        Transactions "transactions",
        Withdrawals "withdrawals",
        Recharges "recharges",
        RechargeAnnouncements "recharge_announcements",
        Plans "plans",
        Coupons "coupons",
        CreditHistory "credit_history",
        Exchanges "exchanges",
        Follows "follows",
        Notifications "notifications",
        Feedback "feedback",
        Messages "messages",
        StaffActions "staff_actions",
    }
);

/// The user and the language.
#[derive(Clone)]
struct ExportSubject {
    app: App,
    user: UserId,
    lang: Lang,
    username: Arc<str>,
}

/// How far the document has been written.
struct ExportPosition {
    of: ExportSubject,
    part: usize,
    cursor: Option<String>,
}

/// The content of a part: all of it, or a page of its list.
enum PartContent {
    Whole(Value),
    Items(Vec<Value>, Option<String>),
}

/// The file's name, and its text in chunks. If something cannot be read, the document
/// breaks off, so that an incomplete one is not mistaken for a complete one.
///
/// # Errors
/// `not_found` for an unknown user.
pub async fn export(
    app: &App,
    user: UserId,
    lang: Lang,
) -> Result<(String, impl Stream<Item = Result<String, Error>> + use<>), Error> {
    let row = app.db.read(move |conn| users::find(conn, user)).await?.ok_or(Refusal::NotFound)?;
    let now = app.now().to_string();
    let day = now.get(..10).unwrap_or_default();
    let name = format!("placard-{user}-{day}.json");
    let begin = format!("{{\n\"exported_at\": {}", json!(now));
    let of = ExportSubject { app: app.clone(), user, lang, username: row.username.into() };
    let rest = stream::try_unfold(ExportPosition { of, part: 0, cursor: None }, next);
    let head = stream::once(std::future::ready(Ok(begin)));
    let tail = stream::once(std::future::ready(Ok("\n}\n".to_owned())));
    Ok((name, stream::StreamExt::chain(stream::StreamExt::chain(head, rest), tail)))
}

async fn next(reached: ExportPosition) -> Result<Option<(String, ExportPosition)>, Error> {
    let ExportPosition { of, part, cursor } = reached;
    let Some(which) = ExportPart::ALL.get(part).copied() else { return Ok(None) };
    let begins = cursor.is_none();
    let (mut text, mut goes_on) = (String::new(), None);
    if begins {
        text = format!(",\n{}: ", json!(which.name()));
    }
    match read(&of, which, cursor).await? {
        PartContent::Whole(value) => text.push_str(&value.to_string()),
        PartContent::Items(items, next) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            text.push_str(if begins { "[" } else { ",\n" });
            text.push_str(&items.join(",\n"));
            if next.is_none() {
                text.push(']');
            }
            goes_on = next;
        }
    }
    let part = if goes_on.is_some() { part } else { part.saturating_add(1) };
    Ok(Some((text, ExportPosition { of, part, cursor: goes_on })))
}

async fn read(of: &ExportSubject, part: ExportPart, cursor: Option<String>) -> Result<PartContent, Error> {
    let ExportSubject { app, user, lang, username } = of;
    let (user, before) = (*user, cursor.as_deref().and_then(|cursor| cursor.parse().ok()));
    let page = PageRequest { before, limit: PageRequest::MAX_LIMIT };
    match part {
        ExportPart::Profile => profile(of).await,
        ExportPart::ContactChanges => {
            let found = app.db.read(move |conn| contacts::page_of_user(conn, user, page)).await?;
            items(&found.map(ContactChangeView::from))
        }
        ExportPart::Wallet => whole(&property::property(app, user).await?),
        ExportPart::BankCard => whole(&bank_card::bank_card(app, user).await?),
        ExportPart::Sessions => whole(&sessions::list_sessions(app, user, None).await?),
        ExportPart::PushDevices => {
            let found = app.db.read(move |conn| push::devices(conn, user)).await?;
            whole(&found.into_iter().map(|device| PushDeviceView::of(device, None)).collect::<Vec<_>>())
        }
        ExportPart::Transactions => {
            let query = FlowQuery { page, ..FlowQuery::default() };
            items(&flow_list(app, user, query).await?.lines)
        }
        ExportPart::Withdrawals => items(&withdrawals::withdrawals(app, user, page).await?),
        ExportPart::Recharges => items(&recharges(app, user, None, page).await?),
        ExportPart::RechargeAnnouncements => items(&announcements::of_user(app, user, page).await?),
        ExportPart::Plans => items(&plan_views::list(app, user, None, page).await?),
        ExportPart::Coupons => items(&coupon_views::coupons(app, user, None, page).await?),
        ExportPart::CreditHistory => items(&levels::credit_history(app, user, *lang, page).await?),
        ExportPart::Exchanges => items(&exchange::orders(app, user, page).await?.page),
        ExportPart::Follows => items(&assistance(app, user, page).await?.records),
        ExportPart::Notifications => {
            let wanted = NotificationQuery { cursor, limit: Some(page.limit), ..NotificationQuery::default() };
            let listed = list_notifications(app, user, *lang, wanted).await?;
            Ok(PartContent::Items(values(&listed.items)?, listed.next_cursor))
        }
        ExportPart::Feedback => {
            let found = app.db.read(move |conn| feedback::page_of_user(conn, user, page)).await?;
            items(&found.map(|row| FeedbackView::of(row, username.to_string())))
        }
        ExportPart::Messages => items(&conversation::messages(app, user, page).await?),
        ExportPart::StaffActions => {
            let subject = format!("user:{user}");
            let found = app.db.read(move |conn| audit::page_of_subject(conn, &subject, page)).await?;
            items(&found.map(|record| StaffAction::from(AuditLine::from(record))))
        }
    }
}

/// An action of staff on the account, and its reason, without the operator's name.
#[derive(Serialize)]
struct StaffAction {
    at: Timestamp,
    action: String,
    reason: String,
}

impl From<AuditLine> for StaffAction {
    fn from(line: AuditLine) -> Self {
        Self { at: line.at, action: line.action, reason: line.reason }
    }
}

async fn profile(of: &ExportSubject) -> Result<PartContent, Error> {
    let mut view = value(&user_info::user_info(&of.app, of.user, None).await?)?;
    if let Some(fields) = view.as_object_mut() {
        // The contacts of customer service are not data about the user.
        fields.retain(|name, _| !name.ends_with("customer_service_url"));
    }
    Ok(PartContent::Whole(view))
}

fn whole(view: &impl Serialize) -> Result<PartContent, Error> {
    Ok(PartContent::Whole(value(view)?))
}

fn items<T: Serialize>(page: &Page<T>) -> Result<PartContent, Error> {
    Ok(PartContent::Items(values(&page.items)?, page.next.map(|id| id.to_string())))
}

fn values<T: Serialize>(views: &[T]) -> Result<Vec<Value>, Error> {
    views.iter().map(value).collect()
}

fn value(view: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(view).map_err(|e| Error::Internal(format!("a view to export: {e}")))
}
