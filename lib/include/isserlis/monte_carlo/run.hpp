// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <isserlis/error.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo {

/// How a run is carried out; nothing in it changes the answer.
struct RunControl {
    unsigned threads = 1;
    /// Called a few times a second at most, from one thread at a time, and once at the end.
    std::function<void(std::uint64_t done, std::uint64_t total)> progress;
    /// The run throws Interrupted soon after this becomes true.
    std::atomic<bool> const* stop = nullptr;
    /// A run that would take longer, by the pace of its first samples, is refused with the number that fits a minute.
    double most_seconds = std::numeric_limits<double>::infinity();
    /// Checks carry out what they would refuse as too much work.
    bool whatever_it_takes = false;

    [[nodiscard]] bool stopped() const noexcept { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

/// The samples first <= i < last, and the place in the reorder buffer where their result goes.
struct Chunk {
    std::uint64_t first;
    std::uint64_t last;
    std::size_t slot;
};

/// How many chunk results exist at a time; a few for each thread, however many samples there are.
[[nodiscard]] std::size_t reorder_slots(std::uint64_t samples, RunControl const& control);

/// Throws UnsupportedError if all samples take longer than control.most_seconds at the pace of the first ones, and says
/// how many fit a minute.
void require_pace(std::uint64_t done, std::uint64_t samples, double seconds, RunControl const& control);

/// Cuts the samples into chunks, works on them in threads and hands the results to `merge` in the order of the chunks.
/// `make_worker` is called once in each thread; the chunks depend on the number of samples alone.
void run_chunks(std::uint64_t samples, RunControl const& control,
                std::function<std::function<void(Chunk const&)>()> const& make_worker,
                std::function<void(std::size_t slot)> const& merge);

/// Statistics that one thread collects and another takes in.
template <class A>
concept Mergeable = std::copyable<A> && requires(A a, A const& b) {
    a.merge(b);
};

/// Collects samples 0 .. samples - 1 into one accumulator, in parallel.
///
/// Law     sample i must be a function of i alone (a Stream); the answer is then the same, bit for bit, with any number
///         of threads, since chunks and the order of merging are fixed.
/// Shape   `zero` is an empty accumulator; make_sampler() gives each thread its own f(i, accumulator).
/// Units   none.
/// Errors  DomainError for fewer than 2 samples (no standard error) or 0 threads; UnsupportedError for a run beyond
///         `most_seconds`; Interrupted; and whatever a sampler throws.
/// Source  this library
template <Mergeable Accumulator, class MakeSampler>
[[nodiscard]] Accumulator run(std::uint64_t samples, RunControl const& control, Accumulator const& zero,
                              MakeSampler const& make_sampler) {
    Accumulator total = zero;
    std::vector<Accumulator> slots(reorder_slots(samples, control), zero);
    run_chunks(
        samples, control,
        [&] {
            return [&, sampler = make_sampler()](Chunk const& chunk) mutable {
                Accumulator part = zero;
                for (std::uint64_t i = chunk.first; i < chunk.last; ++i) {
                    if (control.stopped()) throw Interrupted();
                    sampler(i, part);
                }
                slots[chunk.slot] = std::move(part);
            };
        },
        [&](std::size_t slot) { total.merge(slots[slot]); });
    return total;
}

}  // namespace isserlis::monte_carlo
