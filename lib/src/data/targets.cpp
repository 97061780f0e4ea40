// SPDX-License-Identifier: MIT
#include <isserlis/data/targets.hpp>

#include <isserlis/error.hpp>

namespace isserlis {

void require_targets(DataSet const& data, LossKind loss) {
    std::string const needs = std::string(name(loss)) + " needs ";
    if (data.targets.empty())
        throw DomainError(data.place() + " has no targets (columns y1, y2, ..); " + needs + info(loss).targets, "data");
    if (loss == LossKind::squared || loss == LossKind::half_squared) return;
    for (std::size_t k = 0; k < data.samples(); ++k) {
        std::size_t ones = 0;
        for (std::size_t j = 0; j < data.targets[k].size(); ++j) {
            RealNumber const& y = data.targets[k][j];
            bool const one = y.exact() == Surd(1);
            if (!one && y.exact() != Surd(0))
                throw DomainError(
                    data.place_of_target(k, j) + ": the target is " + y.text() + "; " + needs + info(loss).targets,
                    "data");
            ones += one ? 1 : 0;
            if (loss == LossKind::cross_entropy && ones > 1)
                throw DomainError(
                    data.place_of_target(k, j) + ": a second target of the sample is 1; " + needs + info(loss).targets,
                    "data");
        }
        if (loss == LossKind::cross_entropy && ones == 0)
            throw DomainError(data.place_of_target(k, data.targets[k].size() - 1) + ": no target of the sample is 1; " +
                                  needs + info(loss).targets,
                              "data");
    }
}

}  // namespace isserlis
