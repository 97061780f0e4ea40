// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <isserlis/monte_carlo/run.hpp>
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
constexpr std::uint64_t most_threads = 1024;
constexpr auto progress_interval = std::chrono::milliseconds(300);

std::uint64_t chunk_size(std::uint64_t samples) {
    return std::clamp<std::uint64_t>(samples / enough_chunks, 1, largest_chunk);
}

std::uint64_t chunk_count(std::uint64_t samples) {
    std::uint64_t const size = chunk_size(samples);
    return samples / size + (samples % size != 0 ? 1 : 0);
}

std::size_t thread_count(std::uint64_t samples, RunControl const& control) {
    return static_cast<std::size_t>(std::min({std::uint64_t{control.threads}, chunk_count(samples), most_threads}));
}

/// Hands out chunks and takes them back; a chunk waits until its slot in the reorder buffer is free again.
class ChunkQueue {
public:
    ChunkQueue(std::uint64_t samples, RunControl const& control, std::function<void(std::size_t)> const& merge)
        : samples_(samples), control_(control), merge_(merge), ready_(reorder_slots(samples, control)) {}

    [[nodiscard]] std::optional<Chunk> next() {
        std::unique_lock lock(mutex_);
        slot_free_.wait(lock, [&] { return failure_ || next_ < merged_ + ready_.size(); });
        if (failure_ || next_ == chunk_count(samples_)) return std::nullopt;
        std::uint64_t const first = next_ * chunk_size(samples_);
        std::uint64_t const last = first + std::min(chunk_size(samples_), samples_ - first);
        return Chunk{.first = first, .last = last, .slot = slot(next_++)};
    }

    void finish(Chunk const& chunk) {
        std::lock_guard const lock(mutex_);
        ready_[chunk.slot] = true;
        while (!failure_ && ready_[slot(merged_)]) {
            merge_(slot(merged_));
            ready_[slot(merged_)] = false;
            ++merged_;
        }
        slot_free_.notify_all();
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
    [[nodiscard]] std::size_t slot(std::uint64_t chunk) const {
        return static_cast<std::size_t>(chunk % ready_.size());
    }

    void report_progress() {
        if (!control_.progress || failure_) return;
        bool const complete = merged_ == chunk_count(samples_);
        auto const now = Clock::now();
        if (!complete && now - reported_ < progress_interval) return;
        reported_ = now;
        control_.progress(complete ? samples_ : merged_ * chunk_size(samples_), samples_);
    }

    std::uint64_t samples_;
    RunControl const& control_;
    std::function<void(std::size_t)> const& merge_;
    std::mutex mutex_;
    std::condition_variable slot_free_;
    std::vector<bool> ready_;
    std::uint64_t next_ = 0;
    std::uint64_t merged_ = 0;
    std::exception_ptr failure_;
    Clock::time_point reported_ = Clock::now();
};

}  // namespace

std::size_t reorder_slots(std::uint64_t samples, RunControl const& control) {
    if (samples < 2)
        throw DomainError("run: samples = " + std::to_string(samples) + "; a standard error needs at least 2",
                          "samples");
    if (control.threads == 0) throw DomainError("run: threads = 0; at least 1 is needed", "threads");
    std::size_t const threads = thread_count(samples, control);
    return threads == 1 ? 1 : 2 * threads;
}

void run_chunks(std::uint64_t samples, RunControl const& control,
                std::function<std::function<void(Chunk const&)>()> const& make_worker,
                std::function<void(std::size_t slot)> const& merge) {
    ChunkQueue queue(samples, control, merge);
    auto const work = [&] {
        try {
            auto const worker = make_worker();
            while (auto const chunk = queue.next()) {
                worker(*chunk);
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
