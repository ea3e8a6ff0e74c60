//! Conversions as reported by an advertiser's server.

use base::{Field, Timestamp, refuse_if};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

const LONGEST_ID: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Postback {
    /// The advertiser's own id of the conversion, unique for ever.
    #[serde(default)]
    #[schema(required = true)]
    pub event_id: String,
    /// The click's id, as it was appended to the product's address.
    #[serde(default, deserialize_with = "or_none")]
    pub click_id: String,
    /// RFC 3339; now if missing.
    #[serde(default)]
    pub occurred_at: Option<String>,
    /// Reverses the conversion with this id, before it is settled.
    #[serde(default, deserialize_with = "or_none")]
    pub reverse: bool,
}

/// Some programs write null for what they leave out.
fn or_none<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl Postback {
    /// When the conversion happened, if reported.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self) -> Result<Option<Timestamp>, Field> {
        let is_wrong = !is_id(&self.event_id) || (!self.reverse && is_unfilled(&self.event_id));
        refuse_if(is_wrong, Field::EventId)?;
        refuse_if(!self.reverse && !is_id(&self.click_id), Field::ClickId)?;
        let read = |text: &String| Timestamp::parse_iso(text).ok_or(Field::OccurredAt);
        self.occurred_at.as_ref().map(read).transpose()
    }
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_ID && text.bytes().all(|b| b.is_ascii_graphic())
}

/// What a tracker sends where it has nothing to fill in: `{order_id}`, `%%ORDER%%`, `null`. The first conversion would
/// take such an id for ever, and all others would be its duplicates.
fn is_unfilled(id: &str) -> bool {
    let id = id.to_ascii_lowercase().replace("%7b", "{").replace("%7d", "}");
    let is_macro = id.contains(['{', '[', '<', '%', '$']) && !id.bytes().any(|b| b.is_ascii_digit());
    is_macro || ["null", "undefined", "none", "nan"].contains(&id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_field_is_named() {
        let call = |event: &str, click: &str, at: Option<&str>| Postback {
            event_id: event.into(),
            click_id: click.into(),
            occurred_at: at.map(str::to_owned),
            reverse: false,
        };
        assert_eq!(call("a", "b", None).check(), Ok(None));
        for at in
            ["2026-11-20T00:00:00Z", "2026-11-20T01:00:00+0100", "2026-11-20 01:00:00 +0100", "2026-11-20 00:00:00 UTC"]
        {
            let read = call("a", "b", Some(at)).check();
            assert_eq!(read, Ok(Timestamp::parse("2026-11-20T00:00:00Z")), "{at}");
        }
        let longest = "x".repeat(128);
        assert_eq!(call(&longest, &longest, None).check(), Ok(None));
        for (wrong, field) in [
            (call("", "b", None), Field::EventId),
            (call("a b", "b", None), Field::EventId),
            (call(&"x".repeat(129), "b", None), Field::EventId),
            (call("a", "", None), Field::ClickId),
            (call("a", "b", Some("yesterday")), Field::OccurredAt),
            (call("a", "b", Some("2026-11-20T00:00:00")), Field::OccurredAt),
            (call("a", "b", Some("2026-11-20 00:00:00")), Field::OccurredAt),
        ] {
            assert_eq!(wrong.check(), Err(field), "{wrong:?}");
        }
        assert_eq!(Postback { reverse: true, ..call("a", "", None) }.check(), Ok(None));
        for unfilled in
            ["{order_id}", "{{OrderId}}", "%7Border_id%7D", "${ORDER}", "%%ORDER%%", "[order]", "null", "None"]
        {
            assert_eq!(call(unfilled, "b", None).check(), Err(Field::EventId), "{unfilled}");
            // It may have been booked before it was refused.
            assert_eq!(Postback { reverse: true, ..call(unfilled, "", None) }.check(), Ok(None), "{unfilled}");
        }
        for filled in ["{0F8FAD5B-D9CB-469F-A165-70867728950E}", "order", "nullable", "a%2Fb", "$12"] {
            assert_eq!(call(filled, "b", None).check(), Ok(None), "{filled}");
        }
    }
}
