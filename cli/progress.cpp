// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <isserlis/report/duration.hpp>
#include <memory>
#include <string>
#include <utility>

#include "watch.hpp"

namespace isserlis::cli {
namespace {

/// The pace since a run was first heard of; one control serves several runs in turn.
class Pace {
public:
    std::string left(std::uint64_t done, std::uint64_t total) {
        auto const now = std::chrono::steady_clock::now();
        if (done <= last_) {
            first_ = done;
            began_ = now;
        }
        last_ = done;
        if (done == first_) return "";
        double const passed = std::chrono::duration<double>(now - began_).count();
        return ", " + about(passed * static_cast<double>(total - done) / static_cast<double>(done - first_)) + " left";
    }

private:
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

quantity::Progress progress_on_terminal(quantity::ProgressWords words) {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [pace = std::make_shared<Pace>(), words = std::move(words)](std::uint64_t done, std::uint64_t total) {
        leave_unannounced();
        std::string const left = pace->left(done, total);
        std::fprintf(stderr, "\r\033[K%s %llu %s %llu %s%s", words.doing.c_str(), static_cast<unsigned long long>(done),
                     words.of.c_str(), static_cast<unsigned long long>(total), words.units.c_str(),
                     done == total ? "\r\033[K" : left.c_str());
        std::fflush(stderr);
    };
}

}  // namespace isserlis::cli
