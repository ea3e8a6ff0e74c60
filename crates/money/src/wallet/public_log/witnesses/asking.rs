//! One witness: what it is asked, and which parts of its answer are believed.

use std::sync::Arc;

use foundation::App;
use proof::proofs::{consistency, range_root, range_tiles};
use proof::witness::{SIZE_TYPE, answered_lines, conflicting_size};
use proof::{AddCheckpoint, CosignerKey, Hash, Note, NoteSignature, TreeHead};
use store::wallet::public_log as rows;

use super::{WitnessAnswer, WitnessClient, moment};

/// The first try is with the size that the witness had last, the second with the one that it answers, and the third in
/// case another server was faster.
const TRIES: usize = 3;
/// The cosignature's time is not believed if the witness's clock differs by more than this.
const CLOCK_MILLIS: i64 = 600_000;

/// The checkpoint that one witness is to cosign.
pub(super) struct CosignatureRequest {
    pub app: App,
    pub client: Arc<dyn WitnessClient>,
    pub key: CosignerKey,
    pub address: String,
    /// The checkpoint, signed by the log.
    pub note: Note,
    pub head: TreeHead,
}

/// Asks a witness that has seen the first `seen` leaves for a cosignature.
pub(super) async fn ask(asked: CosignatureRequest, seen: u64) -> Result<NoteSignature, String> {
    let own = asked.head.size;
    let mut old = seen;
    for _ in 0..TRIES {
        let proof = proof(&asked, old).await?;
        let body = AddCheckpoint { old, proof, checkpoint: asked.note.clone() }.body();
        let answer = asked.client.post(&asked.address, body).await?;
        match (answer.status, other_size(&answer)) {
            (200, _) => return cosigned(&asked, &answer.body),
            (409, Some(size)) if size > own => {
                return Err(format!(
                    "it has seen {size} leaves of this log, which has {own}: the log was cut back, or that is not true"
                ));
            }
            (409, Some(size)) if size == old => {
                return Err(format!("it has seen another log of {size} leaves under this name"));
            }
            (409, Some(size)) => old = size,
            (status, _) => return Err(refused(status, old)),
        }
    }
    Err("it says another size each time".to_owned())
}

fn refused(status: u16, old: u64) -> String {
    match status {
        403 => "it knows this log by another key (403)".to_owned(),
        404 => "it does not know this log (404)".to_owned(),
        422 => format!("it has seen other {old} leaves of this log than these (422)"),
        429 => "it wants to be asked less often (429)".to_owned(),
        status => format!("it answered {status}"),
    }
}

fn other_size(answer: &WitnessAnswer) -> Option<u64> {
    let kind = answer.content_type.as_deref()?.split(';').next()?.trim();
    conflicting_size(&answer.body).filter(|_| kind.eq_ignore_ascii_case(SIZE_TYPE))
}

/// The consistency proof from the first `old` leaves, made from the stored tiles.
async fn proof(asked: &CosignatureRequest, old: u64) -> Result<Vec<Hash>, String> {
    let size = asked.head.size;
    let ranges = consistency(old, size).ok_or("the log is smaller than what is proved of it")?;
    let tiles = ranges.iter().flat_map(|range| range_tiles(range, size)).collect::<Vec<_>>();
    let stored = asked.app.db.read(move |conn| rows::tiles(conn, tiles)).await;
    let stored = stored.map_err(|_: store::Error| "its proof could not be made")?;
    let hashes = ranges.iter().map(|range| range_root(range, size, |tile| stored.get(tile)));
    hashes.collect::<Option<_>>().ok_or_else(|| "its proof could not be made".to_owned())
}

/// The witness's signature line, if it signs this checkpoint and its time is close to now. Other lines are ignored.
fn cosigned(asked: &CosignatureRequest, body: &str) -> Result<NoteSignature, String> {
    let lines = answered_lines(body).ok_or("it answered with something else than signatures")?;
    let note = Note { text: asked.note.text.clone(), signatures: lines };
    let seconds = note.cosigned(&asked.key).map_err(|bad| format!("its cosignature: {bad}"))?;
    let apart = moment(seconds).map(|at| asked.app.now().since(at).saturating_abs());
    if apart.is_none_or(|apart| apart > CLOCK_MILLIS) {
        return Err(format!("its clock says {seconds} s since 1970, which is not now"));
    }
    note.cosignature(&asked.key).cloned().ok_or_else(|| "it did not cosign".to_owned())
}
