//! The batch engine, which every backend but the portable one shares, and what it asks of a family of kernels.

mod engine;
mod family;
mod lane_sums;
mod lanes;
mod mixing;
mod multi_chunk;
mod root_node;
mod table;

pub(super) use table::prelude;
