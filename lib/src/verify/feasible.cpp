// SPDX-License-Identifier: MIT
#include <isserlis/verify/feasible.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <string>

#include <unistd.h>

namespace isserlis {

void require_feasible(double work_per_sample, std::uint64_t samples, monte_carlo::RunControl const& control) {
    constexpr double seconds = 60;
    constexpr double largest_count = 1e18;
    double const work = work_per_sample * static_cast<double>(samples);
    if (work <= max_check_work || control.whatever_it_takes) return;
    auto const count = [=](double x) { return std::to_string(static_cast<std::uint64_t>(std::min(x, largest_count))); };
    double const fitting = seconds * weights_per_second * control.threads / work_per_sample;
    throw UnsupportedError(
        "`check`: " + std::to_string(samples) + " samples take the time of about " + count(work / 1e9) +
            " thousand million drawn weights; " +
            (fitting >= 2 ? "about " + count(fitting) + " fit a minute" : std::string("not even 2 fit a minute")) +
            ", and `whatever_it_takes` runs all of them",
        "check");
}

void require_memory(double numbers_per_thread, monte_carlo::RunControl const& control) {
    constexpr double share = 0.8;  ///< of the memory; something else runs too
    double const machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    double const thread = sizeof(double) * numbers_per_thread;
    if (machine <= 0 || thread * control.threads <= share * machine) return;
    auto const gigabytes = [](double bytes) { return std::to_string(static_cast<std::uint64_t>(bytes / 1e9)) + " GB"; };
    auto const fitting = static_cast<std::uint64_t>(share * machine / thread);
    std::string const machines = " of the " + gigabytes(machine) + " of this machine; ";
    if (fitting == 0)
        throw UnsupportedError("`widths`: a sampled network takes about " + gigabytes(thread) + machines +
                                   "take smaller widths or fewer layers",
                               "widths");
    throw UnsupportedError("`threads`: " + std::to_string(control.threads) + " sampled networks take about " +
                               gigabytes(thread * control.threads) + machines + "`threads` " + std::to_string(fitting) +
                               " fits",
                           "threads");
}

}  // namespace isserlis
