// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <gmp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <isserlis/error.hpp>
#include <optional>

#include "farewell.hpp"

namespace isserlis::cli {
namespace {

Farewell memory_farewell;

void* allocate(std::size_t size) {
    void* const out = std::malloc(size);
    if (out == nullptr) memory_farewell.say(over_a_limit);
    return out;
}

void* reallocate(void* memory, std::size_t, std::size_t size) {
    void* const out = std::realloc(memory, size);
    if (out == nullptr) memory_farewell.say(over_a_limit);
    return out;
}

void release(void* memory, std::size_t) { std::free(memory); }

/// What a file of one number says; none when it is not there, or says "max".
std::optional<double> number_in(char const* file) {
    std::ifstream in(file);
    double out = 0;
    if (!(in >> out)) return std::nullopt;
    return out;
}

/// Of the machine, or of the container.
double available_memory() {
    double out = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    for (char const* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        if (auto const most = number_in(file)) out = std::min(out, *most);
    }
    return out;
}

}  // namespace

void leave_memory_to_others(unsigned threads) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr double share = 0.9;
    constexpr double stack = 8U << 20U;  // of a thread
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return;
    limit.rlim_cur = static_cast<rlim_t>(share * available_memory() + stack * threads);
    setrlimit(RLIMIT_DATA, &limit);
#else
    static_cast<void>(threads);
#endif
}

void end_without_memory(bool json) {
    memory_farewell.prepare(json, UnsupportedError("").kind(), out_of_memory, "");
    mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace isserlis::cli
