// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <thread>

#include "watch.hpp"

namespace isserlis::cli {
namespace {

std::unique_ptr<monte_carlo::Ranks> ranks;

/// The launcher may have bound this process to some cores; else those of the machine are shared out.
unsigned cores_of_a_rank() {
    unsigned const all = std::max(1U, std::thread::hardware_concurrency());
    unsigned const share = std::max(1U, all / ranks->on_this_machine());
    cpu_set_t own;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0) return share;
    return std::min(share, static_cast<unsigned>(std::max(1, CPU_COUNT(&own))));
}

}  // namespace

void join_ranks(Arguments const& typed) {
    if (typed.options.count("--shard") != 0) return;
    ranks = monte_carlo::launched_ranks();
    if (!speaks()) leave_unannounced();
}

void introduce_ranks(quantity::Surroundings& to) {
    if (!ranks) return;
    to.ranks = ranks.get();
    to.threads = cores_of_a_rank();
    if (!speaks()) to.progress = {};
}

bool is_launched() {
    char const* const set_by_launchers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    return std::any_of(std::begin(set_by_launchers), std::end(set_by_launchers),
                       [](char const* variable) { return std::getenv(variable) != nullptr; });
}

bool speaks() { return !ranks || ranks->number() == 0; }

std::string who_complains() {
    if (speaks()) return "";
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return "rank " + std::to_string(ranks->number()) + ": ";
}

void end_ranks(int exit_code) {
    if (ranks) ranks->end_all(exit_code);
}

void leave_ranks() { ranks.reset(); }

}  // namespace isserlis::cli
