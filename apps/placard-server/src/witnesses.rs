//! Sends checkpoints to the witnesses of `PLACARD_WITNESSES`.

use std::time::Duration;

use desk::installation::settings::InvalidSetting;
use money::wallet::public_log::{WitnessAnswer, WitnessAnswering, WitnessClient};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};

use crate::public_names;

/// The time limit for one witness, which is shorter than the limit for all of them.
const WITHIN: Duration = Duration::from_secs(3);
/// Some lines of signatures, or a size.
const LONGEST: usize = 16 * 1024;

/// A client that follows nothing, and connects to public addresses and, where the policy says so, to this machine.
pub struct Witnesses(Client);

impl Witnesses {
    pub fn open() -> Result<Self, InvalidSetting> {
        public_names::client(WITHIN).map(Self).map_err(|e| InvalidSetting::new("PLACARD_WITNESSES", e))
    }

    async fn send(&self, address: &str, body: String) -> Result<WitnessAnswer, String> {
        let answer = self.0.post(address).body(body).send().await.map_err(told)?;
        let (status, content_type) = (answer.status().as_u16(), kind(answer.headers()));
        let body = short_body(answer).await?;
        Ok(WitnessAnswer { status, content_type, body })
    }
}

impl WitnessClient for Witnesses {
    fn post<'a>(&'a self, address: &'a str, body: String) -> WitnessAnswering<'a> {
        Box::pin(self.send(address, body))
    }
}

fn told(error: reqwest::Error) -> String {
    match error.is_timeout() {
        true => "it did not answer in time".to_owned(),
        false => format!("it did not answer: {}", error.without_url()),
    }
}

fn kind(headers: &HeaderMap) -> Option<String> {
    headers.get(CONTENT_TYPE)?.to_str().ok().map(str::to_owned)
}

/// Reads no further than a witness has to say anything.
async fn short_body(mut answer: Response) -> Result<String, String> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(told)? {
        if body.len() + chunk.len() > LONGEST {
            return Err("its answer does not end".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| "its answer is no text".to_owned())
}
