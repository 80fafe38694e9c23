//! The proofs' tables as they were last recorded, so that a change of a kernel's cost shows in review.

use crate::decode::InstructionSet;

const VARIABLE: &str = "LTHASH_RECORD";

/// Compares an instruction set's table with the recorded one, or records it if `LTHASH_RECORD` is set.
pub fn compare(instruction_set: InstructionSet, table: &str) {
    if std::env::var_os(VARIABLE).is_some() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/recorded");
        std::fs::write(format!("{directory}/{}.txt", instruction_set.name()), table).unwrap();
        return;
    }
    let recorded = match instruction_set {
        InstructionSet::Avx2 => include_str!("recorded/avx2.txt"),
        InstructionSet::Avx512 => include_str!("recorded/avx512.txt"),
    };
    let lacking = |lines: &str, others: &str| -> String {
        let lacking = lines
            .lines()
            .filter(|line| !others.lines().any(|other| other == *line));
        lacking.collect::<Vec<_>>().join("\n")
    };
    assert!(
        recorded == table,
        "kernels differ from what is recorded:\n{}\nthey are:\n{}\nif that is meant: {VARIABLE}=1 cargo test --test kernels",
        lacking(recorded, table),
        lacking(table, recorded),
    );
}
