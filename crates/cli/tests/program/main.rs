//! Runs the built program. Paths, signals and the system's messages are Unix's.
#![cfg(unix)]

mod backends;
mod buckets;
mod checking;
#[path = "../../../../tests/common/mod.rs"]
mod common;
mod compressed;
mod crashes;
mod csv;
mod diff;
#[cfg(target_os = "linux")]
mod faults;
mod folder;
mod large;
mod manner;
mod model;
mod places;
mod secrecy;
mod standard;
mod states;
mod sum;
#[cfg(target_os = "linux")]
mod terminal;

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use common::Reference;
use std::ffi::OsStr;
use std::process;

/// The program, to be run as cargo says for its target.
fn program() -> process::Command {
    let mut command = process::Command::cargo_bin("lthash").unwrap();
    command.env_remove("LTHASH_BACKEND");
    command
}

/// The program, with arguments.
fn lthash<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = program();
    command.args(arguments);
    Command::from_std(command)
}

/// What the program prints on success.
fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).unwrap()
}

/// What the program says where it prints nothing and exits with 2.
fn trouble(command: &mut Command) -> String {
    let output = command.assert().code(2).get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8(output.stderr).unwrap()
}

/// What `sum` prints of these records.
fn sum_line<T: AsRef<[u8]>>(records: &[T]) -> String {
    counted_line(&Reference::sum(records), records)
}

fn counted_line<T: AsRef<[u8]>>(sum: &Reference, records: &[T]) -> String {
    let checksum = blake3::hash(&sum.to_bytes());
    let bytes: usize = records.iter().map(|record| record.as_ref().len()).sum();
    format!("{checksum}  {} records  {bytes} bytes\n", records.len())
}
