//! Prints the public interface that a file of rustdoc's JSON describes, an item a line.

use public_api::Builder;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or("usage: lthash-public-api RUSTDOC.json")?;
    let interface = Builder::from_rustdoc_json(path)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    print!("{interface}");
    Ok(())
}
