//! Staff roles and their permissions.

base::coded!(Role {
    Support = 1 "support",
    Finance = 2 "finance",
    Admin = 3 "admin",
});

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
    pub const fn may(self, permission: Permission) -> bool {
        match (self, permission) {
            (Self::Admin, _) | (_, Permission::Accounts) | (Self::Finance, Permission::Money) => true,
            (Self::Support, Permission::Catalogue) => true,
            (Self::Support, Permission::Money | Permission::PayBarred | Permission::Operators) => false,
            (Self::Finance, Permission::Catalogue | Permission::PayBarred | Permission::Operators) => false,
        }
    }

    pub fn from_code(code: i16) -> Option<Self> {
        Self::try_from(code).ok()
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
        for role in Role::ALL.iter().copied() {
            for admins in [Permission::Operators, Permission::PayBarred] {
                assert_eq!(role.may(admins), role == Role::Admin);
            }
            assert_eq!(Role::from_name(role.name()), Some(role));
            assert_eq!(Role::from_code(role.code()), Some(role));
        }
    }
}
