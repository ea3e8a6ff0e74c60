//! Conversions that advertisers report, one by one or in lists.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, post, web};
use base::{AdvertiserId, Field};
use campaigns::delivery::auction::bodies::BodySender;
use campaigns::delivery::postback::{
    self, BadSignature, ListedAnswer, MOST, NotAuthentic, Postback, PostbackAnswer, PostbackSignature, SignedCall,
    WrongFields,
};
use foundation::{Error, Refusal};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::auctions::Receiving;
use crate::Shell;
use crate::extract::{Body, fields_of, unmarked};
use crate::failure::Failure;

const LINES: &str = "application/x-ndjson";

/// Signed with the advertiser's key: `X-Advertiser`, `X-Timestamp` (Unix
/// seconds), and over timestamp, method, path and raw body, joined by line
/// feeds, either `X-Signature`, the lower-case hex HMAC-SHA256, or
/// `X-Signature-Ed25519`, in base64. A key that a second person has not
/// confirmed yet is answered 401 with `key_waits`, a right signature whose time
/// is more than five minutes off with `signature_expired`.
#[utoipa::path(tag = "delivery", request_body = Postback,
    responses((status = 200, body = PostbackAnswer),
        (status = 400, description = "Fields that cannot be read", body = ref("#/components/schemas/Refusal")),
        (status = 401, description = "Bad or stale signature, or a key that waits", body = ref("#/components/schemas/Refusal"))))]
#[post("/t/postback")]
pub async fn record_conversion(
    shell: web::Data<Shell>,
    request: HttpRequest,
    body: Result<Body<Postback>, Failure>,
) -> HttpResponse {
    let answer = match body {
        Ok(body) => answer_one(&shell, &request, &body).await,
        Err(unread) => Err(unread),
    };
    // Senders repeat what is not answered 200.
    answer.map_or_else(|failure| failure.for_machines(), |answer| HttpResponse::Ok().json(answer))
}

async fn answer_one(shell: &Shell, request: &HttpRequest, body: &Body<Postback>) -> Result<PostbackAnswer, Failure> {
    let advertiser = sender(shell, request, body.raw()).await?;
    Ok(postback::postback(&shell.app, advertiser, body.fields()?).await?)
}

/// Up to 1,000 postbacks under one signature, which is made as for a single one, over the whole body: a JSON
/// array, or one JSON object a line. Each is answered singly, in order and in the form in which they came, as
/// if it had come alone. One that cannot be read names its `fields` and does not affect the others. A list that
/// was not answered 200 can be sent again.
#[utoipa::path(tag = "delivery",
    request_body(content((Vec<Postback> = "application/json"), (String = "application/x-ndjson"))),
    responses((status = 200, description = "The answers, in order", content(
        (Vec<ListedAnswer> = "application/json"), (String = "application/x-ndjson"))),
        (status = 400, description = "Not a list, or more than 1,000", body = ref("#/components/schemas/Refusal")),
        (status = 401, description = "Bad or stale signature, or a key that waits", body = ref("#/components/schemas/Refusal")),
        (status = 413, description = "More than 512 KiB", body = ref("#/components/schemas/Refusal"))))]
#[post("/t/postbacks")]
pub async fn record_conversions(shell: web::Data<Shell>, request: HttpRequest, body: web::Payload) -> HttpResponse {
    let received = match Receiving::begin(&shell, &request, BodySender::Advertiser, false).receive(&shell, body).await {
        Ok(received) => received,
        Err(why) => return why.response(),
    };
    answer_list(&shell, &request, received.bytes()).await.unwrap_or_else(|failure| failure.for_machines())
}

async fn answer_list(shell: &Shell, request: &HttpRequest, body: &[u8]) -> Result<HttpResponse, Failure> {
    let advertiser = sender(shell, request, body).await?;
    let body = unmarked(body);
    let form = ListForm::of(request.content_type(), body);
    let listed = form.split(body)?.into_iter().map(fields_of).collect::<Vec<Result<Postback, WrongFields>>>();
    form.answer(&postback::postbacks(&shell.app, advertiser, listed).await?)
}

/// The advertiser that has signed the request.
async fn sender(shell: &Shell, request: &HttpRequest, body: &[u8]) -> Result<AdvertiserId, Failure> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signature = match header("X-Signature-Ed25519") {
        "" => PostbackSignature::Hmac(header("X-Signature")),
        signature => PostbackSignature::Ed25519(signature),
    };
    let call = SignedCall {
        advertiser: header("X-Advertiser"),
        timestamp: header("X-Timestamp"),
        signature,
        path: request.path(),
        body,
    };
    postback::authenticate(&shell.app, &call).await?.map_err(|why| match why {
        NotAuthentic::KeyWaits => Failure::from(Refusal::KeyWaits),
        NotAuthentic::Bad(BadSignature::Wrong) => Error::NotSignedIn.into(),
        NotAuthentic::Bad(BadSignature::Stale | BadSignature::NoTimestamp) => Refusal::SignatureExpired.into(),
    })
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListForm {
    Array,
    /// One object a line.
    Lines,
}

impl ListForm {
    /// Senders that do not say it, or say the other, are understood as well: a line is never an array.
    fn of(said: &str, body: &[u8]) -> Self {
        let begins = body.trim_ascii_start().starts_with(b"[");
        let is_array = begins && (said != LINES || elements(body).is_some());
        if is_array { Self::Array } else { Self::Lines }
    }

    /// The parts of a body, one for each postback.
    fn split(self, body: &[u8]) -> Result<Vec<&[u8]>, Failure> {
        let parts: Vec<&[u8]> = match self {
            // A single one may be written over several lines.
            Self::Lines if serde_json::from_slice::<IgnoredAny>(body).is_ok() => vec![body.trim_ascii()],
            Self::Lines => {
                let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
                lines.filter(|line| !line.is_empty()).take(MOST + 1).collect()
            }
            Self::Array => elements(body).ok_or_else(|| Failure::field(Field::Body, "invalid"))?,
        };
        match parts.len() {
            0 if self == Self::Lines => Err(Failure::field(Field::Body, "required")),
            number if number > MOST => Err(Failure::field(Field::Body, "too_many")),
            // Whoever sent something else would take the answers to it for those to a list.
            _ if self == Self::Lines && !parts.iter().any(|part| is_postback(part)) => {
                Err(Failure::field(Field::Body, "invalid"))
            }
            _ => Ok(parts),
        }
    }

    fn answer(self, answers: &[ListedAnswer]) -> Result<HttpResponse, Failure> {
        if self == Self::Array {
            return Ok(HttpResponse::Ok().json(answers));
        }
        let lines = answers.iter().map(|answer| serde_json::to_string(answer).map(|line| line + "\n"));
        let lines = lines.collect::<Result<String, _>>().map_err(|error| Error::Internal(error.to_string()))?;
        Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, LINES)).body(lines))
    }
}

/// Whether a line is a postback, if only one with wrong fields. An object around a list is none.
fn is_postback(line: &[u8]) -> bool {
    let is_one = |fields: Map<String, Value>| fields.contains_key("event_id") || !fields.values().any(Value::is_array);
    serde_json::from_slice(line).is_ok_and(is_one)
}

/// The elements of a JSON array as they were written, at most one more than a list may have. `None` if it is no array.
fn elements(body: &[u8]) -> Option<Vec<&[u8]>> {
    // Once this is known, commas and brackets outside of texts tell the elements apart.
    serde_json::from_slice::<Vec<IgnoredAny>>(body).ok()?;
    let inner = body.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    let ends = |byte: &u8| {
        match (*byte, in_text) {
            (_, true) if escaped => escaped = false,
            (b'\\', true) => escaped = true,
            (b'"', _) => in_text = !in_text,
            (b'[' | b'{', false) => depth += 1,
            (b']' | b'}', false) => depth = depth.saturating_sub(1),
            (b',', false) => return depth == 0,
            _ => {}
        }
        false
    };
    let parts = inner.split(ends).map(<[u8]>::trim_ascii);
    Some(parts.filter(|part| !part.is_empty()).take(MOST + 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(body: &str) -> Option<Vec<&str>> {
        let parts = elements(body.as_bytes())?;
        Some(parts.into_iter().map(|part| std::str::from_utf8(part).expect("a text")).collect())
    }

    #[test]
    fn an_array_is_told_into_its_elements_as_they_were_written() {
        for (body, parts) in [
            ("[]", vec![]),
            (" [ ] ", vec![]),
            ("[{}]", vec!["{}"]),
            (r#"[{"a":1,"a":2}, 7 ,[1,[2,3]], "x,]"]"#, vec![r#"{"a":1,"a":2}"#, "7", "[1,[2,3]]", r#""x,]""#]),
            (r#"["\"," , "\\",{"a":"}\\\","}]"#, vec![r#""\",""#, r#""\\""#, r#"{"a":"}\\\","}"#]),
        ] {
            assert_eq!(split(body), Some(parts), "{body}");
        }
        for body in ["", "{}", "[", "[1,]", "[1 2]", "[] []", "[\"]", "7", "[1,{]}"] {
            assert_eq!(split(body), None, "{body}");
        }
        assert_eq!(split(&format!("[{}1]", "1,".repeat(5_000))).map(|parts| parts.len()), Some(MOST + 1));
    }

    #[test]
    fn a_form_is_known_by_what_it_holds() {
        for (said, body, form) in [
            ("application/json", " [{}]", ListForm::Array),
            ("application/json", "[{}", ListForm::Array),
            ("", "[]", ListForm::Array),
            (LINES, "[{},\n{}]\n", ListForm::Array),
            (LINES, "[{}\n{}", ListForm::Lines),
            ("application/json", "{}\n{}", ListForm::Lines),
        ] {
            assert_eq!(ListForm::of(said, body.as_bytes()), form, "{said} {body}");
        }
        let spread = "{\n \"a\": 1\n}\n";
        assert_eq!(ListForm::Lines.split(spread.as_bytes()).expect("one"), [spread.trim().as_bytes()]);
    }

    #[test]
    fn lines_may_be_blank_and_end_as_in_windows() {
        let split = |body: &'static str| ListForm::Lines.split(body.as_bytes());
        assert_eq!(split("{}\r\n\n {\"a\":1} \n").expect("lines"), [&b"{}"[..], b"{\"a\":1}"]);
        assert_eq!(split(" \n").expect_err("nothing").told(), "body=required");
        let many = "{}\n".repeat(MOST + 1);
        assert_eq!(ListForm::Lines.split(many.as_bytes()).expect_err("too many").told(), "body=too_many");
    }

    #[test]
    fn what_holds_no_postback_is_no_list() {
        for body in [
            r#"{"postbacks":[{"event_id":"a","click_id":"b"}]}"#,
            "{\n \"data\": [],\n \"count\": 0\n}",
            "{\"data\":[{}]}\n{\"data\":[{}]}",
            "event_id=a&click_id=b",
            "event_id,click_id\na,b\n",
            "<postback/>",
            r#"{"event_id":"a"}{"event_id":"b"}"#,
            "{\"event_id\":\"a\"\nnonsense",
            "null",
            "7",
            r#""[]""#,
        ] {
            let form = ListForm::of("application/json", body.as_bytes());
            assert_eq!(form.split(body.as_bytes()).expect_err("no list").told(), "body=invalid", "{body}");
        }
        // Each of these is answered singly.
        for (body, number) in [
            ("{}", 1),
            (r#"{"click_id":"b"}"#, 1),
            (r#"{"event_id":"a","click_id":"b","items":[1]}"#, 1),
            ("{\"event_id\":\"a\",\"event_id\":7}\nnonsense", 2),
            ("nonsense\n{}\n{\"postbacks\":[]}", 3),
        ] {
            assert_eq!(ListForm::Lines.split(body.as_bytes()).expect("a list").len(), number, "{body}");
        }
    }
}
