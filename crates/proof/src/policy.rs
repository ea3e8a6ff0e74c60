//! Which witnesses are known, and which of them are enough (C2SP tlog-policy).

use std::collections::{BTreeMap, BTreeSet};

use crate::cosignature::CosignerKey;
use crate::note::{Note, NoteKey};

/// The largest file that is read.
const LONGEST: usize = 64 * 1024;
/// More witnesses or groups than anybody has.
const MOST: usize = 64;
const NONE: &str = "none";
const OWN_WITNESS: &str = "no log is its own witness";

/// Why a policy cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPolicy {
    #[error("it is longer than {LONGEST} bytes")]
    Long,
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: &'static str },
    #[error("no line says which quorum is enough")]
    NoQuorum,
}

/// A log that may be proved by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyLog {
    pub key: NoteKey,
    pub url: Option<String>,
}

/// A witness that may be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWitness {
    /// Its name in the policy.
    pub name: String,
    pub key: CosignerKey,
    pub url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group { threshold: usize, members: Vec<Member> },
}

impl Member {
    fn is_met(&self, cosigned: &BTreeSet<usize>) -> bool {
        match self {
            Self::Witness(at) => cosigned.contains(at),
            Self::Group { threshold, members } => {
                members.iter().filter(|member| member.is_met(cosigned)).count() >= *threshold
            }
        }
    }

    /// How few witnesses meet it. Nobody is in it twice.
    fn fewest(&self) -> usize {
        match self {
            Self::Witness(_) => 1,
            Self::Group { threshold, members } => {
                let mut each: Vec<usize> = members.iter().map(Self::fewest).collect();
                each.sort_unstable();
                each.iter().take(*threshold).sum()
            }
        }
    }
}

/// Which logs and witnesses are known, and which witnesses are enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub logs: Vec<PolicyLog>,
    pub witnesses: Vec<PolicyWitness>,
    /// `None` if no witness is needed.
    quorum: Option<Member>,
}

impl Policy {
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, BadPolicy> {
        if text.len() > LONGEST {
            return Err(BadPolicy::Long);
        }
        let mut reading = Reading::default();
        for (line, text) in (1..).zip(text.split('\n')) {
            reading.line(text).map_err(|problem| BadPolicy::Line { line, problem })?;
        }
        let quorum = reading.quorum.ok_or(BadPolicy::NoQuorum)?;
        Ok(Self { logs: reading.logs, witnesses: reading.witnesses, quorum })
    }

    /// The witnesses that cosigned a checkpoint, by their position, with the time in seconds since 1970. Invalid
    /// cosignatures count as missing.
    pub fn cosigned(&self, note: &Note) -> BTreeMap<usize, u64> {
        let times = self.witnesses.iter().map(|witness| note.cosigned(&witness.key).ok());
        times.enumerate().filter_map(|(at, time)| Some((at, time?))).collect()
    }

    /// Whether these witnesses are enough.
    pub fn is_met(&self, cosigned: &BTreeSet<usize>) -> bool {
        self.quorum.as_ref().is_none_or(|quorum| quorum.is_met(cosigned))
    }

    /// The time since when enough had cosigned, if these are enough: of the latest without whom they are not.
    pub fn met_at(&self, cosigned: &BTreeMap<usize, u64>) -> Option<u64> {
        let enough =
            |since: u64| self.is_met(&cosigned.iter().filter(|(_, time)| **time >= since).map(|(at, _)| *at).collect());
        cosigned.values().copied().filter(|since| enough(*since)).max()
    }

    /// How few witnesses may be enough.
    pub fn needed(&self) -> usize {
        self.quorum.as_ref().map_or(0, Member::fewest)
    }
}

#[derive(Default)]
struct Reading {
    logs: Vec<PolicyLog>,
    witnesses: Vec<PolicyWitness>,
    /// The definitions by name; `None` once a group has one as its member.
    defined: BTreeMap<String, Option<Member>>,
    quorum: Option<Option<Member>>,
}

impl Reading {
    fn line(&mut self, text: &str) -> Result<(), &'static str> {
        if text.contains(|c: char| c.is_ascii_control() && c != '\t') {
            return Err("it has a control character");
        }
        let words: Vec<&str> = text.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(()),
            [comment, ..] if comment.starts_with('#') => Ok(()),
            ["log", key] => self.log(key, None),
            ["log", key, url] => self.log(key, Some(url)),
            ["witness", name, key] => self.witness(name, key, None),
            ["witness", name, key, url] => self.witness(name, key, Some(url)),
            ["group", name, threshold, members @ ..] => self.group(name, threshold, members),
            ["quorum", name] => self.quorum(name),
            _ => Err("it is neither log, witness, group nor quorum as tlog-policy writes them"),
        }
    }

    fn log(&mut self, key: &str, url: Option<&str>) -> Result<(), &'static str> {
        let key: NoteKey = key.parse().map_err(|_| "the log's key is none of kind 0x01")?;
        if self.witnesses.iter().any(|witness| witness.key.bytes() == key.bytes()) {
            return Err(OWN_WITNESS);
        }
        if self.logs.iter().any(|log| log.key.bytes() == key.bytes()) {
            return Err("this log is there twice");
        }
        if self.logs.len() >= MOST {
            return Err("there are too many logs");
        }
        self.logs.push(PolicyLog { key, url: url.map(str::to_owned) });
        Ok(())
    }

    fn witness(&mut self, name: &str, key: &str, url: Option<&str>) -> Result<(), &'static str> {
        let key: CosignerKey = key.parse().map_err(|_| "the witness's key is none of kind 0x04")?;
        if self.logs.iter().any(|log| log.key.bytes() == key.bytes()) {
            return Err(OWN_WITNESS);
        }
        if self.witnesses.iter().any(|witness| witness.key.bytes() == key.bytes()) {
            return Err("this witness is there twice");
        }
        self.define(name, Member::Witness(self.witnesses.len()))?;
        self.witnesses.push(PolicyWitness { name: name.to_owned(), key, url: url.map(str::to_owned) });
        Ok(())
    }

    fn group(&mut self, name: &str, threshold: &str, members: &[&str]) -> Result<(), &'static str> {
        let threshold = match threshold {
            "all" => members.len(),
            "any" => 1,
            number => number.parse().ok().filter(|_| number.bytes().all(|b| b.is_ascii_digit())).unwrap_or(0),
        };
        if !(1..=members.len()).contains(&threshold) {
            return Err("the group needs all, any, or a number from 1 to that of its members");
        }
        let members = members.iter().map(|member| self.take(member)).collect::<Result<_, _>>()?;
        self.define(name, Member::Group { threshold, members })
    }

    fn quorum(&mut self, name: &str) -> Result<(), &'static str> {
        if self.quorum.is_some() {
            return Err("the quorum is there twice");
        }
        self.quorum = Some(if name == NONE { None } else { Some(self.take(name)?) });
        Ok(())
    }

    fn define(&mut self, name: &str, member: Member) -> Result<(), &'static str> {
        if name == NONE || self.defined.contains_key(name) {
            return Err("this name is taken");
        }
        if self.defined.len() >= 2 * MOST {
            return Err("there are too many witnesses and groups");
        }
        self.defined.insert(name.to_owned(), Some(member));
        Ok(())
    }

    /// Takes a definition as a member. It cannot be a member of another group.
    fn take(&mut self, name: &str) -> Result<Member, &'static str> {
        let named = self.defined.get_mut(name).ok_or("no line before it defines this name")?;
        named.take().ok_or("this name is a member already")
    }
}
