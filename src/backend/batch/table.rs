//! An instruction set's table.

/// Defines the table `KERNELS` of the kernels in scope. A function that names a kernel is never inlined: rustc inlines
/// small functions into other crates, where a hidden symbol is out of a dynamic library's reach.
macro_rules! table {
    ($backend:expr, form: $form:expr,
     lanes: $vectors:literal vectors of $lanes:literal, absorb_all_lanes: $absorb_all_lanes:expr, lanes_that_pay: $lanes_that_pay:literal,
     hex: $hex_encode:path, $hex_decode:path) => {
        pub(in crate::backend) static KERNELS: Kernels = Kernels {
            backend: $backend,
            form: $form,
            expand,
            add,
            sub,
            batch,
            batch_groups,
            add_sums,
            add_to_sums,
            hex_encode: $hex_encode,
            hex_decode: $hex_decode,
        };

        #[inline(never)]
        fn expand<'a>(
            mode: Mode<'_>,
            input: Input<'_>,
            limbs: &'a mut MaybeUninit<Limbs>,
        ) -> &'a mut Limbs {
            match input {
                Input::Element(element) if element.len() <= BLOCK_LEN => {
                    expand_block(mode, element, limbs)
                }
                _ => expand_long(mode, input, limbs),
            }
        }

        // Functions of their own, to which `expand` jumps: each saves no more registers than it needs. Where one element is expanded
        // after another, these stores wait for those of the expansion before.

        #[inline(never)]
        fn expand_block<'a>(
            mode: Mode<'_>,
            element: &[u8],
            limbs: &'a mut MaybeUninit<Limbs>,
        ) -> &'a mut Limbs {
            let mut node = MaybeUninit::uninit();
            expand_node(RootNode::of_block(&mut node, mode, element), limbs)
        }

        #[inline(never)]
        fn expand_long<'a>(
            mode: Mode<'_>,
            input: Input<'_>,
            limbs: &'a mut MaybeUninit<Limbs>,
        ) -> &'a mut Limbs {
            let mut node = RootNode::UNSET;
            // SAFETY: this table is only handed out where the processor has the instruction set; `absorb` is of the same.
            unsafe { node.set(mode, input, absorb) };
            expand_node(&node, limbs)
        }

        #[inline(always)]
        fn expand_node<'a>(node: &RootNode, limbs: &'a mut MaybeUninit<Limbs>) -> &'a mut Limbs {
            // SAFETY: this table is only handed out where the processor has the instruction set; `node` is a root node and `limbs` has room for the 2048 bytes, all of which `xof` writes.
            unsafe {
                xof(node, limbs.as_mut_ptr());
                limbs.assume_init_mut()
            }
        }

        #[inline(never)]
        fn add(limbs: &mut Limbs, other: &Limbs) {
            // SAFETY: this table is only handed out where the processor has the instruction set; both are 1024 limbs.
            unsafe { limbs_add(limbs, other) }
        }

        #[inline(never)]
        fn sub(limbs: &mut Limbs, other: &Limbs) {
            // SAFETY: this table is only handed out where the processor has the instruction set; both are 1024 limbs.
            unsafe { limbs_sub(limbs, other) }
        }

        static BATCH: BatchKernels<$lanes, $vectors> = BatchKernels {
            absorb,
            absorb_lanes,
            absorb_all_lanes: $absorb_all_lanes,
            xof_add,
            xof_sub,
            lanes_to_limbs,
            lanes_that_pay: $lanes_that_pay,
        };

        fn batch(
            mode: Mode<'_>,
            inputs: &mut dyn Iterator<Item = Staged<'_>>,
            limbs: &mut Limbs,
            guard: &mut u128,
        ) {
            // SAFETY: this table is only handed out where the processor has the instruction set.
            unsafe { mix(&BATCH, mode, inputs, limbs, guard) }
        }

        fn batch_groups(
            mode: Mode<'_>,
            inputs: &mut dyn Iterator<Item = Staged<'_, u32>>,
            groups: &mut GroupTable,
        ) {
            // SAFETY: this table is only handed out where the processor has the instruction set.
            unsafe { mix_groups(&BATCH, mode, inputs, groups) }
        }

        #[inline(never)]
        fn add_sums(limbs: &mut Limbs, sums: &mut GroupSums) {
            // SAFETY: this table is only handed out where the processor has the instruction set; the sums are lane sums.
            unsafe { lanes_to_limbs(LaneSums::of(sums), limbs) }
        }
    };
}

pub(in crate::backend) use table;

/// What the table's functions and an instruction set's kernels are written with.
pub(in crate::backend) mod prelude {
    #[cfg(target_arch = "x86_64")]
    pub(in crate::backend) use crate::backend::batch::abi::batch_kernels;
    pub(in crate::backend) use crate::backend::batch::abi::{
        BatchKernels, GuardBytes, LaneSums, LaneVector, RootNode,
    };
    pub(in crate::backend) use crate::backend::batch::engine::{mix, mix_groups};
    pub(in crate::backend) use crate::backend::batch::lane_sums::add_to_sums;
    pub(in crate::backend) use crate::backend::batch::table::table;
    pub(in crate::backend) use crate::backend::groups::GroupTable;
    pub(in crate::backend) use crate::backend::input::{Input, Mode, Staged};
    pub(in crate::backend) use crate::backend::kernels::Kernels;
    pub(in crate::backend) use crate::backend::limbs::Limbs;
    pub(in crate::backend) use crate::backend::name::Backend;
    pub(in crate::backend) use crate::backend::sums::GroupSums;
    pub(in crate::backend) use blake3::BLOCK_LEN;
    pub(in crate::backend) use core::mem::MaybeUninit;
}
