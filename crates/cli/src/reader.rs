//! What inputs are read from.

use std::io::Read;

pub type Reader = Box<dyn Read + Send>;
