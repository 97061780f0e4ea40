// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/recorded_runs.hpp>

#include <isserlis/error.hpp>

namespace isserlis::monte_carlo {
namespace {

constexpr std::uint64_t most_bytes = 99'000'000;  ///< of a part, written down, so that it can be read
constexpr std::uint64_t bytes_of_a_number = 16;
constexpr std::uint64_t bytes_of_a_chunk = 8;

/// floor(n a/b) without the overflow of n a.
std::uint64_t share(std::uint64_t n, std::uint64_t a, std::uint64_t b) { return n / b * a + n % b * a / b; }

}  // namespace

void ShardWork::begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) {
    std::uint64_t const most = chunks / 2;
    if (shard_.count > most)
        throw UnsupportedError("`shard` " + std::to_string(shard_.index) + "/" + std::to_string(shard_.count) + ": " +
                                   std::to_string(samples) + " samples make " + std::to_string(most) +
                                   (most == 1 ? " part" : " parts") + " at most",
                               "shard");
    runs_.push_back({.samples = samples,
                     .chunks = chunks,
                     .first = first,
                     .from = share(chunks, shard_.index - 1, shard_.count),
                     .sums = {}});
    begun_ = false;
    bytes_ += chunks_here() * (bytes_of_a_chunk + bytes_of_a_number * first.size());
    if (bytes_ > most_bytes)
        throw UnsupportedError("`shard`: part " + std::to_string(shard_.index) + " of " + std::to_string(shard_.count) +
                                   " would have more than " + std::to_string(most_bytes / 1'000'000) +
                                   " MB; more parts have less each",
                               "shard");
}

std::uint64_t ShardWork::chunks_here() const {
    auto const& run = runs_.back();
    return share(run.chunks, shard_.index, shard_.count) - run.from;
}

std::vector<std::uint64_t> ShardWork::next_round() {
    std::vector<std::uint64_t> out;
    if (begun_) return out;
    begun_ = true;
    for (std::uint64_t i = 0; i < chunks_here(); ++i) out.push_back(runs_.back().from + i);
    return out;
}

void ShardWork::take_in(std::uint64_t, ChunkSums sums) { runs_.back().sums.push_back(std::move(sums)); }

ChunkSums const* ShardWork::sums(std::uint64_t chunk) const {
    auto const& run = runs_.back();
    return run.from <= chunk && chunk - run.from < run.sums.size() ? &run.sums[chunk - run.from] : nullptr;
}

SharedWork* ShardWork::for_dependent_runs() {
    throw UnsupportedError("`shard`: what is sampled next depends on all samples before; it is sampled at the merge",
                           "shard");
}

void ShardWork::require_finished() const {
    for (auto const& run : runs_) {
        std::uint64_t const all = share(run.chunks, shard_.index, shard_.count) - run.from;
        if (run.sums.size() == all) continue;
        throw UnsupportedError("`shard`: a run of " + std::to_string(run.samples) +
                                   " samples was given up; without `shard` the answer says why",
                               "shard");
    }
}

void RecordedWork::begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) {
    if (next_ == runs_.size()) {
        failure_ = "has " + std::to_string(runs_.size()) + " runs of samples, and the question here has more";
    } else {
        auto const& run = runs_[next_++];
        if (run.samples != samples || run.chunks != chunks)
            failure_ = "has a run of " + std::to_string(run.samples) + " samples where the question here has one of " +
                       std::to_string(samples);
        else if (run.first != first)
            failure_ =
                "has another first sample than this machine draws: files that the question reads have changed, or the "
                "machines compute differently";
    }
    if (!failure_.empty()) throw DomainError(failure_, "files");
}

ChunkSums const* RecordedWork::sums(std::uint64_t chunk) const { return &runs_[next_ - 1].sums.at(chunk); }

void RecordedWork::require_used() const {
    if (!failure_.empty()) throw DomainError(failure_, "files");
    if (next_ != runs_.size())
        throw DomainError("has " + std::to_string(runs_.size()) + " runs of samples, and the question here has " +
                              std::to_string(next_),
                          "files");
}

}  // namespace isserlis::monte_carlo
