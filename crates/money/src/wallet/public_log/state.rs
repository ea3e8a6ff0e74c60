//! The state of the public log: when it was published, and since when enough witnesses cosign it. It is stored beside
//! the checkpoint, so that every server and everybody who monitors them reads the same.

use base::Timestamp;
use foundation::people::files::storage;
use foundation::{App, Error};
use objects::Objects;
use proof::{Checkpoint, Note, Policy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::trouble::LogError;
use super::witnesses::{Cosigning, moment};

const STATE: &str = "log/state";

/// The state of the public log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogState {
    pub size: u64,
    /// The root of the published checkpoint, which tells whether it changed.
    root: String,
    /// When this checkpoint was first published.
    pub checkpoint_at: Option<Timestamp>,
    /// When enough witnesses had last cosigned a checkpoint.
    pub cosigned_at: Option<Timestamp>,
    /// Since when they have not; none while they do.
    pub missing_since: Option<Timestamp>,
    pub witnesses: Vec<WitnessState>,
    /// How few witnesses are enough.
    pub needed: u64,
}

/// What is known of one witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessState {
    pub name: String,
    pub key: String,
    pub cosigned_at: Option<Timestamp>,
    /// Why it did not cosign when it was last asked; for operators.
    pub problem: Option<String>,
}

/// The state of the public log, for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LogStateView {
    /// Null if there is no log.
    pub public_log: Option<PublicLogView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublicLogView {
    /// The number of leaves that the published checkpoint covers.
    pub size: u64,
    /// When the checkpoint was first published.
    pub checkpoint_at: Timestamp,
    /// When enough witnesses last cosigned what was published; null if they never did.
    pub cosigned_at: Option<Timestamp>,
    /// Since when too few witnesses cosign; null while enough do.
    pub missing_since: Option<Timestamp>,
    pub witnesses: Vec<WitnessView>,
    /// How many witnesses are enough; 0 if none is asked.
    pub needed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WitnessView {
    /// The name of its key.
    pub name: String,
    /// Its public key, as C2SP signed-note writes it.
    pub key: String,
    /// When it last cosigned; null if it never did.
    pub cosigned_at: Option<Timestamp>,
}

/// The state of the published log, as it is stored; `None` before one was published.
pub async fn read_stored_state(objects: &Objects) -> Result<Option<LogState>, objects::Error> {
    let stored = objects.whole(STATE).await?;
    // A state that cannot be parsed counts as none, and is replaced.
    Ok(stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// The state of the published log, for everybody.
///
/// # Errors
/// Those of the storage.
pub async fn state(app: &App) -> Result<LogStateView, Error> {
    let Ok(objects) = storage(app) else { return Ok(LogStateView { public_log: None }) };
    let public_log = read_stored_state(objects).await?.and_then(|state| {
        let witness = |witness: WitnessState| WitnessView {
            name: witness.name,
            key: witness.key,
            cosigned_at: witness.cosigned_at,
        };
        Some(PublicLogView {
            size: state.size,
            checkpoint_at: state.checkpoint_at?,
            cosigned_at: state.cosigned_at,
            missing_since: state.missing_since,
            witnesses: state.witnesses.into_iter().map(witness).collect(),
            needed: state.needed,
        })
    });
    Ok(LogStateView { public_log })
}

/// Stores the state after a checkpoint was published.
pub(super) async fn keep_state(app: &App, cosigning: &Cosigning, note: &Note) -> Result<(), LogError> {
    let objects = storage(app)?;
    let before = read_stored_state(objects).await?;
    let now = next(before.clone().unwrap_or_default(), app.settings.witnesses.policy(), cosigning, note, app.now())
        .ok_or(LogError::Changed("its checkpoint cannot be read"))?;
    if before.as_ref() == Some(&now) {
        return Ok(());
    }
    let bytes = serde_json::to_vec(&now).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(objects.put(STATE, bytes).await?)
}

/// The new state, after a checkpoint was published.
fn next(
    before: LogState,
    policy: Option<&Policy>,
    cosigning: &Cosigning,
    note: &Note,
    now: Timestamp,
) -> Option<LogState> {
    let checkpoint = Checkpoint::parse(&note.text)?;
    let root = base::hex::encode(&checkpoint.head.root);
    let same = before.root == root && before.size == checkpoint.head.size;
    let checkpoint_at = before.checkpoint_at.filter(|_| same).or(Some(now));
    let mut after = LogState { size: checkpoint.head.size, root, checkpoint_at, ..LogState::default() };
    let Some(policy) = policy else { return Some(after) };
    after.witnesses = cosigning.states(policy, note, &before.witnesses);
    after.needed = u64::try_from(policy.needed()).ok()?;
    let times = policy.cosigned(note);
    let is_met = policy.is_met(&times.keys().copied().collect());
    after.cosigned_at = before.cosigned_at.max(policy.met_at(&times).and_then(moment));
    after.missing_since = before.missing_since.or(Some(now)).filter(|_| !is_met);
    Some(after)
}
