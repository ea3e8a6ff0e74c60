//! A list of conversions and reversals in one call. Each is answered as if it had come alone, in order.

use std::collections::BTreeMap;

use base::AdvertiserId;
use delivery::Postback;
use foundation::Error;
use serde::Serialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::{Call, PostbackAnswer, count, report, reversal};
use crate::AdServer;

/// The most postbacks in one list.
pub const MOST: usize = 1_000;
/// The number of lists that are being booked at the same time. Each part of a list fills a transaction, and other
/// senders get their turn between the parts.
const AT_ONCE: usize = 4;

/// The turns of lists in one server.
pub(crate) struct ListTurns(Semaphore);

impl Default for ListTurns {
    fn default() -> Self {
        Self(Semaphore::new(AT_ONCE))
    }
}

/// What is wrong with fields, by their names.
pub type WrongFields = BTreeMap<String, String>;

/// The answer to one of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListedAnswer {
    #[serde(flatten)]
    pub answer: PostbackAnswer,
    /// The fields of this postback that cannot be read, each with what is wrong. The other postbacks are still taken.
    pub fields: BTreeMap<String, String>,
}

impl From<PostbackAnswer> for ListedAnswer {
    fn from(answer: PostbackAnswer) -> Self {
        Self { answer, fields: WrongFields::new() }
    }
}

impl ListedAnswer {
    fn unread(fields: WrongFields) -> Self {
        Self { answer: PostbackAnswer { accepted: false, duplicate: false, reason: None }, fields }
    }
}

/// Handles a list, in which each item was read or has unreadable fields. Neighbours of one kind are decided and booked
/// together.
///
/// # Errors
/// Faults alone. What was booked before one is answered as a duplicate when the list is sent again.
pub async fn postbacks(
    app: &AdServer,
    advertiser: AdvertiserId,
    listed: Vec<Result<Postback, WrongFields>>,
) -> Result<Vec<ListedAnswer>, Error> {
    let mut answers = BTreeMap::new();
    let mut calls = Vec::with_capacity(listed.len());
    for (place, one) in listed.into_iter().enumerate() {
        match one.and_then(checked) {
            Ok(call) => calls.push((place, call)),
            Err(fields) => {
                app.figures.count_postback(super::INVALID);
                answers.insert(place, ListedAnswer::unread(fields));
            }
        }
    }
    for neighbours in calls.chunk_by(|(_, one), (_, next)| one.reverse == next.reverse) {
        let (places, calls): (Vec<usize>, Vec<Call>) = neighbours.iter().cloned().unzip();
        // A turn lasts for one transaction, so a list that alternates between kinds does not keep others waiting
        // longer.
        let _turn = app.list_turns.0.acquire().await.map_err(|closed| Error::Internal(closed.to_string()))?;
        let given = match calls.first() {
            Some(Call { reverse: true, .. }) => reversal::take_back_all(app, advertiser, calls).await,
            _ => report(app, advertiser, calls).await,
        };
        count(app, &given, places.len());
        answers.extend(places.into_iter().zip(given?.into_iter().map(ListedAnswer::from)));
    }
    Ok(answers.into_values().collect())
}

fn checked(postback: Postback) -> Result<Call, WrongFields> {
    Call::of(postback).map_err(|field| WrongFields::from([(field.name().to_owned(), "invalid".to_owned())]))
}
