//! A map with a maximum size. When it is full, the entry written longest ago is
//! removed.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

pub struct Bounded<K, V> {
    at_most: usize,
    entries: HashMap<K, (u64, V)>,
    /// In order of writing. An item whose number differs from its entry's was overwritten
    /// or removed since.
    order: VecDeque<(u64, K)>,
    written: u64,
}

impl<K: Copy + Eq + Hash, V> Bounded<K, V> {
    pub fn new(at_most: usize) -> Self {
        Self { at_most, entries: HashMap::new(), order: VecDeque::new(), written: 0 }
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|(_, value)| value)
    }

    /// Returns the value that was removed to make room.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.written = self.written.wrapping_add(1);
        self.entries.insert(key, (self.written, value));
        self.order.push_back((self.written, key));
        if self.order.len() <= self.at_most {
            return None;
        }
        let (number, oldest) = self.order.pop_front()?;
        let (current, _) = self.entries.get(&oldest)?;
        if *current == number { self.remove(&oldest) } else { None }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.entries.remove(key).map(|(_, value)| value)
    }

    pub fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        self.entries.retain(|_, (_, value)| keep(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room() {
        let mut map = Bounded::new(2);
        assert_eq!((map.insert(1, "a"), map.insert(2, "b"), map.insert(3, "c")), (None, None, Some("a")));
        assert_eq!((map.get(&1), map.get(&2), map.get(&3)), (None, Some(&"b"), Some(&"c")));
    }

    #[test]
    fn writing_again_makes_young() {
        let mut map = Bounded::new(3);
        map.insert(1, "a");
        map.insert(2, "b");
        map.insert(1, "again");
        assert_eq!((map.insert(3, "c"), map.insert(4, "d")), (None, Some("b")));
        assert_eq!((map.get(&1), map.entries.len()), (Some(&"again"), 3));
    }

    #[test]
    fn whatever_is_written_and_removed_it_stays_bounded() {
        let mut map = Bounded::new(10);
        for n in 0..10_000_u32 {
            map.insert(n % 7, n);
            map.remove(&(n % 3));
            map.insert(n, n);
            map.retain(|value| value % 5 > 0);
        }
        assert!(map.entries.len() <= 10 && map.order.len() <= 10);
    }
}
