// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/ranks.hpp>
#include <isserlis/monte_carlo/recorded_runs.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo {

/// Runs whose chunks are dealt to several processes, in rounds after which all of them know all sums; and which go on
/// where others have been interrupted.
///
/// Law     every process has the same sums in the same order, hence the same totals, and comes to the same next run.
/// Shape   a round begins with a chunk for each of the `threads` of a rank. `done` are the runs of before, the last of them perhaps in part; `keep` is given all runs now and then, on
///         rank 0.
/// Errors  DomainError where `done` are other runs, or processes draw another first sample; what `keep` throws.
/// Source  this library
class RanksWork final : public SharedWork {
public:
    using Keep = std::function<void(std::vector<RecordedRun> const&)>;

    explicit RanksWork(Ranks& ranks, unsigned threads = 1, std::vector<RecordedRun> done = {}, Keep keep = {});

    void begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) override;
    [[nodiscard]] std::vector<std::uint64_t> next_round() override;
    void take_in(std::uint64_t chunk, ChunkSums sums) override;
    [[nodiscard]] ChunkSums const* sums(std::uint64_t chunk) const override;
    [[nodiscard]] SharedWork* for_dependent_runs() override { return this; }

    /// How many samples of the run are done, and how many there are, when so many of this round are.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> progress(std::uint64_t done, std::uint64_t total) const;
    /// Errors  DomainError if that has been thrown and caught before.
    void require_sound() const;
    /// There were runs.
    [[nodiscard]] bool any() const { return next_ != 0; }
    /// All that is done, if not before.
    void keep_all();

private:
    using Clock = std::chrono::steady_clock;

    [[noreturn]] void fail(std::string why);
    [[nodiscard]] RecordedRun& run() { return runs_[current_]; }
    [[nodiscard]] RecordedRun const& run() const { return runs_[current_]; }
    void open_round();
    void close_round();

    Ranks& ranks_;
    std::uint64_t threads_;
    Keep keep_;
    std::vector<RecordedRun> runs_;
    std::size_t current_ = 0;
    std::size_t next_ = 0;  ///< run to begin
    bool round_is_open_ = false;
    std::uint64_t each_ = 1;   ///< chunks of a round for each rank
    std::uint64_t round_ = 0;  ///< chunks of this round
    ChunkSums mine_;           ///< of this round, after the time that it has taken
    Clock::time_point began_;  ///< the round
    Clock::time_point kept_ = Clock::now();
    Clock::duration keeping_{};  ///< how long that took
    bool kept_all_ = true;
    std::string failure_;
};

}  // namespace isserlis::monte_carlo
