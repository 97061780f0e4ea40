// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>
#include <isserlis/verify/check.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "question/model.hpp"

namespace isserlis::quantity {

/// Sampled parts and blocks of |H|_F^2 beside exact ones. All of them come out of one pass by block norms where the
/// sampler for those serves the network, the targets averaged exactly; else each one by the sampler of observables.
class HessianCheck {
public:
    /// Samples at once. Nothing is done without `check`.
    HessianCheck(NumericModel const& model, Session const& session, Answer& answer);

    using Part = monte_carlo::HessianNormSampler::Part;
    /// `query` is the part's observable; the part is `factor` times it. None for a factor of 0.
    [[nodiscard]] std::optional<Check> part(Part part, std::string const& query, Surd const& exact,
                                            Surd const& factor) const;
    [[nodiscard]] std::optional<Check> total(Surd const& exact) const;
    /// Of the blocks of layers l and k, from 1.
    [[nodiscard]] std::optional<Check> block(std::size_t l, std::size_t k, Surd const& exact) const;

private:
    [[nodiscard]] std::optional<Check> with_targets(std::size_t place, std::string const& where,
                                                    Surd const& exact) const;

    NumericModel const& model_;
    Session const& session_;
    Answer& answer_;
    std::vector<monte_carlo::Estimate> estimates_;  ///< empty where block norms do not serve
    std::size_t layers_ = 0;
};

}  // namespace isserlis::quantity
