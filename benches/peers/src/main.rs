//! lthash beside other crates and the obvious code, measured in turn in one process.
//!
//!     cargo bench --ignore-rust-version --manifest-path benches/peers/Cargo.toml [-- [--json] GROUP…]
//!
//! Every group is a Markdown table. Its columns: cycles and nanoseconds for one unit of the case (an element, an update,
//! a call), and how many times as fast as the case's first contender, each as the median and, in brackets, the quartiles
//! over the rounds that counted; how many those were, and how many 256-bit additions went in a cycle of the free core. See
//! `paired` for what a round is and which count.

mod batch;
mod element;
mod groups;
mod hex;
#[path = "../../inputs.rs"]
mod inputs;
#[path = "../../offsets.rs"]
mod offsets;
mod output;
mod paired;
mod peers;
mod processor;

use std::process::ExitCode;

/// The groups, in the order in which they run.
const GROUPS: [(&str, fn()); 9] = [
    ("of", element::of),
    ("insert", element::insert),
    ("mix", element::mix),
    ("batch", batch::batch),
    ("chunk", batch::chunk),
    ("groups", groups::groups),
    ("group-threads", groups::threads),
    ("threads", batch::threads),
    ("hex", hex::hex),
];

fn main() -> ExitCode {
    if !std::arch::is_x86_feature_detected!("avx2") {
        eprintln!(
            "error: the peers' bench measures with 256-bit vectors, and this processor has no AVX2"
        );
        return ExitCode::FAILURE;
    }
    // `cargo bench` passes --bench to every bench.
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .partition(|argument| argument == "--json");
    if !options.is_empty() {
        output::use_json();
    }
    let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) {
        eprintln!(
            "error: no group {unknown:?}: expected any of {}",
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    output::print_processor();
    for (name, run) in GROUPS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            run();
        }
    }
    ExitCode::SUCCESS
}
