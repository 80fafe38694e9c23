//! The assembly backends: declarations of asm/, gates and tables, of which AVX2 has two.

mod form;

use super::batch::prelude::*;

// The features that each instruction set's kernels use, with the register state that the operating system must save for them.
cpufeatures::new!(avx2_gate, "avx2", "bmi2");
cpufeatures::new!(
    avx512_gate,
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx2",
    "bmi2"
);

pub(super) fn has_avx2() -> bool {
    avx2_gate::get()
}

#[cfg(lthash_avx512)]
pub(super) fn has_avx512() -> bool {
    avx512_gate::get()
}

/// Declares a function of asm/ under its symbol, whose prefix build.rs makes.
macro_rules! kernel {
    ($isa:literal: $(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "sysv64" {
            $(
                #[link_name = concat!(
                    env!("LTHASH_SYMBOL_PREFIX"), stringify!($name), "_", $isa
                )]
                fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }
    };
}

// After the macro that it uses.
mod hex;

/// The kernels of one instruction set.
macro_rules! instruction_set {
    ($module:ident, $isa:literal, $backend:expr, form: $form:expr,
     lanes: $vectors:literal vectors of $lanes:literal, lanes_that_pay: $lanes_that_pay:literal,
     hex_decode: $hex_decode:path; $($more:tt)*) => {
        pub(super) mod $module {
            use super::*;

            kernel! { $isa:
                fn xof(node: *const RootNode, out: *mut Limbs);
                fn limbs_add(limbs: *mut Limbs, other: *const Limbs);
                fn limbs_sub(limbs: *mut Limbs, other: *const Limbs);
            }

            // For the prototypes of batch_kernels.
            const N: usize = $lanes;
            const K: usize = $vectors;
            batch_kernels! { kernel! $isa }

            table! {
                $backend, form: $form,
                lanes: $vectors vectors of $lanes, absorb_all_lanes: Some(absorb_all_lanes), lanes_that_pay: $lanes_that_pay,
                hex: hex::encode, $hex_decode
            }

            $($more)*
        }
    };
}

instruction_set! { avx2, "avx2", Backend::Avx2, form: Some("in flight"),
    lanes: 3 vectors of 8, lanes_that_pay: 2, hex_decode: hex::decode_avx2;

    /// The other form: one vector of lanes, in registers.
    pub(super) mod in_registers {
        use super::*;
        use self::{
            xof_add_in_registers as xof_add, xof_in_registers as xof,
            xof_sub_in_registers as xof_sub,
        };

        kernel! { "avx2":
            fn xof_in_registers(node: *const RootNode, out: *mut Limbs);
            fn xof_add_in_registers(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes);
            fn xof_sub_in_registers(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes);
        }

        table! {
            Backend::Avx2, form: Some("in registers"),
            lanes: 1 vectors of 8, absorb_all_lanes: None, lanes_that_pay: 2,
            hex: hex::encode, hex::decode_avx2
        }
    }
}
#[cfg(lthash_avx512)]
instruction_set! { avx512, "avx512", Backend::Avx512, form: None,
    lanes: 2 vectors of 16, lanes_that_pay: 3, hex_decode: hex::decode_avx512;
}

/// The tables of AVX2.
pub(super) static AVX2_FORMS: [&Kernels; 2] = [&avx2::KERNELS, &avx2::in_registers::KERNELS];

/// The one of AVX2's tables that is faster on this processor.
pub(super) fn avx2_kernels() -> &'static Kernels {
    if form::is_in_flight_faster() {
        &avx2::KERNELS
    } else {
        &avx2::in_registers::KERNELS
    }
}
