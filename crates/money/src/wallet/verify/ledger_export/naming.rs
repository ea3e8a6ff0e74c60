//! The names of account owners in an export: real names, or pseudonyms. A pseudonym is the same in every export of this
//! installation, and nobody without its secret can trace it back.

use std::collections::BTreeMap;

use auth::Sealer;
use base::{OperatorId, hex};
use documents::component;
use store::wallet::books::Owner;
use wallet::{Account, DocumentKind};

use super::owner_of;

const PURPOSE: &str = "placard ledger export 1";
/// The number of a pseudonym's bytes. Among a million owners, hardly any two share a pseudonym of this length.
const BYTES: usize = 10;

pub(super) struct Naming {
    sealer: Sealer,
    open: bool,
}

impl Naming {
    pub const fn new(sealer: Sealer, open: bool) -> Self {
        Self { sealer, open }
    }

    /// Whether real names are written.
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// The last part of the name of an owner's accounts: `7-mia`, or a pseudonym in capitals, because each part begins
    /// with a capital or a digit.
    pub fn owner(&self, owner: Owner, name: Option<&str>) -> String {
        if !self.open {
            return self.pseudonym(&owner.to_string());
        }
        match component(name.unwrap_or_default()) {
            name if name.is_empty() => owner.id().to_string(),
            name => format!("{}-{name}", owner.id()),
        }
    }

    fn pseudonym(&self, who: &str) -> String {
        let seal = self.sealer.seal(PURPOSE, who.as_bytes());
        hex::encode(seal.get(..BYTES).unwrap_or(&seal)).to_uppercase()
    }

    pub fn book(&self, owner: Owner, name: Option<&str>) -> String {
        format!("{} {}", kind_of(owner), self.owner(owner, name))
    }

    /// `user:7`, `operator:3` or `system`.
    pub fn actor(&self, actor: &str, operators: &BTreeMap<OperatorId, String>) -> String {
        let Some((kind, id)) = actor.split_once(':') else { return actor.to_owned() };
        if !self.open {
            return format!("{kind} {}", self.pseudonym(actor));
        }
        match id.parse().ok().and_then(|id: OperatorId| operators.get(&id)).filter(|_| kind == "operator") {
            Some(name) => format!("{kind} {id} {name}"),
            None => format!("{kind} {id}"),
        }
    }

    /// A document's kind and number; for some kinds, the number is that of a user.
    pub fn document(&self, kind: &str, number: i64) -> String {
        let of_user =
            [DocumentKind::Deposit, DocumentKind::Startup, DocumentKind::Vip].iter().any(|one| one.name() == kind);
        match of_user && !self.open {
            true => format!("{kind} {}", self.pseudonym(&format!("user:{number}"))),
            false => format!("{kind} {number}"),
        }
    }
}

const fn kind_of(owner: Owner) -> &'static str {
    match owner {
        Owner::User(_) => "user",
        Owner::Advertiser(_) => "advertiser",
        Owner::Publisher(_) => "publisher",
    }
}

/// An account's heading, followed by its owner.
pub(super) fn account_name(account: Account, named: impl Fn(Owner) -> String) -> String {
    match owner_of(account) {
        Some(owner) => format!("{}:{}", account.heading(), named(owner)),
        None => account.heading().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use auth::Secrets;
    use base::{AdvertiserId, PublisherId, UserId};

    use super::*;

    fn secrets(byte: u8) -> Secrets {
        Secrets::new([byte; 32], [byte; 32], [byte; 32])
    }

    fn naming(secrets: &Secrets, open: bool) -> Naming {
        Naming::new(secrets.sealer(), open)
    }

    #[test]
    fn a_pseudonym_is_the_same_each_time_and_anothers_in_another_installation() {
        let (here, there) = (secrets(1), secrets(2));
        let all = [Owner::User(UserId(7)), Owner::Advertiser(AdvertiserId(7)), Owner::Publisher(PublisherId(7))];
        let of = |secrets: &Secrets| all.map(|owner| naming(secrets, false).owner(owner, Some("mia")));
        assert_eq!(of(&here), of(&here));
        let mut names = [of(&here), of(&there)].concat();
        assert!(names.iter().all(|name| name.len() == 2 * BYTES && !name.to_lowercase().contains("mia")), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 6);
    }

    #[test]
    fn nothing_tells_who_somebody_is_unless_names_are_wanted() {
        let secrets = secrets(1);
        let operators = BTreeMap::from([(OperatorId(3), "ann".to_owned())]);
        let (hidden, open) = (naming(&secrets, false), naming(&secrets, true));
        for said in
            [hidden.actor("operator:3", &operators), hidden.document("vip", 7), hidden.actor("user:7", &operators)]
        {
            let (_, who) = said.split_once(' ').expect("two words");
            assert_eq!(who.len(), 2 * BYTES, "{said}");
        }
        assert_eq!(hidden.document("vip", 7), hidden.actor("user:7", &operators).replace("user", "vip"));
        assert_eq!(
            (hidden.document("plan", 7), hidden.actor("system", &operators)),
            ("plan 7".into(), "system".into())
        );
        assert_eq!(open.actor("operator:3", &operators), "operator 3 ann");
        assert_eq!(
            (open.actor("operator:4", &operators), open.actor("user:3", &operators)),
            ("operator 4".into(), "user 3".into())
        );
        assert_eq!(open.document("vip", 7), "vip 7");
        assert_eq!(open.owner(Owner::User(UserId(7)), Some("mia: x")), "7-mia-x");
        assert_eq!(
            (open.owner(Owner::User(UserId(7)), Some("😀")), open.owner(Owner::User(UserId(7)), None)),
            ("7".into(), "7".into())
        );
    }
}
