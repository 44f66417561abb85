//! The memory tables, each alone: nothing panics, and pieces of any size say the same as the whole.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens_fuzz::{OUTPUT, head, same_in_pieces};

fuzz_target!(|data: &[u8]| {
    let Some((case, piece, rest)) = head(data) else { return };
    let names = ["operator_memory.csv", "memory_record.csv", "npu_module_mem.csv", "static_op_mem.csv"];
    let name = names[usize::from(case) % names.len()];
    same_in_pieces(&vec![(format!("{OUTPUT}/{name}"), rest.to_vec())], piece);
});
