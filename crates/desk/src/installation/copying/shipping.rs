//! Copying: the file once, and then what changes of it.

use std::path::PathBuf;

use archive::PartLine;
use archive::copies::{self, CopyHead, CopyLine, CopyList, IncrementHead};
use base::Timestamp;
use foundation::App;
use objects::Objects;
use store::{FollowError, Follower, PageChanges};

use super::archives::Archives;
use super::pictures::Pictures;
use super::{CopiedUntil, CopyError, HEAD, LIST, pages, part};
use crate::installation::backup::BackupError;

/// How often changes are copied.
const EVERY: i64 = 2_000;
/// How long one copy is added to, and how long it is kept after the next has begun.
const A_DAY: i64 = 24 * 3_600_000;
const KEPT: i64 = 7 * A_DAY;
/// After a copy of the file has failed, it is not begun again at once.
const PAUSE: i64 = 10_000;
/// How many objects of old copies are removed at a time, so that nothing waits for that.
const REMOVED: usize = 50;
const PART: usize = 8 * 1024 * 1024;
/// Beyond this many frames (16 MiB), the log is begun anew.
const LONG_LOG: u64 = 4_096;
/// A log that cannot be copied any more may fill the disk, so beyond this it is let go.
const LONGEST_LOG: u64 = 1024 * 1024 * 1024;

pub(super) struct Shipper {
    app: App,
    objects: Objects,
    path: PathBuf,
    /// Files that are not in the database.
    files: Option<(Archives, Pictures)>,
    reached: CopiedUntil,
    current: Option<Current>,
    /// When beginning a copy of the file last failed.
    failed: Option<Timestamp>,
    /// Folders of copies that nobody needs.
    old: Vec<String>,
}

/// The copy that is added to.
struct Current {
    follower: Follower,
    name: String,
    begun: Timestamp,
    /// The number of the next increment, and the digest of the object before it.
    number: u64,
    after: String,
    /// Read from the log, and not stored yet.
    unsent: Option<UnsentPages>,
    looked: Timestamp,
    listed: bool,
}

struct UnsentPages {
    changes: PageChanges,
    at: Timestamp,
}

impl Shipper {
    pub fn new(app: App, objects: Objects, path: PathBuf, with_files: bool, reached: CopiedUntil) -> Self {
        let files = with_files.then(Default::default);
        Self { app, objects, path, files, reached, current: None, failed: None, old: Vec::new() }
    }

    pub fn now(&self) -> Timestamp {
        self.app.now()
    }

    /// Does what is due. After `Err` it may be called again.
    pub async fn pass(&mut self, stopping: bool) -> Result<(), CopyError> {
        let now = self.now();
        // If the clock was set back behind its beginning, no moment from now on would be looked for in it.
        let is_over = |current: &Current| current.listed && !now.is_soon_after(current.begun, A_DAY);
        let waits = self.failed.is_some_and(|failed| now.is_soon_after(failed, PAUSE));
        if !stopping && !waits && self.current.as_ref().is_none_or(is_over) {
            let begun = self.begin_copy(now).await;
            self.failed = begun.is_err().then_some(now);
            return begun;
        }
        if self.current.as_ref().is_some_and(|current| stopping || current.is_due(now)) {
            self.ship(now).await?;
            return self.remove_some().await;
        }
        Ok(())
    }

    async fn remove_some(&mut self) -> Result<(), CopyError> {
        if let Some(folder) = self.old.last()
            && self.objects.delete_some(folder, REMOVED).await? == 0
        {
            self.old.pop();
        }
        Ok(())
    }

    async fn ship(&mut self, now: Timestamp) -> Result<(), CopyError> {
        // First the bytes of a file, then its row.
        let filed = self.ship_files().await;
        self.ship_changes(now).await?;
        filed
    }

    async fn ship_files(&mut self) -> Result<(), CopyError> {
        let Some((archives, pictures)) = &mut self.files else { return Ok(()) };
        archives.copy(&self.app, &self.objects).await?;
        pictures.copy(&self.app, &self.objects).await
    }

    async fn ship_changes(&mut self, now: Timestamp) -> Result<(), CopyError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let pass = self.reached.begin();
        let complete = match current.ship(&self.objects, now).await {
            Ok(complete) => complete,
            Err(error) => {
                let lost = matches!(error, CopyError::Follow(FollowError::Lost));
                if lost || current.follower.log_bytes() > LONGEST_LOG {
                    self.current = None;
                }
                return Err(error);
            }
        };
        if complete && !current.listed {
            let line =
                CopyLine { name: current.name.clone(), from: now.millis(), first: current.number.saturating_sub(1) };
            self.list(line).await?;
            if let Some(current) = &mut self.current {
                current.listed = true;
            }
        }
        if complete {
            self.reached.set(pass, now);
        }
        Ok(())
    }

    /// Copies the whole file. Meanwhile, changes are added to the copy before.
    async fn begin_copy(&mut self, begun: Timestamp) -> Result<(), CopyError> {
        let list = self.read_list().await?;
        let follower = match &self.current {
            Some(current) => current.follower.anew()?,
            None => Follower::begin(&self.path)?,
        };
        let name = format!("{:015}", begun.millis());
        let (mut parts, mut offset) = (Vec::new(), 0_u64);
        loop {
            let mut bytes = vec![0; PART];
            let read = follower.read_file(&mut bytes, offset)?;
            if read == 0 {
                break;
            }
            bytes.truncate(read);
            parts.push(self.put_part(&name, parts.len() as u64 + 1, &bytes).await?);
            offset = offset.saturating_add(read as u64);
            let now = self.now();
            if self.current.as_ref().is_some_and(|current| current.is_due(now)) {
                self.ship(now).await?;
            }
        }
        let head = copies::json(&CopyHead {
            format: archive::FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            realm: self.app.realm().name().to_owned(),
            currency: self.app.settings.currency.code.clone(),
            secrets: list.secrets,
            parts,
        })?;
        let after = copies::digest(&head);
        self.objects.put(&format!("{name}/{HEAD}"), head).await?;
        let looked = Timestamp::EPOCH;
        let (number, unsent, listed) = (1, None, false);
        self.current = Some(Current { follower, name, begun, number, after, unsent, looked, listed });
        self.ship(self.now()).await
    }

    async fn put_part(&self, name: &str, number: u64, bytes: &[u8]) -> Result<PartLine, CopyError> {
        let object = copies::compressed(bytes)?;
        let line = PartLine { name: part(name, number), bytes: bytes.len() as u64, sha256: copies::digest(&object) };
        self.objects.put(&line.name, object).await?;
        Ok(line)
    }

    /// The list of copies there, which must be this installation's.
    async fn read_list(&self) -> Result<CopyList, CopyError> {
        let own = self.app.secrets.fingerprint();
        match self.objects.whole(LIST).await? {
            None => Ok(CopyList::of(own)),
            Some(bytes) => match CopyList::read(&bytes)? {
                list if list.secrets == own => Ok(list),
                _ => Err(BackupError::Damaged("the copies there are another installation's".to_owned()).into()),
            },
        }
    }

    /// Lists a copy, so that it can be restored. Removes older copies, and those that were never completed.
    async fn list(&mut self, line: CopyLine) -> Result<(), CopyError> {
        let (mut list, now) = (self.read_list().await?, line.from);
        list.copies.retain(|copy| copy.name != line.name);
        list.copies.push(line);
        // A copy is needed until the next one that is old enough begins.
        let old = list.copies.iter().rposition(|copy| now.saturating_sub(copy.from) >= KEPT);
        list.copies.drain(..old.unwrap_or(0));
        self.objects.put(LIST, copies::json(&list)?).await?;
        let is_copy = |name: &String| name.len() == 15 && name.bytes().all(|digit| digit.is_ascii_digit());
        let folders = self.objects.folders().await?.into_iter().filter(is_copy);
        self.old = folders.filter(|folder| list.copies.iter().all(|copy| copy.name != *folder)).collect();
        Ok(())
    }
}

impl Current {
    fn is_due(&self, now: Timestamp) -> bool {
        !now.is_soon_after(self.looked, EVERY) || self.follower.log_frames() > LONG_LOG
    }

    /// Copies what was committed before `now`; true if that is everything.
    async fn ship(&mut self, objects: &Objects, now: Timestamp) -> Result<bool, CopyError> {
        if self.unsent.is_some() {
            self.send(objects).await?;
        }
        self.looked = now;
        let long = self.follower.log_frames() > LONG_LOG && self.follower.can_turn_over()?;
        let changes = if long { self.follower.turn_over()? } else { self.follower.changes()? };
        let complete = self.follower.is_complete();
        if !changes.is_empty() || !self.listed {
            self.unsent = Some(UnsentPages { changes, at: now });
            self.send(objects).await?;
        }
        Ok(complete)
    }

    async fn send(&mut self, objects: &Objects) -> Result<(), CopyError> {
        let Some(UnsentPages { changes, at }) = &self.unsent else { return Ok(()) };
        let PageChanges { page_size, database_pages, pages: changed } = changes;
        let head = IncrementHead {
            number: self.number,
            at: at.millis(),
            after: self.after.clone(),
            page_size: *page_size,
            database_pages: *database_pages,
        };
        let object = copies::increment(&head, changed)?;
        let digest = copies::digest(&object);
        objects.put(&pages(&self.name, self.number), object).await?;
        self.after = digest;
        self.number = self.number.saturating_add(1);
        self.unsent = None;
        Ok(())
    }
}
