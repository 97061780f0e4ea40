// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/ranks.hpp>
#include <string>

namespace isserlis::monte_carlo {
namespace {

unsigned long number_in(char const* variable) {
    char const* text = std::getenv(variable);
    return text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
}

/// How many processes a launcher says that it has started: Open MPI's, those of PMI (MPICH, Intel), Slurm with PMIx.
unsigned long launched_processes() {
    for (char const* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (unsigned long const count = number_in(variable); count != 0) return count;
    }
    return std::getenv("PMIX_RANK") != nullptr ? number_in("SLURM_STEP_NUM_TASKS") : 0;
}

}  // namespace

std::unique_ptr<Ranks> launched_ranks() {
    unsigned long const count = launched_processes();
    if (count < 2) return nullptr;
    // MPI would multiply the start-up time of who does without it. Found beside this library through its run path.
    void* const library = dlopen("libisserlis_mpi.so", RTLD_NOW | RTLD_GLOBAL);
    void* const entry = library == nullptr ? nullptr : dlsym(library, "isserlis_mpi_ranks");
    if (entry == nullptr) {
        char const* why = dlerror();
        throw UnsupportedError("one of " + std::to_string(count) +
                               " processes of a launcher, which takes MPI when isserlis is built, and "
                               "libisserlis_mpi.so beside libisserlis.so; `shard` takes neither: " +
                               (why == nullptr ? "not found" : why));
    }
    return std::unique_ptr<Ranks>(reinterpret_cast<Ranks* (*)()>(entry)());
}

}  // namespace isserlis::monte_carlo
