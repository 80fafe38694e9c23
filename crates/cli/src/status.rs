//! What the program exits with.

use std::process::ExitCode;

/// Multisets differ, or are not what was expected.
pub const DIFFERENT: u8 = 1;
/// Something went wrong. Clap exits with it, too, where it refuses arguments.
pub const TROUBLE: u8 = 2;

pub fn trouble() -> ExitCode {
    ExitCode::from(TROUBLE)
}

/// The status where two multisets were compared.
pub fn compared(equal: bool) -> ExitCode {
    ExitCode::from(if equal { 0 } else { DIFFERENT })
}
