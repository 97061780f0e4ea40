// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/shared_work.hpp>

#include <memory>
#include <vector>

namespace isserlis::monte_carlo {

/// Processes that do the same at the same time, each with its number.
class Ranks {
public:
    Ranks() = default;
    Ranks(Ranks const&) = delete;
    Ranks& operator=(Ranks const&) = delete;
    virtual ~Ranks() = default;

    [[nodiscard]] virtual unsigned number() const = 0;  ///< from 0
    [[nodiscard]] virtual unsigned count() const = 0;
    /// How many of them are on this machine.
    [[nodiscard]] virtual unsigned on_this_machine() const = 0;
    /// What each of them hands in, by its number. All wait for all.
    [[nodiscard]] virtual std::vector<ChunkSums> gather(ChunkSums const& mine) = 0;
    /// Ends the others too.
    [[noreturn]] virtual void end_all(int exit_code) = 0;
};

/// The processes that a launcher such as mpirun has started as one, of which this is one; null without a launcher, or
/// where it has started only this one.
///
/// Errors  UnsupportedError where this was built without MPI.
[[nodiscard]] std::unique_ptr<Ranks> launched_ranks();

}  // namespace isserlis::monte_carlo
