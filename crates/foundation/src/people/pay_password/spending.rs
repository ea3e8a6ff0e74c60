//! Movements of users' own money that need the transaction password, many at once: the
//! wallets are locked and everything is loaded, each movement is decided in order in
//! memory, and all are saved with one statement per table.

use std::collections::{BTreeMap, HashMap};

use auth::{AccountStatus, Guard};
use base::{Timestamp, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::people::pay_passwords::{self, FailureId, StoredPayPassword};
use store::people::users::{self, AccountRestrictions};
use store::wallet::books::Books;
use store::wallet::idempotency::{KeyLookup, Keys, StoredAnswer, remember_all};
use store::{Batch, Context, Tx};

use super::Proof;
use super::proof::Evidence;
use crate::idempotent::{Key, Made, parse_kept, to_keep};
use crate::{App, Error, Refusal};

/// The results of movements, in order.
pub type Results<M> = Vec<(<M as Movement>::Id, <M as Movement>::View)>;

/// A movement that a user requests of their own money.
pub trait Movement: Clone + Send + Sync + 'static {
    /// Identifies the result, and is kept under the idempotency key.
    type Id: Copy + Serialize + DeserializeOwned + Send + 'static;
    /// The answer to the client.
    type View: Clone + Send + 'static;
    /// The data that decisions on movements depend on besides the books, including the effects of earlier ones, and the
    /// decisions.
    type State;

    fn key(&self) -> Option<&Key>;
    /// Distinguishes requests under the same key.
    fn fingerprint(&self) -> [u8; 32];

    /// Loads what all of them need, and the plans' holds into the books. The users'
    /// wallets are locked.
    ///
    /// # Errors
    /// Those that concern the whole batch.
    fn load(tx: &mut Tx<'_>, books: &mut Books, movements: &[(UserId, &Self)]) -> Result<Self::State, Error>;

    /// Decides one, and applies it to the books.
    ///
    /// # Errors
    /// Its refusal, which leaves books and state unchanged.
    fn decide(&self, by: &Mover, books: &mut Books, state: &mut Self::State) -> Result<(), Error>;

    /// Saves all decisions, including the books, and returns the results in order.
    ///
    /// # Errors
    /// Those that concern the whole batch.
    fn save(state: Self::State, books: Books, tx: &mut Tx<'_>) -> Result<Results<Self>, Error>;

    /// The results of earlier requests as they are now, in order.
    ///
    /// # Errors
    /// Those that concern the whole batch.
    fn again(tx: &mut Tx<'_>, results: &[(UserId, Self::Id)]) -> Result<Vec<Self::View>, Error>;
}

/// A user whose account may act, and who gave the right password.
pub struct Mover {
    pub user: UserId,
    pub payouts_held_until: Option<Timestamp>,
    pub now: Timestamp,
}

impl Proof {
    /// Does a movement, and clears the attempt in the same transaction. If it is refused,
    /// the attempt is cleared all the same, because the password was right.
    ///
    /// # Errors
    /// Those of [`Proof::spend`]; `idempotency_key_reused`; and the movement's refusals.
    pub async fn spend_on<M: Movement>(self, app: &App, movement: M) -> Result<M::View, Error> {
        let command = Spending { evidence: self.evidence.clone(), movement };
        let done = app.db.batch(command).await.and_then(|answer| answer);
        if done.is_err() {
            self.give_back(app).await;
        }
        done
    }
}

struct Spending<M> {
    evidence: Evidence,
    movement: M,
}

struct State<M: Movement> {
    books: Books,
    standings: HashMap<UserId, AccountRestrictions>,
    passwords: HashMap<UserId, StoredPayPassword>,
    cleared: BTreeMap<UserId, Guard>,
    failures: Vec<FailureId>,
    earlier: Keys,
    /// The keys used in this batch, with the request and its index.
    keys: HashMap<(UserId, String), ([u8; 32], usize)>,
    movements: M::State,
    decided: usize,
    /// Results of earlier requests that were repeated.
    repeated: Vec<(UserId, M::Id)>,
    now: Timestamp,
}

enum Decision {
    /// The index among the decided movements.
    Decided(usize),
    /// The request repeats an earlier one: its index among the repeated ones.
    Repeated(usize),
}

struct Saved<V> {
    decided: Vec<V>,
    repeated: Vec<V>,
}

impl<M: Movement> Batch<Context> for Spending<M> {
    type Answer = Result<M::View, Error>;
    type Error = Error;
    type State = State<M>;
    type Decision = Decision;
    type Saved = Saved<M::View>;

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State<M>, Error> {
        let users: Vec<UserId> = commands.iter().map(|command| command.evidence.user).collect();
        let mut books = Books::lock(tx, users.iter().copied(), [])?;
        let named = commands.iter().filter_map(|c| Some((c.evidence.user, c.movement.key()?.as_str())));
        let movements: Vec<_> = commands.iter().map(|c| (c.evidence.user, &c.movement)).collect();
        Ok(State {
            standings: users::standings(tx, &users)?,
            passwords: passwords(tx, commands, &users)?,
            cleared: BTreeMap::new(),
            failures: Vec::new(),
            earlier: Keys::load(tx, named)?,
            keys: HashMap::new(),
            movements: M::load(tx, &mut books, &movements)?,
            books,
            decided: 0,
            repeated: Vec::new(),
            now: tx.now(),
        })
    }

    fn decide(&self, state: &mut State<M>) -> Result<Decision, Error> {
        let by = self.mover(state)?;
        let kept = state.passwords.get(&by.user).ok_or(Refusal::NotFound)?;
        let cleared = self.evidence.clears(kept, state.now)?;
        let decision = match self.answer(state)? {
            Some(known) => known,
            None => {
                self.movement.decide(&by, &mut state.books, &mut state.movements)?;
                state.decided += 1;
                Decision::Decided(state.decided - 1)
            }
        };
        if let (Decision::Decided(place), Some(key)) = (&decision, self.movement.key()) {
            let key = (by.user, key.as_str().to_owned());
            state.keys.entry(key).or_insert_with(|| (self.movement.fingerprint(), *place));
        }
        if let Some(guard) = cleared {
            state.passwords.entry(by.user).and_modify(|kept| kept.guard = guard);
            state.cleared.insert(by.user, guard);
        }
        state.failures.extend(self.evidence.reserved);
        Ok(decision)
    }

    fn save(state: State<M>, tx: &mut Tx<'_>) -> Result<Saved<M::View>, Error> {
        let State { books, cleared, failures, keys, movements, repeated, .. } = state;
        pay_passwords::keep_guards(tx, &cleared.into_iter().collect::<Vec<_>>())?;
        pay_passwords::remove_failures(tx, &failures)?;
        let (ids, decided): (Vec<M::Id>, Vec<M::View>) = M::save(movements, books, tx)?.into_iter().unzip();
        let mut answered = Vec::with_capacity(keys.len());
        for ((user, key), (request, place)) in keys {
            let id = *ids.get(place).ok_or_else(missing)?;
            answered.push(StoredAnswer { user, key, request, answer: to_keep(&Made { id })? });
        }
        remember_all(tx, &answered)?;
        let repeated = if repeated.is_empty() { Vec::new() } else { M::again(tx, &repeated)? };
        Ok(Saved { decided, repeated })
    }

    fn answer(decision: Decision, saved: &Saved<M::View>) -> Result<M::View, Error> {
        let view = match decision {
            Decision::Decided(place) => saved.decided.get(place),
            Decision::Repeated(place) => saved.repeated.get(place),
        };
        view.cloned().ok_or_else(missing)
    }
}

impl<M: Movement> Spending<M> {
    /// The user, if their account may act.
    fn mover(&self, state: &State<M>) -> Result<Mover, Error> {
        let user = self.evidence.user;
        state.books.wallet_of(user)?;
        let AccountRestrictions { status, payouts_held_until } =
            *state.standings.get(&user).ok_or(Refusal::NotFound)?;
        AccountStatus::may_act(status)?;
        Ok(Mover { user, payouts_held_until, now: state.now })
    }

    /// The answer to the same request, in this batch or before.
    fn answer(&self, state: &mut State<M>) -> Result<Option<Decision>, Error> {
        let Some(key) = self.movement.key() else { return Ok(None) };
        let (user, request) = (self.evidence.user, self.movement.fingerprint());
        match state.keys.get(&(user, key.as_str().to_owned())) {
            Some((same, place)) if *same == request => return Ok(Some(Decision::Decided(*place))),
            Some(_) => return Err(Refusal::IdempotencyKeyReused.into()),
            None => {}
        }
        match state.earlier.seen(user, key.as_str(), &request) {
            KeyLookup::New => Ok(None),
            KeyLookup::Reused => Err(Refusal::IdempotencyKeyReused.into()),
            KeyLookup::Answered(text) => {
                state.repeated.push((user, parse_kept::<Made<M::Id>>(&text)?.id));
                Ok(Some(Decision::Repeated(state.repeated.len() - 1)))
            }
        }
    }
}

/// The users' passwords. The rows of guards to be cleared are locked; if nothing was
/// wrong recently, nothing is written.
fn passwords<M>(
    tx: &mut Tx<'_>,
    commands: &[Spending<M>],
    users: &[UserId],
) -> Result<HashMap<UserId, StoredPayPassword>, Error> {
    let now = tx.now();
    let mut known = pay_passwords::look_all(tx, users, now)?;
    let of =
        |command: &&Spending<M>| known.get(&command.evidence.user).is_some_and(|kept| command.evidence.touches(kept));
    let touched: Vec<UserId> = commands.iter().filter(of).map(|command| command.evidence.user).collect();
    if !touched.is_empty() {
        known.extend(pay_passwords::lock_all(tx, &touched)?);
    }
    Ok(known)
}

fn missing() -> Error {
    Error::Internal("a movement was not written".into())
}
