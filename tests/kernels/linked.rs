//! The kernels as the linker left them in this very program.

use crate::decode::{CONSTANTS_AT, Kernel};
use crate::objects::kernels;
use object::{Object, ObjectSymbol};
use std::collections::HashMap;

/// Where the linked kernels stand in memory, by symbol.
pub struct Linked(HashMap<String, u64>);

/// A symbol whose address in memory and in the file give how far apart these are.
#[unsafe(no_mangle)]
extern "C" fn lthash_tests_kernels_anchor() {}

impl Linked {
    pub fn new() -> Self {
        // What the library refers to is linked: its tables name the kernels.
        assert!(lthash::Backend::available().count() > 0);
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let program = object::File::parse(&*program).unwrap();
        let in_file: HashMap<String, u64> = (program.symbols())
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address())))
            .collect();
        let anchor = lthash_tests_kernels_anchor as extern "C" fn() as usize as u64;
        let moved = anchor
            - in_file
                .get("lthash_tests_kernels_anchor")
                .expect("a program that is not stripped");
        Self(
            in_file
                .into_iter()
                .map(|(name, address)| (name, address.wrapping_add(moved)))
                .collect(),
        )
    }

    /// The address of a kernel's first byte.
    pub fn address(&self, kernel: &Kernel) -> *const u8 {
        let address = self.0.get(&kernel.symbol);
        *address.unwrap_or_else(|| panic!("{} is not in the program", kernel.symbol)) as *const u8
    }
}

#[test]
fn the_linked_bytes_are_those_that_are_proven() {
    let linked = Linked::new();
    for kernel in kernels() {
        let address = linked.address(&kernel);
        // SAFETY: the linker keeps a function whole, and its size in the program is its size in the object.
        let code = unsafe { std::slice::from_raw_parts(address, kernel.code.len()) };
        let relocated = |i: usize| kernel.relocated.iter().any(|field| field.contains(&i));
        if let Some(i) = (0..code.len()).find(|&i| code[i] != kernel.code[i] && !relocated(i)) {
            panic!(
                "{}+{i:#x}: {:#04x} in the object is {:#04x} in the program",
                kernel.symbol, kernel.code[i], code[i]
            );
        }
        for field in &kernel.relocated {
            let [linked, own] = [code, &kernel.code]
                .map(|code| i32::from_le_bytes(code[field.clone()].try_into().unwrap()));
            let constants =
                address.wrapping_offset(CONSTANTS_AT as isize + linked as isize - own as isize);
            // SAFETY: the linker keeps a section whole.
            let constants =
                unsafe { std::slice::from_raw_parts(constants, kernel.constants.len()) };
            assert!(
                constants == kernel.constants,
                "{}+{:#x} refers to other constants",
                kernel.symbol,
                field.start
            );
        }
    }
}
