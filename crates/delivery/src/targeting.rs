//! Whether a product's targeting fits a slot's audience.

/// The people a product is for, or a slot reaches. An empty list means everybody.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Audience {
    pub regions: Vec<String>,
    pub languages: Vec<String>,
    pub devices: Vec<String>,
    pub interests: Vec<String>,
}

/// True if each of the four lists is empty on one side, or shares an entry.
pub fn fits(wanted: &Audience, reached: &Audience) -> bool {
    shares(&wanted.regions, &reached.regions)
        && shares(&wanted.languages, &reached.languages)
        && shares(&wanted.devices, &reached.devices)
        && shares(&wanted.interests, &reached.interests)
}

fn shares(wanted: &[String], reached: &[String]) -> bool {
    wanted.is_empty() || reached.is_empty() || wanted.iter().any(|w| reached.iter().any(|r| w.eq_ignore_ascii_case(r)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(list: &[&str]) -> Audience {
        Audience { regions: list.iter().map(|r| (*r).to_owned()).collect(), ..Audience::default() }
    }

    #[test]
    fn an_open_side_fits_everything_and_a_closed_one_what_it_shares() {
        assert!(fits(&regions(&[]), &regions(&["DE"])));
        assert!(fits(&regions(&["DE"]), &regions(&[])));
        assert!(fits(&regions(&["DE", "AT"]), &regions(&["at"])));
        assert!(!fits(&regions(&["DE"]), &regions(&["FR"])));
    }

    #[test]
    fn one_side_that_is_not_shared_is_enough() {
        let named = |name: &str| vec![name.to_owned()];
        let all = |name| Audience {
            regions: named(name),
            languages: named(name),
            devices: named(name),
            interests: named(name),
        };
        let wanted = all("a");
        assert!(fits(&wanted, &all("a")));
        for reached in [
            Audience { regions: named("b"), ..all("a") },
            Audience { languages: named("b"), ..all("a") },
            Audience { devices: named("b"), ..all("a") },
            Audience { interests: named("b"), ..all("a") },
        ] {
            assert!(!fits(&wanted, &reached), "{reached:?}");
        }
    }
}
