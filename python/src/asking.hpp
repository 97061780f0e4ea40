// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/quantity/ask.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace isserlis::python {

/// What long work has done so far, for who waits for it.
struct Reached {
    quantity::ProgressWords words;
    std::uint64_t done;
    std::uint64_t total;
};

/// The answer, worked out in a thread of its own while this one waits.
///
/// `wait` is called a few times a second, with what has been reached, if anything has; what it throws leaves at once,
/// and the work is told to stop. Work that cannot stop, the computation of one exact value, then goes on unheard.
/// Errors  those of `ask`; UnsupportedError where the system refuses.
[[nodiscard]] std::shared_ptr<Answer const> ask_aside(quantity::Question question,
                                                      std::function<void(Reached const*)> const& wait);

/// Work that nobody waits for any more does not keep the process from ending, nor run while it is taken down.
void leave_work_behind_at_exit();

}  // namespace isserlis::python
