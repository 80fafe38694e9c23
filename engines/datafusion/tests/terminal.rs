//! The program `lthash-sql` on a terminal: prompt, history, progress and Ctrl-C.
#![cfg(all(unix, feature = "cli"))]

use rexpect::process::WaitStatus;
use rexpect::reader::Options;
use rexpect::session::{PtySession, spawn_with_options};

use std::path::Path;
use std::process::Command;

/// A query that takes longer than anyone waits. It reads all the time, which is when DataFusion lets a query be ended: a join of
/// everything with everything does so rarely.
const LONG: &str = "SELECT lthash(value) FROM range(1000000000000)";

/// The program on a terminal of its own, with its history in a folder.
fn start(home: &Path, arguments: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lthash-sql"));
    command
        .args(arguments)
        .env("HOME", home)
        .env("TERM", "xterm")
        .env_remove("RUST_LOG");
    let options = Options::new()
        .timeout_ms(Some(120_000))
        .strip_ansi_escape_codes(true);
    spawn_with_options(command, options).unwrap()
}

fn exit_status(terminal: &PtySession) -> i32 {
    match terminal.process().wait().unwrap() {
        WaitStatus::Exited(_, status) => status,
        other => panic!("{other:?}"),
    }
}

fn run(terminal: &mut PtySession, statement: &str, expected: &str) {
    terminal.send_line(statement).unwrap();
    terminal.exp_string(expected).unwrap();
    terminal.exp_string("> ").unwrap();
}

#[test]
fn a_prompt_runs_statements_and_keeps_its_history() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &[]);
    terminal
        .exp_string("statements end with a semicolon")
        .unwrap();
    terminal.exp_string("> ").unwrap();
    run(&mut terminal, "SELECT 6 * 7 AS product;", "| 42");
    // A statement goes on until its semicolon, also if one is in a text.
    terminal.send_line("SELECT ';'").unwrap();
    run(&mut terminal, "|| length('seven') AS text;", "| ;5");
    // One that fails is told, and the next one runs.
    run(
        &mut terminal,
        "SELECT lthash(missing) FROM range(3);",
        "No field named missing",
    );
    run(&mut terminal, "SELECT 100 + 11 AS sum;", "| 111");
    // Ctrl-C lets go of what is typed, and ends what runs.
    terminal.send("SELECT half").unwrap();
    terminal.send_control('c').unwrap();
    terminal.exp_string("> ").unwrap();
    terminal.send_line(&format!("{LONG};")).unwrap();
    terminal.exp_string("rows read").unwrap();
    terminal.send_control('c').unwrap();
    terminal.exp_string("interrupted").unwrap();
    terminal.exp_string("> ").unwrap();
    run(&mut terminal, "SELECT 200 + 22 AS sum;", "| 222");
    terminal.send_line("\\q").unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(exit_status(&terminal), 0);

    // Another session has the last statement behind the arrow key.
    let mut terminal = start(home.path(), &[]);
    terminal.exp_string("> ").unwrap();
    run(&mut terminal, "\x1b[A", "| 222");
    terminal.send_control('d').unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(exit_status(&terminal), 0);
}

#[test]
fn progress_is_shown_and_ctrl_c_ends_the_program() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["-c", LONG]);
    terminal.exp_string("rows read").unwrap();
    terminal.send_control('c').unwrap();
    terminal.exp_string("lthash-sql: ").unwrap();
    terminal.exp_string("interrupted").unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(exit_status(&terminal), 2);
    assert!(
        !home.path().join(".lthash_sql_history").exists(),
        "there was no prompt"
    );
}
