//! How far videos are played. Reports of players are stored before they are answered, and each is counted once,
//! together with its view: docs/DELIVERY.md, "How far videos are played".

use std::collections::{BTreeMap, BTreeSet, HashSet};

use base::{PlanId, Timestamp};
use delivery::{
    EventKind, Nonce, PLAYED_WITHIN_SECONDS, PlayCounts, PlayReport, Played, Progress, Verdict, is_automatic,
};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::delivery::event;
use store::delivery::event::playback::{self, PlayedView};
use store::{Batch, Context, Tx};
use utoipa::ToSchema;

use crate::delivery::track::{EventRequest, token};

/// What players report of a plan's video, each once for a view that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VideoFigures {
    pub started: i64,
    /// How often a quarter of it was played. `midpoint` counts half, `third_quartile` three quarters.
    pub first_quartile: i64,
    pub midpoint: i64,
    pub third_quartile: i64,
    pub completed: i64,
    /// How often the reader skipped it, where the player allows that.
    pub skipped: i64,
}

impl From<PlayCounts> for VideoFigures {
    fn from(counts: PlayCounts) -> Self {
        let PlayCounts { started, first_quartile, midpoint, third_quartile, completed, skipped } = counts;
        Self { started, first_quartile, midpoint, third_quartile, completed, skipped }
    }
}

/// Stores a player's report of how far a creative's video was played.
///
/// # Errors
/// `not_found` for a token that this server did not sign, or a report of another name.
pub async fn played(app: &App, text: &str, progress: &str, request: &EventRequest) -> Result<Verdict, Error> {
    let progress = Progress::from_name(progress).ok_or(Refusal::NotFound)?;
    let token = token(app, text)?;
    let (automatic, prefetched) = (is_automatic(&request.user_agent), request.prefetched);
    let report = PlayReport { automatic, prefetched, issued_at: token.nonce.minted_at(), at: app.now() };
    if let Err(why) = report.judge() {
        return Ok(Err(why));
    }
    let (plan, nonce, played) = (token.plan, token.nonce, Played::default().with(progress));
    app.db.batch(KeepReport { nonce, plan, played }).await.map(Ok)
}

struct KeepReport {
    nonce: Nonce,
    plan: PlanId,
    played: Played,
}

impl Batch<Context> for KeepReport {
    type Answer = ();
    type Error = Error;
    /// By nonce, which is the order in which rows are locked.
    type State = BTreeMap<[u8; 16], (PlanId, Played)>;
    type Decision = ();
    type Saved = ();

    fn load(_: &mut Tx<'_>, _: &[Self]) -> Result<Self::State, Error> {
        Ok(BTreeMap::new())
    }

    fn decide(&self, state: &mut Self::State) -> Result<(), Error> {
        let (_, known) = state.entry(self.nonce.0).or_insert((self.plan, Played::default()));
        *known = known.and(self.played);
        Ok(())
    }

    fn save(state: Self::State, tx: &mut Tx<'_>) -> Result<(), Error> {
        let reported: Vec<_> = state.into_iter().map(|(nonce, (plan, played))| (Nonce(nonce), plan, played)).collect();
        Ok(playback::keep(tx, &reported)?)
    }

    fn answer((): (), (): &()) {}
}

/// Counts the reports on views that count, and forgets views of which no more reports are expected.
pub(crate) async fn count(app: &App, limit: i64) -> Result<(), Error> {
    let now = app.now();
    // Another server's clock may be a little slow.
    let over = now.plus_seconds(-2 * PLAYED_WITHIN_SECONDS);
    let found = app.db.read(move |conn| {
        Ok::<_, store::Error>((playback::uncounted(conn, limit)?, playback::sent_before(conn, over, limit)?))
    });
    let (uncounted, old) = found.await?;
    // Both are locked together, so that all servers lock in the same order.
    let nonces: BTreeSet<[u8; 16]> = uncounted.into_iter().chain(old).map(|nonce| nonce.0).collect();
    let nonces: Vec<Nonce> = nonces.into_iter().map(Nonce).collect();
    if nonces.is_empty() {
        return Ok(());
    }
    app.db.write(move |tx| count_views(tx, &nonces, (over, now))).await
}

fn count_views(tx: &mut Tx<'_>, nonces: &[Nonce], (over, now): (Timestamp, Timestamp)) -> Result<(), Error> {
    let views = playback::lock(tx, nonces)?;
    let uncounted: Vec<&PlayedView> = views.iter().filter(|view| view.reported != view.counted).collect();
    let of_uncounted: Vec<Nonce> = uncounted.iter().map(|view| view.nonce).collect();
    let seen = event::seen(tx, &of_uncounted)?.into_iter().filter(|seen| seen.kind == EventKind::Impression);
    let seen: HashSet<[u8; 16]> = seen.map(|seen| seen.nonce.0).collect();
    let (counted, unseen): (Vec<&PlayedView>, Vec<_>) =
        uncounted.into_iter().partition(|view| seen.contains(&view.nonce.0));
    let mut added = BTreeMap::<PlanId, PlayCounts>::new();
    for view in &counted {
        let of = added.entry(view.plan).or_default();
        view.reported.beyond(view.counted).for_each(|progress| of.count(progress));
    }
    playback::count(tx, &counted, &added.into_iter().collect::<Vec<_>>())?;
    let old = views.iter().filter(|view| view.nonce.minted_at() < over);
    let in_vain = unseen.into_iter().filter(|view| !PlayReport::awaits_view(view.nonce.minted_at(), now));
    let ended: Vec<Nonce> = old.chain(in_vain).map(|view| view.nonce).collect();
    Ok(playback::forget(tx, &ended)?)
}
