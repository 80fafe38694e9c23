//! How file names appear in messages.

use std::fmt::{self, Write};
use std::path::Path;

/// A file's name on one line: what does not print, and a backslash, is escaped.
pub struct Name<'a>(pub &'a Path);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.as_os_str().as_encoded_bytes().utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '"' | '\'' => f.write_char(character)?,
                    _ => write!(f, "{}", character.escape_debug())?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_print_is_escaped() {
        for (name, shown) in [
            (
                "plain, \"quoted\" and it's é",
                "plain, \"quoted\" and it's é",
            ),
            ("a\nb\\c\r\t", "a\\nb\\\\c\\r\\t"),
            ("\u{1b}[31m\u{202e}", "\\u{1b}[31m\\u{202e}"),
        ] {
            assert_eq!(Name(Path::new(name)).to_string(), shown);
        }
    }
}
