// SPDX-License-Identifier: MIT
#include "asking.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <isserlis/error.hpp>
#include <mutex>
#include <optional>
#include <utility>

#include "words.hpp"

namespace isserlis::python {
namespace {

constexpr std::size_t stack_bytes = 8U << 20U;  ///< in which all that may be nested fits
constexpr std::chrono::milliseconds pulse{50};

/// How many threads work now.
std::atomic<int> working = 0;

struct Work {
    quantity::Question question;
    std::atomic<bool> stop = false;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::optional<Reached> reached;
    std::shared_ptr<Answer const> answer;
    std::exception_ptr error;
};

quantity::Surroundings surroundings_of(Work& work) {
    quantity::Surroundings out;
    out.spoken = in_keywords;
    out.unlimited = true;  // nothing is printed
    out.latex = true;
    out.stop = &work.stop;
    out.progress = [&work](quantity::ProgressWords const& words) -> quantity::Progress {
        return [&work, words](std::uint64_t done, std::uint64_t total) {
            std::lock_guard const lock(work.mutex);
            work.reached = Reached{.words = words, .done = done, .total = total};
        };
    };
    return out;
}

void do_work(Work& work) {
    std::shared_ptr<Answer const> answer;
    std::exception_ptr error;
    try {
        answer = std::make_shared<Answer const>(quantity::ask(work.question, surroundings_of(work)));
    } catch (...) {
        error = std::current_exception();
    }
    std::lock_guard const lock(work.mutex);
    work.answer = std::move(answer);
    work.error = std::move(error);
    work.done = true;
    work.changed.notify_all();
}

void* run(void* given) {
    std::unique_ptr<std::shared_ptr<Work>> const work(static_cast<std::shared_ptr<Work>*>(given));
    do_work(**work);
    --working;
    return nullptr;
}

void start(std::shared_ptr<Work> const& work) {
    pthread_attr_t attributes{};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    auto given = std::make_unique<std::shared_ptr<Work>>(work);
    ++working;
    pthread_t thread{};
    bool const started = pthread_create(&thread, &attributes, run, given.get()) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) {
        --working;
        throw UnsupportedError("the system refuses another thread");
    }
    (void)given.release();  // the thread's now
}

void end_at_once(int status, void*) {
    if (working == 0) return;
    std::fflush(nullptr);
    _exit(status);
}

}  // namespace

std::shared_ptr<Answer const> ask_aside(quantity::Question question, std::function<void(Reached const*)> const& wait) {
    auto const work = std::make_shared<Work>();
    work->question = std::move(question);
    start(work);
    std::unique_lock lock(work->mutex);
    while (!work->changed.wait_for(lock, pulse, [&] { return work->done; })) {
        auto const reached = work->reached;
        lock.unlock();
        try {
            wait(reached ? &*reached : nullptr);
        } catch (...) {
            work->stop = true;
            throw;
        }
        lock.lock();
    }
    if (work->error) std::rethrow_exception(work->error);
    return work->answer;
}

void leave_work_behind_at_exit() { on_exit(end_at_once, nullptr); }

}  // namespace isserlis::python
