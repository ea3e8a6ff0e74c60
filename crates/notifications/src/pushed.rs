//! Which notices are pushed to devices on which the app is not open.

use crate::NoticeKind;

/// The kinds that a device receives, as its user chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushKinds {
    pub money: bool,
    pub sign_in: bool,
    pub service: bool,
    pub rules: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushKind {
    /// Money that came, went, or was refused.
    Money,
    /// Somebody signed in to the account.
    SignIn,
    /// Customer service has answered.
    Service,
    /// A rule of a plan applies.
    Rules,
}

impl PushKinds {
    pub const ALL: Self = Self { money: true, sign_in: true, service: true, rules: true };

    pub const fn has(self, kind: PushKind) -> bool {
        match kind {
            PushKind::Money => self.money,
            PushKind::SignIn => self.sign_in,
            PushKind::Service => self.service,
            PushKind::Rules => self.rules,
        }
    }
}

impl NoticeKind {
    /// The kind as which this notice is pushed; `None` if it waits until the app is opened.
    pub const fn pushed(&self) -> Option<PushKind> {
        match self {
            Self::ExchangeCompleted { .. }
            | Self::ExchangeCancelled { .. }
            | Self::RechargeCredited { .. }
            | Self::RechargeRejected { .. }
            | Self::RechargeExpired { .. }
            | Self::Chargeback { .. }
            | Self::ChargebackDue { .. }
            | Self::ChargebackCollected { .. }
            | Self::ChargebackWaived { .. }
            | Self::DeliveryRefunded { .. }
            | Self::PlanSettled { .. }
            | Self::WithdrawalApproved { .. }
            | Self::WithdrawalPaid { .. }
            | Self::WithdrawalRejected { .. }
            | Self::StartupAdvanced { .. }
            | Self::StartupReturned { .. }
            | Self::PromotionGranted { .. }
            | Self::PromotionRevoked { .. } => Some(PushKind::Money),
            Self::NewDevice { .. } | Self::StaffEntered { .. } => Some(PushKind::SignIn),
            Self::FeedbackAnswered { .. } | Self::ServiceAnswered {} => Some(PushKind::Service),
            Self::RuleBudgetUsed { .. }
            | Self::RuleConversionCost { .. }
            | Self::RuleNoConversion { .. }
            | Self::RuleLoss { .. }
            | Self::RuleNotShown { .. }
            | Self::PausedBudgetUsed { .. }
            | Self::PausedConversionCost { .. }
            | Self::PausedNoConversion { .. }
            | Self::PausedLoss { .. }
            | Self::PausedNotShown { .. } => Some(PushKind::Rules),
            Self::CouponReceived { .. }
            | Self::CouponGranted { .. }
            | Self::VipSubscribed { .. }
            | Self::LevelReached { .. }
            | Self::ExchangePut { .. }
            | Self::PlanOffered { .. }
            | Self::PlanFollowed { .. }
            | Self::PlanPutting { .. }
            | Self::PlanFailed { .. }
            | Self::PlanRejected { .. }
            | Self::PlanFinished { .. }
            | Self::PlanWaitingSettlement { .. }
            | Self::StoreOpened {}
            | Self::AccountActivated {}
            | Self::AccountDisabled {}
            | Self::PasswordChanged {}
            | Self::PasswordResetAllowed { .. }
            | Self::PasswordReset {}
            | Self::PayPasswordSet {}
            | Self::PayPasswordChanged {}
            | Self::PayPasswordLocked {}
            | Self::PayPasswordReset {}
            | Self::BankCardChanged { .. }
            | Self::PayoutsHeld { .. }
            | Self::EmailChanged { .. }
            | Self::PhoneChanged { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Money;

    use super::*;

    #[test]
    fn each_kind_is_asked_for_by_itself() {
        let money = PushKinds { money: true, ..PushKinds::default() };
        let sign_in = PushKinds { sign_in: true, ..PushKinds::default() };
        let service = PushKinds { service: true, ..PushKinds::default() };
        let rules = PushKinds { rules: true, ..PushKinds::default() };
        let all = [PushKind::Money, PushKind::SignIn, PushKind::Service, PushKind::Rules];
        let which = |kinds: PushKinds| all.map(|kind| kinds.has(kind));
        assert_eq!(which(money), [true, false, false, false]);
        assert_eq!(which(sign_in), [false, true, false, false]);
        assert_eq!(which(service), [false, false, true, false]);
        assert_eq!(which(rules), [false, false, false, true]);
        assert_eq!((which(PushKinds::ALL), which(PushKinds::default())), ([true; 4], [false; 4]));
    }

    #[test]
    fn a_notice_is_sent_for_what_it_tells_of() {
        assert_eq!(NoticeKind::WithdrawalPaid { amount: Money::ZERO }.pushed(), Some(PushKind::Money));
        assert_eq!(NoticeKind::ServiceAnswered {}.pushed(), Some(PushKind::Service));
        assert_eq!(NoticeKind::LevelReached { level: 2 }.pushed(), None);
    }
}
