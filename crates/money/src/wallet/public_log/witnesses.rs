//! Asking witnesses to cosign a checkpoint before it is published. None of them holds up the log: what they do not say in time
//! is left out, and they are asked again later.

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

/// How long all of them may take. Twice this, and what else a round takes, stay below the ten seconds within which every
/// transaction is in the log.
const WITHIN: Duration = Duration::from_secs(3);
/// Cosignatures of an unchanged checkpoint are renewed so often.
const RENEWED_SECONDS: i64 = 3_600;
/// Then, what is not younger than this by the clock of who made it is asked for again.
const FRESH_SECONDS: i64 = 3_000;
/// Who did not cosign is left alone for so long.
const ALONE_SECONDS: i64 = 30;

/// What a witness answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessAnswer {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: String,
}

/// An answer on its way, or one line that says why there is none.
pub type WitnessAnswering<'a> = Pin<Box<dyn Future<Output = Result<WitnessAnswer, String>> + Send + 'a>>;

/// Sends requests to witnesses.
pub trait WitnessClient: Send + Sync {
    /// Posts a body to an address. The answer's body is small, or an error.
    fn post<'a>(&'a self, address: &'a str, body: String) -> WitnessAnswering<'a>;
}

/// What one server knows of its witnesses. It is not kept: a witness tells the size that it has.
#[derive(Clone, Default)]
pub(super) struct Cosigning {
    client: Option<Arc<dyn WitnessClient>>,
    /// By their places in the policy.
    known: BTreeMap<usize, Known>,
    /// When they are asked again although nothing changed.
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

    /// Whether witnesses are to be asked although nothing is new.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.client.is_some() && self.next_at.is_some_and(|at| now >= at)
    }

    /// Adds to a checkpoint what its witnesses say to it, unless what they said before is fresh.
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

    /// Remembers what came of asking; the line, if there is one.
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

    /// What is to be told of each witness, after those that it said before.
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

/// A time that a witness signed.
pub(super) fn moment(seconds: u64) -> Option<Timestamp> {
    i64::try_from(seconds).ok().filter(|seconds| *seconds < i64::MAX / 1_000).map(Timestamp::from_seconds)
}

/// Soon if somebody did not cosign, and else when the cosignatures are to be renewed.
fn asked_again(policy: &Policy, note: &Note, now: Timestamp) -> Timestamp {
    let all = policy.witnesses.len() == policy.cosigned(note).len();
    now.plus_seconds(if all { RENEWED_SECONDS } else { ALONE_SECONDS })
}

fn is_fresh(seconds: u64, now: Timestamp) -> bool {
    moment(seconds).is_some_and(|at| now.since(at) < FRESH_SECONDS * 1_000)
}

/// Takes from another note of the same text what witnesses said to it later than to this one. It is known to be theirs.
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
