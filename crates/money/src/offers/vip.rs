//! The VIP subscription: bought by the user, for a time, and never renewed by
//! anybody else.

use base::{Money, Timestamp, UserId};
use foundation::idempotent::{Changed, Key, fingerprint, once};
use foundation::notices::{NoticeKind, notify};
use foundation::people::pay_password::Proof;
use foundation::{App, Error, Refusal};
use i18n::Lang;
use serde::Serialize;
use standing::vip;
use store::Tx;
use store::people::users;
use store::wallet::books::{Books, Note};
use utoipa::ToSchema;
use wallet::Document;

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Vip {
    /// A decimal in the platform's currency.
    pub price: Money,
    pub days: i64,
    /// The benefits, in the user's language.
    pub benefits: Vec<String>,
    /// The reduction of the fee rate, in per cent.
    pub fee_percent_off: u32,
}

/// The offer; priority contacts are a benefit only if this installation has some.
pub fn offer(lang: Lang, priority_contacts: bool) -> Vip {
    let mut benefits = vec![lower_fee(lang, vip::PERCENT_OFF)];
    if priority_contacts {
        benefits.push(i18n::text(lang, "server.vip.priority_contacts", &[]));
    }
    Vip { price: vip::PRICE, days: vip::DAYS, benefits, fee_percent_off: vip::PERCENT_OFF }
}

/// What a lower fee means, for a fee of a tenth: “20 % lower” could be read as 20 points.
pub(super) fn lower_fee(lang: Lang, percent_off: u32) -> String {
    let left = 100_u32.saturating_sub(percent_off);
    let rate = if left.is_multiple_of(10) { (left / 10).to_string() } else { format!("{}.{}", left / 10, left % 10) };
    let (from, to) = (i18n::percent(lang, "10"), i18n::percent(lang, &rate));
    i18n::text(lang, "server.vip.fee", &[("from", &from), ("to", &to)])
}

/// When the subscription ends now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Subscribed {
    pub until: Timestamp,
}

impl Subscribed {
    fn of(tx: &mut Tx<'_>, user: UserId) -> Result<Self, Error> {
        let until = users::find(tx, user)?.and_then(|user| user.vip_until);
        let until = until.ok_or_else(|| Error::Internal("a subscription was not written".into()))?;
        Ok(Self { until })
    }
}

/// Subscribes for another period, from now or from the end of the current subscription.
///
/// # Errors
/// Those of `Proof::spend`; `insufficient_balance`, `idempotency_key_reused`.
pub async fn subscribe(app: &App, proof: Proof, key: Option<Key>) -> Result<Subscribed, Error> {
    let (user, request) = (proof.user(), fingerprint("vip_subscribe", &[]));
    proof
        .spend(app, move |tx, books| {
            once(tx, user, key.as_ref(), &request, |tx| extend(tx, books, user, key.as_ref()))?;
            Subscribed::of(tx, user)
        })
        .await
}

fn extend(tx: &mut Tx<'_>, books: &mut Books, user: UserId, key: Option<&Key>) -> Result<Changed, Error> {
    let now = tx.now();
    let running = users::find(tx, user)?.ok_or(Refusal::NotFound)?.vip_until;
    let until = vip::extended(running, now);
    let postings = wallet::subscribe_vip(books.wallet()?, vip::PRICE)?;
    let note = Note {
        document: Document::Vip(user),
        event_at: now,
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: key.map(|key| key.as_str().to_owned()),
    };
    books.post(tx, &postings, &note)?;
    users::set_vip_until(tx, user, until)?;
    notify(tx, user, &NoticeKind::VipSubscribed { amount: vip::PRICE, date: until })?;
    Ok(Changed {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_offered() {
        for lang in i18n::available() {
            assert_eq!(offer(lang, false).benefits.len(), 1);
            let both = offer(lang, true).benefits;
            assert!(both.len() == 2 && both.iter().all(|text| !text.contains("server.")), "{both:?}");
        }
    }
}
