//! The code with which a user who forgot the login password sets another. Two operators are shown one half each and
//! read it to the user, so that neither of them has the code.

use base::{RequestId, Timestamp, UserId, coded, keyed_hash};
use subtle::ConstantTimeEq;

use super::{GROUP, in_groups, letters};
use crate::secrets::Secrets;
use crate::session::Digest;

/// The number of letters in each half, with forty bits in total.
const LETTERS: usize = 8;
const VALID_SECONDS: i64 = 86_400;
/// A code is void after this many wrong tries with one right half. Other tries do not count, so that no stranger can end
/// somebody's code: nobody guesses a half.
const TRIES: i16 = 5;

coded!(
    /// The state of a code.
    ResetStatus {
        Open = 0 "open",
        Used = 1 "used",
        /// Too many wrong codes were tried.
        TriedOut = 2 "tried_out",
        /// A newer code was requested.
        Replaced = 3 "replaced",
    }
);

/// The operator to whom a half of a code is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Asker,
    Approver,
}

impl Side {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Approver => "approver",
        }
    }
}

/// Whose code it is, and the request for it.
pub type CodeOf = (UserId, RequestId);

/// When a code that is approved now expires.
pub const fn good_until(now: Timestamp) -> Timestamp {
    now.plus_seconds(VALID_SECONDS)
}

/// The status of a code after this many wrong tries with one right half.
pub const fn after(wrong_tries: i16) -> ResetStatus {
    if wrong_tries < TRIES { ResetStatus::Open } else { ResetStatus::TriedOut }
}

/// A half as it is shown: two groups of four letters.
pub fn half(random: &[u8; LETTERS]) -> String {
    in_groups(random)
}

/// The keyed hash by which a half of a code is kept. Reading the database is not enough to use it, and neither is
/// writing it: a hash fits no other user, no other request, and not in the place of the other half.
pub fn digest(half: &str, side: Side, (user, request): CodeOf, secrets: &Secrets) -> Digest {
    let half: String = letters(half).into_iter().collect();
    let covered = format!("login reset half|{}|{user}|{request}|{half}", side.name());
    keyed_hash(secrets.pepper(), &[covered.as_bytes()])
}

/// How many halves of a typed code are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightHalves {
    Both,
    /// By somebody who was told it, or has guessed forty bits.
    One,
    Neither,
}

/// Compares a typed code with its halves, whose digests are `kept`: the asker's and the approver's.
pub fn compare(typed: &str, of: CodeOf, secrets: &Secrets, kept: [&[u8]; 2]) -> RightHalves {
    let Some([first, second]) = halves(typed) else { return RightHalves::Neither };
    let [asker, approver] = kept;
    let is_askers = |half: &str| digest(half, Side::Asker, of, secrets).as_slice().ct_eq(asker);
    let is_approvers = |half: &str| digest(half, Side::Approver, of, secrets).as_slice().ct_eq(approver);
    let in_order = (is_askers(&first), is_approvers(&second));
    let swapped = (is_askers(&second), is_approvers(&first));
    let both = (in_order.0 & in_order.1) | (swapped.0 & swapped.1);
    let any = in_order.0 | in_order.1 | swapped.0 | swapped.1;
    match (bool::from(both), bool::from(any)) {
        (true, _) => RightHalves::Both,
        (false, true) => RightHalves::One,
        (false, false) => RightHalves::Neither,
    }
}

/// Both halves of a typed code, in either order and however they are separated; `None` if it does not have exactly two.
fn halves(typed: &str) -> Option<[String; 2]> {
    let all = letters(typed);
    let (first, second) = all.split_at_checked(LETTERS).filter(|(_, second)| second.len() == LETTERS)?;
    Some([first, second].map(|half| half.iter().collect()))
}

const _: () = assert!(LETTERS.is_multiple_of(GROUP));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_are_read_however_they_were_typed() {
        let (one, other) = (half(&[1, 2, 3, 4, 5, 6, 7, 8]), half(&[0, 17, 18, 19, 20, 21, 22, 1]));
        assert_eq!((one.as_str(), other.as_str()), ("1234-5678", "0HJK-MNP1"));
        let whole = Some(["12345678".to_owned(), "0HJKMNP1".to_owned()]);
        for typed in [format!("{one} {other}"), format!("{one}{other}"), " 1234 5678 – ohjk.mnpl\n".to_owned()] {
            assert_eq!(halves(&typed), whole, "{typed}");
        }
        for typed in ["", "1234-5678", "1234-5678-0HJK-MNP", "1234-5678-0HJK-MNP12"] {
            assert_eq!(halves(typed), None, "{typed}");
        }
    }

    const OF: CodeOf = (UserId(3), RequestId(7));

    #[test]
    fn a_half_fits_its_own_user_request_place_and_secrets_alone() {
        let secrets = |pepper| Secrets::new([pepper; 32], [2; 32], [3; 32]);
        let of = |half, side, of| digest(half, side, of, &secrets(1));
        let kept = of("1234-5678", Side::Asker, OF);
        assert_eq!(of("i234 5678", Side::Asker, OF), kept);
        for other in [
            of("1234-5679", Side::Asker, OF),
            of("1234-5678", Side::Approver, OF),
            of("1234-5678", Side::Asker, (OF.0, RequestId(8))),
            of("1234-5678", Side::Asker, (UserId(4), OF.1)),
        ] {
            assert_ne!(other, kept);
        }
        assert_ne!(digest("1234-5678", Side::Asker, OF, &secrets(9)), kept);
    }

    #[test]
    fn it_takes_both_halves_in_either_order() {
        let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
        let kept = [("1234-5678", Side::Asker), ("0HJK-MNP1", Side::Approver)];
        let kept = kept.map(|(half, side)| digest(half, side, OF, &secrets));
        let right = |typed: &str| compare(typed, OF, &secrets, [&kept[0], &kept[1]]);
        // One half, copied to the place of the other, opens nothing.
        let copied = compare("1234-5678 1234-5678", OF, &secrets, [&kept[0], &kept[0]]);
        assert_eq!(copied, RightHalves::One);
        for both in ["1234-5678 0HJK-MNP1", "0hjkmnp112345678"] {
            assert_eq!(right(both), RightHalves::Both, "{both}");
        }
        for one in ["1234-5678 1234-5678", "0HJK-MNP1 0HJK-MNP1", "1234-5678 0HJK-MNP2", "0000-0000 1234-5678"] {
            assert_eq!(right(one), RightHalves::One, "{one}");
        }
        for neither in ["1234-5678", "", "0000-0000 0000-0000", "5678-1234 MNP1-0HJK"] {
            assert_eq!(right(neither), RightHalves::Neither, "{neither}");
        }
    }

    #[test]
    fn the_fifth_wrong_try_is_the_last() {
        assert_eq!((after(4), after(5), after(6)), (ResetStatus::Open, ResetStatus::TriedOut, ResetStatus::TriedOut));
    }
}
