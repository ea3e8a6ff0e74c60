//! What every command needs: the installation, the operator, and the output.

use std::fs::File;
use std::future::Future;

use base::{Clock, UserId, refuse_if};
use campaigns::AdServer;
use desk::installation::only_server;
use desk::installation::settings::{Installation, InvalidSetting, Values};
use foundation::people::staff_accounts::find_account;
use foundation::staff::founders::approvals_until;
use foundation::staff::operators::sign_in;
use foundation::staff::{ActionOrigin, Staff};
use foundation::{Error, Refusal};
use serde::Serialize;
use store::staff::operators::Operator;
use store::{Page, PageRequest, Realm};

use crate::cli::{LimitArg, ReasonArg, Rehearsal, UserArg, pasted};
use crate::failure::Failure;
use crate::files::Files;
use crate::output::Output;
use crate::terminal;

pub struct Context {
    pub app: AdServer,
    pub out: Output,
    pub files: Files,
    by: By,
    place: ActionOrigin,
}

#[derive(Serialize)]
struct Decided<'a, T> {
    #[serde(flatten)]
    shown: &'a T,
    /// From this time on nothing is approved, unless the first two people are declared and have rotated their keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    founders_due: Option<String>,
}

/// The operator.
enum By {
    /// Named by the environment, with a key that is not verified yet.
    Named(Option<(String, String)>),
    /// Authenticated by a server.
    Known(Operator),
}

impl Context {
    /// Opens the installation configured in the environment, and begins it if there is none.
    pub fn open(out: Output) -> Result<Self, Failure> {
        Self::open_with(out, Clock::system(), |_| Ok(()))
    }

    /// Opens the installation configured in the environment, and fails if there is none.
    pub fn open_existing(out: Output) -> Result<Self, Failure> {
        Self::open_with(out, Clock::system(), Installation::must_have_begun)
    }

    /// Like `open`, with a clock that can be moved. No server may use a SQLite database until the lock is dropped.
    ///
    /// # Errors
    /// `Live` in a live installation, whose clock nobody moves.
    pub fn open_movable(out: Output) -> Result<(Self, Option<File>), Failure> {
        let mut lock = None;
        let context = Self::open_with(out, Clock::movable(), |installation| {
            lock = only_server::take(&installation.database_url)?;
            Ok(())
        })?;
        Ok((context, lock))
    }

    fn open_with(
        out: Output,
        clock: Clock,
        before: impl FnOnce(&Installation) -> Result<(), InvalidSetting>,
    ) -> Result<Self, Failure> {
        let values = Values::load()?;
        let installation = Installation::read(&values)?;
        refuse_if(installation.realm == Realm::Live && clock.is_movable(), Failure::Live)?;
        before(&installation)?;
        let app = installation.open(clock)?;
        let name = values.get("PLACARD_OPERATOR").map(str::to_owned);
        let key = values.get("PLACARD_OPERATOR_KEY").map(str::to_owned);
        Ok(Self { app, out, files: Files::Own, by: By::Named(name.zip(key)), place: ActionOrigin::here(None) })
    }

    /// The context on a server, for a command that an operator sent.
    pub const fn of_call(app: AdServer, out: Output, files: Files, operator: Operator, place: ActionOrigin) -> Self {
        Self { app, out, files, by: By::Known(operator), place }
    }

    /// The operator, for commands that only read.
    pub async fn sign_in(&self) -> Result<Operator, Failure> {
        match &self.by {
            By::Named(Some((name, key))) => {
                let operator = sign_in(&self.app, name, key).await?;
                // Output includes content for users, so the content of the server must be current.
                self.app.follow_content().await;
                Ok(operator)
            }
            By::Named(None) => Err(Error::NotSignedIn.into()),
            By::Known(operator) => Ok(operator.clone()),
        }
    }

    /// The operator and the reason, for commands that change something.
    pub async fn staff(&self, because: &ReasonArg) -> Result<Staff, Failure> {
        Ok(Staff::new(self.sign_in().await?, &because.reason)?.at(self.place.clone()))
    }

    /// The operator and the reason, if the environment names an operator: the first commands need none.
    pub async fn staff_if_any(&self, reason: &str) -> Result<Option<Staff>, Failure> {
        match self.has_credentials() {
            true => Ok(Some(Staff::new(self.sign_in().await?, reason)?.at(self.place.clone()))),
            false => Ok(None),
        }
    }

    /// Prints what two people decided on; while approvals go on without founders, also until
    /// when.
    pub async fn print_decided(&self, shown: &impl Serialize) -> Result<(), Failure> {
        let founders_due = approvals_until(&self.app).await?.map(|until| until.to_string());
        self.out.record(&Decided { shown, founders_due })
    }

    /// The installation; for a rehearsal, one where every change is undone.
    pub fn stage(&self, rehearsal: Rehearsal) -> AdServer {
        if rehearsal.dry_run { self.app.rehearsing() } else { self.app.clone() }
    }

    pub const fn has_credentials(&self) -> bool {
        !matches!(self.by, By::Named(None))
    }
}

impl UserArg {
    /// # Errors
    /// `not_found` and `ambiguous`, like every search for an account.
    pub async fn find(&self, context: &Context) -> Result<Option<UserId>, Failure> {
        let Some(name) = &self.user else { return Ok(None) };
        Ok(Some(find_account(&context.app, name).await?))
    }
}

/// The longest list that a server collects in memory.
const MOST_OF_A_SERVER: usize = 10_000;

/// Collects pages until there are enough or no more.
pub async fn collect<T, F>(at_most: LimitArg, mut page: impl FnMut(PageRequest) -> F) -> Result<Vec<T>, Failure>
where
    F: Future<Output = Result<Page<T>, Error>>,
{
    let wanted = usize::try_from(at_most.limit).unwrap_or(usize::MAX);
    if terminal::is_distant() && wanted > MOST_OF_A_SERVER {
        return Err(Failure::Usage(format!("--limit: a server lists {MOST_OF_A_SERVER} at most")));
    }
    let (mut items, mut before) = (Vec::new(), None);
    while items.len() < wanted {
        let room = i64::try_from(wanted - items.len()).unwrap_or(PageRequest::MAX_LIMIT);
        let found = page(PageRequest { before, limit: room.min(PageRequest::MAX_LIMIT) }).await?;
        items.extend(found.items);
        before = found.next;
        if before.is_none() {
            return Ok(items);
        }
    }
    terminal::complain("placard: there are more; raise --limit to see them");
    Ok(items)
}

/// Parses an id, as it was pasted; an invalid one is not found.
pub fn id<T: std::str::FromStr>(text: &str) -> Result<T, Failure> {
    pasted(text).parse().map_err(|_| Refusal::NotFound.into())
}
