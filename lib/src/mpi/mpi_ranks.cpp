// SPDX-License-Identifier: MIT
#include <mpi.h>

#include <cstdlib>
#include <isserlis/monte_carlo/ranks.hpp>
#include <utility>

namespace isserlis::monte_carlo {
namespace {

/// Errors of MPI end all processes, and MPI says why.
class MpiRanks final : public Ranks {
public:
    MpiRanks() {
        int threads = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
        MPI_Comm_rank(MPI_COMM_WORLD, &number_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        MPI_Comm here = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
        MPI_Comm_size(here, &on_this_machine_);
        MPI_Comm_free(&here);
    }
    ~MpiRanks() override { MPI_Finalize(); }

    [[nodiscard]] unsigned number() const override { return static_cast<unsigned>(number_); }
    [[nodiscard]] unsigned count() const override { return static_cast<unsigned>(count_); }
    [[nodiscard]] unsigned on_this_machine() const override { return static_cast<unsigned>(on_this_machine_); }

    [[nodiscard]] std::vector<ChunkSums> gather(ChunkSums const& mine) override {
        auto const ranks = static_cast<std::size_t>(count_);
        int const size = static_cast<int>(mine.size());
        std::vector<int> sizes(ranks);
        MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
        std::vector<ChunkSums> out(ranks);
        for (std::size_t r = 0; r < ranks; ++r) {
            // One after the other: all together may be more than an int can count.
            out[r] = static_cast<int>(r) == number_ ? mine : ChunkSums(static_cast<std::size_t>(sizes[r]));
            MPI_Bcast(out[r].data(), sizes[r], MPI_UINT64_T, static_cast<int>(r), MPI_COMM_WORLD);
        }
        return out;
    }

    [[noreturn]] void end_all(int exit_code) override {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        std::_Exit(exit_code);
    }

private:
    int number_ = 0;
    int count_ = 1;
    int on_this_machine_ = 1;
};

}  // namespace
}  // namespace isserlis::monte_carlo

extern "C" isserlis::monte_carlo::Ranks* isserlis_mpi_ranks() { return new isserlis::monte_carlo::MpiRanks; }
