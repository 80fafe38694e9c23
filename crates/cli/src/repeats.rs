//! Records that occur so often that the hash loses count.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Limbs have 16 bits: so many copies of a record add up to nothing.
const VANISHING: u64 = 1 << 16;

/// How many records are counted at a time. No record that occurs more often than all records' number divided by this is
/// missed, so a frequent one can be told among some 4 billion.
const CAPACITY: usize = 1 << 16;

/// How much of a record is shown.
const SHOWN: usize = 40;

/// How many records are named.
const NAMED: usize = 10;

/// Counts of the most frequent records, in bounded memory: Misra and Gries, Finding repeated elements, 1982.
pub struct Repeats {
    counts: HashMap<u128, Count>,
    capacity: usize,
    /// By how much a count may be too low.
    missed: u64,
}

struct Count {
    least: u64,
    /// What the record begins with.
    beginning: Box<[u8]>,
}

impl Repeats {
    /// One thread's part of the counts.
    pub fn new(threads: usize) -> Repeats {
        Repeats {
            counts: HashMap::new(),
            capacity: (CAPACITY / threads).max(1),
            missed: 0,
        }
    }

    /// Counts a record, given by its BLAKE3 hash and what it begins with.
    pub fn count(&mut self, hash: &blake3::Hash, beginning: &[u8]) {
        let full = self.counts.len() >= self.capacity;
        match self.counts.entry(identity(hash)) {
            Entry::Occupied(mut entry) => entry.get_mut().least += 1,
            Entry::Vacant(entry) if !full => {
                let beginning = beginning[..beginning.len().min(SHOWN)].into();
                entry.insert(Count {
                    least: 1,
                    beginning,
                });
            }
            Entry::Vacant(_) => {
                self.missed += 1;
                self.counts.retain(|_, count| {
                    count.least -= 1;
                    count.least > 0
                });
            }
        }
    }

    /// Adds another thread's counts.
    pub fn add(&mut self, other: Repeats) {
        self.missed += other.missed;
        for (record, count) in other.counts {
            match self.counts.entry(record) {
                Entry::Occupied(mut entry) => entry.get_mut().least += count.least,
                Entry::Vacant(entry) => {
                    entry.insert(count);
                }
            }
        }
    }

    /// Says which records occur so often, or that it cannot be told.
    pub fn warnings(&self) -> Vec<String> {
        let (mut frequent, others): (Vec<&Count>, Vec<&Count>) = self
            .counts
            .values()
            .partition(|count| count.least >= VANISHING);
        frequent.sort_by(|a, b| (b.least, &a.beginning).cmp(&(a.least, &b.beginning)));
        let mut warnings: Vec<String> = frequent
            .iter()
            .take(NAMED)
            .map(|Count { least, beginning }| {
                format!(
                    "a record occurs at least {least} times, and {VANISHING} times add up to nothing: \
                     it begins with \"{}\"",
                    beginning.escape_ascii()
                )
            })
            .collect();
        if frequent.len() > NAMED {
            warnings.push(format!("so do {} more records", frequent.len() - NAMED));
        }
        let most_of_others = others.iter().map(|count| count.least).max().unwrap_or(0);
        if most_of_others + self.missed >= VANISHING {
            warnings.push(format!(
                "too many different records to tell whether others occur {VANISHING} times"
            ));
        }
        warnings
    }
}

/// Half of a hash tells records apart well enough.
fn identity(hash: &blake3::Hash) -> u128 {
    let (half, _) = hash
        .as_bytes()
        .split_first_chunk()
        .expect("a hash has 32 bytes");
    u128::from_le_bytes(*half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_all<'a>(repeats: &mut Repeats, records: impl IntoIterator<Item = &'a str>) {
        for record in records {
            repeats.count(&blake3::hash(record.as_bytes()), record.as_bytes());
        }
    }

    #[test]
    fn counts_are_too_low_by_no_more_than_what_was_missed() {
        let names: Vec<String> = (0..40).map(|i| i.to_string()).collect();
        let (mut one, mut other) = (Repeats::new(CAPACITY / 8), Repeats::new(CAPACITY / 8));
        let mut exact = HashMap::new();
        for i in 0..10_000_usize {
            // Small numbers are the more frequent.
            let name = names[i * i % 41 % (1 + i % 40)].as_str();
            *exact.entry(name).or_insert(0_u64) += 1;
            count_all(if i % 3 == 0 { &mut one } else { &mut other }, [name]);
        }
        one.add(other);
        assert!(one.missed > 0 && one.missed <= 10_000 / 8);
        for (name, exact) in exact {
            let count = one.counts.get(&identity(&blake3::hash(name.as_bytes())));
            let least = count.map_or(0, |count| count.least);
            assert!(least <= exact && exact <= least + one.missed, "{name}");
        }
    }

    #[test]
    fn a_warning_names_no_record_that_is_not_surely_so_frequent() {
        let mut repeats = Repeats::new(1);
        count_all(&mut repeats, vec!["same"; 65_535]);
        assert_eq!(repeats.warnings(), [""; 0]);
        count_all(&mut repeats, ["same"]);
        assert_eq!(
            repeats.warnings(),
            [
                "a record occurs at least 65536 times, and 65536 times add up to nothing: it begins with \"same\""
            ]
        );
    }

    #[test]
    fn what_cannot_be_told_is_said() {
        let mut repeats = Repeats::new(CAPACITY);
        count_all(&mut repeats, ["a", "b"].repeat(65_535));
        assert_eq!(repeats.warnings(), [""; 0]);
        count_all(&mut repeats, ["a", "b"]);
        assert_eq!(
            repeats.warnings(),
            ["too many different records to tell whether others occur 65536 times"]
        );
    }
}
