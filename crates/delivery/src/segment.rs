//! Parts of an audience that are learned about separately: slots that name a device or an
//! interest, and the rest.

use std::collections::BTreeMap;
use std::fmt;

use crate::Audience;

/// One part. A slot belongs to the first of a plan's parts that contains it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    Device(String),
    Interest(String),
    /// Every slot that is in no other part.
    Rest,
}

impl Segment {
    pub fn holds(&self, audience: &Audience) -> bool {
        let named = |list: &[String], name: &str| list.iter().any(|one| one.eq_ignore_ascii_case(name));
        match self {
            Self::Device(name) => named(&audience.devices, name),
            Self::Interest(name) => named(&audience.interests, name),
            Self::Rest => true,
        }
    }

    /// Parses the stored form.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some(("device", name)) => Some(Self::Device(name.to_owned())),
            Some(("interest", name)) => Some(Self::Interest(name.to_owned())),
            _ => (text == "rest").then_some(Self::Rest),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(name) => write!(f, "device:{name}"),
            Self::Interest(name) => write!(f, "interest:{name}"),
            Self::Rest => f.write_str("rest"),
        }
    }
}

/// Divides the slots' audiences into at most this many parts, the last of which is the rest. Each part is what the
/// largest number of the remaining slots name, but not all of them.
pub fn divide(slots: &[&Audience], most: usize) -> Vec<Segment> {
    let mut left: Vec<&Audience> = slots.to_vec();
    let mut parts = Vec::new();
    while parts.len() + 1 < most
        && let Some(part) = most_named(&left)
    {
        left.retain(|audience| !part.holds(audience));
        parts.push(part);
    }
    parts.push(Segment::Rest);
    parts
}

fn most_named(slots: &[&Audience]) -> Option<Segment> {
    let mut named = BTreeMap::<Segment, usize>::new();
    for audience in slots {
        let devices = audience.devices.iter().map(|name| Segment::Device(name.to_ascii_lowercase()));
        let interests = audience.interests.iter().map(|name| Segment::Interest(name.to_ascii_lowercase()));
        for segment in devices.chain(interests) {
            *named.entry(segment).or_default() += 1;
        }
    }
    let dividing = named.into_iter().filter(|(_, count)| *count < slots.len());
    // Ties are broken by order, independent of the order of the slots.
    dividing.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(segment, _)| segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audience(devices: &[&str], interests: &[&str]) -> Audience {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Audience { devices: list(devices), interests: list(interests), ..Audience::default() }
    }

    #[test]
    fn what_most_slots_name_comes_first_and_the_rest_last() {
        let slots = [
            audience(&[], &[]),
            audience(&["mobile", "desktop"], &["sports", "food"]),
            audience(&["Mobile", "desktop"], &["travel"]),
            audience(&["mobile"], &["games", "food"]),
        ];
        let slots: Vec<&Audience> = slots.iter().collect();
        let parts = |most| divide(&slots, most).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(parts(1), ["rest"]);
        assert_eq!(parts(2), ["device:mobile", "rest"]);
        assert_eq!(parts(8), ["device:mobile", "rest"], "what is left names nothing");
    }

    #[test]
    fn what_all_name_divides_nothing() {
        let slots = [audience(&["mobile"], &["food"]), audience(&["mobile"], &["travel"])];
        let slots: Vec<&Audience> = slots.iter().collect();
        assert_eq!(divide(&slots, 3), [Segment::Interest("food".into()), Segment::Rest]);
        assert_eq!(divide(&[], 3), [Segment::Rest]);
    }

    #[test]
    fn what_was_written_is_read_back() {
        for segment in [Segment::Device("tv".into()), Segment::Interest("a:b".into()), Segment::Rest] {
            assert_eq!(Segment::parse(&segment.to_string()), Some(segment));
        }
        assert_eq!(Segment::parse("region:de"), None);
    }
}
