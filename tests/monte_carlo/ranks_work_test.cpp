// SPDX-License-Identifier: MIT
// Work that is dealt out has the bits of one process, however many there are and wherever they were interrupted.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/estimator.hpp>
#include <isserlis/monte_carlo/ranks_work.hpp>
#include <isserlis/monte_carlo/run.hpp>
#include <isserlis/random/stream.hpp>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

using isserlis::DomainError;
using isserlis::Stream;
using isserlis::UnsupportedError;
using namespace isserlis::monte_carlo;

RunningVariance exponentials(std::uint64_t samples, SharedWork* shared, std::uint64_t seed = 5, unsigned threads = 1) {
    RunControl control;
    control.threads = threads;
    control.shared = shared;
    return run(samples, control, RunningVariance{}, [seed] {
        return [seed](std::uint64_t i, RunningVariance& into) { into.push(std::exp(Stream(seed, i).normal())); };
    });
}

bool same_bits(RunningVariance const& a, RunningVariance const& b) { return sums_of(a) == sums_of(b); }

/// Threads in place of processes.
class Meeting {
public:
    explicit Meeting(unsigned count) : words_(count) {}

    std::vector<ChunkSums> gather(unsigned number, ChunkSums const& mine) {
        std::unique_lock lock(mutex_);
        words_[number] = mine;
        std::size_t const round = round_;
        if (++here_ == words_.size()) {
            here_ = 0;
            gathered_ = words_;
            ++round_;
            all_here_.notify_all();
        } else {
            all_here_.wait(lock, [&] { return round_ != round; });
        }
        return gathered_;
    }
    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(words_.size()); }

private:
    std::mutex mutex_;
    std::condition_variable all_here_;
    std::vector<ChunkSums> words_, gathered_;
    std::size_t here_ = 0;
    std::size_t round_ = 0;
};

class ThreadRank final : public Ranks {
public:
    ThreadRank(Meeting& meeting, unsigned number) : meeting_(meeting), number_(number) {}
    [[nodiscard]] unsigned number() const override { return number_; }
    [[nodiscard]] unsigned count() const override { return meeting_.size(); }
    [[nodiscard]] unsigned on_this_machine() const override { return meeting_.size(); }
    [[nodiscard]] std::vector<ChunkSums> gather(ChunkSums const& mine) override {
        return meeting_.gather(number_, mine);
    }
    [[noreturn]] void end_all(int) override { throw std::logic_error("ended"); }

private:
    Meeting& meeting_;
    unsigned number_;
};

/// f(rank) in each of so many threads.
void in_ranks(unsigned count, std::function<void(Ranks&)> const& f) {
    Meeting meeting(count);
    std::vector<std::jthread> threads;
    for (unsigned r = 0; r < count; ++r) {
        threads.emplace_back([&, r] {
            ThreadRank rank(meeting, r);
            f(rank);
        });
    }
}

}  // namespace

TEST_SUITE("monte_carlo/shared_work") {
    TEST_CASE("what is written down is read back, bit for bit") {
        PowerSums sums(4);
        for (double const x : {1e-300, -3.0, 1e300, -0.0}) sums.push(x);
        auto const words = sums_of(sums);
        CHECK(words.size() == 1 + 2 * 4);
        CHECK(words.front() == 4);
        PowerSums back(4);
        CHECK(fill_from(words, back));
        CHECK(sums_of(back) == words);
        PowerSums other(3);
        CHECK_FALSE(fill_from(words, other));
        double const nan = std::bit_cast<double>(0xfff8000000000123ULL);
        RunningVariance odd;
        odd.push(nan);
        RunningVariance again;
        CHECK(fill_from(sums_of(odd), again));
        CHECK(sums_of(again) == sums_of(odd));
    }

    TEST_CASE("parts put together have the bits of the whole") {
        for (std::uint64_t const samples : {100U, 511U, 512U, 10'007U, 300'001U}) {
            CAPTURE(samples);
            auto const whole = exponentials(samples, nullptr);
            for (std::uint64_t const count : {1U, 2U, 3U, 7U, 50U}) {
                std::vector<RecordedRun> all;
                for (std::uint64_t k = 1; k <= count; ++k) {
                    ShardWork work({.index = k, .count = count});
                    (void)exponentials(samples, &work, 5, 1 + static_cast<unsigned>(k % 3));
                    work.require_finished();
                    REQUIRE(work.runs().size() == 1);
                    auto const& part = work.runs().front();
                    if (all.empty())
                        all.push_back(part);
                    else {
                        CHECK(part.from == all.front().sums.size());
                        all.front().sums.insert(all.front().sums.end(), part.sums.begin(), part.sums.end());
                    }
                }
                CHECK(all.front().sums.size() == chunk_count(samples));
                RecordedWork recorded(all);
                CHECK(same_bits(exponentials(samples, &recorded), whole));
                CHECK_NOTHROW(recorded.require_used());
            }
        }
    }

    TEST_CASE("a part too small for two chunks is refused") {
        ShardWork work({.index = 1, .count = 51});
        CHECK_THROWS_WITH_AS((void)exponentials(100, &work), "`shard` 1/51: 100 samples make 50 parts at most",
                             UnsupportedError);
    }

    TEST_CASE("other runs than those that were recorded are refused, also where that is caught") {
        ShardWork work({.index = 1, .count = 1});
        (void)exponentials(100, &work);
        for (int what = 0; what < 4; ++what) {
            RecordedWork recorded(work.runs());
            auto const again = [&] {
                if (what == 0) (void)exponentials(100, &recorded, 6);  // another seed
                if (what == 1) (void)exponentials(101, &recorded);
                if (what == 2) {
                    (void)exponentials(100, &recorded);
                    (void)exponentials(100, &recorded);
                }
            };
            if (what < 3) CHECK_THROWS_AS(again(), DomainError);
            CHECK_THROWS_AS(recorded.require_used(), DomainError);
        }
    }

    TEST_CASE("1, 2, 3 and 8 ranks have the bits of one, run after run") {
        for (std::uint64_t const samples : {2U, 3U, 300U, 5000U, 100'003U}) {
            CAPTURE(samples);
            auto const one = exponentials(samples, nullptr);
            auto const two = exponentials(samples, nullptr, 6);
            for (unsigned const ranks : {1U, 2U, 3U, 8U}) {
                std::mutex mutex;
                unsigned same = 0;
                in_ranks(ranks, [&](Ranks& rank) {
                    RanksWork work(rank);
                    bool const both = same_bits(exponentials(samples, &work, 5, 1 + rank.number() % 2), one) &&
                                      same_bits(exponentials(samples, work.for_dependent_runs(), 6), two);
                    work.require_sound();
                    std::lock_guard const lock(mutex);
                    same += both ? 1 : 0;
                });
                CHECK(same == ranks);
            }
        }
    }

    TEST_CASE("work goes on from any number of chunks, in other ranks than before") {
        constexpr std::uint64_t samples = 5000;
        auto const whole = exponentials(samples, nullptr);
        std::vector<RecordedRun> kept;
        in_ranks(2, [&](Ranks& rank) {
            RanksWork work(rank, 1, {}, [&](auto const& runs) { kept = runs; });
            (void)exponentials(samples, &work);
            if (rank.number() == 0) work.keep_all();
        });
        REQUIRE(kept.size() == 1);
        REQUIRE(kept.front().sums.size() == chunk_count(samples));
        for (std::size_t const done : {0U, 1U, 5U, 200U, 263U}) {
            auto some = kept;
            some.front().sums.resize(std::min<std::size_t>(done, chunk_count(samples)));
            std::mutex mutex;
            int same = 0;
            in_ranks(3, [&](Ranks& rank) {
                RanksWork work(rank, 1 + rank.number() % 2, some);
                bool const equal = same_bits(exponentials(samples, &work), whole);
                std::lock_guard const lock(mutex);
                same += equal ? 1 : 0;
            });
            CHECK(same == 3);
        }
    }

    TEST_CASE("ranks that draw another sample, and other work done before, are refused") {
        std::mutex mutex;
        int refused = 0;
        in_ranks(2, [&](Ranks& rank) {
            RanksWork work(rank);
            try {
                (void)exponentials(100, &work, rank.number());
            } catch (DomainError const&) {
                std::lock_guard const lock(mutex);
                ++refused;
            }
        });
        CHECK(refused == 2);
        Meeting alone(1);
        ThreadRank rank(alone, 0);
        ShardWork before({.index = 1, .count = 1});
        (void)exponentials(100, &before);
        RanksWork work(rank, 1, before.runs());
        CHECK_THROWS_AS((void)exponentials(100, &work, 7), DomainError);
        CHECK_THROWS_AS(work.require_sound(), DomainError);
    }
}
