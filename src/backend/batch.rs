//! The batch engine, which all backends but the portable one share, and what it needs of the kernels of an instruction set.

mod abi;
mod engine;
mod lane_sums;
mod lanes;
mod mixing;
mod multi_chunk;
mod root_node;
mod table;

pub(super) use table::prelude;
