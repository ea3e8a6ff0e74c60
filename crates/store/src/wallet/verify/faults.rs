//! What is wrong, in words, and which of the laws it breaks.

/// Faults beyond this many are counted and not listed.
const LISTED: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// Every transaction's hash matches its content and the one before it.
    Chain,
    /// Stored figures equal the sums of their entries.
    Balances,
    /// All other columns.
    Rows,
}

#[derive(Debug, Default)]
pub(super) struct Faults {
    listed: Vec<String>,
    more: usize,
    chain: bool,
    balances: bool,
}

impl Faults {
    pub fn add(&mut self, law: Law, text: impl FnOnce() -> String) {
        match law {
            Law::Chain => self.chain = true,
            Law::Balances => self.balances = true,
            Law::Rows => {}
        }
        if self.listed.len() < LISTED {
            self.listed.push(text());
        } else {
            self.more += 1;
        }
    }

    pub const fn broken(&self, law: Law) -> bool {
        match law {
            Law::Chain => self.chain,
            Law::Balances => self.balances,
            Law::Rows => false,
        }
    }

    pub fn into_texts(self) -> Vec<String> {
        let mut texts = self.listed;
        if self.more > 0 {
            texts.push(format!("and {} more", self.more));
        }
        texts
    }
}
