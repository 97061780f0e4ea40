// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <isserlis/report/duration.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "watch.hpp"

namespace isserlis::cli {
namespace {

/// The pace since a run was first heard of; one control serves several runs in turn.
class Pace {
public:
    /// Seconds for the rest; none before something is done.
    std::optional<double> left(std::uint64_t done, std::uint64_t total) {
        auto const now = std::chrono::steady_clock::now();
        if (done <= last_) {
            first_ = done;
            began_ = now;
        }
        last_ = done;
        if (done == first_) return std::nullopt;
        double const passed = std::chrono::duration<double>(now - began_).count();
        return passed * static_cast<double>(total - done) / static_cast<double>(done - first_);
    }

private:
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

std::string counted(quantity::ProgressWords const& words, std::uint64_t done, std::uint64_t total) {
    return words.doing + " " + std::to_string(done) + " " + words.of + " " + std::to_string(total) + " " + words.units;
}

void show(Pace& pace, quantity::ProgressWords const& words, std::uint64_t done, std::uint64_t total) {
    leave_unannounced();
    auto const left = pace.left(done, total);
    std::string const rest = done == total ? "\r\033[K" : left ? ", " + about(*left) + " left" : "";
    std::fprintf(stderr, "\r\033[K%s%s", counted(words, done, total).c_str(), rest.c_str());
    std::fflush(stderr);
}

/// Once a process: whoever reads a log learns how long it will take.
void say_once(Pace& pace, quantity::ProgressWords const& words, std::uint64_t done, std::uint64_t total) {
    constexpr double worth_a_line = 10;
    static std::atomic<bool> said = false;
    auto const left = pace.left(done, total);
    if (!left || *left < worth_a_line || said.exchange(true)) return;
    std::string const line =
        "isserlis: still working; " + counted(words, done, total) + ", " + about(*left) + " left\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

quantity::Progress progress_on_stderr(quantity::ProgressWords words) {
    if (isatty(STDERR_FILENO) == 0) {
        return [pace = std::make_shared<Pace>(), words = std::move(words)](std::uint64_t done, std::uint64_t total) {
            if (announces_now()) say_once(*pace, words, done, total);
        };
    }
    return [pace = std::make_shared<Pace>(), words = std::move(words)](std::uint64_t done, std::uint64_t total) {
        show(*pace, words, done, total);
    };
}

}  // namespace isserlis::cli
