//! A day's tree as it is stored: one row has 256 leaves and the path from their root to the tree's. So a single row is
//! enough to prove a user's place.

use base::{Money, keyed_hash};
use foundation::Error;
use proof::Hash;
use proof::balances::{Leaf, Node, Place, SumTree};
use store::wallet::balance_days::{StoredTile, UserBalances};
use wallet::{Source, UserAccount};

use super::wrong;

/// The number of leaves in a row.
pub(super) const WIDTH: usize = 256;
/// The number of balances in a leaf: the user's accounts but for start-up funds, then plans' holds by source, then the
/// start-up funds that the user owes.
const ACCOUNTS: usize = 10;

/// The accounts, by the names that they have in `ledger trial-balance`.
pub(super) fn accounts() -> Vec<String> {
    let own = UserAccount::ALL.iter().filter(|account| **account != UserAccount::Advance);
    let own = own.map(|account| account.name().to_owned());
    let held = Source::ALL.iter().map(|source| format!("held_{}", source.name()));
    own.chain(held).chain([UserAccount::Advance.name().to_owned()]).collect()
}

/// A user's place in a day's order. Without the day's secret, it does not reveal the user.
pub(super) fn key(secret: &[u8; 32], id: i64) -> i64 {
    let hash = keyed_hash(secret, &[b"order", &id.to_be_bytes()]);
    hash.first_chunk().map_or(0, |eight| i64::from_be_bytes(*eight))
}

fn salt(secret: &[u8; 32], id: i64) -> [u8; 32] {
    keyed_hash(secret, &[b"salt", &id.to_be_bytes()])
}

/// One leaf as it is stored: a user's, or an empty one with a negative number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredLeaf {
    id: i64,
    sequence: u64,
    transaction: Hash,
    balances: [u64; ACCOUNTS],
}

impl StoredLeaf {
    pub fn empty(id: i64) -> Self {
        Self { id, sequence: 0, transaction: [0; 32], balances: [0; ACCOUNTS] }
    }

    /// # Errors
    /// A balance has a sign that no account may have.
    pub fn of(id: i64, found: &UserBalances) -> Result<Self, Error> {
        let UserBalances { wallet, held, .. } = found;
        let owed = wallet.advance.negated()?;
        let balances = [
            wallet.available,
            wallet.pending,
            wallet.withdrawing,
            wallet.exchanging,
            wallet.deposit,
            wallet.promotional,
            held.available,
            held.promotional,
            held.coupon,
            owed,
        ];
        let mut unsigned = [0; ACCOUNTS];
        for (to, from) in unsigned.iter_mut().zip(balances) {
            *to = magnitude(from, id)?;
        }
        let sequence = u64::try_from(found.sequence).map_err(|_| impossible(id))?;
        Ok(Self { id, sequence, transaction: found.transaction, balances: unsigned })
    }

    fn leaf(&self, secret: &[u8; 32]) -> Leaf {
        Leaf {
            salt: salt(secret, self.id),
            transaction: self.transaction,
            sequence: self.sequence,
            balances: self.balances.to_vec(),
        }
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.id.to_be_bytes());
        if self.id > 0 {
            to.extend(self.transaction);
            [self.sequence].iter().chain(&self.balances).for_each(|number| write_number(*number, to));
        }
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let id = i64::from_be_bytes(*take(from)?);
        if id <= 0 {
            return Some(Self::empty(id));
        }
        let (transaction, sequence) = (*take(from)?, read_number(from)?);
        let mut balances = [0; ACCOUNTS];
        for balance in &mut balances {
            *balance = read_number(from)?;
        }
        Some(Self { id, sequence, transaction, balances })
    }
}

fn magnitude(amount: Money, id: i64) -> Result<u64, Error> {
    u64::try_from(amount.minor()).map_err(|_| impossible(id))
}

fn impossible(id: i64) -> Error {
    Error::Internal(format!("user {id} has a balance that no account may have; ask `placard ledger verify`"))
}

fn take<'a, const N: usize>(from: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(taken)
}

/// Writes a number with seven bits a byte, the lowest first: most balances are small or zero.
fn write_number(mut number: u64, to: &mut Vec<u8>) {
    while number > 0x7f {
        to.push(low_seven(number) | 0x80);
        number >>= 7;
    }
    to.push(low_seven(number));
}

fn low_seven(number: u64) -> u8 {
    let [.., low] = number.to_be_bytes();
    low & 0x7f
}

fn read_number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let [byte] = *take(from)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The leaves of a new row, and their root.
pub(super) struct NewTile {
    first_key: i64,
    leaves: Vec<u8>,
}

impl NewTile {
    pub fn of(first_key: i64, leaves: &[StoredLeaf], secret: &[u8; 32]) -> Result<(Self, Node), Error> {
        let mut bytes = Vec::new();
        leaves.iter().for_each(|leaf| leaf.write(&mut bytes));
        Ok((Self { first_key, leaves: bytes }, tree(leaves, secret)?.root().clone()))
    }

    pub fn stored(self, number: usize, above: &[Node]) -> Result<StoredTile, Error> {
        let number = i64::try_from(number).map_err(|_| Error::Internal("too many tiles".into()))?;
        let above = above
            .iter()
            .flat_map(|node| node.hash.iter().copied().chain(node.sums.iter().flat_map(|sum| sum.to_be_bytes())));
        Ok(StoredTile { first_key: self.first_key, number, leaves: self.leaves, above: above.collect() })
    }
}

fn tree(leaves: &[StoredLeaf], secret: &[u8; 32]) -> Result<SumTree, Error> {
    let nodes = leaves.iter().map(|leaf| leaf.leaf(secret).node()).collect::<Result<_, _>>().map_err(wrong)?;
    SumTree::of(nodes).map_err(wrong)
}

/// A stored row, parsed.
pub(super) struct StoredLeaves {
    number: i64,
    leaves: Vec<StoredLeaf>,
    above: Vec<Node>,
}

impl StoredLeaves {
    pub fn read(tile: &StoredTile) -> Result<Self, Error> {
        let broken = || Error::Internal("a tile of balances is not made of leaves".into());
        let (mut rest, mut leaves) = (tile.leaves.as_slice(), Vec::new());
        while !rest.is_empty() {
            leaves.push(StoredLeaf::read(&mut rest).ok_or_else(broken)?);
        }
        let (mut rest, mut above) = (tile.above.as_slice(), Vec::new());
        while !rest.is_empty() {
            let hash = *take(&mut rest).ok_or_else(broken)?;
            let mut sums = Vec::with_capacity(ACCOUNTS);
            for _ in 0..ACCOUNTS {
                sums.push(u64::from_be_bytes(*take(&mut rest).ok_or_else(broken)?));
            }
            above.push(Node { hash, sums });
        }
        Ok(Self { number: tile.number, leaves, above })
    }

    /// A user's place, with the hash of their last transaction; `None` if they had none on that day.
    pub fn place(&self, secret: &[u8; 32], user: i64) -> Result<Option<(Place, Hash)>, Error> {
        let Some((at, own)) = self.leaves.iter().enumerate().find(|(_, leaf)| leaf.id == user) else {
            return Ok(None);
        };
        let below = tree(&self.leaves, secret)?.path(at).unwrap_or_default();
        let first = usize::try_from(self.number).ok().and_then(|number| number.checked_mul(self.leaves.len()));
        let index = first.and_then(|first| first.checked_add(at)).and_then(|index| u64::try_from(index).ok());
        let place = Place {
            index: index.ok_or_else(|| impossible(user))?,
            salt: salt(secret, user),
            sequence: own.sequence,
            balances: own.balances.to_vec(),
            path: below.into_iter().chain(self.above.iter().cloned()).collect(),
        };
        Ok(Some((place, own.transaction)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_read_as_they_were_written() {
        let user = StoredLeaf {
            id: 7,
            sequence: 128,
            transaction: [9; 32],
            balances: [0, 1, 127, 128, 16_383, 16_384, 1 << 42, u64::MAX, 1, 300],
        };
        let leaves = [user.clone(), StoredLeaf::empty(-1), user];
        let mut bytes = Vec::new();
        leaves.iter().for_each(|leaf| leaf.write(&mut bytes));
        let mut rest = bytes.as_slice();
        let read: Option<Vec<StoredLeaf>> = leaves.iter().map(|_| StoredLeaf::read(&mut rest)).collect();
        assert_eq!((read.as_deref(), rest.len()), (Some(leaves.as_slice()), 0));
        for cut in [1, 9, 40, 45, bytes.len() - 1] {
            let mut rest = bytes.get(..cut).unwrap_or_default();
            let read: Option<Vec<StoredLeaf>> = leaves.iter().map(|_| StoredLeaf::read(&mut rest)).collect();
            assert_eq!(read, None, "{cut}");
        }
    }

    #[test]
    fn every_leaf_has_each_account() {
        assert_eq!(accounts().len(), ACCOUNTS);
        let named = "available pending withdrawing exchanging deposit promotional held_available held_promotional \
                     held_coupon advance";
        assert_eq!(accounts().join(" "), named);
    }
}
