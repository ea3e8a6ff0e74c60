//! The status of an account, and how its user came to us.

use base::coded;

coded!(
    /// Whether an account may be used.
    AccountStatus {
        Active = 1 "active",
        NotActivated = 2 "not_activated",
        Disabled = 3 "disabled",
        Cancelled = 4 "cancelled",
    }
);

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
    pub fn may_act(self) -> Result<(), Barred> {
        match self {
            Self::Active => Ok(()),
            Self::NotActivated => Err(Barred::NotActivated),
            Self::Disabled => Err(Barred::Disabled),
            Self::Cancelled => Err(Barred::Cancelled),
        }
    }

    /// Whether the user may write to customer service. Users of accounts that are not activated or disabled are sent
    /// there.
    pub fn may_ask(self) -> Result<(), Barred> {
        match self {
            Self::Active | Self::NotActivated | Self::Disabled => Ok(()),
            Self::Cancelled => Err(Barred::Cancelled),
        }
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
    #[error("the account is cancelled permanently")]
    Cancelled,
    #[error("the account is already {}", .0.name())]
    Already(AccountStatus),
}

coded!(
    /// How the user came: by our own registration, or from the provider's native
    /// shell, which then handles signing in and out.
    Entry {
        Register = 1 "register",
        App = 2 "app",
    }
);

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
    fn all_but_cancelled_ones_ask_customer_service() {
        for status in AccountStatus::ALL {
            let cancelled = *status == AccountStatus::Cancelled;
            assert_eq!(status.may_ask(), if cancelled { Err(Barred::Cancelled) } else { Ok(()) });
        }
    }

    #[test]
    fn names_are_read_back() {
        for status in AccountStatus::ALL {
            assert_eq!(AccountStatus::from_name(status.name()), Some(*status));
            assert_eq!(AccountStatus::try_from(status.code()), Ok(*status));
        }
        assert_eq!(AccountStatus::from_name("Active"), None);
        for entry in Entry::ALL {
            assert_eq!(Entry::try_from(entry.code()), Ok(*entry));
        }
        // As the app is told.
        assert_eq!((Entry::Register.name(), Entry::App.name()), ("register", "app"));
    }

    #[test]
    fn cancelled_is_for_good() {
        for to in AccountStatus::ALL {
            assert_eq!(AccountStatus::Cancelled.change_to(*to), Err(CannotChange::Cancelled));
        }
        assert_eq!(AccountStatus::Active.change_to(AccountStatus::Disabled), Ok(AccountStatus::Disabled));
        assert_eq!(
            AccountStatus::Active.change_to(AccountStatus::Active),
            Err(CannotChange::Already(AccountStatus::Active))
        );
    }
}
