// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/shared_work.hpp>
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
    /// Who else works on the runs; null for nobody.
    SharedWork* shared = nullptr;

    [[nodiscard]] bool stopped() const noexcept { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

/// The samples first <= i < last of a chunk, all of it or a piece, and the place in the reorder buffer where the result
/// of the chunk goes.
struct Chunk {
    std::uint64_t number;
    std::uint64_t first;
    std::uint64_t last;
    std::size_t slot;
    bool opens = true;   ///< with the first sample of the chunk
    bool closes = true;  ///< with the last
};

/// Into how many chunks the samples are cut.
[[nodiscard]] std::uint64_t chunk_count(std::uint64_t samples);

/// How many chunk results exist at a time; a few for each thread, however many samples there are.
[[nodiscard]] std::size_t reorder_slots(std::uint64_t samples, RunControl const& control);

/// Throws UnsupportedError if all samples take longer than control.most_seconds at the pace of the first ones, and says
/// how many fit a minute.
void require_pace(std::uint64_t done, std::uint64_t samples, double seconds, RunControl const& control);

/// Cuts the samples into chunks, works on them in threads and hands the results to `merge` in the order of the chunks.
/// `make_worker` is called once in each thread, its worker with the pieces of one chunk after the other; the chunks
/// depend on the number of samples alone. With `some` it works on these chunks only.
void run_chunks(std::uint64_t samples, RunControl const& control,
                std::function<std::function<void(Chunk const&)>()> const& make_worker,
                std::function<void(Chunk const&)> const& merge, std::vector<std::uint64_t> const* some = nullptr);

/// Statistics that one thread collects and another takes in, and that can be written down: see chunk_sums.hpp.
template <class A>
concept Mergeable = std::copyable<A> && requires(A a, A const& b) {
    merge_sums(a, b);
    sums_of(b);
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
    auto const make_worker = [&] {
        return [&, sampler = make_sampler(), part = zero](Chunk const& chunk) mutable {
            if (chunk.opens) part = zero;
            for (std::uint64_t i = chunk.first; i < chunk.last; ++i) {
                if (control.stopped()) throw Interrupted();
                sampler(i, part);
            }
            if (chunk.closes) slots[chunk.slot] = part;
        };
    };
    if (control.shared == nullptr) {
        run_chunks(samples, control, make_worker, [&](Chunk const& chunk) { merge_sums(total, slots[chunk.slot]); });
        return total;
    }
    SharedWork& shared = *control.shared;
    std::uint64_t const chunks = chunk_count(samples);
    Accumulator first = zero;
    make_sampler()(0, first);
    shared.begin(samples, chunks, sums_of(first));
    for (auto some = shared.next_round(); !some.empty(); some = shared.next_round()) {
        run_chunks(
            samples, control, make_worker,
            [&](Chunk const& chunk) { shared.take_in(chunk.number, sums_of(slots[chunk.slot])); }, &some);
    }
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
        auto const* sums = shared.sums(chunk);
        if (sums == nullptr) continue;
        Accumulator part = zero;
        if (!fill_from(*sums, part)) throw DomainError("run: sums of another run", "samples");
        merge_sums(total, part);
    }
    return total;
}

}  // namespace isserlis::monte_carlo
