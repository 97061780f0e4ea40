// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/ranks_work.hpp>

#include <algorithm>
#include <isserlis/error.hpp>

namespace isserlis::monte_carlo {
namespace {

constexpr auto short_round = std::chrono::seconds(5);  ///< after which the next one has twice as much
constexpr std::uint64_t most_handed_in = 1'000'000;    ///< numbers, by a rank
constexpr auto between_keeping = std::chrono::seconds(2);
constexpr int worth_keeping = 20;  ///< times that keeping takes

}  // namespace

RanksWork::RanksWork(Ranks& ranks, unsigned threads, std::vector<RecordedRun> done, Keep keep)
    : ranks_(ranks), threads_(threads), keep_(std::move(keep)), runs_(std::move(done)) {}

void RanksWork::fail(std::string why) {
    failure_ = std::move(why);
    throw DomainError(failure_, "keep");
}

void RanksWork::require_sound() const {
    if (!failure_.empty()) throw DomainError(failure_, "keep");
}

void RanksWork::begin(std::uint64_t samples, std::uint64_t chunks, ChunkSums const& first) {
    auto const all = ranks_.gather(first);
    for (std::size_t r = 1; r < all.size(); ++r) {
        if (all[r] != all[0])
            fail("rank " + std::to_string(r) +
                 " draws another first sample than rank 0: they read other files, or their machines compute "
                 "differently");
    }
    current_ = next_++;
    round_is_open_ = false;
    each_ = 1;
    for (auto const& threads : ranks_.gather({threads_})) each_ = std::max(each_, threads.front());
    if (current_ == runs_.size()) {
        runs_.push_back({.samples = samples, .chunks = chunks, .first = first, .from = 0, .sums = {}});
    } else if (run().samples != samples || run().chunks != chunks || run().first != first) {
        fail("`keep`: its run " + std::to_string(next_) +
             " is another one: files that the question reads have changed, or the machines compute differently");
    }
}

std::vector<std::uint64_t> RanksWork::next_round() {
    for (;;) {
        if (round_is_open_) close_round();
        if (run().sums.size() == run().chunks) return {};
        open_round();
        // A rank for which nothing is left goes on to the exchange, for which the others wait.
        std::uint64_t const from = std::min(round_, each_ * ranks_.number());
        std::uint64_t const to = std::min(round_, from + each_);
        std::vector<std::uint64_t> out;
        for (std::uint64_t i = from; i < to; ++i) out.push_back(run().sums.size() + i);
        if (!out.empty()) return out;
    }
}

void RanksWork::open_round() {
    round_ = std::min<std::uint64_t>(run().chunks - run().sums.size(), each_ * ranks_.count());
    mine_.assign(1, 0);
    began_ = Clock::now();
    round_is_open_ = true;
}

void RanksWork::take_in(std::uint64_t, ChunkSums sums) { mine_.insert(mine_.end(), sums.begin(), sums.end()); }

void RanksWork::close_round() {
    round_is_open_ = false;
    mine_.front() = Clock::now() - began_ < short_round ? 1 : 0;
    std::size_t const size = run().first.size();
    auto const all = ranks_.gather(mine_);
    for (auto const& of : all) {
        for (std::size_t at = 1; at + size <= of.size(); at += size) {
            auto const from = of.begin() + static_cast<std::ptrdiff_t>(at);
            run().sums.emplace_back(from, from + static_cast<std::ptrdiff_t>(size));
        }
    }
    // By what rank 0 says, so that all do the same.
    if (all.front().front() != 0 && 2 * each_ * size <= most_handed_in) each_ *= 2;
    kept_all_ = false;
    if (Clock::now() - kept_ >= std::max<Clock::duration>(between_keeping, worth_keeping * keeping_)) keep_all();
}

void RanksWork::keep_all() {
    if (!keep_ || ranks_.number() != 0 || kept_all_) return;
    auto const began = Clock::now();
    keep_(runs_);
    kept_ = Clock::now();
    keeping_ = kept_ - began;
    kept_all_ = true;
}

ChunkSums const* RanksWork::sums(std::uint64_t chunk) const { return &run().sums.at(chunk); }

std::pair<std::uint64_t, std::uint64_t> RanksWork::progress(std::uint64_t done, std::uint64_t total) const {
    if (runs_.empty() || run().chunks == 0 || total == 0) return {done, total};
    double const share = static_cast<double>(done) / static_cast<double>(total);
    double const chunks = static_cast<double>(run().sums.size()) + static_cast<double>(round_) * share;
    double const samples = chunks / static_cast<double>(run().chunks) * static_cast<double>(run().samples);
    return {std::min(run().samples, static_cast<std::uint64_t>(samples)), run().samples};
}

}  // namespace isserlis::monte_carlo
