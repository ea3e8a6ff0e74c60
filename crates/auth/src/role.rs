//! Staff roles and their permissions.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Support,
    Finance,
    Admin,
}

/// What a staff command requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// View data, and help users with their accounts.
    Accounts,
    /// Request, approve, pay and correct money.
    Money,
    /// Advertisers, products, slots, plans, coupons, acceptors, notices.
    Catalogue,
    /// Pay out money of an account that is not active.
    PayBarred,
    /// Manage other operators.
    Operators,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Support, Self::Finance, Self::Admin];

    pub const fn may(self, permission: Permission) -> bool {
        match (self, permission) {
            (Self::Admin, _) | (_, Permission::Accounts) | (Self::Finance, Permission::Money) => true,
            (Self::Support, Permission::Catalogue) => true,
            (Self::Support, Permission::Money | Permission::PayBarred | Permission::Operators) => false,
            (Self::Finance, Permission::Catalogue | Permission::PayBarred | Permission::Operators) => false,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Finance => "finance",
            Self::Admin => "admin",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The number in the database.
    pub const fn code(self) -> i16 {
        match self {
            Self::Support => 1,
            Self::Finance => 2,
            Self::Admin => 3,
        }
    }

    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn support_moves_no_money_and_finance_runs_no_catalogue() {
        assert!(!Role::Support.may(Permission::Money));
        assert!(!Role::Finance.may(Permission::Catalogue));
        assert!(Role::Finance.may(Permission::Money));
        for role in Role::ALL {
            for admins in [Permission::Operators, Permission::PayBarred] {
                assert_eq!(role.may(admins), role == Role::Admin);
            }
            assert_eq!(Role::parse(role.name()), Some(role));
            assert_eq!(Role::from_code(role.code()), Some(role));
        }
    }
}
