//! What the app needs to know before anybody signs in.

use i18n::Lang;
use serde::Serialize;
use utoipa::ToSchema;

use crate::contacts::Contact;
use crate::vip::{self, Vip};
use crate::{App, Currency};

const QUESTIONS: &[&str] = &["open_account", "audience", "results", "recharge", "withdraw", "transaction_password"];
/// Withdrawals cost nothing.
const WITHDRAWAL_FEE_RATE: &str = "0";
const NETWORKS: &[&str] = &["TRC20", "ERC20", "BEP20"];

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BasicConfig {
    pub client_language_map: Vec<LanguageSource>,
    pub customer_service_url: Vec<Contact>,
    pub recharge_customer_service_url: Vec<Contact>,
    pub withdraw_method_config: Vec<WithdrawMethod>,
    pub faq_config: Vec<Question>,
    pub currency: Currency,
    /// `live` or `simulated`.
    pub data_source: &'static str,
    pub vip: Vip,
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

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithdrawMethod {
    /// `bank_card` or `wallet_address`.
    pub method: &'static str,
    pub label: String,
    /// What a wallet address can be on; empty for a bank card.
    pub networks: Vec<&'static str>,
    /// The share of a withdrawal that is kept, such as `0.01`.
    pub fee_rate: &'static str,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Question {
    pub id: &'static str,
    pub question: String,
    pub answer: String,
}

pub fn basic_config(app: &App, lang: Lang) -> BasicConfig {
    let contacts = &app.settings.contacts;
    BasicConfig {
        client_language_map: language_sources(),
        customer_service_url: contacts.customer_service_url.clone(),
        recharge_customer_service_url: contacts.recharge_customer_service_url.clone(),
        withdraw_method_config: withdraw_methods(lang),
        faq_config: questions(lang),
        currency: app.settings.currency.clone(),
        data_source: app.data_source(),
        vip: vip::offer(lang, !contacts.priority_customer_service_url.is_empty()),
    }
}

/// The languages there are texts for.
pub fn languages() -> LanguageList {
    let languages = i18n::available().map(|lang| Language { lang: lang.code(), description: lang.description() });
    LanguageList { languages: languages.collect(), client_language_map: language_sources() }
}

fn language_sources() -> Vec<LanguageSource> {
    i18n::client_language_map().map(|row| LanguageSource { source: row.source, targets: row.target.code() }).collect()
}

fn withdraw_methods(lang: Lang) -> Vec<WithdrawMethod> {
    let label = |method: &str| i18n::text(lang, &format!("server.withdraw_methods.{method}"), &[]);
    [("bank_card", &[][..]), ("wallet_address", NETWORKS)]
        .into_iter()
        .map(|(method, networks)| WithdrawMethod {
            method,
            label: label(method),
            networks: networks.to_vec(),
            fee_rate: WITHDRAWAL_FEE_RATE,
        })
        .collect()
}

fn questions(lang: Lang) -> Vec<Question> {
    let text = |id: &str, part: &str| i18n::text(lang, &format!("server.faq.{id}.{part}"), &[]);
    QUESTIONS.iter().map(|id| Question { id, question: text(id, "question"), answer: text(id, "answer") }).collect()
}
