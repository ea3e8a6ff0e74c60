//! The changes that a request proposes: each field with its old and new value.
//! Exactly these are applied, or nothing if an old value no longer fits.

use base::refuse_if;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use store::staff::requests::MoneyRequest;

use crate::staff::Changes;
use crate::{Error, Refusal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal(Map<String, Value>);

impl Proposal {
    /// The field that names the entry, in proposals about what all users see.
    pub const ENTRY: &str = "entry";

    /// The differences between two states of one thing; the first is `null` if it does
    /// not exist yet. `None` if there are none.
    pub fn between(before: &impl Serialize, after: &impl Serialize) -> Option<Self> {
        match Changes::between(before, after).details() {
            Value::Object(fields) if !fields.is_empty() => Some(Self(fields)),
            _ => None,
        }
    }

    /// Every field of a thing before and after, for decisions that need to see all of it. Applying the proposal fails
    /// if any of them has changed meanwhile.
    pub fn whole(before: &Value, after: &Value) -> Self {
        let none = Map::new();
        let (before, after) = (before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none));
        let value = |of: &Map<String, Value>, name: &str| of.get(name).cloned().unwrap_or_default();
        let names = before.keys().chain(after.keys());
        let field = |name: &String| (name.clone(), json!({ "from": value(before, name), "to": value(after, name) }));
        Self(names.map(field).collect())
    }

    /// A request's proposal.
    pub fn of(request: &MoneyRequest) -> Result<Self, Error> {
        let text = request.proposal.as_deref().unwrap_or_default();
        let unreadable = |e| Error::Internal(format!("proposal of request {}: {e}", request.id));
        serde_json::from_str(text).map(Self).map_err(unreadable)
    }

    /// The old and the new value of a field, if it is a text and changes.
    pub fn values(&self, field: &str) -> [Option<String>; 2] {
        let change = self.0.get(field);
        ["from", "to"].map(|end| Some(change?.get(end)?.as_str()?.to_owned()))
    }

    pub fn to_text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The new value of a text.
    pub fn new_text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.get("to")?.as_str()
    }

    /// The new values, whatever the old ones were.
    pub fn target<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let to = |(field, change): (&String, &Value)| (field.clone(), change.get("to").cloned().unwrap_or_default());
        let fields: Map<String, Value> = self.0.iter().map(to).collect();
        serde_json::from_value(Value::Object(fields)).map_err(|e| Error::Internal(format!("a proposal: {e}")))
    }

    /// The state after applying it to the present one.
    ///
    /// # Errors
    /// `proposal_stale` if a field no longer has its old value.
    pub fn apply<T: DeserializeOwned>(&self, present: &impl Serialize) -> Result<T, Error> {
        let present = serde_json::to_value(present).map_err(|e| Error::Internal(e.to_string()))?;
        let mut state = if let Value::Object(fields) = present { fields } else { Map::new() };
        for (field, change) in &self.0 {
            let was = state.get(field).unwrap_or(&Value::Null);
            refuse_if(was != change.get("from").unwrap_or(&Value::Null), Refusal::ProposalStale)?;
            state.insert(field.clone(), change.get("to").cloned().unwrap_or_default());
        }
        serde_json::from_value(json!(state)).map_err(|e| Error::Internal(format!("a proposal: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_written_as_it_was_asked_for_or_not_at_all() {
        let (before, after) = (json!({ "payout": "1.00", "days": 3 }), json!({ "payout": "2.00", "days": 3 }));
        let asked = Proposal::between(&before, &after).expect("a change");
        assert_eq!(asked.to_text(), r#"{"payout":{"from":"1.00","to":"2.00"}}"#);
        // Fields that it does not name stay as they are then.
        let other = json!({ "payout": "1.00", "days": 4 });
        assert_eq!(asked.apply::<Value>(&other).expect("applied"), json!({ "payout": "2.00", "days": 4 }));
        assert!(matches!(asked.apply::<Value>(&after), Err(Error::Refused(Refusal::ProposalStale))));
        assert_eq!(Proposal::between(&before, &before), None);
    }

    #[test]
    fn a_whole_thing_names_every_field_and_fits_only_what_was_looked_at() {
        let (before, after) = (json!({ "url": "a", "list": "x" }), json!({ "url": "b", "list": "x", "label": "c" }));
        let asked = Proposal::whole(&before, &after);
        assert_eq!(asked.new_text("list"), Some("x"));
        assert_eq!(asked.apply::<Value>(&before).expect("applied"), after);
        let other = json!({ "url": "a", "list": "y" });
        assert!(matches!(asked.apply::<Value>(&other), Err(Error::Refused(Refusal::ProposalStale))));
        let new = Proposal::whole(&Value::Null, &after);
        assert_eq!(new.apply::<Value>(&Value::Null).expect("applied"), after);
        assert!(new.apply::<Value>(&before).is_err());
    }

    #[test]
    fn what_is_new_comes_from_nothing() {
        let asked = Proposal::between(&Value::Null, &json!({ "payout": "2.00", "url": null })).expect("a change");
        assert_eq!(asked.apply::<Value>(&Value::Null).expect("applied"), json!({ "payout": "2.00" }));
        assert!(asked.apply::<Value>(&json!({ "payout": "1.00" })).is_err());
    }
}
