//! The file that selects the events of a correction.

use base::{Field, Money, PublisherId, Timestamp};
use delivery::{CLICK_WINDOW_SECONDS, Device, EventKind, Nonce};
use event_files::Event;
use foundation::{Error, amount};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::Conn;
use store::wallet::corrections::{CORRECTED, CorrectableEvent, Stretch};
use supply::PublisherKind;

/// The file as staff write it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectionFile {
    /// All slots of a publisher, or of an exchange.
    pub publisher: Option<Number>,
    /// One slot, by its key.
    pub slot: Option<String>,
    pub from: Option<Moment>,
    pub until: Option<Moment>,
    /// `impression` or `click`; both if it is missing.
    pub kind: Option<String>,
    pub device: Option<String>,
    /// The site or app that an exchange named.
    pub source: Option<String>,
    /// One plan, by its number.
    pub plan: Option<String>,
    /// The total to refund, in place of the whole price of the events.
    pub sum: Option<Sum>,
}

/// A number, or a text with one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a publisher's number")]
pub enum Number {
    Whole(i64),
    Text(String),
}

/// A time, or a text with one; a day begins at midnight (UTC).
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a time such as 2026-05-03T08:00:00Z")]
pub enum Moment {
    Text(String),
    Written(toml::value::Datetime),
}

/// An amount as a text, or a whole number. A number with a decimal point would be a float, and is refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected an amount in quotes, such as \"12.34\"")]
pub enum Sum {
    Text(String),
    Whole(i64),
}

impl Moment {
    fn read(&self) -> Option<Timestamp> {
        let text = match self {
            Self::Text(text) => text.trim().to_owned(),
            Self::Written(moment) => moment.to_string(),
        };
        Timestamp::parse(&text).or_else(|| Timestamp::parse(&format!("{text}T00:00:00Z")))
    }
}

impl Sum {
    fn read(&self) -> Result<Money, Error> {
        let text = match self {
            Self::Text(text) => text.trim().to_owned(),
            Self::Whole(whole) => whole.to_string(),
        };
        amount::positive(Field::Sum, &text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Publisher(PublisherId),
    Slot(String),
}

/// The parsed selection of events.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    place: Place,
    from: Timestamp,
    until: Timestamp,
    kind: Option<EventKind>,
    device: Option<Device>,
    source: Option<String>,
    pub plan: Option<String>,
    pub sum: Option<Money>,
}

impl CorrectionFile {
    /// # Errors
    /// A field that is missing, not known, or at odds with another.
    pub(super) fn checked(self, now: Timestamp) -> Result<Scope, Error> {
        let invalid = |field: Field| move || Error::field(field, "invalid");
        let place = match (self.publisher, self.slot) {
            (Some(number), None) => Place::Publisher(number.read().ok_or_else(invalid(Field::Publisher))?),
            (None, Some(key)) => Place::Slot(key),
            (None, None) => return Err(Error::field(Field::Publisher, "required")),
            (Some(_), Some(_)) => return Err(Error::field(Field::Slot, "not_with_publisher")),
        };
        let moment = |field: Field, moment: Option<Moment>| {
            moment.ok_or_else(|| Error::field(field, "required"))?.read().ok_or_else(invalid(field))
        };
        let (from, until) = (moment(Field::From, self.from)?, moment(Field::Until, self.until)?);
        Error::field_if(until <= from, Field::Until, "before_from")?;
        Error::field_if(from > now, Field::From, "in_the_future")?;
        let kind = self.kind.map(|name| kind(&name).ok_or_else(invalid(Field::Kind))).transpose()?;
        let device = self.device.map(|name| Device::from_name(&name).ok_or_else(invalid(Field::Device))).transpose()?;
        let sum = self.sum.map(|sum| sum.read()).transpose()?;
        Ok(Scope { place, from, until, kind, device, source: self.source, plan: self.plan, sum })
    }
}

impl Number {
    fn read(&self) -> Option<PublisherId> {
        match self {
            Self::Whole(id) => Some(PublisherId(*id)),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }
}

fn kind(name: &str) -> Option<EventKind> {
    EventKind::from_name(name).filter(|kind| matches!(kind, EventKind::Impression | EventKind::Click))
}

impl Scope {
    pub fn time(&self) -> (Timestamp, Timestamp) {
        (self.from, self.until)
    }

    /// The period in which notices are searched for, because the price of a view in an exchange may be named after the
    /// view.
    pub fn time_with_notices(&self) -> (Timestamp, Timestamp) {
        (self.from, self.until.plus_seconds(CLICK_WINDOW_SECONDS))
    }

    /// The range of the correction, and whether its publisher is an exchange.
    pub fn stretch(&self, conn: &mut Conn) -> Result<(Stretch, bool), Error> {
        let (publisher, slot) = match &self.place {
            Place::Publisher(id) => (*id, None),
            Place::Slot(key) => {
                let slot =
                    store::delivery::slot::find(conn, key)?.ok_or_else(|| Error::field(Field::Slot, "not_found"))?;
                (slot.publisher_id, Some(slot.id))
            }
        };
        let found = store::delivery::publisher::find(conn, publisher)?;
        let found = found.ok_or_else(|| Error::field(Field::Publisher, "not_found"))?;
        let in_exchange = found.publisher()?.kind == PublisherKind::Ssp;
        Ok((Stretch { publisher, slot, from: self.from, until: self.until }, in_exchange))
    }

    /// Whether an event is selected.
    pub fn has(&self, event: &CorrectableEvent) -> bool {
        event.at < self.until
            && self.kind.is_none_or(|kind| event.kind == kind)
            && self.device.is_none_or(|device| event.device == Some(device.code()))
            && self.source.as_ref().is_none_or(|source| event.source.as_ref() == Some(source))
    }

    /// An archived event as a candidate, if it counts and is in the period. The number of candidates is limited, so
    /// events that are not selected are left out here.
    pub fn archived(&self, event: &Event) -> Option<CorrectableEvent> {
        let (at, (from, until)) = (event.at, self.time_with_notices());
        let slot = event.slot.filter(|_| event.counted && at >= from && at < until)?;
        let of = CORRECTED.contains(&event.kind).then(|| CorrectableEvent {
            plan: event.plan,
            event: event.id,
            kind: event.kind,
            at,
            slot,
            nonce: Nonce(event.nonce),
            price_milli: event.price_milli,
            cleared_milli: event.cleared_milli,
            device: event.device.map(Device::code),
            source: event.source.clone(),
        })?;
        (of.kind == EventKind::Notice || self.has(&of)).then_some(of)
    }

    /// The selection, as the second person reads it.
    pub fn seen(&self) -> Map<String, Value> {
        let (name, place) = match &self.place {
            Place::Publisher(id) => ("publisher", id.to_string()),
            Place::Slot(key) => ("slot", key.clone()),
        };
        let known = [
            (name, Some(place)),
            ("from", Some(self.from.to_string())),
            ("until", Some(self.until.to_string())),
            ("kind", self.kind.map(|kind| kind.name().to_owned())),
            ("device", self.device.map(|device| device.name().to_owned())),
            ("source", self.source.clone()),
            ("plan", self.plan.clone()),
            ("sum", self.sum.map(|sum| sum.to_string())),
        ];
        known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use base::{PlanId, SlotId};

    use super::*;

    #[test]
    fn what_a_field_cannot_be_is_told_in_words() {
        for (line, told) in [
            ("sum = 1.5", "expected an amount in quotes, such as \"12.34\""),
            ("publisher = 1.0", "expected a publisher's number"),
            ("from = 5", "expected a time such as 2026-05-03T08:00:00Z"),
        ] {
            let wrong = toml::from_str::<CorrectionFile>(line).expect_err("wrong");
            assert_eq!(wrong.message(), told, "{line}");
        }
    }

    // The number of archived candidates is limited. Events of other devices once took the places of selected ones.
    #[test]
    fn of_archived_events_only_those_that_it_is_about_and_notices_are_taken() {
        let text = "publisher = 1\nfrom = 2026-01-01\nuntil = 2026-01-02\ndevice = \"tv\"";
        let file: CorrectionFile = toml::from_str(text).expect("a file");
        let at = |text: &str| Timestamp::parse(text).expect("a moment");
        let scope = file.checked(at("2026-02-01T00:00:00Z")).expect("a scope");
        let view = Event {
            plan: PlanId(1),
            id: 1,
            kind: EventKind::Impression,
            at: at("2026-01-01T23:59:59Z"),
            filed_at: at("2026-01-01T23:59:58Z"),
            counted: true,
            reason: None,
            filter_version: 7,
            price_milli: 5,
            slot: Some(SlotId(1)),
            nonce: [7; 16],
            visitor: None,
            device: Some(Device::Tv),
            arm: None,
            among: None,
            propensity: None,
            learned: None,
            cleared_milli: None,
            source: None,
        };
        let notice = Event { kind: EventKind::Notice, device: None, at: at("2026-01-02T00:59:58Z"), ..view.clone() };
        let is_taken = |event: &Event| scope.archived(event).is_some();
        assert!(is_taken(&view) && is_taken(&notice));
        for other in [
            Event { device: Some(Device::Mobile), ..view.clone() },
            Event { at: at("2026-01-02T00:00:00Z"), ..view.clone() },
            Event { counted: false, ..view.clone() },
            Event { at: at("2026-01-02T01:00:00Z"), ..notice },
        ] {
            assert!(!is_taken(&other), "{other:?}");
        }
    }
}
