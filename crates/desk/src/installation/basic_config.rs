//! The settings that the app needs before anybody signs in.

use base::named;
use content::contacts::Contact;
use foundation::content_cache::in_language;
use foundation::notifications::push;
use foundation::{App, Currency, Realm};
use i18n::Lang;
use money::offers::vip::{self, Vip};
use payee::Networks;
use serde::Serialize;
use store::installation::content::Question as Kept;
use utoipa::ToSchema;

/// The questions whose texts are in the locale files.
pub(crate) const BUILT_IN: &[&str] =
    &["open_account", "audience", "results", "recharge", "withdraw", "transaction_password"];
/// Withdrawals cost nothing.
const WITHDRAWAL_FEE_RATE: &str = "0";

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BasicConfig {
    pub client_language_map: Vec<LanguageSource>,
    pub customer_service_url: Vec<Contact>,
    pub recharge_customer_service_url: Vec<Contact>,
    pub withdraw_method_config: Vec<WithdrawMethod>,
    pub faq_config: Vec<Question>,
    pub currency: Currency,
    /// `live` or `simulated`.
    pub data_source: Realm,
    pub vip: Vip,
    /// The key with which browsers register for notices while the app is not open; null if none are offered.
    pub push_key: Option<String>,
}

/// Client codes, comma-separated, and the app's language for them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LanguageSource {
    pub source: &'static str,
    pub targets: &'static str,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LanguageList {
    pub languages: Vec<Language>,
    pub client_language_map: Vec<LanguageSource>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Language {
    pub lang: &'static str,
    pub description: &'static str,
}

named!(
    /// The ways in which a user can be paid.
    PayoutMethod {
        BankCard "bank_card",
        WalletAddress "wallet_address",
    }
);

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithdrawMethod {
    /// `bank_card` or `wallet_address`.
    pub method: PayoutMethod,
    pub label: String,
    /// The networks of a wallet address; empty for a bank card.
    pub networks: Vec<&'static str>,
    /// The fee on a withdrawal, as a share such as `0.01`.
    pub fee_rate: &'static str,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Question {
    pub id: String,
    pub question: String,
    pub answer: String,
}

pub async fn basic_config(app: &App, lang: Lang) -> BasicConfig {
    app.follow_content().await;
    let contacts = app.contacts(lang);
    BasicConfig {
        client_language_map: language_sources(),
        customer_service_url: contacts.customer_service_url,
        recharge_customer_service_url: contacts.recharge_customer_service_url,
        withdraw_method_config: withdraw_methods(&app.settings.networks, lang),
        faq_config: questions(&app.content_cache.held().questions, lang),
        currency: app.settings.currency.clone(),
        data_source: app.realm(),
        push_key: push::public_key(app),
        vip: vip::offer(lang, !contacts.priority_customer_service_url.is_empty()),
    }
}

/// The languages with texts.
pub fn languages() -> LanguageList {
    let languages = i18n::available().map(|lang| Language { lang: lang.code(), description: lang.description() });
    LanguageList { languages: languages.collect(), client_language_map: language_sources() }
}

fn language_sources() -> Vec<LanguageSource> {
    i18n::client_language_map().map(|row| LanguageSource { source: row.source, targets: row.target.code() }).collect()
}

/// Without networks, there is no method for paying to an address.
fn withdraw_methods(networks: &Networks, lang: Lang) -> Vec<WithdrawMethod> {
    let label = |method: &str| i18n::text(lang, &format!("server.withdraw_methods.{method}"), &[]);
    let names: Vec<&str> = networks.offered().iter().map(|network| network.name()).collect();
    [(PayoutMethod::BankCard, Vec::new()), (PayoutMethod::WalletAddress, names)]
        .into_iter()
        .filter(|(method, networks)| *method == PayoutMethod::BankCard || !networks.is_empty())
        .map(|(method, networks)| WithdrawMethod {
            method,
            label: label(method.name()),
            networks,
            fee_rate: WITHDRAWAL_FEE_RATE,
        })
        .collect()
}

/// The built-in questions, ten places apart, unless staff replaced one with the same id,
/// and those that staff added.
fn questions(kept: &[Kept], lang: Lang) -> Vec<Question> {
    let of = |id: &str| kept.iter().find(|question| question.name == id);
    let built_in = BUILT_IN.iter().zip((10..).step_by(10));
    let mut all: Vec<(i32, Question)> = built_in
        .filter(|(id, _)| of(id).is_none_or(|question| question.active))
        .map(|(id, place)| (of(id).and_then(|q| q.place).unwrap_or(place), question(id, of(id), lang)))
        .collect();
    let added = kept.iter().filter(|question| question.active && !BUILT_IN.contains(&question.name.as_str()));
    all.extend(added.map(|kept| (kept.place.unwrap_or(i32::MAX), question(&kept.name, Some(kept), lang))));
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, question)| question).collect()
}

fn question(id: &str, kept: Option<&Kept>, lang: Lang) -> Question {
    let built_in = |part: &str| i18n::text(lang, &format!("server.faq.{id}.{part}"), &[]);
    let question = kept.and_then(|kept| in_language(&kept.question, lang));
    let answer = kept.and_then(|kept| in_language(&kept.answer, lang));
    Question {
        id: id.to_owned(),
        question: question.unwrap_or_else(|| built_in("question")),
        answer: answer.unwrap_or_else(|| built_in("answer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(id: &str, place: Option<i32>, texts: &str, active: bool) -> Kept {
        Kept { name: id.into(), question: texts.into(), answer: texts.into(), place, active }
    }

    fn shown(kept: &[Kept], lang: Lang) -> Vec<String> {
        questions(kept, lang).into_iter().map(|question| question.id).collect()
    }

    #[test]
    fn addresses_are_offered_where_there_are_networks() {
        let offered = |names: &str| {
            let methods = withdraw_methods(&Networks::parse(names).expect("networks"), Lang::En);
            methods.into_iter().map(|of| (of.method, of.networks)).collect::<Vec<_>>()
        };
        let bank = (PayoutMethod::BankCard, vec![]);
        assert_eq!(offered("none"), std::slice::from_ref(&bank));
        assert_eq!(offered("ERC20,TRC20"), [bank, (PayoutMethod::WalletAddress, vec!["ERC20", "TRC20"])]);
    }

    #[test]
    fn nothing_kept_shows_what_is_built_in() {
        assert_eq!(shown(&[], Lang::De), BUILT_IN);
    }

    #[test]
    fn kept_ones_stand_where_they_are_put_and_hide_what_they_hide() {
        let all = [
            kept("last", None, r#"{"en":"L"}"#, true),
            kept("first", Some(5), r#"{"en":"F","de":"E"}"#, true),
            kept("audience", None, "{}", false),
            kept("withdraw", Some(1), "{}", true),
            kept("gone", None, r#"{"en":"G"}"#, false),
        ];
        let expected = ["withdraw", "first", "open_account", "results", "recharge", "transaction_password", "last"];
        assert_eq!(shown(&all, Lang::De), expected);
        let texts: Vec<String> = questions(&all, Lang::De).into_iter().map(|question| question.question).collect();
        assert_eq!((texts[1].as_str(), texts[6].as_str()), ("E", "L"), "English where there is none");
        assert_eq!(texts[0], i18n::text(Lang::De, "server.faq.withdraw.question", &[]), "its own text");
    }
}
