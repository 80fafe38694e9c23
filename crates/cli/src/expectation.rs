//! Results that a caller expects.

use anyhow::Result;
use clap::Args;
use lthash::Checksum;
use lthash::state::State;
use std::fmt;

/// What the result is expected to be.
#[derive(Args)]
pub struct Expectation {
    /// Fail with exit status 1, and change nothing, unless the result has this checksum
    #[arg(long, value_name = "CHECKSUM")]
    expect: Option<Checksum>,
}

impl Expectation {
    pub fn ensure(&self, state: &State) -> Result<()> {
        let found = state.hash().checksum();
        match self.expect {
            Some(expected) if expected != found => Err(Unexpected { expected, found }.into()),
            _ => Ok(()),
        }
    }
}

/// The error where a result is not the expected one.
#[derive(Debug)]
pub struct Unexpected {
    expected: Checksum,
    found: Checksum,
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unexpected { expected, found } = self;
        write!(f, "the checksum is {found}: expected {expected}")
    }
}

impl std::error::Error for Unexpected {}
