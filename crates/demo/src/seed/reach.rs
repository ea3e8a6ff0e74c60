//! How the demonstration's users and provider reach each other: operated ids,
//! announcements, feedback.

use std::collections::BTreeMap;

use base::UserId;
use campaigns::plans::operated;
use desk::requests::approve;
use foundation::notices::written::{Text, TextsByLanguage};
use foundation::notifications::feedback;
use foundation::notifications::{
    Announce, Announced, Audience, Category, Filter, NotificationQuery, announce, list_notifications,
};
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::register::{Register, register};
use foundation::people::staff_accounts::find_account;
use foundation::staff::Staff;
use foundation::{App, Error, Refusal};
use i18n::Lang;
use store::PageRequest;

use super::people::{DEMO, Pair};
use crate::Failure;

/// User name, operated id and name.
const OPERATED: [(&str, &str, &str); 3] = [
    ("demo-lina", "OP-1001", "Lina Studio"),
    ("demo-marco", "OP-1002", "Marco Media"),
    ("demo-aiko", "OP-1003", "Aiko Ads"),
];
/// The announcements by category, then by language.
const ANNOUNCEMENTS: &str = include_str!("../../content/announcements.toml");
const WHOLE: PageRequest = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };

/// The user who has an operated id.
pub fn username(operated_id: &str) -> Option<&'static str> {
    OPERATED.iter().find(|(_, id, _)| *id == operated_id).map(|(username, ..)| *username)
}

/// All operated ids.
pub async fn operated_ids(app: &App, staff: &Pair) -> Result<Vec<String>, Failure> {
    let there = operated::list(app, WHOLE).await?.items;
    for (username, id, name) in OPERATED {
        if !there.iter().any(|account| account.operated_id == id) {
            account(app, &staff.first, username).await?;
            let asked = operated::add(app, staff.first.clone(), username, id, name).await?;
            approve(app, &staff.second, asked.id.into()).await?;
        }
    }
    Ok(OPERATED.iter().map(|(_, id, _)| (*id).to_owned()).collect())
}

async fn account(app: &App, by: &Staff, username: &str) -> Result<(), Failure> {
    match find_account(app, username).await {
        Err(Error::Refused(Refusal::NotFound | Refusal::Unknown { .. })) => {}
        found => return Ok(found.map(|_| ())?),
    }
    let codes = issue_codes(app, by.clone(), 1, None, Activation::Automatic).await?;
    let command = Register {
        username: username.to_owned(),
        password: DEMO.password.to_owned(),
        email: format!("{username}@example.com"),
        phone: "+10005550101".to_owned(),
        license_key: codes.into_iter().next().unwrap_or_default(),
        lang: Lang::default(),
        device: "demonstration".to_owned(),
        address: None,
    };
    register(app, command).await?;
    Ok(())
}

/// Announcements, one in each category that has none yet.
pub async fn announcements(app: &App, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let texts: BTreeMap<String, BTreeMap<String, Text>> =
        toml::from_str(ANNOUNCEMENTS).map_err(|e| Failure::Usage(format!("the demonstration's announcements: {e}")))?;
    for (category, by_lang) in texts {
        let category = Category::from_name(&category).ok_or(Refusal::NotFound)?;
        let wanted = NotificationQuery {
            filter: Filter { category: Some(category), read: None },
            ..NotificationQuery::default()
        };
        if list_notifications(app, user, Lang::default(), wanted).await?.items.is_empty() {
            let words = TextsByLanguage::new(None, by_lang);
            let command = Announce { category, words, to: Audience::Everybody(None) };
            if let Announced::Requested(asked) = announce(app, staff.first.clone(), command).await? {
                approve(app, &staff.second, asked.id.into()).await?;
            }
        }
    }
    Ok(())
}

pub async fn feedback(app: &App, user: UserId) -> Result<(), Failure> {
    let there = feedback::list(app, feedback::FeedbackFilter::default(), WHOLE).await?.items;
    if !there.iter().any(|sent| sent.username == DEMO.username) {
        let command = feedback::Send {
            topic: "Statement as a file".to_owned(),
            content: "I would like to have each month's statement as a file for my bookkeeping.".to_owned(),
            images: Vec::new(),
        };
        feedback::send(app, user, command).await?;
    }
    Ok(())
}
