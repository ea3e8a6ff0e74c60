//! The status of an account, and how its user came to us.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatus {
    Active,
    NotActivated,
    Disabled,
    Cancelled,
}

/// Why an account may not be used at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Barred {
    #[error("the account is not activated")]
    NotActivated,
    #[error("the account is disabled")]
    Disabled,
    #[error("the account is cancelled")]
    Cancelled,
}

impl AccountStatus {
    pub const ALL: [Self; 4] = [Self::Active, Self::NotActivated, Self::Disabled, Self::Cancelled];

    pub fn may_act(self) -> Result<(), Barred> {
        match self {
            Self::Active => Ok(()),
            Self::NotActivated => Err(Barred::NotActivated),
            Self::Disabled => Err(Barred::Disabled),
            Self::Cancelled => Err(Barred::Cancelled),
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::NotActivated => "not_activated",
            Self::Disabled => "disabled",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The number in the database.
    pub const fn code(self) -> i16 {
        match self {
            Self::Active => 1,
            Self::NotActivated => 2,
            Self::Disabled => 3,
            Self::Cancelled => 4,
        }
    }

    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// A cancelled account stays cancelled. Its name and history are kept.
    pub fn change_to(self, to: Self) -> Result<Self, CannotChange> {
        match self {
            Self::Cancelled => Err(CannotChange::Cancelled),
            from if from == to => Err(CannotChange::Already(to)),
            _ => Ok(to),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotChange {
    #[error("the account is cancelled, which is for good")]
    Cancelled,
    #[error("the account is already {}", .0.name())]
    Already(AccountStatus),
}

/// How the user came: by our own registration, or from the provider's native
/// shell, which then handles signing in and out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Register,
    App,
}

impl Entry {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::App => "app",
        }
    }

    /// The number in the database.
    pub const fn code(self) -> i16 {
        match self {
            Self::Register => 1,
            Self::App => 2,
        }
    }

    pub fn from_code(code: i16) -> Option<Self> {
        [Self::Register, Self::App].into_iter().find(|entry| entry.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_active_accounts_act() {
        assert_eq!(AccountStatus::Active.may_act(), Ok(()));
        assert_eq!(AccountStatus::NotActivated.may_act(), Err(Barred::NotActivated));
        assert_eq!(AccountStatus::Disabled.may_act(), Err(Barred::Disabled));
        assert_eq!(AccountStatus::Cancelled.may_act(), Err(Barred::Cancelled));
    }

    #[test]
    fn names_are_read_back() {
        for status in AccountStatus::ALL {
            assert_eq!(AccountStatus::parse(status.name()), Some(status));
            assert_eq!(AccountStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(AccountStatus::parse("Active"), None);
        for entry in [Entry::Register, Entry::App] {
            assert_eq!(Entry::from_code(entry.code()), Some(entry));
        }
        // As the app is told.
        assert_eq!((Entry::Register.name(), Entry::App.name()), ("register", "app"));
    }

    #[test]
    fn cancelled_is_for_good() {
        for to in AccountStatus::ALL {
            assert_eq!(AccountStatus::Cancelled.change_to(to), Err(CannotChange::Cancelled));
        }
        assert_eq!(AccountStatus::Active.change_to(AccountStatus::Disabled), Ok(AccountStatus::Disabled));
        assert_eq!(
            AccountStatus::Active.change_to(AccountStatus::Active),
            Err(CannotChange::Already(AccountStatus::Active))
        );
    }
}
