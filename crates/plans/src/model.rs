//! The words plans are described in, with their stable numbers and names.

/// A number or name that stands for nothing of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown code {0}")]
pub struct UnknownCode(pub i16);

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The number kept in the database; never reused.
            pub const fn code(self) -> i16 {
                match self { $(Self::$variant => $code),+ }
            }

            /// The snake_case name that clients see.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.name() == name)
            }
        }

        impl TryFrom<i16> for $name {
            type Error = UnknownCode;
            fn try_from(code: i16) -> Result<Self, UnknownCode> {
                match code { $($code => Ok(Self::$variant),)+ other => Err(UnknownCode(other)) }
            }
        }
    };
}

named!(
    /// Where a plan stands, in the order of its life.
    Status {
        WaitingToPut = 0 "waiting_to_put",
        Matching = 1 "matching",
        Putting = 2 "putting",
        PutFailed = 3 "put_failed",
        PutFinished = 4 "put_finished",
        WaitingSettlement = 5 "waiting_settlement",
        Settled = 6 "settled",
    }
);

named!(
    /// Why a plan stands there.
    Cause {
        Offered = 1 "offered",
        Put = 2 "put",
        FirstDelivery = 3 "first_delivery",
        NoSupply = 4 "no_supply",
        Rejected = 5 "rejected",
        BudgetUsed = 6 "budget_used",
        EndDate = 7 "end_date",
        StoppedByUser = 8 "stopped_by_user",
        DeliveriesClosed = 9 "deliveries_closed",
        WindowClosed = 10 "window_closed",
    }
);

named!(
    /// What is shown of a product.
    ContentType {
        Video = 1 "video",
        LandingPage = 2 "landing_page",
        GameDescription = 3 "game_description",
    }
);

named!(
    /// What a price is the price of.
    Pricing {
        /// A thousand impressions.
        Cpm = 1 "cpm",
        /// One click.
        Cpc = 2 "cpc",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back() {
        for status in Status::ALL {
            assert_eq!(Status::try_from(status.code()), Ok(*status));
            assert_eq!(Status::from_name(status.name()), Some(*status));
        }
        assert_eq!(Status::try_from(99), Err(UnknownCode(99)));
        assert_eq!(Pricing::from_name("cpa"), None);
    }
}
