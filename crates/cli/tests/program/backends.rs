//! `lthash backends`, `--backend` and the overrides.

use crate::{common, lthash, stdout, sum_line, trouble};
use lthash::Backend;

#[test]
fn every_backend_prints_the_same() {
    for backend in common::backends() {
        let name = backend.backend().name();
        assert_eq!(
            stdout(lthash(["sum", "--backend", name]).write_stdin("one\ntwo\n")),
            sum_line(&["one", "two"])
        );
        assert_eq!(
            stdout(
                lthash(["sum"])
                    .env("LTHASH_BACKEND", name)
                    .write_stdin("one\ntwo\n")
            ),
            sum_line(&["one", "two"])
        );
    }
}

#[test]
fn the_list_says_what_is_there_and_why_it_is_used() {
    let list = stdout(&mut lthash(["backends"]));
    let names: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, Backend::all().map(Backend::name).collect::<Vec<_>>());
    for line in list.lines() {
        let name = line.split_whitespace().next().unwrap();
        let available = Backend::available().any(|backend| backend.name() == name);
        assert_eq!(line.contains("  available"), available, "{line}");
        assert_eq!(
            line.contains("in use"),
            name == Backend::active().name(),
            "{line}"
        );
        let form = Backend::available()
            .find(|backend| backend.name() == name)
            .and_then(|backend| backend.kernels().unwrap().form());
        let says = form.map_or(String::new(), |form| format!("(rounds {form})"));
        assert!(line.contains(&says), "{line}");
        assert_eq!(line.contains('('), form.is_some(), "{line}");
    }
    assert!(
        stdout(&mut lthash(["backends", "--backend", "portable"]))
            .starts_with("portable  available, in use: --backend names it\n")
    );
    assert!(
        stdout(lthash(["backends"]).env("LTHASH_BACKEND", "portable"))
            .starts_with("portable  available, in use: LTHASH_BACKEND names it")
    );
    // Empty, it is as if it were not there.
    let unset = stdout(lthash(["backends"]).env("LTHASH_BACKEND", ""));
    assert_eq!(unset, list);
}

#[test]
fn check_vouches_for_every_available_backend() {
    let text = stdout(&mut lthash(["backends", "--check"]));
    for backend in common::backends() {
        let name = backend.backend().name();
        let line = text
            .lines()
            .find(|line| line.starts_with(name) && line.contains("published values"))
            .unwrap_or_else(|| panic!("no line on {name} in {text}"));
        assert!(line.contains("random elements right; 64 bytes: "), "{line}");
    }
}

#[test]
fn an_override_that_cannot_be_honoured_is_refused() {
    for arguments in [
        &["sum"][..],
        &["backends"],
        &["sum", "--backend", "portable"],
    ] {
        assert_eq!(
            trouble(lthash(arguments).env("LTHASH_BACKEND", "sse9")),
            "lthash: LTHASH_BACKEND, or lthash_backend when this program was built: \
             unknown backend \"sse9\": expected portable, neon, avx2 or avx512\n"
        );
    }
    assert!(
        trouble(&mut lthash(["sum", "--backend", "sse9"])).contains("portable, neon, avx2, avx512")
    );
    let unavailable = ["neon", "avx2", "avx512"]
        .into_iter()
        .filter(|name| !Backend::available().any(|backend| backend.name() == *name));
    for name in unavailable {
        let expected = format!("backend {name} is not available: available are portable");
        assert!(trouble(&mut lthash(["sum", "--backend", name])).contains(&expected));
        assert!(trouble(lthash(["sum"]).env("LTHASH_BACKEND", name)).contains(&expected));
    }
}
