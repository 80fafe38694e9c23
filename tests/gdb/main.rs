//! The kernels' call-frame information: at every instruction of a kernel, gdb finds the kernel's caller.

#[path = "../common/mod.rs"]
mod common;

use common::{Reference, backends, generated, not_tested};
use lthash::{Accumulator, LtHash};
use std::process::Command;

/// Calls every kernel. The other test has gdb run this one.
#[test]
fn every_kernel() {
    // Elements of one block, of several blocks and of several chunks, of each enough to fill the lanes.
    let elements: Vec<Vec<u8>> = [20, 100, 1500]
        .iter()
        .flat_map(|&length| (0..20).map(move |i| generated("gdb", i, length)))
        .collect();
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.extend(&elements);
        let mut sum = accumulator.take();
        assert!(sum == Reference::sum(&elements));
        for element in &elements {
            accumulator.remove(element);
            kernels.add(&mut sum, &kernels.expand(element));
            kernels.sub(&mut sum, &kernels.expand(element));
        }
        kernels.add(&mut sum, &accumulator.take());
        assert!(sum == LtHash::new());

        let bytes = generated("gdb", 0, 1000);
        let (mut digits, mut decoded) = ([0; 2000], [0; 1000]);
        kernels.hex_encode(&bytes, &mut digits).unwrap();
        kernels.hex_decode(&digits, &mut decoded).unwrap();
        assert_eq!(decoded, *bytes);
    }
}

#[test]
fn backtraces_are_right_at_every_instruction() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        not_tested("backtraces in kernels, since this is not x86-64 Linux");
        return;
    }
    if !gdb_can_run_a_program() {
        not_tested("backtraces in kernels, since gdb is not here or may not trace");
        return;
    }
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-x"])
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/gdb/backtrace.py"
        ))
        .arg(std::env::current_exe().unwrap())
        .env_remove("LTHASH_BACKEND")
        .output()
        .unwrap();
    let (printed, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    print!("{printed}");
    assert!(printed.lines().last() == Some("done"), "{errors}");
    let named = |start: &'static str| {
        printed
            .lines()
            .filter_map(move |line| line.strip_prefix(start))
    };
    let checked: Vec<&str> = named("checked ")
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect();
    let available: Vec<&str> = backends()
        .iter()
        .map(|kernels| kernels.backend().name())
        .collect();
    let mut expected = Vec::new();
    for kernel in named("found ") {
        let (_, instruction_set) = kernel.rsplit_once('_').unwrap();
        if available.contains(&instruction_set) {
            expected.push(kernel);
        } else {
            not_tested(&format!("backtraces in {kernel}, which cannot run here"));
        }
    }
    let missing: Vec<_> = expected
        .iter()
        .filter(|kernel| !checked.contains(kernel))
        .collect();
    assert!(
        missing.is_empty(),
        "kernels that were not reached: {missing:?}"
    );
    let instruction_sets = available.iter().filter(|name| **name != "portable").count();
    assert!(
        expected.len() >= instruction_sets,
        "no kernels found in the program"
    );
}

fn gdb_can_run_a_program() -> bool {
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", "python gdb.execute('run')", "true"])
        .output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("exited normally"))
}
