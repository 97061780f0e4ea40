// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "quantity/figures/figure_choice.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// The parts of a figure that are done, in a file of its folder as long as some are not.
class FinishedParts {
public:
    /// Reads what an interrupted run has left.
    /// Errors  those of train::parse_record; DomainError when the file cannot be read or written.
    FinishedParts(FigureChoice const& choice, Session const& session);

    /// The numbers of the parts that are done, the first ones.
    [[nodiscard]] std::vector<std::vector<double>> const& parts() const { return parts_; }
    /// Writes them down with one more: whole, synchronised and renamed.
    void add(std::vector<double> numbers);

private:
    std::string file_;  ///< empty for none
    std::uint64_t fingerprint_ = 0;
    std::vector<std::vector<double>> parts_;
};

}  // namespace isserlis::quantity
