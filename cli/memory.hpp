// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis::cli {

/// What is said where memory ends.
inline constexpr char const* out_of_memory = "out of memory; ask for fewer layers, a smaller order or smaller numbers";

/// From now on the process ends with exit code 3 and that sentence where GMP, MPFR or FLINT cannot have memory: C code
/// that no exception may pass, and that would abort.
void end_without_memory(bool json);

/// Memory ends, in that way, at nine tenths of what the machine or the container has, besides the stacks of so many
/// threads: beyond it the system would end the process, or others, without a word. A limit that is there stays.
void leave_memory_to_others(unsigned threads);

}  // namespace isserlis::cli
