//! How often networks were counted today: never less than they were, whoever asks not to be recognized.

use std::collections::HashMap;
use std::hash::RandomState;
use std::net::IpAddr;

use base::PlanId;
use delivery::EventKind;
use market::{Identity, PassingNetworks};
use proptest::prelude::*;

use super::T;

/// A network and a plan, whether it is a click, whether its visitor may be stored, a host, and what becomes of it.
fn event() -> impl Strategy<Value = (u8, i64, bool, bool, u8, u8)> {
    (0_u8..3, 0_i64..2, any::<bool>(), any::<bool>(), any::<u8>(), 0_u8..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_network_is_counted_whatever_it_says_of_itself(
        events in prop::collection::vec(event(), 1..120),
    ) {
        let mut networks = PassingNetworks::new(RandomState::new);
        let mut known: HashMap<_, [i64; 2]> = HashMap::new();
        for (network, plan, clicked, named, host, fate) in events {
            let kind = if clicked { EventKind::Click } else { EventKind::Impression };
            let identity = if named { Identity::Stored } else { Identity::Withheld };
            let address = IpAddr::from([203, 0, network, host]);
            let counted = networks.count((PlanId(plan), kind), address, identity, T);
            let [stored, withheld] = known.entry((network, plan, clicked)).or_default();
            // The database knows those that are stored.
            prop_assert_eq!(counted.before, if named { *withheld } else { *stored + *withheld });
            if fate == 0 {
                networks.take_back(&counted, T);
            } else if named {
                *stored += 1;
            } else {
                *withheld += 1;
            }
        }
    }
}
