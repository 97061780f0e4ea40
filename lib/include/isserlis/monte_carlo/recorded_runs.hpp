// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/shared_work.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace isserlis::monte_carlo {

/// The sums of some chunks of a run, one after the other.
struct RecordedRun {
    std::uint64_t samples = 0;
    std::uint64_t chunks = 0;  ///< of the whole run
    ChunkSums first;           ///< of sample 0 alone
    std::uint64_t from = 0;    ///< number of the first chunk here
    std::vector<ChunkSums> sums;
};

/// Part `index` of `count`, from 1.
struct Shard {
    std::uint64_t index = 1;
    std::uint64_t count = 1;
};

/// Does one part of every run: of n chunks those from n (index - 1)/count to n index/count.
///
/// Law     the totals of its runs are those of its own samples, of use to nobody: a process that goes on with them comes
///         to the next run.
/// Errors  UnsupportedError for more parts than half of the chunks, so that each has two samples, and for parts beyond
///         99 MB, which would not be read.
/// Source  this library
class ShardWork final : public SharedWork {
public:
    explicit ShardWork(Shard shard) : shard_(shard) {}

    void begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) override;
    [[nodiscard]] std::vector<std::uint64_t> next_round() override;
    void take_in(std::uint64_t chunk, ChunkSums sums) override;
    [[nodiscard]] ChunkSums const* sums(std::uint64_t chunk) const override;
    [[nodiscard]] SharedWork* for_dependent_runs() override;

    /// Errors  UnsupportedError when a run was given up.
    void require_finished() const;
    [[nodiscard]] std::vector<RecordedRun> const& runs() const { return runs_; }

private:
    [[nodiscard]] std::uint64_t chunks_here() const;

    Shard shard_;
    bool begun_ = false;  ///< the one round of the run that is on
    std::uint64_t bytes_ = 0;
    std::vector<RecordedRun> runs_;
};

/// Goes through runs again whose chunks are all known, and works on none.
class RecordedWork final : public SharedWork {
public:
    explicit RecordedWork(std::vector<RecordedRun> runs) : runs_(std::move(runs)) {}

    void begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) override;
    [[nodiscard]] std::vector<std::uint64_t> next_round() override { return {}; }
    void take_in(std::uint64_t, ChunkSums) override {}
    [[nodiscard]] ChunkSums const* sums(std::uint64_t chunk) const override;
    /// Null: they are done anew, whole.
    [[nodiscard]] SharedWork* for_dependent_runs() override { return nullptr; }

    /// Errors  DomainError where the runs that were recorded are not those that were asked for, also if that has been
    ///         thrown and caught before.
    void require_used() const;

private:
    std::vector<RecordedRun> runs_;
    std::size_t next_ = 0;
    std::string failure_;
};

}  // namespace isserlis::monte_carlo
