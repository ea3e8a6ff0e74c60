//! Content that all users see: contacts, accounts to pay in to, questions and activities. One operator requests a
//! change, as the whole entry that users will see, and it is written when another approves it. One person alone may
//! retire an entry, because nobody gains by it, and two people can bring the entry back.

use std::collections::BTreeMap;

use base::Timestamp;
use content::contacts::{List, frame_origin};
use foundation::staff::requests::Proposal;
use foundation::{Error, Refusal};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use store::Tx;
use store::installation::content::{self as rows, Activity, Contact, Question};
use store::offers::coupons;
use wallet::RequestKind;

use super::offers::activity_form;
use super::pay_in::{self, SeenPayIn};
use super::service::{contact_form, question_form};

/// The names of the entry in its form.
const KEYS: [&str; 2] = ["id", "key"];

pub(super) type Texts = BTreeMap<String, String>;

#[derive(Deserialize)]
struct SeenContact {
    entry: String,
    list: String,
    #[serde(rename = "type")]
    kind: i64,
    url: String,
    label: Texts,
    order: Option<i32>,
    active: bool,
}

#[derive(Deserialize)]
struct SeenQuestion {
    entry: String,
    order: Option<i32>,
    question: Option<Texts>,
    answer: Option<Texts>,
    active: bool,
}

#[derive(Deserialize)]
struct SeenActivity {
    entry: String,
    coupon: String,
    title: Texts,
    rules: Option<Texts>,
    starts: Option<String>,
    ends: Option<String>,
    active: bool,
}

/// A form as a request shows it: its name as `entry`, and the page that the app will frame.
fn seen(form: Json) -> Json {
    let Json::Object(mut fields) = form else { return Json::Null };
    let key = KEYS.iter().find_map(|key| fields.remove(*key)).unwrap_or_default();
    let text = |name: &str| fields.get(name).and_then(Json::as_str).unwrap_or_default();
    let kind = fields.get("type").and_then(Json::as_i64).unwrap_or_default();
    let framed = frame_origin(kind, text("url"));
    fields.extend(framed.map(|origin| ("framed".to_owned(), origin.into())));
    fields.insert(Proposal::ENTRY.to_owned(), key);
    Json::Object(fields)
}

/// The change from one form of an entry to another; the first is null for a new one.
pub(crate) fn proposal(before: Json, after: Json) -> Proposal {
    Proposal::whole(&seen(before), &seen(after))
}

/// Writes the approved entry. All content is locked.
///
/// # Errors
/// `proposal_stale` if the entry has changed since the request.
pub(crate) fn agree(tx: &mut Tx<'_>, kind: RequestKind, proposal: &Proposal) -> Result<(), Error> {
    let key = proposal.new_text(Proposal::ENTRY).unwrap_or_default();
    match kind {
        RequestKind::Contact => {
            let present = rows::contacts(tx)?.into_iter().find(|contact| contact.name == key);
            let wanted: SeenContact = apply(proposal, present.as_ref().map(contact_form))?;
            Ok(rows::keep_contact(tx, &wanted.row())?)
        }
        RequestKind::PayIn => {
            let present = rows::pay_ins(tx)?.into_iter().find(|pay_in| pay_in.name == key);
            let wanted: SeenPayIn = apply(proposal, present.as_ref().map(pay_in::form))?;
            Ok(rows::keep_pay_in(tx, &wanted.row())?)
        }
        RequestKind::Faq => {
            let present = rows::questions(tx)?.into_iter().find(|question| question.name == key);
            let wanted: SeenQuestion = apply(proposal, present.as_ref().map(question_form))?;
            Ok(rows::keep_question(tx, &wanted.row())?)
        }
        _ => {
            let present = rows::activities(tx)?.into_iter().find(|(activity, _)| activity.name == key);
            let form = present.as_ref().map(|(activity, coupon)| activity_form(activity, coupon));
            let wanted: SeenActivity = apply(proposal, form)?;
            let coupon = coupons::find_definitions(tx, std::slice::from_ref(&wanted.coupon))?.pop();
            let coupon = coupon.ok_or(Refusal::ProposalStale)?;
            Ok(rows::keep_activity(tx, &wanted.row(), coupon.id)?)
        }
    }
}

fn apply<T: serde::de::DeserializeOwned>(
    proposal: &Proposal,
    present: Option<Result<Json, Error>>,
) -> Result<T, Error> {
    proposal.apply(&seen(present.transpose()?.unwrap_or_default()))
}

pub(super) fn texts(texts: Option<Texts>) -> String {
    json!(texts.unwrap_or_default()).to_string()
}

impl SeenContact {
    fn row(self) -> Contact {
        Contact {
            name: self.entry,
            list: List::from_name(&self.list).map_or(0, List::code),
            kind: self.kind,
            url: self.url,
            label: texts(Some(self.label)),
            place: self.order.unwrap_or_default(),
            active: self.active,
        }
    }
}

impl SeenQuestion {
    fn row(self) -> Question {
        let (question, answer) = (texts(self.question), texts(self.answer));
        Question { name: self.entry, question, answer, place: self.order, active: self.active }
    }
}

impl SeenActivity {
    fn row(self) -> Activity {
        let moment = |text: Option<String>| text.as_deref().and_then(Timestamp::parse);
        Activity {
            name: self.entry,
            title: texts(Some(self.title)),
            rules: texts(self.rules),
            starts_at: moment(self.starts),
            ends_at: moment(self.ends),
            active: self.active,
        }
    }
}
