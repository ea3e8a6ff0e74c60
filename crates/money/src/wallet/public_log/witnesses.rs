//! Asks witnesses to cosign a checkpoint before it is published. No witness holds up the log: a cosignature that does
//! not come in time is left out, and the witness is asked again later.

mod asking;

use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use foundation::{App, Error};
use proof::{Checkpoint, Note, NoteSignature, Policy};
use tokio::task::JoinSet;

use super::state::WitnessState;
use asking::{CosignatureRequest, ask};

/// The time limit for all witnesses together. Twice this time, and the rest of a round, fit into the ten seconds within
/// which every transaction is in the log.
const WITHIN: Duration = Duration::from_secs(3);
/// How often the cosignatures of an unchanged checkpoint are renewed.
const RENEWED_SECONDS: i64 = 3_600;
/// A cosignature that is younger than this, by the witness's clock, is not renewed.
const FRESH_SECONDS: i64 = 3_000;
/// How long a witness that did not cosign is not asked.
const ALONE_SECONDS: i64 = 30;

/// What a witness answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessAnswer {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: String,
}

/// A future answer, or one line that says why there is none.
pub type WitnessAnswering<'a> = Pin<Box<dyn Future<Output = Result<WitnessAnswer, String>> + Send + 'a>>;

/// Sends requests to witnesses.
pub trait WitnessClient: Send + Sync {
    /// Posts a body to an address. An answer with a large body is an error.
    fn post<'a>(&'a self, address: &'a str, body: String) -> WitnessAnswering<'a>;
}

/// What one server knows of its witnesses. It is not stored: a witness tells which size it has.
#[derive(Clone, Default)]
pub(super) struct Cosigning {
    client: Option<Arc<dyn WitnessClient>>,
    /// By the witness's position in the policy.
    known: BTreeMap<usize, Known>,
    /// When to ask them again although nothing changed.
    next_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    /// The last size that it cosigned, or said that it has.
    size: u64,
    alone_until: Option<Timestamp>,
    problem: Option<String>,
}

impl fmt::Debug for Cosigning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cosigning").field("known", &self.known).finish_non_exhaustive()
    }
}

impl Cosigning {
    pub(super) fn by(client: Arc<dyn WitnessClient>) -> Self {
        Self { client: Some(client), ..Self::default() }
    }

    /// Whether witnesses must be asked although nothing is new.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.client.is_some() && self.next_at.is_some_and(|at| now >= at)
    }

    /// Adds the witnesses' cosignatures to a checkpoint, unless those that it has are fresh.
    pub(super) async fn cosign(&mut self, app: &App, note: &mut Note) -> Result<(), Error> {
        let witnesses = &app.settings.witnesses;
        let (Some(policy), Some(client)) = (witnesses.policy(), self.client.clone()) else { return Ok(()) };
        let now = app.now();
        let old = policy.cosigned(note);
        let asked = Checkpoint::parse(&note.text).ok_or_else(|| Error::Internal("no checkpoint".to_owned()))?;
        let mut all = JoinSet::new();
        for ((at, witness), address) in policy.witnesses.iter().enumerate().zip(witnesses.addresses()) {
            let known = self.known.entry(at).or_default();
            let is_fresh = old.get(&at).is_some_and(|seconds| is_fresh(*seconds, now));
            if is_fresh || known.alone_until.is_some_and(|until| now < until) {
                continue;
            }
            let asked = CosignatureRequest {
                app: app.clone(),
                client: client.clone(),
                key: witness.key.clone(),
                address: address.clone(),
                note: note.clone(),
                head: asked.head,
            };
            let from = known.size.min(asked.head.size);
            all.spawn(async move { (at, tokio::time::timeout(WITHIN, ask(asked, from)).await) });
        }
        while let Some(answered) = all.join_next().await {
            let Ok((at, answered)) = answered else { continue };
            let answered = answered.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
            self.settle(at, answered, asked.head.size, now).into_iter().for_each(|line| note.put_signature(line));
        }
        self.next_at = Some(asked_again(policy, note, now));
        Ok(())
    }

    /// Remembers the result of asking a witness; returns its cosignature, if there is one.
    fn settle(
        &mut self,
        at: usize,
        answered: Result<NoteSignature, String>,
        size: u64,
        now: Timestamp,
    ) -> Option<NoteSignature> {
        let known = self.known.entry(at).or_default();
        match answered {
            Ok(line) => {
                *known = Known { size, alone_until: None, problem: None };
                Some(line)
            }
            Err(problem) => {
                if known.problem.as_ref() != Some(&problem) {
                    tracing::warn!(witness = at, problem, "a witness of the public log did not cosign");
                }
                *known = Known { size: 0, alone_until: Some(now.plus_seconds(ALONE_SECONDS)), problem: Some(problem) };
                None
            }
        }
    }

    /// The state of each witness to publish, updated from the states `before`.
    pub(super) fn states(&self, policy: &Policy, note: &Note, before: &[WitnessState]) -> Vec<WitnessState> {
        let cosigned = policy.cosigned(note);
        let state = |(at, witness): (usize, &proof::policy::PolicyWitness)| {
            let key = witness.key.to_string();
            let last = before.iter().find(|state| state.key == key).and_then(|state| state.cosigned_at);
            let now = cosigned.get(&at).and_then(|seconds| moment(*seconds));
            WitnessState {
                name: witness.key.name().to_owned(),
                key,
                cosigned_at: last.max(now),
                problem: self.known.get(&at).and_then(|known| known.problem.clone()),
            }
        };
        policy.witnesses.iter().enumerate().map(state).collect()
    }
}

/// The time in a cosignature.
pub(super) fn moment(seconds: u64) -> Option<Timestamp> {
    i64::try_from(seconds).ok().filter(|seconds| *seconds < i64::MAX / 1_000).map(Timestamp::from_seconds)
}

/// When to ask again: soon if a witness did not cosign, otherwise when the cosignatures must be renewed.
fn asked_again(policy: &Policy, note: &Note, now: Timestamp) -> Timestamp {
    let all = policy.witnesses.len() == policy.cosigned(note).len();
    now.plus_seconds(if all { RENEWED_SECONDS } else { ALONE_SECONDS })
}

fn is_fresh(seconds: u64, now: Timestamp) -> bool {
    moment(seconds).is_some_and(|at| now.since(at) < FRESH_SECONDS * 1_000)
}

/// Takes newer cosignatures from another note of the same text. They must have been verified.
pub(super) fn merge(policy: &Policy, note: &mut Note, other: &Note) {
    if note.text != other.text {
        return;
    }
    let own = policy.cosigned(note);
    for (at, time) in policy.cosigned(other) {
        let Some(key) = policy.witnesses.get(at).map(|witness| &witness.key) else { continue };
        if own.get(&at).is_none_or(|own| *own < time) {
            other.cosignature(key).into_iter().for_each(|line| note.put_signature(line.clone()));
        }
    }
}
