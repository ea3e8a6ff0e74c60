//! Errors as clients see them: a code, a stable key, and a text in the user's
//! language.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use base::{Field, Rarely, UserId};
use derive_more::Display;
use foundation::people::refused_movements::{self, Told};
use foundation::{App, Currency, Error, Refusal};
use i18n::Lang;
use serde_json::{Map, Value, json};

/// Why a request got no data.
#[derive(Clone, Debug, Display)]
#[display("{}", self.key())]
pub struct Failure(Arc<Kind>);

#[derive(Debug)]
enum Kind {
    UseCase(Error),
    /// Invalid fields by path.
    Fields(BTreeMap<String, String>),
    UnknownPath,
    /// The wrong method, with the right ones for `Allow`.
    WrongMethod(&'static str),
    BodyTooLarge,
    EncodedBody,
    TimedOut,
    /// The server is too busy, or about to stop.
    NotNow,
}

/// After how many seconds a client that was turned away may try again.
const RETRY_AFTER: i64 = 1;
/// The server is too busy now; the same request may succeed later.
const OVERLOADED: &str = "overloaded";
/// The answer of the database was lost: the same request with the same key finds out.
const OUTCOME_UNKNOWN: &str = "outcome_unknown";

/// How often it is logged that requests fail because the database is away, or has too much to do.
const LOGGED_EVERY: Duration = Duration::from_secs(1);
static AWAY: Rarely = Rarely::every(LOGGED_EVERY);
static BUSY: Rarely = Rarely::every(LOGGED_EVERY);

/// Whether the same request may be sent again later.
fn is_for_later(error: &Error) -> bool {
    [OVERLOADED, OUTCOME_UNKNOWN].contains(&error.key())
}

impl Failure {
    pub fn fields(fields: BTreeMap<String, String>) -> Self {
        Self(Arc::new(Kind::Fields(fields)))
    }

    pub fn field(name: Field, problem: &str) -> Self {
        Self::fields(BTreeMap::from([(name.name().to_owned(), problem.to_owned())]))
    }

    pub fn unknown_path() -> Self {
        Self(Arc::new(Kind::UnknownPath))
    }

    pub fn wrong_method(allowed: &'static str) -> Self {
        Self(Arc::new(Kind::WrongMethod(allowed)))
    }

    pub fn body_too_large() -> Self {
        Self(Arc::new(Kind::BodyTooLarge))
    }

    pub fn encoded_body() -> Self {
        Self(Arc::new(Kind::EncodedBody))
    }

    pub fn timed_out() -> Self {
        Self(Arc::new(Kind::TimedOut))
    }

    /// There was no answer in time. A request with a safe method changes nothing (RFC 9110, section 9.2.1); any other
    /// may still take effect.
    pub fn unanswered(is_safe: bool) -> Self {
        Error::unanswered(is_safe).into()
    }

    pub fn draining() -> Self {
        Self(Arc::new(Kind::NotNow))
    }

    pub fn busy() -> Self {
        Self(Arc::new(Kind::NotNow))
    }

    fn key(&self) -> &'static str {
        match &*self.0 {
            Kind::UseCase(error) => error.key(),
            Kind::Fields(_) => "params",
            Kind::UnknownPath => "unknown_path",
            Kind::WrongMethod(_) => "method_not_allowed",
            Kind::BodyTooLarge => "body_too_large",
            Kind::EncodedBody => "encoded_body",
            Kind::TimedOut => "timed_out",
            Kind::NotNow => OVERLOADED,
        }
    }

    /// The key of the user's text.
    fn text(&self) -> &'static str {
        match &*self.0 {
            Kind::UseCase(error) => error.text(),
            _ => self.key(),
        }
    }

    /// The code in the envelope.
    fn code(&self) -> u16 {
        match &*self.0 {
            Kind::UseCase(error) => code(error),
            Kind::Fields(_) => 400,
            Kind::UnknownPath => 404,
            Kind::WrongMethod(_) => 405,
            Kind::BodyTooLarge => 413,
            Kind::EncodedBody => 415,
            Kind::TimedOut | Kind::NotNow => 500,
        }
    }

    /// The HTTP status: 200 if a handler answered the user.
    fn status(&self) -> StatusCode {
        match &*self.0 {
            Kind::UseCase(Error::TooManyRequests { .. }) => StatusCode::TOO_MANY_REQUESTS,
            Kind::UseCase(error) if is_for_later(error) => StatusCode::SERVICE_UNAVAILABLE,
            Kind::UseCase(_) | Kind::Fields(_) => StatusCode::OK,
            Kind::UnknownPath => StatusCode::NOT_FOUND,
            Kind::WrongMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Kind::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::EncodedBody => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Kind::NotNow => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The status in our own figures: a fault of the server is one, although its envelope comes
    /// with 200.
    pub fn counted_as(&self) -> StatusCode {
        match self.status() {
            StatusCode::OK if self.code() == 500 => StatusCode::INTERNAL_SERVER_ERROR,
            status => status,
        }
    }

    fn retry_after(&self) -> Option<i64> {
        match &*self.0 {
            Kind::UseCase(Error::TooManyRequests { retry_after }) => Some(*retry_after),
            Kind::UseCase(error) if is_for_later(error) => Some(RETRY_AFTER),
            Kind::NotNow => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// The account may not act: 402, 403 and 404.
    pub fn is_of_account(&self) -> bool {
        matches!(&*self.0, Kind::UseCase(Error::Barred(_)))
    }

    /// Whether the same request may be answered later.
    pub fn is_for_later(&self) -> bool {
        self.status() == StatusCode::SERVICE_UNAVAILABLE
    }

    /// The data beside the key: invalid fields, or the refusal's figures.
    fn data(&self) -> Map<String, Value> {
        match &*self.0 {
            Kind::UseCase(Error::Fields(fields)) => {
                let named: BTreeMap<&str, &str> =
                    fields.iter().map(|(field, problem)| (field.name(), *problem)).collect();
                Map::from_iter([("fields".to_owned(), json!(named))])
            }
            Kind::Fields(fields) => Map::from_iter([("fields".to_owned(), json!(fields))]),
            Kind::UseCase(Error::Refused(refusal)) => refusal.data(),
            _ => Map::new(),
        }
    }

    /// The invalid fields as `name=problem`, for tests to compare.
    #[cfg(test)]
    pub fn told(&self) -> String {
        let Kind::Fields(fields) = &*self.0 else { return self.key().to_owned() };
        fields.iter().map(|(name, problem)| format!("{name}={problem}")).collect::<Vec<_>>().join(" ")
    }

    /// Whether somebody who asks us about it needs the request's id.
    fn is_our_fault(&self) -> bool {
        matches!(self.key(), "server_error" | OUTCOME_UNKNOWN)
    }

    /// The user's text, in a language. An amount has the currency if that is known, as everywhere else.
    fn message(&self, lang: Lang, currency: Option<&Currency>, data: &Map<String, Value>) -> String {
        let amount = |text: &str| match currency {
            Some(currency) => currency.shown(lang, text),
            None => i18n::decimal(lang, text),
        };
        let figures: Vec<(String, String)> = data
            .iter()
            .filter_map(|(name, value)| match value {
                Value::String(text) if name == "outstanding" || name == "limit" => Some((name.clone(), amount(text))),
                Value::String(text) if name == "until" => Some((name.clone(), i18n::moment(lang, text))),
                Value::String(text) => Some((name.clone(), text.clone())),
                Value::Number(number) => Some((name.clone(), number.to_string())),
                _ => None,
            })
            .collect();
        let params: Vec<(&str, &str)> = figures.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        i18n::text(lang, &format!("errors.{}", self.text()), &params)
    }

    /// Notes that the user was refused a movement. A fault of ours is in the log.
    pub fn note_for(&self, app: &App, user: UserId, endpoint: String, lang: Lang, request_id: &str) {
        if self.code() == 500 {
            return;
        }
        let data = self.data();
        let message = self.message(lang, Some(&app.settings.currency), &data);
        let details = Value::Object(data);
        let told =
            Told { endpoint, reason: self.key(), details: &details, lang: lang.code(), message: &message, request_id };
        refused_movements::note(app, user, told);
    }

    /// The complete response, in a language. `request_id` is how the log names the request.
    pub fn render(&self, lang: Lang, currency: Option<&Currency>, request_id: Option<&str>) -> HttpResponse {
        let mut data = self.data();
        let mut msg = self.message(lang, currency, &data);
        if let Some(id) = request_id.filter(|_| self.is_our_fault()) {
            msg.push_str(&format!(" [{id}]"));
            data.insert("request_id".into(), json!(id));
        }
        data.insert("error".into(), json!(self.key()));
        data.insert("lang".into(), json!(lang.code()));
        let mut response = HttpResponse::build(self.status());
        if let Some(seconds) = self.retry_after() {
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        match &*self.0 {
            // The accepted encoding: RFC 9110, section 15.5.16.
            Kind::EncodedBody => response.insert_header((header::ACCEPT_ENCODING, "identity")),
            // Section 15.5.6.
            Kind::WrongMethod(allowed) => response.insert_header((header::ALLOW, *allowed)),
            _ => &mut response,
        };
        response.json(json!({ "code": self.code(), "msg": msg, "data": data }))
    }

    /// The complete response with another status, for callers that are not users.
    pub fn render_as(&self, status: StatusCode) -> HttpResponse {
        let mut response = self.render(Lang::default(), None, None);
        *response.status_mut() = status;
        response
    }

    /// The complete response for a program that reads the status alone: none of them says 200, which
    /// it would take for done.
    pub fn for_machines(&self) -> HttpResponse {
        let status = match &*self.0 {
            Kind::UseCase(Error::Fields(_)) | Kind::Fields(_) => StatusCode::BAD_REQUEST,
            Kind::UseCase(Error::NotSignedIn | Error::Refused(Refusal::KeyWaits | Refusal::SignatureExpired)) => {
                StatusCode::UNAUTHORIZED
            }
            _ if self.counted_as() == StatusCode::OK => StatusCode::BAD_REQUEST,
            _ => self.counted_as(),
        };
        self.log();
        self.render_as(status)
    }

    /// Logs server errors; refusals are not logged. That the server is busy may be anybody's doing,
    /// and is no error. What fails at every request until it is over is not logged for each: no user is told its id.
    pub fn log(&self) {
        match &*self.0 {
            Kind::UseCase(Error::Store(error)) if error.is_busy() => {
                if let Some(left_out) = BUSY.turn() {
                    tracing::warn!(%error, left_out, "a request failed");
                }
            }
            Kind::UseCase(Error::Store(error)) if error.is_away() => {
                if let Some(left_out) = AWAY.turn() {
                    tracing::error!(%error, left_out, "a request failed");
                }
            }
            Kind::UseCase(error @ (Error::Store(_) | Error::Internal(_))) => {
                tracing::error!(%error, "a request failed")
            }
            _ => {}
        }
    }
}

const fn code(error: &Error) -> u16 {
    use auth::Barred;
    match error {
        Error::Fields(_) => 400,
        Error::NotSignedIn | Error::TicketInvalid | Error::Refused(Refusal::SignatureExpired) => 401,
        Error::Barred(Barred::NotActivated) => 402,
        Error::Barred(Barred::Disabled) => 403,
        Error::Barred(Barred::Cancelled) => 404,
        Error::Refused(_) => 405,
        Error::TooManyRequests { .. } => 429,
        Error::Store(_) | Error::Internal(_) => 500,
        Error::SessionExpired => 503,
        Error::UserExists => 4001,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(Arc::new(Kind::UseCase(error)))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Error::from(refusal).into()
    }
}

/// The edge renders the failure again when it knows the language.
impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        self.status()
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = self.render(Lang::default(), None, None);
        response.extensions_mut().insert(self.clone());
        response
    }
}

#[cfg(test)]
mod tests {
    use base::Money;

    use super::*;

    #[test]
    fn an_amount_in_a_refusal_is_written_as_in_a_notice() {
        let failure = Failure::from(Refusal::StartupFundsOutstanding { outstanding: Money::from_minor(123_450) });
        let told = |lang| failure.message(lang, Some(&Currency::default()), &failure.data());
        assert!(told(Lang::En).ends_with("Outstanding: $1,234.50."), "{}", told(Lang::En));
        assert!(told(Lang::De).contains("1.234,50\u{a0}$"), "{}", told(Lang::De));
    }

    #[test]
    fn no_program_reads_success_in_a_failure() {
        for (failure, status) in [
            (Failure::from(Error::Internal("broken".into())), StatusCode::INTERNAL_SERVER_ERROR),
            (Error::field(Field::Price, "invalid").into(), StatusCode::BAD_REQUEST),
            (Failure::field(Field::Body, "invalid"), StatusCode::BAD_REQUEST),
            (Error::NotSignedIn.into(), StatusCode::UNAUTHORIZED),
            (Refusal::KeyWaits.into(), StatusCode::UNAUTHORIZED),
            (Refusal::SignatureExpired.into(), StatusCode::UNAUTHORIZED),
            (Refusal::NotFound.into(), StatusCode::BAD_REQUEST),
            (Failure::busy(), StatusCode::SERVICE_UNAVAILABLE),
            (Failure::body_too_large(), StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            assert_eq!(failure.for_machines().status(), status, "{failure}");
        }
    }
}
