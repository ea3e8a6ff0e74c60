//! The conversation between one user and customer service.
//!
//! For each side, a mark says up to which message it has read. A mark only moves forward, and never beyond the last
//! message, so marks that arrive late or twice change nothing.

use base::invisible::shows_something;
use base::typed::broken_plainly;
use base::{Timestamp, coded};

coded!(
    /// Who wrote a message.
    Author as "MessageAuthor" {
        User = 1 "user",
        Staff = 2 "staff",
    }
);

coded!(
    /// Whether staff consider it finished. The next message opens it again.
    ConversationStatus {
        Open = 1 "open",
        Closed = 2 "closed",
    }
);

/// The longest message, in characters.
pub const LONGEST_MESSAGE: usize = 2_000;
/// The most pictures in one message.
pub const PICTURES_AT_MOST: usize = 4;
/// The most messages that a user may write in an hour.
pub const MESSAGES_PER_HOUR: usize = 60;
const HOUR: i64 = 3_600;

/// The text of a message as it is stored, or the key of what is wrong with it. A message with pictures needs no text.
///
/// # Errors
/// `required`, `too_long`; `invalid` for control characters.
pub fn message_text(typed: &str, pictures: usize) -> Result<String, &'static str> {
    let text = broken_plainly(typed).trim().to_owned();
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.chars().count() {
        _ if !shows_something(&text) => {
            if pictures == 0 {
                Err("required")
            } else {
                Ok(String::new())
            }
        }
        n if n > LONGEST_MESSAGE => Err("too_long"),
        _ if text.chars().any(odd) => Err("invalid"),
        _ => Ok(text),
    }
}

/// Seconds until the user may write again, given the times of the latest messages, oldest
/// first; `None` if there is no need to wait.
pub fn seconds_to_wait(recent: &[Timestamp], now: Timestamp) -> Option<i64> {
    let first = recent.get(recent.len().checked_sub(MESSAGES_PER_HOUR)?)?;
    let left = HOUR.saturating_sub(now.seconds().saturating_sub(first.seconds()));
    (left > 0).then_some(left)
}

/// The state of a conversation. Messages have ascending ids; 0 is before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversation {
    pub status: ConversationStatus,
    pub last_by_user: i64,
    pub last_by_staff: i64,
    pub read_by_user: i64,
    pub read_by_staff: i64,
}

impl Conversation {
    pub const NEW: Self =
        Self { status: ConversationStatus::Open, last_by_user: 0, last_by_staff: 0, read_by_user: 0, read_by_staff: 0 };

    /// The id of the last message.
    pub fn last(self) -> i64 {
        self.last_by_user.max(self.last_by_staff)
    }

    /// The conversation after a message. The message opens a closed conversation. Writing does not mean having read:
    /// messages may cross.
    #[must_use]
    pub fn with_message(self, by: Author, id: i64) -> Self {
        let open = Self { status: ConversationStatus::Open, ..self };
        match by {
            Author::User => Self { last_by_user: id.max(self.last_by_user), ..open },
            Author::Staff => Self { last_by_staff: id.max(self.last_by_staff), ..open },
        }
    }

    /// The conversation after one side has read up to and including a message.
    #[must_use]
    pub fn read(self, by: Author, until: i64) -> Self {
        let until = until.min(self.last());
        match by {
            Author::User => Self { read_by_user: until.max(self.read_by_user), ..self },
            Author::Staff => Self { read_by_staff: until.max(self.read_by_staff), ..self },
        }
    }

    /// The conversation when it is closed; `None` if it is closed already.
    pub fn closed(self) -> Option<Self> {
        let open = self.status == ConversationStatus::Open;
        open.then_some(Self { status: ConversationStatus::Closed, ..self })
    }

    /// Whether staff have something to do: read a message, even in a closed conversation,
    /// or answer one in an open conversation.
    pub fn waits_for_staff(self) -> bool {
        let unanswered = self.status == ConversationStatus::Open && self.last_by_user > self.last_by_staff;
        self.last_by_user > self.read_by_staff || unanswered
    }

    /// Whether to announce a new answer to the user: only the first one since the user last read.
    pub fn announces_answer(self) -> bool {
        self.last_by_staff <= self.read_by_user
    }

    /// Whether a message was read by the side that did not write it.
    pub fn is_read(self, author: Author, id: i64) -> bool {
        id <= match author {
            Author::User => self.read_by_staff,
            Author::Staff => self.read_by_user,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_trimmed_and_measured_in_characters() {
        for copied in [" Hello,\r\nthere \n", "Hello,\u{b}there", "Hello,\rthere\u{c}"] {
            assert_eq!(message_text(copied, 0), Ok("Hello,\nthere".to_owned()));
        }
        assert_eq!(message_text("ä".repeat(LONGEST_MESSAGE).as_str(), 0).map(|text| text.len()), Ok(4_000));
        assert_eq!(message_text("ä".repeat(LONGEST_MESSAGE + 1).as_str(), 0), Err("too_long"));
        for nothing in ["", " ", "\n\t \r\n", "\u{200b}", "\u{2800}\n"] {
            assert_eq!(message_text(nothing, 0), Err("required"));
            assert_eq!(message_text(nothing, 1), Ok(String::new()));
        }
        for odd in ["a\u{1b}[2Jb", "a\u{0}b", "a\u{9b}b"] {
            assert_eq!(message_text(odd, 0), Err("invalid"), "{odd:?}");
        }
    }

    #[test]
    fn an_hour_has_its_measure() {
        let now = Timestamp::from_seconds(10_000);
        let written = |count| vec![now.plus_seconds(-600); count];
        assert_eq!(seconds_to_wait(&written(MESSAGES_PER_HOUR - 1), now), None);
        assert_eq!(seconds_to_wait(&written(MESSAGES_PER_HOUR), now), Some(3_000));
        assert_eq!(seconds_to_wait(&written(MESSAGES_PER_HOUR), now.plus_seconds(3_000)), None);
    }

    #[test]
    fn staff_have_to_read_and_to_answer() {
        let asked = Conversation::NEW.with_message(Author::User, 1);
        assert!(asked.waits_for_staff());
        let read = asked.read(Author::Staff, 1);
        assert!(read.waits_for_staff() && read.is_read(Author::User, 1));
        let answered = read.with_message(Author::Staff, 2);
        assert!(!answered.waits_for_staff() && !answered.is_read(Author::Staff, 2));
        // A message that crossed with the answer is unread, and closing the conversation does not lose it.
        let crossed = read.with_message(Author::User, 2).with_message(Author::Staff, 3);
        assert!(crossed.waits_for_staff());
        assert!(crossed.closed().is_some_and(Conversation::waits_for_staff));
        assert!(!crossed.read(Author::Staff, 3).waits_for_staff());
    }

    #[test]
    fn closing_is_over_with_the_next_message() {
        let closed = Conversation::NEW.with_message(Author::User, 1).read(Author::Staff, 1).closed().expect("closed");
        assert!(!closed.waits_for_staff());
        assert_eq!(closed.closed(), None);
        assert_eq!(closed.with_message(Author::User, 2).status, ConversationStatus::Open);
        assert_eq!(closed.with_message(Author::Staff, 2).status, ConversationStatus::Open);
    }

    #[test]
    fn only_the_first_unread_answer_is_announced() {
        let asked = Conversation::NEW.with_message(Author::User, 1);
        assert!(asked.announces_answer());
        let answered = asked.with_message(Author::Staff, 2);
        assert!(!answered.announces_answer());
        assert!(answered.read(Author::User, 2).announces_answer());
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Write(Author),
        Read(Author, i64),
        Close,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let author = prop_oneof![Just(Author::User), Just(Author::Staff)];
        let step = prop_oneof![
            author.clone().prop_map(Step::Write),
            (author, -2..40_i64).prop_map(|(by, until)| Step::Read(by, until)),
            Just(Step::Close),
        ];
        proptest::collection::vec(step, 0..40)
    }

    proptest! {
        #[test]
        fn marks_move_forward_and_never_past_the_last_message(steps in steps()) {
            let (mut now, mut next) = (Conversation::NEW, 1);
            for step in steps {
                let before = now;
                now = match step {
                    Step::Write(by) => { next += 1; now.with_message(by, next) }
                    Step::Read(by, until) => now.read(by, until),
                    Step::Close => now.closed().unwrap_or(now),
                };
                prop_assert!(now.read_by_user >= before.read_by_user && now.read_by_staff >= before.read_by_staff);
                prop_assert!(now.read_by_user <= now.last() && now.read_by_staff <= now.last());
                prop_assert!(now.last() >= before.last());
                if let Step::Read(by, until) = step {
                    prop_assert_eq!(now.read(by, until), now, "twice is once");
                }
            }
        }
    }
}
