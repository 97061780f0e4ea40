// SPDX-License-Identifier: MIT
#include <isserlis/monte_carlo/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

namespace isserlis::monte_carlo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t largest_chunk = 1024;
constexpr std::uint64_t enough_chunks = 256;
constexpr std::uint64_t most_chunks = 32'768;  ///< each of which parts of a run write down
constexpr std::uint64_t largest_piece = 1024;  ///< after which it is said how much is done
constexpr std::uint64_t most_threads = 1024;
constexpr auto progress_interval = std::chrono::milliseconds(300);
constexpr double seconds_to_judge_by = 1;

std::uint64_t chunk_size(std::uint64_t samples) {
    return std::clamp<std::uint64_t>(samples / enough_chunks, 1, std::max(largest_chunk, samples / most_chunks));
}

std::size_t thread_count(std::uint64_t samples, RunControl const& control) {
    return static_cast<std::size_t>(std::min({std::uint64_t{control.threads}, chunk_count(samples), most_threads}));
}

/// Hands out chunks and takes them back; a chunk waits until its slot in the reorder buffer is free again.
class ChunkQueue {
public:
    ChunkQueue(std::uint64_t samples, RunControl const& control, std::function<void(Chunk const&)> const& merge,
               std::vector<std::uint64_t> const* some)
        : samples_(samples),
          control_(control),
          merge_(merge),
          some_(some),
          chunks_(some == nullptr ? chunk_count(samples) : some->size()),
          ready_(reorder_slots(samples, control)) {
        for (std::uint64_t i = 0; some != nullptr && i < chunks_; ++i) asked_ += size_of((*some)[i]);
        if (some == nullptr) asked_ = samples;
    }

    [[nodiscard]] std::optional<Chunk> next() {
        std::unique_lock lock(mutex_);
        slot_free_.wait(lock, [&] { return failure_ || next_ < merged_ + ready_.size(); });
        if (failure_ || next_ == chunks_) return std::nullopt;
        return chunk_at(next_++);
    }

    void finish(Chunk const& chunk) {
        std::lock_guard const lock(mutex_);
        ready_[chunk.slot] = true;
        while (!failure_ && ready_[slot(merged_)]) {
            merge_(chunk_at(merged_));
            ready_[slot(merged_)] = false;
            ++merged_;
        }
        slot_free_.notify_all();
    }

    /// So many samples more are done.
    void count(std::uint64_t samples) {
        std::lock_guard const lock(mutex_);
        done_ += samples;
        judge_pace();
        report_progress();
    }

    void fail(std::exception_ptr failure) {
        std::lock_guard const lock(mutex_);
        if (!failure_) failure_ = std::move(failure);
        slot_free_.notify_all();
    }

    void rethrow_failure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    /// Of the place in the queue.
    [[nodiscard]] std::size_t slot(std::uint64_t place) const {
        return static_cast<std::size_t>(place % ready_.size());
    }
    [[nodiscard]] std::uint64_t number(std::uint64_t place) const {
        return some_ == nullptr ? place : (*some_)[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] std::uint64_t size_of(std::uint64_t chunk) const {
        return std::min(chunk_size(samples_), samples_ - chunk * chunk_size(samples_));
    }
    [[nodiscard]] Chunk chunk_at(std::uint64_t place) const {
        std::uint64_t const first = number(place) * chunk_size(samples_);
        return {.number = number(place), .first = first, .last = first + size_of(number(place)), .slot = slot(place)};
    }

    /// Once, so that a run that has been going on is never given up because the machine has got busy.
    void judge_pace() {
        double const passed = std::chrono::duration<double>(Clock::now() - began_).count();
        if (judged_ || passed < seconds_to_judge_by) return;
        judged_ = true;
        require_pace(done_, asked_, passed, control_);
    }

    void report_progress() {
        if (!control_.progress || failure_) return;
        bool const complete = done_ == asked_;
        auto const now = Clock::now();
        if (!complete && now - reported_ < progress_interval) return;
        reported_ = now;
        control_.progress(done_, asked_);
    }

    std::uint64_t samples_;
    RunControl const& control_;
    std::function<void(Chunk const&)> const& merge_;
    std::vector<std::uint64_t> const* some_;
    std::uint64_t chunks_;
    std::uint64_t asked_ = 0;  ///< samples of these chunks
    std::mutex mutex_;
    std::condition_variable slot_free_;
    std::vector<bool> ready_;
    std::uint64_t next_ = 0;
    std::uint64_t merged_ = 0;
    std::exception_ptr failure_;
    Clock::time_point began_ = Clock::now();
    Clock::time_point reported_ = began_;
    std::uint64_t done_ = 0;
    bool judged_ = false;
};

}  // namespace

std::uint64_t chunk_count(std::uint64_t samples) {
    std::uint64_t const size = chunk_size(samples);
    return samples / size + (samples % size != 0 ? 1 : 0);
}

std::size_t reorder_slots(std::uint64_t samples, RunControl const& control) {
    if (samples < 2)
        throw DomainError("run: samples = " + std::to_string(samples) + "; a standard error needs at least 2",
                          "samples");
    if (control.threads == 0) throw DomainError("run: threads = 0; at least 1 is needed", "threads");
    std::size_t const threads = thread_count(samples, control);
    return threads == 1 ? 1 : 2 * threads;
}

void require_pace(std::uint64_t done, std::uint64_t samples, double seconds, RunControl const& control) {
    constexpr double minute = 60;
    double const all = seconds * static_cast<double>(samples) / static_cast<double>(done);
    if (all <= control.most_seconds) return;
    auto const fitting = static_cast<std::uint64_t>(minute * static_cast<double>(done) / seconds);
    throw UnsupportedError("`check`: " + std::to_string(samples) + " samples take about " +
                               std::to_string(static_cast<std::uint64_t>(std::ceil(all / minute))) + " minutes here; " +
                               (fitting >= 2 ? std::to_string(fitting) + " fit a minute, and " : "") +
                               "`whatever_it_takes` runs all of them",
                           "check");
}

void run_chunks(std::uint64_t samples, RunControl const& control,
                std::function<std::function<void(Chunk const&)>()> const& make_worker,
                std::function<void(Chunk const&)> const& merge, std::vector<std::uint64_t> const* some) {
    ChunkQueue queue(samples, control, merge, some);
    auto const work = [&] {
        try {
            auto const worker = make_worker();
            while (auto const chunk = queue.next()) {
                Chunk piece = *chunk;
                for (std::uint64_t at = chunk->first; at < chunk->last; at = piece.last) {
                    piece.first = at;
                    piece.last = std::min(at + largest_piece, chunk->last);
                    piece.opens = at == chunk->first;
                    piece.closes = piece.last == chunk->last;
                    worker(piece);
                    queue.count(piece.last - piece.first);
                }
                queue.finish(*chunk);
            }
        } catch (...) {
            queue.fail(std::current_exception());
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (std::size_t i = 1; i < thread_count(samples, control); ++i) helpers.emplace_back(work);
        } catch (std::system_error const&) {
            // No more threads to be had: those that started, and this one, do the work and the answer is the same.
        }
        work();
    }
    queue.rethrow_failure();
}

}  // namespace isserlis::monte_carlo
